// The export of Results. The server and the database hold only one page of rows at a time. All exports share one connection, and workspaces
// take turns with it. A workspace has a limited number of exports in progress; the next begins when one ends.

import { type ConsoleStore, isAtLeast, type ResultFilter } from '../../database/store.ts';
import { askAs, presentAsker, streamInTurn } from '../../database/turns.ts';
import { ApiError } from '../../errors.ts';
import type { ConsoleContext, PageHandler } from '../page.ts';
import { filterOf, periodOf, readAsked } from './asked.ts';
import { inAllWords } from './asked-questions.ts';
import { columnsOf } from './columns.ts';
import { BYTE_ORDER_MARK, type CsvColumns, csvFileName, headerLine, MAX_CSV_COLUMNS, resultLine } from './csv-view.ts';

/** Responses per page: usually some hundred kilobytes, at most a few megabytes. */
const ROWS = 250;
const KEYS_ROWS = 20_000;

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

/**
 * Yields the file in pieces, newest response first.
 * @param rows How many responses a piece has.
 */
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
