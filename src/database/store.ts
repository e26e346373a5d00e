// All calls of SQL functions and views, one file per noun. Each is one statement, so one transaction; those of `console` take a session's
// hash, and SQL decides what its member may do.
import { batchesCalls, consoleBatchesCalls } from './batches.ts';
import { deliveriesCalls } from './deliveries.ts';
import { eventsCalls } from './events.ts';
import { consoleInvitationsCalls, invitationsCalls } from './invitations.ts';
import { createQueries } from './mapping.ts';
import { consoleMembersCalls, membersCalls } from './members.ts';
import { errorCode, LOCK_TIMEOUT, type Sql, wrongSettings } from './pool.ts';
import { consoleRecipientsCalls, recipientsCalls } from './recipients.ts';
import { consoleRejectionsCalls, rejectionsCalls } from './rejections.ts';
import { relaysCalls } from './relays.ts';
import { consoleResponsesCalls, responsesCalls } from './responses.ts';
import { consoleSessionsCalls, sessionsCalls } from './sessions.ts';
import { subscriptionsCalls } from './subscriptions.ts';
import { consoleSurveysCalls, surveysCalls } from './surveys.ts';
import { consoleTestInvitationsCalls, testInvitationsCalls } from './test-invitations.ts';
import { triggerRequestsCalls } from './trigger-requests.ts';
import { consoleTriggerTokensCalls, triggerTokensCalls } from './trigger-tokens.ts';
import { consoleWebhooksCalls, webhooksCalls } from './webhooks.ts';
import { consoleWorkspacesCalls, workspacesCalls } from './workspaces.ts';

export * from './batches.ts';
export * from './deliveries.ts';
export * from './events.ts';
export * from './invitations.ts';
export type { Row } from './mapping.ts';
export * from './members.ts';
export * from './recipients.ts';
export * from './rejections.ts';
export * from './relays.ts';
export * from './responses.ts';
export * from './senders.ts';
export * from './sessions.ts';
export * from './subscriptions.ts';
export * from './surveys.ts';
export * from './test-invitations.ts';
export * from './trigger-requests.ts';
export * from './trigger-tokens.ts';
export * from './webhooks.ts';
export * from './workspaces.ts';

export type Store = ReturnType<typeof createStore>;
export type ConsoleStore = Store['console'];

/** Calls reject with the driver's error; isNotReady tells which mean "try again". */
export function createStore(sql: Sql) {
  const queries = createQueries(sql);
  return {
    schemaVersion: () => queries.value<number>(sql`select invite.schema_version()`),

    /** wrongSettings: of the session, by name, where a pooler's role has to have them. */
    databaseState: () =>
      queries.one<{ schemaVersion: number; readOnly: boolean; wrongSettings: string[] }>(sql`
        select
          invite.schema_version(), current_setting('transaction_read_only')::boolean as read_only,
          ${wrongSettings(sql)} as wrong_settings`),

    ...triggerRequestsCalls(queries),
    ...rejectionsCalls(queries),
    ...workspacesCalls(queries),
    ...membersCalls(queries),
    ...sessionsCalls(queries),
    ...surveysCalls(queries),
    ...triggerTokensCalls(queries),
    ...batchesCalls(queries),
    ...invitationsCalls(queries),
    ...recipientsCalls(queries),
    ...testInvitationsCalls(queries),
    ...deliveriesCalls(queries),
    ...relaysCalls(queries),
    ...responsesCalls(queries),
    ...subscriptionsCalls(queries),
    ...eventsCalls(queries),
    ...webhooksCalls(queries),
    console: {
      ...consoleRejectionsCalls(queries),
      ...consoleWorkspacesCalls(queries),
      ...consoleMembersCalls(queries),
      ...consoleSessionsCalls(queries),
      ...consoleSurveysCalls(queries),
      ...consoleTriggerTokensCalls(queries),
      ...consoleBatchesCalls(queries),
      ...consoleInvitationsCalls(queries),
      ...consoleRecipientsCalls(queries),
      ...consoleTestInvitationsCalls(queries),
      ...consoleResponsesCalls(queries),
      ...consoleWebhooksCalls(queries),
    },
  };
}

/** Five seconds in all. */
const TRIES = 10;
/**
 * A migrate has just replaced what a connection's statement was planned for; it is planned again at the next try, which may be another
 * connection's. The driver's own retry fails: it serializes parameters twice (postgres 3.4.9).
 */
const OUTDATED = /^cached plan must not change result type|^cache lookup failed|^could not open relation with OID/;

/** The same calls, tried again after giving up on a lock. In between they hold none, so nobody's transaction ends in a deadlock. */
export function patient<Calls extends object>(calls: Calls): Calls {
  const retried =
    (call: (...args: unknown[]) => Promise<unknown>) =>
    async (...args: unknown[]) => {
      for (let tries = 1; ; tries += 1) {
        try {
          return await call(...args);
        } catch (error) {
          const isPassing = errorCode(error) === LOCK_TIMEOUT || OUTDATED.test((error as Error).message);
          if (!isPassing || tries === TRIES) throw error;
        }
      }
    };
  return Object.fromEntries(
    Object.entries(calls).map(([name, call]) => [name, typeof call === 'function' ? retried(call) : patient(call)]),
  ) as Calls;
}
