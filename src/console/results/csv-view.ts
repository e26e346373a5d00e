// Results as CSV (RFC 4180) that is safe to open in a spreadsheet.
import type { Result } from '../../database/store.ts';
import { formatUtc } from '../../text.ts';
import { type Column, textOf, valueIn } from './columns.ts';

/**
 * Matches each position where a spreadsheet could start a formula, so that an apostrophe can go there. A formula can start with = + - @ or
 * their full-width forms at the start of a cell. A tab, CR or LF at the start of a text is also unsafe. In most of Europe, Excel separates
 * cells by semicolons instead of commas. A cell then also starts after each semicolon, tab and line break in a text, even inside quotes, and a
 * quote after these goes away.
 * Source: OWASP, "CSV Injection"; OWASP ASVS 5.0, requirement 1.2.10. The pattern looks for the sign first: otherwise a text of many spaces
 * would take quadratic time.
 */
const FORMULA = /(?=[=+\-@＝＋－＠])(?<=^|[;\t\r\n][ "]*)|^(?=[\t\r\n])/g;

/** Without it, Excel reads the file in the computer's local encoding. */
export const BYTE_ORDER_MARK = '\u{feff}';

/**
 * A number stays a number, so that spreadsheets can calculate with it. A text is quoted (RFC 4180, sections 2.5 to 2.7). An apostrophe goes
 * before anything that could start a formula.
 */
export function csvCell(value: string | number | null): string {
  if (value === null || value === '') return '';
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : '';
  return `"${value.replace(FORMULA, "'").replaceAll('"', '""')}"`;
}

export const csvLine = (cells: readonly (string | number | null)[]): string => `${cells.map(csvCell).join(',')}\r\n`;

/** The limit applies to answer columns and to metadata columns separately. The last column has everything else as JSON. */
export const MAX_CSV_COLUMNS = 200;

export interface CsvColumns {
  readonly answers: readonly Column[];
  readonly metadata: readonly Column[];
  /** Whether the member may see who the recipients are. */
  readonly named: boolean;
}

export function headerLine({ answers, metadata, named }: CsvColumns): string {
  return csvLine([
    'response',
    'submitted at (UTC)',
    'attribution',
    'invitation',
    'batch',
    'language',
    'clicked in email',
    ...(named ? ['email', 'name'] : []),
    ...answers.map(({ label }) => label),
    ...metadata.map(({ label }) => `metadata: ${label}`),
    'other',
  ]);
}

export function resultLine(result: Result, { answers, metadata, named }: CsvColumns): string {
  const columns = [...answers, ...metadata];
  return csvLine([
    Number(result.id),
    formatUtc(result.submittedAt, 'millisecond'),
    result.attribution,
    result.invitationId === null ? null : Number(result.invitationId),
    result.batchId,
    result.language,
    result.clickedInEmail,
    ...(named ? [result.email, result.name] : []),
    ...columns.map((column) => {
      const value = valueIn(result, column);
      return typeof value === 'number' ? value : textOf(value);
    }),
    other(result, answers, metadata),
  ]);
}

/** The values that have no column. Null: there are none. */
function other({ answers, metadata, erasedAt }: Result, answered: readonly Column[], given: readonly Column[]): string | null {
  const rest = (values: Readonly<Record<string, unknown>> | null, columns: readonly Column[]) => {
    const known = new Set(columns.map(({ key }) => key));
    return Object.fromEntries(Object.entries(values ?? {}).filter(([key]) => !known.has(key)));
  };
  const found = {
    answers: rest(answers, answered),
    metadata: rest(metadata, given),
    erased: erasedAt ? { at: formatUtc(erasedAt) } : {},
  };
  const parts = Object.entries(found).filter(([, values]) => Object.keys(values).length > 0);
  return parts.length === 0 ? null : JSON.stringify(Object.fromEntries(parts));
}

/**
 * A file name in ASCII.
 * @param id Used if the title has no ASCII letters or digits.
 */
export function csvFileName(title: string, id: string, now: Date, what = 'results'): string {
  const plain = (text: string) =>
    text
      .normalize('NFKD')
      .replaceAll(/\p{M}/gu, '')
      .toLowerCase()
      .replaceAll(/[^a-z0-9]+/g, '-');
  const slug = plain(title).slice(0, 60).replaceAll(/^-|-$/g, '') || plain(id);
  return `${what}-${slug}-${now.toISOString().slice(0, 10)}.csv`;
}
