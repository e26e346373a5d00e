// One invitation: what happened to it, and the form that cancels it or sends it again.
import { ApiError } from '../../errors.ts';
import { readRowId } from '../../http/ids.ts';
import type { ServerContext } from '../../server.ts';
import { done, type Visit, type VisitHandler } from '../page.ts';
import { readAction } from './batches.ts';
import { invitationMain } from './invitation-view.ts';

function readId(visit: Visit): string {
  const id = readRowId(visit.param('invitation'));
  if (id === undefined) throw new ApiError('not_found', 'There is no such invitation.');
  return id;
}

export const showInvitation =
  ({ store }: ServerContext): VisitHandler =>
  async (visit) => {
    const { session } = visit;
    const survey = await store.console.surveyFrame(session, visit.param('survey'), 'editor');
    const { line, events } = await store.console.findInvitation(session, survey.surveyId, readId(visit));
    return visit.page({ title: 'Invitation', survey, tab: 'invitations' }, invitationMain(visit, survey, line, events));
  };

export const changeInvitation =
  ({ store }: ServerContext): VisitHandler =>
  async (visit) => {
    const { surveyId } = await store.console.surveyFrame(visit.session, visit.param('survey'), 'editor');
    const id = readId(visit);
    const action = readAction(visit);
    const mails = await store.console.changeInvitation(visit.session, surveyId, action, id);
    const past = action === 'cancel' ? 'cancelled' : 'retried';
    return done(`/surveys/${surveyId}/invitations/${id}`, mails > 0 ? `invitation_${past}` : `nothing_${past}`);
  };
