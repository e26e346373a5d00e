// The settings of a workspace.
import { constraintMessage } from '../../constraint-messages.ts';
import { html } from '../../html/html.ts';
import type { ApiTriggerContext } from '../api-trigger/tokens.ts';
import { done, type PageHandler, type PageRequest } from '../page.ts';
import { testWorkspacesPart } from '../tests/test-workspaces.ts';
import { workspaceSettingsMain } from './settings-view.ts';

interface Refused {
  readonly sent?: { readonly name: string; readonly error: string };
  /** Why no test workspace was created. */
  readonly testError?: string;
}

async function show({ store, limits }: ApiTriggerContext, request: PageRequest, { sent, testError }: Refused = {}) {
  const workspace = request.workspace(request.param('workspace'));
  const [settings, tests] = await Promise.all([
    store.console.workspaceSettings(request.session, workspace.id, limits.recipientsPerHour),
    store.console.listTestWorkspaces(request.session, workspace.id),
  ]);
  const main = html`${workspaceSettingsMain(request, settings, sent)}
${workspace.test === null && testWorkspacesPart(request, workspace, tests, testError)}`;
  return request.page({ title: 'Workspace', workspace, tab: 'settings' }, main, sent || testError ? 422 : 200);
}

export const showWorkspaceSettings =
  (context: ApiTriggerContext): PageHandler =>
  (request) =>
    show(context, request);

export const changeWorkspace =
  (context: ApiTriggerContext): PageHandler =>
  async (request) => {
    const { id } = request.workspace(request.param('workspace'));
    const name = (request.form.get('name') ?? '').trim();
    try {
      await context.store.console.updateWorkspace(request.session, id, name);
    } catch (error) {
      const text = constraintMessage(error);
      if (text === undefined) throw error;
      return show(context, request, { sent: { name, error: text } });
    }
    return done(`/workspaces/${id}/settings`, 'settings_saved');
  };

export const createTestWorkspace =
  (context: ApiTriggerContext): PageHandler =>
  async (request) => {
    const { id } = request.workspace(request.param('workspace'));
    try {
      const test = await context.store.console.createTestWorkspace(request.session, id);
      return done(`/workspaces/${test}/clock`, 'test_workspace_created');
    } catch (error) {
      const testError = constraintMessage(error);
      if (testError === undefined) throw error;
      return show(context, request, { testError });
    }
  };
