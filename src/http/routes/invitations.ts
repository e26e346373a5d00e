// The tab Invitations of a survey.
import { invitationsMain } from '../../pages/invitations.ts';
import type { VisitHandler } from '../member-page.ts';
import type { ServerContext } from '../server.ts';

export const showInvitations =
  ({ functions }: ServerContext): VisitHandler =>
  async (visit) => {
    const survey = await functions.surveyFrame(visit.session, visit.param('survey'), 'editor');
    return visit.page({ title: 'Invitations', survey, tab: 'invitations' }, invitationsMain());
  };
