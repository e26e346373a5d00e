// CSV by RFC 4180 that a spreadsheet cannot be attacked with. Pure.

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
