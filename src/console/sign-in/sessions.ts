// Lists a person's sessions, and signs out everywhere.
import { redirect } from '../../http/answer.ts';
import type { ConsoleContext, PageHandler } from '../page.ts';
import { sessionCookie } from '../session.ts';
import { sessionsMain } from './sessions-view.ts';

export const showSessions =
  ({ store }: ConsoleContext): PageHandler =>
  async (request) => {
    const sessions = await store.console.listSessions(request.session);
    return request.page({ title: 'Your sessions' }, sessionsMain(request, sessions));
  };

export const signOutEverywhere =
  ({ store, https }: ConsoleContext): PageHandler =>
  async ({ session }) => {
    await store.console.signOutEverywhere(session);
    return redirect('/signed-out?everywhere', { 'set-cookie': sessionCookie('', https) });
  };
