// The responses to all surveys of a workspace, newest first.
import type { WorkspaceResponse } from '../../database/store.ts';
import { isAtLeast } from '../../database/store.ts';
import { type Html, html } from '../../html/html.ts';
import { readRowId } from '../../http/ids.ts';
import { cutAfter } from '../../text.ts';
import { ago, empty, ended, pager, table } from '../components.ts';
import type { ConsoleContext, PageHandler } from '../page.ts';
import { chip, from, SHOWN } from './responses-view.ts';

const ROWS = 50;

export const showWorkspaceResponses =
  ({ store }: ConsoleContext): PageHandler =>
  async (request) => {
    const workspace = request.workspace(request.param('workspace'));
    const before = readRowId(request.query.get('before'));
    const found = await store.console.workspaceResponses(request.session, workspace.id, before, ROWS + 1);
    const named = isAtLeast(workspace.role, 'editor');
    const rows = found.slice(0, ROWS);
    const main = html`${rows.length > 0 ? list(rows, named, request.now) : before === undefined ? empty('No responses yet', 'Responses to all surveys of this workspace appear here as they come in.') : ended('responses')}
${pager('responses', before === undefined ? undefined : '?', found.length > ROWS ? `?before=${rows.at(-1)?.id}` : undefined)}`;
    return request.page({ title: 'Responses', workspace, tab: 'responses' }, main);
  };

const list = (rows: readonly WorkspaceResponse[], named: boolean, now: Date): Html =>
  html`<div class="responses">${table(
    'Responses to all surveys, newest first',
    ['Score', ['What they said', 'wide'], ['Submitted', 'time']],
    rows.map((response) => [
      chip(`/surveys/${response.surveyId}/responses/${response.id}`, response.question ?? undefined, response.score),
      html`${said(response)}<span class="sub">${from(response.invitationId !== null, response, named)} · <a href="/surveys/${response.surveyId}/results"><bdi>${response.surveyTitle}</bdi></a></span>`,
      ago(response.submittedAt, now),
    ]),
  )}</div>`;

const said = ({ comment, erasedAt }: WorkspaceResponse): Html => {
  if (erasedAt !== null) return html`<span class="dim">Answers erased</span>`;
  return html`<p class="answer" dir="auto">${comment === null ? html`<span class="dim">No comment</span>` : cutAfter(comment, SHOWN.answers)}</p>`;
};
