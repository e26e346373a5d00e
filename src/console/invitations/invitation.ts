// One invitation.
import { ApiError } from '../../errors.ts';
import { readRowId } from '../../http/ids.ts';
import { type ConsoleContext, done, type PageHandler, type PageRequest } from '../page.ts';
import { readAction } from './batches.ts';
import { invitationMain } from './invitation-view.ts';

function readId(request: PageRequest): string {
  const id = readRowId(request.param('invitation'));
  if (id === undefined) throw new ApiError('not_found', 'No such invitation.');
  return id;
}

export const showInvitation =
  ({ store }: ConsoleContext): PageHandler =>
  async (request) => {
    const { session } = request;
    const survey = await store.console.surveyFrame(session, request.param('survey'), 'editor');
    const { line, events } = await store.console.findInvitation(session, survey.surveyId, readId(request));
    return request.page(
      { title: line.email ?? 'Erased recipient', survey, tab: 'invitations' },
      invitationMain(request, survey, line, events),
    );
  };

export const changeInvitation =
  ({ store }: ConsoleContext): PageHandler =>
  async (request) => {
    const { surveyId } = await store.console.surveyFrame(request.session, request.param('survey'), 'editor');
    const id = readId(request);
    const action = request.form.get('action') === 'anyway' ? 'anyway' : readAction(request);
    const { cancelInvitation, retryInvitation, sendInvitationAnyway } = store.console;
    const change = { cancel: cancelInvitation, retry: retryInvitation, anyway: sendInvitationAnyway }[action];
    const messages = await change(request.session, surveyId, id);
    const past = action === 'cancel' ? 'cancelled' : 'retried';
    return done(`/surveys/${surveyId}/invitations/${id}`, messages > 0 ? `invitation_${past}` : `nothing_${past}`);
  };
