// All calls of SQL functions and views, one file per noun. Each call is one statement, and so one transaction. Calls under `console` take
// the hash of a session, and SQL decides what its member is allowed to do.

import { batchesCalls, consoleBatchesCalls } from './batches.ts';
import { capsCalls, consoleCapsCalls } from './caps.ts';
import type { Cell } from './cell.ts';
import type { Routes } from './cell-calls.ts';
import { deliveriesCalls } from './deliveries.ts';
import { eventsCalls } from './events.ts';
import { consoleForecastsCalls, forecastsCalls } from './forecasts.ts';
import { consoleGuardCalls, guardCalls } from './guard.ts';
import { consoleInvitationsCalls, invitationsCalls } from './invitations.ts';
import { consoleLogosCalls, logosCalls } from './logos.ts';
import { createQueries } from './mapping.ts';
import { consoleMembersCalls, membersCalls } from './members.ts';
import { consoleNotificationsCalls, notificationsCalls } from './notifications.ts';
import { errorCode, isOutdated, LOCK_TIMEOUT, type Sql, wrongSettings } from './pool.ts';
import { consoleQuestionDraftsCalls } from './question-drafts.ts';
import { consoleRecipientsCalls, recipientsCalls } from './recipients.ts';
import { consoleRejectionsCalls, rejectionsCalls } from './rejections.ts';
import { relaysCalls } from './relays.ts';
import { consoleResponsesCalls, responsesCalls } from './responses.ts';
import { asDirect } from './routed.ts';
import { secretsCalls } from './secrets.ts';
import { consoleSessionsCalls, sessionsCalls } from './sessions.ts';
import { consoleStatusCalls, statusCalls } from './status.ts';
import { subscriptionsCalls } from './subscriptions.ts';
import { supportCalls } from './support.ts';
import { consoleSurveysCalls, surveysCalls } from './surveys.ts';
import { consoleTestInvitationsCalls, testInvitationsCalls } from './test-invitations.ts';
import { consoleTestsCalls, testsCalls } from './tests.ts';
import { triggerRequestsCalls } from './trigger-requests.ts';
import { consoleTriggerTokensCalls, triggerTokensCalls } from './trigger-tokens.ts';
import { consoleUploadsCalls, uploadsCalls } from './uploads.ts';
import { consoleWebhooksCalls, webhooksCalls } from './webhooks.ts';
import { consoleWordingsCalls, wordingsCalls } from './wordings.ts';
import { consoleWorkspacesCalls, workspacesCalls } from './workspaces.ts';

export * from './batches.ts';
export * from './caps.ts';
export * from './deliveries.ts';
export * from './events.ts';
export * from './forecasts.ts';
export * from './guard.ts';
export * from './invitations.ts';
export * from './logos.ts';
export type { Row } from './mapping.ts';
export * from './members.ts';
export * from './notifications.ts';
export * from './question-drafts.ts';
export * from './questions.ts';
export * from './recipients.ts';
export * from './rejections.ts';
export * from './relays.ts';
export * from './responses.ts';
export * from './secrets.ts';
export * from './senders.ts';
export * from './sessions.ts';
export * from './status.ts';
export * from './subscriptions.ts';
export * from './support.ts';
export * from './surveys.ts';
export * from './test-invitations.ts';
export * from './tests.ts';
export * from './trigger-requests.ts';
export * from './trigger-tokens.ts';
export * from './uploads.ts';
export * from './webhooks.ts';
export * from './wordings.ts';
export * from './workspaces.ts';

export type Store = ReturnType<typeof createStore>;
export type ConsoleStore = Store['console'];

/** Calls reject with the driver's error. isNotReady says which errors mean "try again". */
export function createStore(sql: Sql) {
  const queries = createQueries(sql);
  return {
    schemaVersion: () => queries.value<number>(sql`select invite.schema_version()`),

    /** Null: it is a router. */
    cell: () => queries.one<{ [Key in keyof Cell]: Cell[Key] | null }>(sql`select invite.home(), invite.cell_number()`),

    /** The name of this database: four characters. */
    home: () => queries.value<string>(sql`select invite.home()`),

    /** home: null for a router. wrongSettings: the names of session settings that have wrong values. Behind a pooler, the role has to have the right ones. */
    databaseState: () =>
      queries.one<
        { [Key in keyof Cell]: Cell[Key] | null } & {
          schemaVersion: number;
          readOnly: boolean;
          wrongSettings: string[];
          isRouter: boolean;
        }
      >(sql`
        select
          invite.schema_version(), invite.home(), invite.cell_number(), current_setting('transaction_read_only')::boolean as read_only,
          ${wrongSettings(sql)} as wrong_settings, to_regproc('invite_router.routes') is not null as is_router`),

    /** Of a router. @param after The last change of its moves that is known. */
    routes: (after: string) => queries.one<Routes>(sql`select * from invite_router.routes(${after})`),

    /** Rejects if the database can't be written. */
    tryWrite: async (): Promise<void> => {
      await sql`select invite.try_write()`;
    },

    /** Null: a router doesn't know. */
    runningWorkers: () => queries.value<number | null>(sql`select invite.running_workers()::integer`),

    ...triggerRequestsCalls(queries),
    ...rejectionsCalls(queries),
    ...workspacesCalls(queries),
    ...wordingsCalls(queries),
    ...logosCalls(queries),
    ...membersCalls(queries),
    ...sessionsCalls(queries),
    ...surveysCalls(queries),
    ...forecastsCalls(queries),
    ...triggerTokensCalls(queries),
    ...batchesCalls(queries),
    ...uploadsCalls(queries),
    ...invitationsCalls(queries),
    ...recipientsCalls(queries),
    ...testInvitationsCalls(queries),
    ...deliveriesCalls(queries),
    ...testsCalls(queries),
    ...relaysCalls(queries),
    ...guardCalls(queries),
    ...capsCalls(queries),
    ...statusCalls(queries),
    ...supportCalls(queries),
    ...responsesCalls(queries),
    ...subscriptionsCalls(queries),
    ...eventsCalls(queries),
    ...webhooksCalls(queries),
    ...secretsCalls(queries),
    ...notificationsCalls(queries),
    console: {
      ...consoleRejectionsCalls(queries),
      ...consoleWorkspacesCalls(queries),
      ...consoleWordingsCalls(queries),
      ...consoleLogosCalls(queries),
      ...consoleMembersCalls(queries),
      ...consoleSessionsCalls(queries),
      ...consoleQuestionDraftsCalls(queries),
      ...consoleSurveysCalls(queries),
      ...consoleForecastsCalls(queries),
      ...consoleTriggerTokensCalls(queries),
      ...consoleBatchesCalls(queries),
      ...consoleUploadsCalls(queries),
      ...consoleInvitationsCalls(queries),
      ...consoleRecipientsCalls(queries),
      ...consoleTestInvitationsCalls(queries),
      ...consoleTestsCalls(queries),
      ...consoleGuardCalls(queries),
      ...consoleCapsCalls(queries),
      ...consoleStatusCalls(queries),
      ...consoleResponsesCalls(queries),
      ...consoleWebhooksCalls(queries),
      ...consoleNotificationsCalls(queries),
    },
  };
}

/** How often a call is tried. Ten tries that each wait half a second for a lock take five seconds. */
const TRIES = 10;
/** How often, if a function may have been running while a migrate replaced what it calls. The next try runs the new one. */
const TRIES_IF_MISSING = 3;
/** A function (with these parameters, or only one), a column or a table doesn't exist, or a function returns something else. */
const MISSING = ['42883', '42725', '42703', '42P01', '42P13'];

/**
 * The same calls. If one gives up waiting for a lock, it is tried again. Between tries it holds no locks, so it can't cause a deadlock in
 * other transactions.
 */
export function patient<Calls extends object>(calls: Calls): Calls {
  const retried =
    (call: (...args: unknown[]) => Promise<unknown>) =>
    async (...args: unknown[]) => {
      for (let tries = 1; ; tries += 1) {
        try {
          return await call(...args);
        } catch (thrown) {
          const error = asDirect(thrown);
          const code = errorCode(error) ?? '';
          const most = code === LOCK_TIMEOUT || isOutdated(error) ? TRIES : MISSING.includes(code) ? TRIES_IF_MISSING : 1;
          if (tries >= most) throw error;
        }
      }
    };
  return Object.fromEntries(
    Object.entries(calls).map(([name, call]) => [name, typeof call === 'function' ? retried(call) : patient(call)]),
  ) as Calls;
}
