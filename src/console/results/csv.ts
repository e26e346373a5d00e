// The Results as CSV, of all responses or of those that the filter finds. Neither process ever holds more than a page of them, and however
// many files are made at the same time, they take one connection to the database.

import { type ConsoleStore, isAtLeast, type ResultFilter } from '../../database/store.ts';
import { ApiError } from '../../errors.ts';
import type { ConsoleContext, PageHandler } from '../page.ts';
import { columnsOf } from './columns.ts';
import { BYTE_ORDER_MARK, type CsvColumns, csvFileName, headerLine, MAX_CSV_COLUMNS, resultLine } from './csv-view.ts';
import { readFilter, readKeyless } from './results.ts';

/** Responses of a page: a few hundred kilobytes, and with the longest answers and metadata some megabytes. */
const ROWS = 250;
/** Responses that are looked at for their keys in one call. */
const KEYS_ROWS = 20_000;

/** What each of its calls asks for, and what may be asked: SQL asks for the role in each of them. */
type Source = Pick<ConsoleStore, 'resultKeys' | 'listResults'>;

interface Asked {
  readonly session: Buffer;
  readonly surveyId: string;
  readonly filter: ResultFilter | undefined;
}

/** The same functions, one call after the other. */
export function inTurn(store: Source): Source {
  let last: Promise<unknown> = Promise.resolve();
  const next = <T>(call: () => Promise<T>): Promise<T> => {
    const called = last.then(call);
    last = called.catch(() => {});
    return called;
  };
  return {
    resultKeys: (...asked) => next(() => store.resultKeys(...asked)),
    listResults: (...asked) => next(() => store.listResults(...asked)),
  };
}

/**
 * The keys of all responses that are asked for, in the order of the newest; bounded.
 * @param isGone Whether nobody waits for them any more: what was found by then is returned.
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
    if (keys.lastId === null || keys.looked < KEYS_ROWS || isGone()) return { answers: [...answers], metadata: [...metadata] };
    before = keys.lastId;
  }
}

/** The file, piece by piece, newest response first. @param rows Responses of a piece. */
export async function* csvPieces(store: Source, { session, surveyId, filter }: Asked, columns: CsvColumns, rows = ROWS) {
  yield BYTE_ORDER_MARK + headerLine(columns);
  let before: string | undefined;
  for (;;) {
    const results = await store.listResults(session, surveyId, filter, before, rows);
    if (results.length > 0) yield results.map((result) => resultLine(result, columns)).join('');
    if (results.length < rows) return;
    before = results.at(-1)?.id;
  }
}

export const downloadResults = ({ store }: ConsoleContext): PageHandler => {
  const source = inTurn(store.console);
  return async ({ method, session, query, param, now, isGone }) => {
    const survey = await store.console.surveyFrame(session, param('survey'), 'viewer');
    // All responses would be another file than the one that was asked for.
    if (readKeyless(query) !== undefined) throw new ApiError('invalid_field', 'A value is looked for under its metadata key.');
    const asked = { session, surveyId: survey.surveyId, filter: readFilter(query) };
    const headers = { 'content-disposition': `attachment; filename="${csvFileName(survey.title, survey.surveyId, now)}"` };
    const head = { status: 200, type: 'text/csv', body: '', headers } as const;
    if (method === 'HEAD') return head;
    const [page, keys] = await Promise.all([store.surveyPage(survey.surveyId, undefined), readKeys(source, asked, isGone)]);
    const columns = { ...columnsOf(page?.questions ?? [], keys.answers, keys.metadata), named: isAtLeast(survey.role, 'editor') };
    return { ...head, stream: csvPieces(source, asked, columns) };
  };
};
