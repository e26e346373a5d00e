// Lists a person's sessions, and ends one, the others, or all.
import { redirect } from '../../http/answer.ts';
import { readUuid } from '../../http/ids.ts';
import { type ConsoleContext, done, type PageHandler } from '../page.ts';
import { sessionCookie } from '../session.ts';
import { sessionsMain } from './sessions-view.ts';

export const showSessions =
  ({ store }: ConsoleContext): PageHandler =>
  async (request) => {
    const sessions = await store.console.listSessions(request.session);
    return request.page({ title: 'Your sessions', tab: 'sessions' }, sessionsMain(request, sessions));
  };

/** The form of one session has its id. The form of the others says so. A form with neither signs out everywhere. */
export const endSessions =
  ({ store, https }: ConsoleContext): PageHandler =>
  async ({ session, form }) => {
    const action = form.get('action');
    if (action === 'end') {
      const id = readUuid(form.get('session'));
      const ended = id !== undefined && (await store.console.endSession(session, id));
      return done('/sessions', ended ? 'session_ended' : 'session_ended_before');
    }
    if (action === 'others') {
      await store.console.endOtherSessions(session);
      return done('/sessions', 'other_sessions_ended');
    }
    await store.console.signOutEverywhere(session);
    return redirect('/signed-out?everywhere', { 'set-cookie': sessionCookie('', https) });
  };
