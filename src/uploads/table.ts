// The lines of a list, while it is read: a CSV file with commas, semicolons or tabs, cells copied from a sheet, or addresses.
import { Readable } from 'node:stream';
import { type CsvError, type InfoRecord, parse } from 'csv-parse';
import { toStorable } from '../text.ts';
import { asciiCompatible, decodeCell } from './text.ts';

export interface TableLine {
  /** The line of the file, from 1. */
  readonly number: number;
  readonly cells: readonly string[];
}

export type ListErrorCode = 'line_too_long' | 'too_many_columns' | 'too_many_lines' | 'no_lines';

/** What is wrong with a list as a whole. */
export class ListError extends Error {
  override readonly name = 'ListError';
  readonly code: ListErrorCode;
  readonly line: number | undefined;

  constructor(code: ListErrorCode, line?: number) {
    super(line === undefined ? code : `${code} in line ${line}`);
    this.code = code;
    this.line = line;
  }
}

export const MAX_COLUMNS = 50;
/** Bytes. A quote that isn't closed makes all that follows one line. */
export const MAX_LINE = 20_000;
/** Line breaks, those inside quotes and of empty lines too. Reading millions would keep a processor busy for seconds. */
const MAX_BREAKS = 100_000;
/** Bytes that are looked at to find the separator. */
const HEAD = 16 * 1024;

const DELIMITERS = ['\t', ';', ','] as const;
type Delimiter = (typeof DELIMITERS)[number];

/** The separator that the first line has most of, outside quotes. Excel writes it into a line of its own: `sep=;`. */
export function delimiterOf(head: string): Delimiter {
  const [, named] = /^sep=([\t;,])\r?\n/.exec(head) ?? [];
  if (named !== undefined) return named as Delimiter;
  const line = /^\s*((?:"[^"]*"|[^"\r\n])*)/.exec(head)?.[1]?.replace(/"[^"]*"/g, '') ?? '';
  const counts = DELIMITERS.map((delimiter) => line.split(delimiter).length);
  const most = Math.max(...counts);
  return most === 1 ? ',' : (DELIMITERS[counts.indexOf(most)] ?? ',');
}

/** The first piece has at least so many bytes, or all. */
async function* withHead(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let head: Buffer | undefined = Buffer.alloc(0);
  for await (const chunk of bytes) {
    if (head === undefined) yield chunk;
    else {
      head = Buffer.concat([head, chunk]);
      if (head.length < HEAD) continue;
      yield head;
      head = undefined;
    }
  }
  if (head !== undefined) yield head;
}

/** @throws {ListError} too_many_lines. */
async function* withFewBreaks(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let breaks = 0;
  for await (const chunk of bytes) {
    for (const byte of chunk) if (byte === 10 || byte === 13) breaks += 1;
    if (breaks > MAX_BREAKS) throw new ListError('too_many_lines');
    yield chunk;
  }
}

/**
 * The lines that have something in them.
 * @throws {ListError} line_too_long, too_many_columns, too_many_lines.
 */
export async function* readTable(bytes: AsyncIterable<Buffer>): AsyncGenerator<TableLine> {
  const pieces = withHead(withFewBreaks(asciiCompatible(bytes)));
  const { value: head } = await pieces.next();
  if (head === undefined) return;
  const parser = parse({
    delimiter: delimiterOf(head.toString('latin1')),
    encoding: 'latin1',
    info: true,
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    max_record_size: MAX_LINE,
  });
  const source = Readable.from(
    (async function* () {
      yield head;
      yield* pieces;
    })(),
  );
  source.on('error', (error) => parser.destroy(error));
  source.pipe(parser);
  try {
    for await (const { record, info } of parser as AsyncIterable<{ record: string[]; info: InfoRecord }>) {
      const line = { number: Number(info.lines), cells: cellsOf(record) };
      if (line.cells.length > MAX_COLUMNS) throw new ListError('too_many_columns', line.number);
      if (line.cells.length > 0 && !isSeparatorLine(line)) yield line;
    }
  } catch (error) {
    if ((error as CsvError).code !== 'CSV_MAX_RECORD_SIZE') throw error;
    throw new ListError('line_too_long', Number((error as CsvError).lines));
  } finally {
    source.destroy();
  }
}

/** Without empty cells at its end, which sheets add. */
function cellsOf(record: readonly string[]): readonly string[] {
  const cells = record.map((cell) => toStorable(decodeCell(cell)).trim());
  return cells.slice(0, cells.findLastIndex((cell) => cell !== '') + 1);
}

const isSeparatorLine = ({ number, cells }: TableLine): boolean => number === 1 && /^sep=.?$/.test(cells.join(''));

/** Several addresses in one line, as copied from an email: `Ada <ada@example.com>, bo@example.com`. */
const isAddressList = (text: string): boolean =>
  !text.includes('\t') && text.split(/\r?\n/).some((line) => (line.match(/[^\s,;<>"]@[^\s,;<>"]/g)?.length ?? 0) > 1);

/** The lines of a pasted text. Of a list of addresses: one for each. */
export async function* readPasted(text: string): AsyncGenerator<TableLine> {
  if (!isAddressList(text)) {
    yield* readTable(Readable.from([Buffer.from(text)]));
    return;
  }
  let number = 0;
  for (const entry of text.split(/[,;\r\n]+/)) {
    const cell = toStorable(entry).trim();
    if (cell === '') continue;
    number += 1;
    if (cell.length > MAX_LINE) throw new ListError('line_too_long', number);
    yield { number, cells: [cell] };
  }
}
