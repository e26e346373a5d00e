// Translations as CSV files: what a download has, and what an upload would change.
import type { Answer } from '../../http/answer.ts';
import { ListError } from '../../uploads/table.ts';
import { listError } from '../invite/list-words.ts';
import type { PageRequest } from '../page.ts';
import { csvFileName } from '../results/csv-view.ts';
import type { TextChange } from './import-view.ts';
import { readTextsCsv, textsCsv } from './text-csv.ts';
import type { Original } from './translations-view.ts';

type Texts = Readonly<Record<string, string>>;
const fileNameOf = ({ fileName, name }: Original): string => fileName ?? name;

/** The texts of the form's file, or what is wrong with it. */
export async function textsIn({ file }: PageRequest): Promise<ReadonlyMap<string, string> | string> {
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

/**
 * What the texts of a file change, by the names of the form's fields.
 * @param errorOf Why a text can't be taken.
 */
export function changesIn(
  texts: ReadonlyMap<string, string>,
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
    return [{ name: one.name, label: one.label, before, after, error }];
  });
  return { changes, unknown: [...texts.keys()].filter((name) => !names.has(name)) };
}
