// One invitation: what happened to it, and the form that cancels it or sends it again.
import { ApiError } from '../../errors.ts';
import { invitationMain } from '../../pages/invitation.ts';
import { readRowId } from '../ids.ts';
import { done, type Visit, type VisitHandler } from '../member-page.ts';
import type { ServerContext } from '../server.ts';
import { readAction } from './batches.ts';

function readId(visit: Visit): string {
  const id = readRowId(visit.param('invitation'));
  if (id === undefined) throw new ApiError('not_found', 'There is no such invitation.');
  return id;
}

export const showInvitation =
  ({ functions }: ServerContext): VisitHandler =>
  async (visit) => {
    const { session } = visit;
    const survey = await functions.surveyFrame(session, visit.param('survey'), 'editor');
    const { line, events } = await functions.surveyInvitation(session, survey.surveyId, readId(visit));
    return visit.page({ title: 'Invitation', survey, tab: 'invitations' }, invitationMain(visit, survey, line, events));
  };

export const changeInvitation =
  ({ functions }: ServerContext): VisitHandler =>
  async (visit) => {
    const { surveyId } = await functions.surveyFrame(visit.session, visit.param('survey'), 'editor');
    const id = readId(visit);
    const action = readAction(visit);
    const mails = await functions.changeInvitation(visit.session, surveyId, action, id);
    const past = action === 'cancel' ? 'cancelled' : 'retried';
    return done(`/surveys/${surveyId}/invitations/${id}`, mails > 0 ? `invitation_${past}` : `nothing_${past}`);
  };
