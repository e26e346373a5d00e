// The tab API trigger of a survey: its tokens, what was refused of late, the limits in force.
import { apiTriggerMain } from '../../pages/api-trigger.ts';
import { readUuid } from '../ids.ts';
import type { VisitHandler } from '../member-page.ts';
import type { ServerContext } from '../server.ts';

const ROWS = 50;

export const showApiTrigger =
  ({ functions, limits }: ServerContext): VisitHandler =>
  async (visit) => {
    const survey = await functions.surveyFrame(visit.session, visit.param('survey'), 'editor');
    const after = readUuid(visit.query.get('after'));
    const [tokens, refusals, obstacle] = await Promise.all([
      functions.surveyTokens(visit.session, survey.surveyId, after, ROWS),
      functions.surveyRefusals(visit.session, survey.surveyId),
      functions.triggerObstacle(visit.session, survey.surveyId),
    ]);
    const shown = { survey, tokens, pageSize: ROWS, paged: after !== undefined, refusals, obstacle, limits };
    return visit.page({ title: 'API trigger', survey, tab: 'api-trigger' }, apiTriggerMain(visit, shown));
  };
