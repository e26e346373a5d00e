// Translations as CSV files: what a download has, and what an upload would change.
import type { Answer } from '../../http/answer.ts';
import { ListError } from '../../uploads/table.ts';
import { listError } from '../invite/list-words.ts';
import type { PageRequest } from '../page.ts';
import { csvFileName } from '../results/csv-view.ts';
import type { TextChange } from './import-view.ts';
import { fileNameOf, type Original, shownDigest } from './originals.ts';
import { readTextsCsv, type TextsFile, textsCsv } from './text-csv.ts';

type Texts = Readonly<Record<string, string>>;

/** The texts of the form's file, or what is wrong with it. */
export async function textsIn({ file }: PageRequest): Promise<TextsFile | string> {
  if (file === undefined) return 'Choose a CSV file.';
  try {
    return (await readTextsCsv(file.bytes)) ?? 'The file needs a line of headings with the columns name and text.';
  } catch (error) {
    if (error instanceof ListError) return listError(error);
    throw error;
  }
}

export function translationFile(
  request: PageRequest,
  title: string,
  id: string,
  what: string,
  originals: readonly Original[],
  values: Texts,
  changed: Texts,
): Answer {
  const lines = originals.map((one) => ({
    name: fileNameOf(one),
    original: one.text,
    text: values[one.name] ?? '',
    before: changed[one.name],
  }));
  const file = csvFileName(title, id, request.realNow, what);
  return {
    status: 200,
    type: 'text/csv',
    body: textsCsv(lines),
    headers: { 'content-disposition': `attachment; filename="${file}"` },
  };
}

const plain = (text: string): string => text.replace(/\s+/g, ' ').trim();

/**
 * What the texts of a file change, by the names of the form's fields.
 * @param errorOf Why a text can't be taken.
 */
export function changesIn(
  { texts, originals: beside }: TextsFile,
  originals: readonly Original[],
  values: Texts,
  errorOf: (name: string, text: string) => string | undefined,
): { changes: TextChange[]; unknown: string[] } {
  const names = new Set(originals.map(fileNameOf));
  const changes = originals.flatMap((one): TextChange[] => {
    const after = texts.get(fileNameOf(one));
    const before = values[one.name] ?? '';
    if (after === undefined || after === before) return [];
    const error = after.length > one.maxLength ? `At most ${one.maxLength} characters.` : errorOf(one.name, after);
    const seen = beside.get(fileNameOf(one)) ?? one.text;
    // Spreadsheets change spaces at the ends and the ends of lines.
    const saw = shownDigest(plain(seen) === plain(one.text) ? one.text : seen, before);
    return [{ name: one.name, label: one.label, before, after, saw, error }];
  });
  return { changes, unknown: [...texts.keys()].filter((name) => !names.has(name)) };
}
