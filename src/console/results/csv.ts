// The export of Results. The server and the database hold only one page of rows at a time. All exports share one connection, and workspaces
// take turns with it. A workspace has a limited number of exports in progress; the next begins when one ends.

import { type ConsoleStore, isAtLeast, type Result, type ResultFilter } from '../../database/store.ts';
import { askAs, presentAsker, streamInTurn } from '../../database/turns.ts';
import { ApiError } from '../../errors.ts';
import type { ConsoleContext, PageHandler } from '../page.ts';
import { filterOf, periodOf, readAsked } from './asked.ts';
import { inAllWords } from './asked-questions.ts';
import { columnsOf } from './columns.ts';
import { BYTE_ORDER_MARK, type CsvColumns, csvFileName, headerLine, MAX_CSV_COLUMNS, resultLine } from './csv-view.ts';

/** Responses per page: usually some hundred kilobytes. */
const ROWS = 250;
/** Characters after which a piece ends. It waits in memory for a slow reader. */
const MAX_PIECE = 1024 * 1024;
const KEYS_ROWS = 5_000;

type Source = Pick<ConsoleStore, 'resultKeys' | 'listResults'>;

interface Asked {
  readonly session: Buffer;
  readonly surveyId: string;
  readonly filter: ResultFilter | undefined;
}

/** The same calls, made for the current asker even after the request's handler has returned and the download continues. */
function asPresentAsker(store: Source): Source {
  const asker = presentAsker();
  return {
    resultKeys: (...asked) => askAs(asker, () => store.resultKeys(...asked)),
    listResults: (...asked) => askAs(asker, () => store.listResults(...asked)),
  };
}

/**
 * Collects the keys, newest response first, at most MAX_CSV_COLUMNS of each kind.
 * @param isGone Whether the client has disconnected. Scanning then stops.
 */
export async function readKeys(store: Source, { session, surveyId, filter }: Asked, isGone = () => false) {
  const answers = new Set<string>();
  const metadata = new Set<string>();
  const add = (set: Set<string>, keys: readonly string[]) => {
    for (const key of keys) if (set.size < MAX_CSV_COLUMNS) set.add(key);
  };
  let before: string | undefined;
  for (;;) {
    const keys = await store.resultKeys(session, surveyId, filter, before, KEYS_ROWS);
    add(answers, keys.answerKeys);
    add(metadata, keys.metadataKeys);
    if (keys.lastId === null || keys.scanned < KEYS_ROWS || isGone()) return { answers: [...answers], metadata: [...metadata] };
    before = keys.lastId;
  }
}

interface Piece {
  readonly text: string;
  /** How many responses it has. */
  readonly rows: number;
  /** Undefined: it is the last one. */
  readonly next: string | undefined;
}

/** The lines of the first of these results, up to MAX_PIECE, and at least one. @param asked How many were asked for. */
function pieceOf(results: readonly Result[], columns: CsvColumns, asked: number): Piece {
  const lines: string[] = [];
  let length = 0;
  for (const result of results) {
    const line = resultLine(result, columns);
    length += line.length;
    if (lines.length > 0 && length > MAX_PIECE) break;
    lines.push(line);
  }
  const isLast = lines.length === results.length && results.length < asked;
  return { text: lines.join(''), rows: lines.length, next: isLast ? undefined : results[lines.length - 1]?.id };
}

/**
 * Yields the file in pieces, newest response first. After long responses, which fill a piece, fewer are asked for.
 * @param rows How many responses a piece has at most.
 */
export async function* csvPieces(store: Source, { session, surveyId, filter }: Asked, columns: CsvColumns, rows = ROWS) {
  yield BYTE_ORDER_MARK + headerLine(columns);
  let before: string | undefined;
  let asked = rows;
  do {
    const piece = pieceOf(await store.listResults(session, surveyId, filter, before, asked), columns, asked);
    if (piece.rows > 0) yield piece.text;
    before = piece.next;
    asked = Math.min(rows, 2 * piece.rows);
  } while (before !== undefined);
}

export const downloadResults =
  ({ store, downloads, exports }: ConsoleContext): PageHandler =>
  async ({ method, session, query, param, now, zone, isGone }) => {
    const source = asPresentAsker(downloads);
    const survey = await store.console.surveyFrame(session, param('survey'), 'viewer');
    // Without its key the value filters nothing, and the file would have all responses. Nobody asked for those.
    const wanted = readAsked(query);
    if (wanted.valueWithoutKey !== undefined) throw new ApiError('invalid_field', 'Enter the metadata key of this value.');
    const asked = { session, surveyId: survey.surveyId, filter: filterOf(wanted, periodOf(wanted, zone, now)?.period) };
    const headers = { 'content-disposition': `attachment; filename="${csvFileName(survey.title, survey.surveyId, now)}"` };
    const head = { status: 200, type: 'text/csv', body: '', headers } as const;
    if (method === 'HEAD') return head;
    await store.console.recordAnswersExport(session, survey.surveyId, asked.filter !== undefined);
    const [versions, keys] = await Promise.all([
      store.console.askedQuestions(session, survey.surveyId),
      readKeys(source, asked, isGone),
    ]);
    const columns = {
      ...columnsOf(inAllWords(versions), keys.answers, keys.metadata),
      named: isAtLeast(survey.role, 'editor'),
    };
    return { ...head, stream: streamInTurn(exports, presentAsker(), csvPieces(source, asked, columns)) };
  };
