// The tab API trigger of a survey.
import { apiTriggerMain } from '../../pages/api-trigger.ts';
import type { VisitHandler } from '../member-page.ts';
import type { ServerContext } from '../server.ts';

export const showApiTrigger =
  ({ functions }: ServerContext): VisitHandler =>
  async (visit) => {
    const survey = await functions.surveyFrame(visit.session, visit.param('survey'), 'editor');
    return visit.page({ title: 'API trigger', survey, tab: 'api-trigger' }, apiTriggerMain());
  };
