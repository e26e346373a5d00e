// The Results as CSV: its columns and its lines, with everything that a response has. Pure.
import type { Result } from '../../database/store.ts';
import { type Column, textOf, valueIn } from './columns.ts';
import { csvLine } from './csv.ts';

/** Columns of answers, and of metadata keys. What there is besides stands as JSON in the last column. */
export const MAX_CSV_COLUMNS = 200;

export interface CsvColumns {
  readonly answers: readonly Column[];
  readonly metadata: readonly Column[];
  /** Whether who downloads may know who the recipients are. */
  readonly named: boolean;
}

export function headerLine({ answers, metadata, named }: CsvColumns): string {
  return csvLine([
    'response',
    'submitted at (UTC)',
    'attribution',
    'invitation',
    'batch',
    ...(named ? ['email', 'name'] : []),
    ...answers.map(({ label }) => label),
    ...metadata.map(({ label }) => `metadata: ${label}`),
    'other',
  ]);
}

/** A line of the file. Numbers of answers and metadata stay numbers; all else is text. */
export function resultLine(result: Result, { answers, metadata, named }: CsvColumns): string {
  const columns = [...answers, ...metadata];
  return csvLine([
    Number(result.id),
    result.submittedAt.toISOString().replace('T', ' ').replace('Z', ''),
    result.attribution,
    result.invitationId === null ? null : Number(result.invitationId),
    result.batchId,
    ...(named ? [result.email, result.name] : []),
    ...columns.map((column) => {
      const value = valueIn(result, column);
      return typeof value === 'number' ? value : textOf(value);
    }),
    other(result, answers, metadata),
  ]);
}

/** What has no column of its own, so that nothing is left out; null: nothing. */
function other({ answers, metadata }: Result, answered: readonly Column[], given: readonly Column[]): string | null {
  const rest = (values: Readonly<Record<string, unknown>> | null, columns: readonly Column[]) => {
    const known = new Set(columns.map(({ key }) => key));
    return Object.fromEntries(Object.entries(values ?? {}).filter(([key]) => !known.has(key)));
  };
  const found = { answers: rest(answers, answered), metadata: rest(metadata, given) };
  const parts = Object.entries(found).filter(([, values]) => Object.keys(values).length > 0);
  return parts.length === 0 ? null : JSON.stringify(Object.fromEntries(parts));
}

/** A name for the file that says what it is, of letters that every system takes. @param surveyId Where the title has no such letters. */
export function csvFileName(title: string, surveyId: string, now: Date): string {
  const plain = (text: string) =>
    text
      .normalize('NFKD')
      .replaceAll(/\p{M}/gu, '')
      .toLowerCase()
      .replaceAll(/[^a-z0-9]+/g, '-');
  const words = plain(title).slice(0, 60).replaceAll(/^-|-$/g, '') || plain(surveyId);
  return `results-${words}-${now.toISOString().slice(0, 10)}.csv`;
}
