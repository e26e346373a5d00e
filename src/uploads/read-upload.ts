// Reads a list into the database, a thousand lines at a time, and reads it again when its columns get another meaning. The whole list is never in
// memory: the next lines are read when the last are stored.
import { createHash } from 'node:crypto';
import { MAX_UPLOAD_LINES, type NewLine, type UploadColumn, type UploadLine } from '../database/store.ts';
import { columnsOf, hasHeadings } from './columns.ts';
import { type LineRules, recipientOf } from './recipients.ts';
import { ListError, type TableLine } from './table.ts';

/** Lines of one call. Then others have their turn at the database. */
const LINES = 1000;
/** Characters of one call. */
const MAX_CHARACTERS = 512 * 1024;
/** Lines that are looked at to find out what the columns mean. */
const SAMPLE = 20;

export type ListRules = Omit<LineRules, 'columns'>;
export type PutLines = (lines: readonly NewLine[]) => Promise<void>;

/** What check_upload needs to know of a list. */
export interface ReadList {
  readonly columns: readonly UploadColumn[];
  readonly digest: Buffer;
}

const newLine = ({ number, cells }: TableLine, rules: LineRules): NewLine => {
  const read = recipientOf(cells, rules);
  return { number, cells, recipient: 'recipient' in read ? read.recipient : undefined };
};

/** Stores lines when there are enough of them. */
function inParts(put: PutLines) {
  let part: NewLine[] = [];
  let characters = 0;
  const flush = async () => {
    const lines = part;
    part = [];
    characters = 0;
    if (lines.length > 0) await put(lines);
  };
  return {
    flush,
    async add(line: NewLine) {
      part.push(line);
      characters += line.cells?.reduce((sum, cell) => sum + cell.length, 0) ?? 0;
      if (part.length >= LINES || characters >= MAX_CHARACTERS) await flush();
    },
  };
}

/**
 * @param columns Undefined: by the headings, or by what is in them.
 * @throws {ListError} no_lines, too_many_lines.
 */
export async function readList(
  lines: AsyncIterator<TableLine>,
  rules: ListRules,
  put: PutLines,
  columns?: (headings: readonly string[] | undefined) => readonly UploadColumn[],
): Promise<ReadList> {
  const sample: TableLine[] = [];
  const next = async () => (await lines.next()).value as TableLine | undefined;
  let line = await next();
  for (; line !== undefined && sample.length < SAMPLE; line = await next()) sample.push(line);
  const headings = hasHeadings(sample) ? sample.shift()?.cells : undefined;
  if (sample.length === 0) throw new ListError('no_lines');
  const known: LineRules = { ...rules, columns: columns?.(headings) ?? columnsOf(headings, sample) };
  const digest = createHash('sha256');
  const parts = inParts(put);
  let count = 0;
  const take = async (one: TableLine) => {
    count += 1;
    if (count > MAX_UPLOAD_LINES) throw new ListError('too_many_lines');
    digest.update(`${JSON.stringify(one.cells)}\n`);
    await parts.add(newLine(one, known));
  };
  for (const one of sample) await take(one);
  for (; line !== undefined; line = await next()) await take(line);
  await parts.flush();
  return { columns: known.columns, digest: digest.digest() };
}

/** @param page The lines after this number, in order; none after the last. */
export async function rereadLines(
  page: (after: number) => Promise<readonly UploadLine[]>,
  rules: LineRules,
  put: PutLines,
): Promise<void> {
  for (let after = 0; ; ) {
    const lines = await page(after);
    const last = lines.at(-1);
    if (last === undefined) return;
    await put(
      lines.map((line) => {
        const { number, recipient } = newLine(line, rules);
        return { number, recipient };
      }),
    );
    after = last.number;
  }
}
