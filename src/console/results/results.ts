// The tab Results of a survey, a page at a time. The summary is on the first page only: the others are for reading on.
import type { ResultFilter } from '../../database/store.ts';
import { readRowId } from '../../http/ids.ts';
import type { ConsoleContext, PageHandler } from '../page.ts';
import { resultsMain } from './results-view.ts';

const ROWS = 50;
/** The newest responses whose metadata keys the filter offers, and how many keys. */
const KEYS_FROM = 1000;
const KEYS_OFFERED = 100;

/** The fields of the filter. A zero byte is no text for PostgreSQL. */
function readFields(query: URLSearchParams) {
  const [key, value] = [query.get('key'), query.get('value')].map((text) => text?.replaceAll('\0', '').trim() || undefined);
  return { key, value };
}

/** The filter that a query asks for: `key` and `value`. */
export function readFilter(query: URLSearchParams): ResultFilter | undefined {
  const { key, value } = readFields(query);
  return key === undefined ? undefined : { key, value };
}

/** A value that came without its key, which no filter is made of. */
export function readKeyless(query: URLSearchParams): string | undefined {
  const { key, value } = readFields(query);
  return key === undefined ? value : undefined;
}

export const showResults =
  ({ store }: ConsoleContext): PageHandler =>
  async (request) => {
    const { session, query, now } = request;
    const survey = await store.console.surveyFrame(session, request.param('survey'), 'viewer');
    const id = survey.surveyId;
    const filter = readFilter(query);
    const keyless = readKeyless(query);
    const before = readRowId(query.get('before'));
    const [page, rows, keys, summary] = await Promise.all([
      store.surveyPage(id, undefined),
      store.console.listResults(session, id, filter, before, ROWS + 1),
      store.console.resultKeys(session, id, undefined, undefined, KEYS_FROM),
      before === undefined ? store.console.resultSummary(session, id, filter) : undefined,
    ]);
    const main = resultsMain({
      survey,
      questions: page?.questions ?? [],
      filter,
      keyless,
      results: rows.slice(0, ROWS),
      more: rows.length > ROWS,
      summary,
      knownKeys: keys.metadataKeys.slice(0, KEYS_OFFERED),
      now,
    });
    return request.page({ title: 'Results', survey, tab: 'results' }, main, keyless === undefined ? 200 : 422);
  };
