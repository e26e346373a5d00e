// The tab Results. Only the first page has the summary.

import type { ResultFilter } from '../../database/store.ts';
import { readRowId } from '../../http/ids.ts';
import { toStorable } from '../../text.ts';
import type { ConsoleContext, PageHandler } from '../page.ts';
import { downloadLink, resultsMain } from './results-view.ts';

const ROWS = 50;
/** Responses whose metadata keys the filter suggests, and how many. */
const KEYS_FROM = 1000;
const KEYS_OFFERED = 100;

/** Without zero bytes: PostgreSQL's text has none. */
function readFields(query: URLSearchParams) {
  const [key, value] = [query.get('key'), query.get('value')].map((text) => toStorable(text ?? '').trim() || undefined);
  return { key, value };
}

export function readFilter(query: URLSearchParams): ResultFilter | undefined {
  const { key, value } = readFields(query);
  return key === undefined ? undefined : { key, value };
}

export function readValueWithoutKey(query: URLSearchParams): string | undefined {
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
    const valueWithoutKey = readValueWithoutKey(query);
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
      valueWithoutKey,
      results: rows.slice(0, ROWS),
      more: rows.length > ROWS,
      summary,
      knownKeys: keys.metadataKeys.slice(0, KEYS_OFFERED),
      now,
    });
    const actions = rows.length > 0 && downloadLink(survey, filter);
    return request.page({ title: 'Results', survey, tab: 'results', actions }, main, valueWithoutKey === undefined ? 200 : 422);
  };
