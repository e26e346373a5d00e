// The tab API trigger of a survey: its tokens, what was refused of late, the limits in force.

import { readUuid } from '../../http/ids.ts';
import type { ServerContext } from '../../server.ts';
import type { VisitHandler } from '../page.ts';
import { apiTriggerMain } from './tokens-view.ts';

const ROWS = 50;

export const showApiTrigger =
  ({ store, limits }: ServerContext): VisitHandler =>
  async (visit) => {
    const survey = await store.console.surveyFrame(visit.session, visit.param('survey'), 'editor');
    const after = readUuid(visit.query.get('after'));
    const [tokens, refusals, obstacle] = await Promise.all([
      store.console.listTriggerTokens(visit.session, survey.surveyId, after, ROWS),
      store.console.listRejections(visit.session, survey.surveyId),
      store.console.triggerObstacle(visit.session, survey.surveyId),
    ]);
    const shown = { survey, tokens, pageSize: ROWS, paged: after !== undefined, refusals, obstacle, limits };
    return visit.page({ title: 'API trigger', survey, tab: 'api-trigger' }, apiTriggerMain(visit, shown));
  };
