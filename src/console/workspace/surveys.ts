// The start page, and a workspace's surveys.

import { isAtLeast } from '../../database/store.ts';
import { html } from '../../html/html.ts';
import { type Handler, redirect } from '../../http/answer.ts';
import { isId } from '../../http/ids.ts';
import { firstSteps, nextStepOf } from '../first-steps.ts';
import { onlyWorkspace } from '../frame.ts';
import { authenticate, type ConsoleContext, consolePage, type PageHandler } from '../page.ts';
import { openAnswer } from '../sign-in/open-page.ts';
import { welcomePage } from '../sign-in/sign-in-view.ts';
import { attentionPart } from './attention-view.ts';
import { surveysMain, workspacesMain } from './surveys-view.ts';

const ROWS = 50;

export const showStart = (context: ConsoleContext): Handler => {
  const list = consolePage(context, (request) =>
    request.page({ title: 'Your workspaces' }, workspacesMain(request.me.workspaces)),
  );
  return async (request) => {
    const session = await authenticate(context, request);
    if (session === undefined) return openAnswer(200, welcomePage());
    const only = onlyWorkspace(session.me);
    return only === undefined ? list(request) : redirect(`/workspaces/${only.id}`);
  };
};

export const showSurveys =
  ({ store }: ConsoleContext): PageHandler =>
  async (request) => {
    const workspace = request.workspace(request.param('workspace'));
    const given = request.query.get('before') ?? undefined;
    const before = isId(given) ? given : undefined;
    const [surveys, attention] = await Promise.all([
      store.console.listSurveys(request.session, workspace.id, before, ROWS),
      before === undefined ? store.console.attention(request.session, workspace.id) : [],
    ]);
    const isEditor = isAtLeast(workspace.role, 'editor');
    const actions =
      isEditor &&
      (surveys.length > 0 || before !== undefined) &&
      html`<a class="button quiet" href="/workspaces/${workspace.id}/surveys/new">New survey</a><a class="button" href="/workspaces/${workspace.id}/invite">Invite people</a>`;
    const newest = surveys.find(({ isBeingDeleted }) => !isBeingDeleted);
    const isNew =
      before === undefined &&
      surveys.every(({ sent, unsent }) => sent === 0 && unsent !== null && Object.keys(unsent).length === 0);
    const survey =
      isEditor && isNew && newest ? await store.console.surveyFrame(request.session, newest.surveyId, 'editor') : undefined;
    const steps = isEditor && isNew && (survey === undefined || nextStepOf(survey.missingSteps)) && firstSteps(workspace, survey);
    return request.page(
      { title: 'Surveys', workspace, tab: 'surveys', actions },
      // What pauses all of its email stands above each page.
      html`${attentionPart(
        attention.filter(({ kind, title }) => kind !== 'sending_paused' || title !== null),
        { workspaceId: workspace.id, role: workspace.role, zone: request.zone },
      )}${surveysMain(surveys, workspace, request.now, steps, { paged: before !== undefined, pageSize: ROWS })}`,
    );
  };
