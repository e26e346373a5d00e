// CSV by RFC 4180 that a spreadsheet cannot be attacked with. Pure.

/**
 * What makes a spreadsheet take a text for a formula when it begins with it: = + - @, tab, CR and LF, and the full-width forms of the four signs.
 * Source: OWASP, "CSV Injection"; OWASP ASVS 5.0, requirement 1.2.10. Quotes alone do not help: spreadsheets look at what is in them.
 */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/;

/** Excel takes a file for the code page of its country unless it begins with this. */
export const BYTE_ORDER_MARK = '\u{feff}';

/**
 * One cell. A number is written as it is, so that a spreadsheet can count with it; it cannot be a formula. A text is put in quotes, its own quotes
 * doubled (RFC 4180, section 2.5 to 2.7), and gets a leading apostrophe if it could be taken for a formula. Nothing is nothing.
 */
export function csvCell(value: string | number | null): string {
  if (value === null || value === '') return '';
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : '';
  return `"${(FORMULA.test(value) ? `'${value}` : value).replaceAll('"', '""')}"`;
}

/** A line, with its end. */
export const csvLine = (cells: readonly (string | number | null)[]): string => `${cells.map(csvCell).join(',')}\r\n`;
