// The Results as CSV by RFC 4180: columns and lines, with everything that a response has, safe to open in a spreadsheet. Pure.
import type { Result } from '../../database/store.ts';
import { formatUtc } from '../../text.ts';
import { type Column, textOf, valueIn } from './columns.ts';

/**
 * Where a spreadsheet would take what follows for a formula: before = + - @ and their full-width forms where a cell may begin, and before a tab,
 * CR or LF that a text begins with. A cell begins inside a text too, in a spreadsheet that takes another separator than the comma, as Excel does in
 * most of Europe: it sees no quotes then, and each semicolon, tab and line break begins a cell.
 * Source: OWASP, "CSV Injection"; OWASP ASVS 5.0, requirement 1.2.10. Quotes alone do not help: spreadsheets look at what is in them.
 * The sign is looked for first: a text of blanks alone would otherwise cost the square of its length.
 */
const FORMULA = /(?=[=+\-@＝＋－＠])(?<=^|[;\t\r\n] *)|^(?=[\t\r\n])/g;

/** Excel takes a file for the code page of its country unless it begins with this. */
export const BYTE_ORDER_MARK = '\u{feff}';

/**
 * One cell. A number is written as it is, so that a spreadsheet can count with it; it cannot be a formula. A text is put in quotes, its own quotes
 * doubled (RFC 4180, section 2.5 to 2.7), and gets an apostrophe before what could be taken for a formula. Nothing is nothing.
 */
export function csvCell(value: string | number | null): string {
  if (value === null || value === '') return '';
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : '';
  return `"${value.replace(FORMULA, "'").replaceAll('"', '""')}"`;
}

/** A line, with its end. */
export const csvLine = (cells: readonly (string | number | null)[]): string => `${cells.map(csvCell).join(',')}\r\n`;

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
    formatUtc(result.submittedAt, 'millisecond'),
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
