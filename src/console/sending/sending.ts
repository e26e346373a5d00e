// Pauses and resumes sending, for a workspace or a survey.
import { ApiError } from '../../errors.ts';
import type { FlashCode } from '../flashes.ts';
import { type ConsoleContext, done, type PageHandler, type PageRequest } from '../page.ts';
import { surveySendingMain, workspaceSendingMain } from './sending-view.ts';

function readPaused({ form }: PageRequest): boolean {
  const action = form.get('action');
  if (action === 'pause' || action === 'resume') return action === 'pause';
  throw new ApiError('invalid_field', 'No such action.');
}

const flash = (paused: boolean): FlashCode => (paused ? 'sending_paused' : 'sending_resumed');

export const showWorkspaceSending =
  ({ store }: ConsoleContext): PageHandler =>
  async (request) => {
    const workspace = request.workspace(request.param('workspace'));
    const [sending, status, guard, caps] = await Promise.all([
      store.console.sending(request.session, workspace.id),
      store.console.sendingStatus(request.session, workspace.id),
      store.console.guard(request.session, workspace.id),
      store.console.caps(request.session, workspace.id),
    ]);
    return request.page(
      { title: 'Sending', workspace, tab: 'sending' },
      workspaceSendingMain(request, workspace, sending, status, guard, caps),
    );
  };

export const changeWorkspaceSending =
  ({ store }: ConsoleContext): PageHandler =>
  async (request) => {
    const { id } = request.workspace(request.param('workspace'));
    const { session } = request;
    // Check the role first, so that people who may not change this learn nothing about the form.
    await store.console.sending(session, id);
    const paused = readPaused(request);
    await store.console.setWorkspacePaused(session, id, paused);
    return done(`/workspaces/${id}/sending`, flash(paused));
  };

export const showSurveySending =
  ({ store }: ConsoleContext): PageHandler =>
  async (request) => {
    const survey = await store.console.surveyFrame(request.session, request.param('survey'), 'admin');
    return request.page({ title: 'Sending', survey, tab: 'invitations' }, surveySendingMain(request, survey));
  };

export const changeSurveySending =
  ({ store }: ConsoleContext): PageHandler =>
  async (request) => {
    const { surveyId } = await store.console.surveyFrame(request.session, request.param('survey'), 'admin');
    const paused = readPaused(request);
    await store.console.setSurveyPaused(request.session, surveyId, paused);
    return done(`/surveys/${surveyId}/invitations`, flash(paused));
  };
