// The page of the guard: how much bounces, and its release.
import { constraintMessage } from '../../constraint-messages.ts';
import { fieldText } from '../../text.ts';
import { type ConsoleContext, done, type PageHandler } from '../page.ts';
import { guardMain } from './guard-view.ts';

const TITLE = 'Bounces and complaints';

export const showGuard =
  ({ store }: ConsoleContext): PageHandler =>
  async (request) => {
    const workspace = request.workspace(request.param('workspace'));
    const guard = await store.console.guard(request.session, workspace.id);
    return request.page({ title: TITLE, workspace, tab: 'sending' }, guardMain(request, guard));
  };

export const releaseGuard =
  ({ store }: ConsoleContext): PageHandler =>
  async (request) => {
    const workspace = request.workspace(request.param('workspace'));
    const { session, form } = request;
    // Check the role first, so that people who may not change this learn nothing about the form.
    const guard = await store.console.guard(session, workspace.id);
    const note = fieldText(form, 'note');
    try {
      const released = await store.console.releaseGuard(session, workspace.id, note);
      return done(`/workspaces/${workspace.id}/guard`, released ? 'guard_released' : 'guard_released_before');
    } catch (error) {
      const message = constraintMessage(error);
      if (message === undefined) throw error;
      const main = guardMain(request, guard, { value: note, error: message });
      return request.page({ title: TITLE, workspace, tab: 'sending' }, main, 422);
    }
  };
