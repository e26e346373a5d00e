// The tab Results. Only the first page has the summary.

import { readRowId } from '../../http/ids.ts';
import type { ConsoleContext, PageHandler } from '../page.ts';
import { askedQuery, filterOf, periodOf, readAsked } from './asked.ts';
import { everyQuestion, questionsOf, wordingsOf } from './asked-questions.ts';
import { oneChoiceOf } from './conditions.ts';
import { filterButton, resultsMain } from './results-view.ts';

const ROWS = 50;
/** How many responses the suggested metadata keys come from, and how many keys are suggested. */
const KEYS_FROM = 1000;
const KEYS_OFFERED = 100;

export const showResults =
  ({ store }: ConsoleContext): PageHandler =>
  async (request) => {
    const { session, query, now, zone } = request;
    const survey = await store.console.surveyFrame(session, request.param('survey'), 'viewer');
    const id = survey.surveyId;
    const asked = readAsked(query);
    const periods = periodOf(asked, zone, now);
    const filter = filterOf(asked, periods?.period);
    const before = readRowId(query.get('before'));
    const isFirst = before === undefined;
    const [versions, rows, keys, offers, summary, rate, breakdown] = await Promise.all([
      store.console.askedQuestions(session, id),
      store.console.listResults(session, id, filter, before, ROWS + 1),
      store.console.resultKeys(session, id, undefined, undefined, KEYS_FROM),
      store.console.resultOffers(session, id),
      isFirst ? store.console.resultSummary(session, id, filter, zone, periods?.before) : undefined,
      isFirst ? store.console.responseRate(session, id, filter, zone, periods?.before) : undefined,
      isFirst && asked.by ? store.console.resultBreakdown(session, id, asked.by, asked.scoreBy, filter, zone) : undefined,
    ]);
    const questions = everyQuestion(versions);
    const main = resultsMain({
      survey,
      questions,
      wordings: wordingsOf(versions),
      periodQuestions: questionsOf(versions, periods?.period, zone),
      asked,
      periods,
      results: rows.slice(0, ROWS),
      more: rows.length > ROWS,
      numbers: summary && rate && { summary, rate },
      breakdown,
      knownKeys: keys.metadataKeys.slice(0, KEYS_OFFERED),
      offers: { ...offers, choices: oneChoiceOf(questions) },
      zone,
      now,
    });
    const actions = (rows.length > 0 || !isFirst || askedQuery(asked) !== '') && filterButton(asked);
    return request.page(
      { title: 'Results', survey, tab: 'results', actions },
      main,
      asked.valueWithoutKey === undefined ? 200 : 422,
    );
  };
