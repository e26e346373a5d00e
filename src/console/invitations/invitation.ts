// One invitation.
import { ApiError } from '../../errors.ts';
import { readRowId } from '../../http/ids.ts';
import { type ConsoleContext, done, type PageHandler, type PageRequest } from '../page.ts';
import { PAST, readAction } from './batches.ts';
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
    const invitation = readId(request);
    const [{ line, events }, response, remindable] = await Promise.all([
      store.console.findInvitation(session, survey.surveyId, invitation),
      store.console.responseTo(session, survey.surveyId, invitation),
      store.console.countRemindable(session, survey.surveyId, { invitation }),
    ]);
    return request.page(
      { title: line.email ?? 'Erased recipient', survey, tab: 'invitations' },
      invitationMain(request, survey, line, response, events, remindable > 0),
    );
  };

export const changeInvitation =
  ({ store }: ConsoleContext): PageHandler =>
  async (request) => {
    const { surveyId } = await store.console.surveyFrame(request.session, request.param('survey'), 'editor');
    const id = readId(request);
    const action = request.form.get('action') === 'anyway' ? 'anyway' : readAction(request);
    const {
      cancelInvitation: cancel,
      retryInvitation: retry,
      remindInvitation: remind,
      sendInvitationAnyway: anyway,
    } = store.console;
    const messages = await { cancel, retry, remind, anyway }[action](request.session, surveyId, id);
    const past = action === 'anyway' ? 'retried' : PAST[action];
    return done(`/surveys/${surveyId}/invitations/${id}`, `${messages > 0 ? 'invitation' : 'nothing'}_${past}`);
  };
