// Texts as a CSV file that people translate in a spreadsheet: a line for each, with its name, the original, and the text. Pure, but for
// reading the file while it arrives.
import { readTable } from '../../uploads/table.ts';
import { BYTE_ORDER_MARK, csvLine } from '../results/csv-view.ts';

export interface TextLine {
  readonly name: string;
  readonly original: string;
  /** Empty: there is none. */
  readonly text: string;
  /** What the original said when the text was written. Undefined: it says so still. */
  readonly before?: string | undefined;
}

const COLUMNS = ['name', 'original', 'text', 'original before'] as const;

export const textsCsv = (lines: readonly TextLine[]): string =>
  BYTE_ORDER_MARK +
  csvLine(COLUMNS) +
  lines.map(({ name, original, text, before }) => csvLine([name, original, text, before ?? null])).join('');

/** The apostrophes that csvLine puts before what a spreadsheet would take for a formula. */
const GUARD = /(?<=^|[;\t\r\n][ "]*)'(?=[=+\-@＝＋－＠])/g;

/** Texts by name, without the empty ones. */
export interface TextsFile {
  readonly texts: ReadonlyMap<string, string>;
  /** Those beside them. */
  readonly originals: ReadonlyMap<string, string>;
}

/**
 * Undefined: the file has no columns with the headings name and text.
 * @throws {ListError} As readTable.
 */
export async function readTextsCsv(bytes: AsyncIterable<Buffer>): Promise<TextsFile | undefined> {
  const texts = new Map<string, string>();
  const originals = new Map<string, string>();
  let places: { name: number; text: number; original: number } | undefined;
  for await (const { cells } of readTable(bytes)) {
    if (places === undefined) {
      const headings = cells.map((cell) => cell.toLowerCase());
      places = { name: headings.indexOf('name'), text: headings.indexOf('text'), original: headings.indexOf('original') };
      if (places.name === -1 || places.text === -1) return undefined;
      continue;
    }
    const [name, text, original] = [places.name, places.text, places.original].map((place) =>
      (cells[place] ?? '').replaceAll('\r\n', '\n').replace(GUARD, ''),
    );
    if (name && text) texts.set(name, text);
    if (name && original) originals.set(name, original);
  }
  return places && { texts, originals };
}
