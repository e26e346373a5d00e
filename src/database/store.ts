// All calls to the SQL functions and views, typed: one file per noun, put together here. Each method is one statement and so one transaction.
import { batchesCalls, consoleBatchesCalls } from './batches.ts';
import { deliveriesCalls } from './deliveries.ts';
import { consoleInvitationsCalls, invitationsCalls } from './invitations.ts';
import { createQueries } from './mapping.ts';
import { consoleMembersCalls, membersCalls } from './members.ts';
import type { Sql } from './pool.ts';
import { consoleRejectionsCalls, rejectionsCalls } from './rejections.ts';
import { relaysCalls } from './relays.ts';
import { consoleResponsesCalls, responsesCalls } from './responses.ts';
import { consoleSessionsCalls, sessionsCalls } from './sessions.ts';
import { subscriptionsCalls } from './subscriptions.ts';
import { consoleSurveysCalls, surveysCalls } from './surveys.ts';
import { consoleTestInvitationsCalls, testInvitationsCalls } from './test-invitations.ts';
import { triggerRequestsCalls } from './trigger-requests.ts';
import { consoleTriggerTokensCalls, triggerTokensCalls } from './trigger-tokens.ts';
import { consoleWorkspacesCalls, workspacesCalls } from './workspaces.ts';

export * from './batches.ts';
export * from './deliveries.ts';
export * from './invitations.ts';
export type { Row } from './mapping.ts';
export * from './members.ts';
export * from './rejections.ts';
export * from './relays.ts';
export * from './responses.ts';
export * from './sessions.ts';
export * from './subscriptions.ts';
export * from './surveys.ts';
export * from './test-invitations.ts';
export * from './trigger-requests.ts';
export * from './trigger-tokens.ts';
export * from './workspaces.ts';

export type Store = ReturnType<typeof createStore>;
/** The calls of the members' pages. Each takes the hash of a session first, and SQL decides what that member may do. */
export type ConsoleStore = Store['console'];

/**
 * Binds the calls to a pool.
 * All of them reject with the driver's error; isNotReady in pool.ts says which mean "try again".
 */
export function createStore(sql: Sql) {
  const queries = createQueries(sql);
  return {
    /** The number of the last applied migration. */
    schemaVersion: () => queries.value<number>(sql`select invite.schema_version()`),
    ...triggerRequestsCalls(queries),
    ...rejectionsCalls(queries),
    ...workspacesCalls(queries),
    ...membersCalls(queries),
    ...sessionsCalls(queries),
    ...surveysCalls(queries),
    ...triggerTokensCalls(queries),
    ...batchesCalls(queries),
    ...invitationsCalls(queries),
    ...testInvitationsCalls(queries),
    ...deliveriesCalls(queries),
    ...relaysCalls(queries),
    ...responsesCalls(queries),
    ...subscriptionsCalls(queries),
    console: {
      ...consoleRejectionsCalls(queries),
      ...consoleWorkspacesCalls(queries),
      ...consoleMembersCalls(queries),
      ...consoleSessionsCalls(queries),
      ...consoleSurveysCalls(queries),
      ...consoleTriggerTokensCalls(queries),
      ...consoleBatchesCalls(queries),
      ...consoleInvitationsCalls(queries),
      ...consoleTestInvitationsCalls(queries),
      ...consoleResponsesCalls(queries),
    },
  };
}
