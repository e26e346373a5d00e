// The settings of a workspace.
import { constraintMessage } from '../../constraint-messages.ts';
import type { ApiTriggerContext } from '../api-trigger/tokens.ts';
import { done, type PageHandler, type PageRequest } from '../page.ts';
import { workspaceSettingsMain } from './settings-view.ts';

async function show({ store, limits }: ApiTriggerContext, request: PageRequest, sent?: { name: string; error: string }) {
  const workspace = request.workspace(request.param('workspace'));
  const settings = await store.console.workspaceSettings(request.session, workspace.id, limits.recipientsPerHour);
  const main = workspaceSettingsMain(request, settings, sent);
  return request.page({ title: 'Settings', workspace, tab: 'settings' }, main, sent === undefined ? 200 : 422);
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
      return show(context, request, { name, error: text });
    }
    return done(`/workspaces/${id}/settings`, 'settings_saved');
  };
