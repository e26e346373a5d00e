// The tab Results of a survey.
import { resultsMain } from '../../pages/results.ts';
import type { VisitHandler } from '../member-page.ts';
import type { ServerContext } from '../server.ts';

export const showResults =
  ({ functions }: ServerContext): VisitHandler =>
  async (visit) => {
    const survey = await functions.surveyFrame(visit.session, visit.param('survey'), 'viewer');
    return visit.page({ title: 'Results', survey, tab: 'results' }, resultsMain());
  };
