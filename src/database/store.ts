// The SQL functions and views, typed: the only file that names them. Each method is one statement and so one transaction.

import { createInvitationFunctions } from './invitation-functions.ts';
import { createManagement } from './management.ts';
import { createQueries } from './mapping.ts';
import { createMemberFunctions } from './member-functions.ts';
import type { Sql } from './pool.ts';
import type {
  ClaimedInvitation,
  ClaimOptions,
  QueueState,
  RelayCondition,
  RelayEventRecord,
  RelayLimits,
  ResponseAnswer,
  Row,
  Settlement,
  SurveyPage,
  UnsubscribePage,
} from './records.ts';
import { createResultFunctions } from './result-functions.ts';
import { createTokenFunctions } from './token-functions.ts';
import type { Idempotency, TriggerAnswer, TriggerCall, TriggerRequest } from './trigger-records.ts';

export * from './invitation-records.ts';
export * from './member-records.ts';
export * from './records.ts';
export * from './result-records.ts';
export * from './token-records.ts';
export * from './trigger-records.ts';

export type Store = ReturnType<typeof createStore>;

/** A trigger request as accept_triggers takes it. */
const requestJson = ({ secretHash, request, idempotency }: TriggerCall): Row => ({
  secret_hash: hex(secretHash),
  recipients: request.recipients,
  subject: request.subject,
  message: request.message,
  reminder_days: request.reminderDays,
  metadata: request.metadata,
  send_in_seconds: request.sendInSeconds,
  send_at: request.sendAt,
  idempotency_key: idempotency?.key,
  payload_hash: idempotency && hex(idempotency.payloadHash),
});

const hex = (bytes: Buffer): string => `\\x${bytes.toString('hex')}`;

/**
 * Binds the functions to a pool.
 * All of them reject with the driver's error; see isNotReady in database.ts for which mean "try again".
 */
export function createStore(sql: Sql) {
  const queries = createQueries(sql);
  const { json, record, records, one, value } = queries;
  return {
    /** The number of the last applied migration. */
    schemaVersion: () => value<number>(sql`select invite.schema_version()`),

    /**
     * Accepts or refuses trigger requests, each by itself.
     * @param recipientsPerHour The volume limit of a workspace.
     * @param wait Whether to wait for a token that somebody else has locked.
     * @returns The answers in the order of the requests; undefined: ask again, the token is locked.
     */
    async acceptTriggers(calls: readonly TriggerCall[], recipientsPerHour: number, wait = false) {
      const rows =
        await sql`select * from invite.accept_triggers(${json(calls.map(requestJson))}, ${recipientsPerHour}, ${wait})`;
      const answers: (TriggerAnswer | undefined)[] = calls.map(() => undefined);
      for (const { request, ...row } of rows) answers[request as number] = record<TriggerAnswer>(row);
      return answers;
    },

    /** Accepts or refuses one trigger request. */
    async acceptTrigger(
      secretHash: Buffer,
      request: TriggerRequest,
      recipientsPerHour: number,
      idempotency?: Idempotency,
    ): Promise<TriggerAnswer> {
      const [answer] = await this.acceptTriggers([{ secretHash, request, idempotency }], recipientsPerHour, true);
      if (answer === undefined) throw new Error('a request that waits for its token was not answered');
      return answer;
    },

    /**
     * Claims the due ones among the given invitations for this worker, as far as the relay takes mail.
     * @param claim What holds it back, if anything, and the id that the claim is to have.
     */
    claimInvitations: (invitationIds: readonly number[], workerId: string, claim: ClaimOptions = {}) =>
      records<ClaimedInvitation>(sql`
        select * from invite.claim_invitations(
          ${invitationIds as number[]}::bigint[], ${workerId},
          relay => ${claim.relay?.name ?? null}, rate => ${claim.relay?.rate ?? null}, claim_id => ${claim.id ?? null},
          late_send_hours => ${claim.lateSendHours ?? null})`),

    /** Writes what became of claimed mails, and what that says of the relay. Returns how many of them the claims still held. */
    settleInvitations: (results: readonly Settlement[], relay?: RelayLimits) =>
      value<number>(sql`select invite.settle_invitations(${json(results)}, relay => ${relay?.name ?? null})`),

    /** One step of requeueing a survey's waiting invitations; queues the next step itself. @param after Id behind which it begins. */
    requeueWaiting: (surveyId: string, after: number | null = null) =>
      value<number>(sql`select invite.requeue_waiting(${surveyId}, after => ${after})`),

    /** Queues the requeueing of all surveys of a workspace. */
    requeueWorkspace: (workspaceId: string) => value<number>(sql`select invite.requeue_workspace(${workspaceId})`),

    /** Makes jobs for what comes near or was lost. */
    sweepInvitations: () => value<number>(sql`select invite.sweep_invitations()`),

    /** Deletes expired idempotency keys. */
    pruneIdempotencyKeys: () => value<number>(sql`select invite.prune_idempotency_keys()`),

    /** One step of erasing what is older than the retention; queues the next step itself. Returns how many invitations. */
    eraseExpired: (retentionDays: number) => value<number>(sql`select invite.erase_expired(${retentionDays})`),

    /** The state of the queue, for the metrics. */
    async queueMetrics(): Promise<QueueState> {
      const [row = {}] = await sql`select * from invite.queue_metrics()`;
      return record<QueueState>(Object.fromEntries(Object.entries(row).map(([name, number]) => [name, Number(number)])));
    },

    /** Registers this worker, or says that it is alive. */
    recordHeartbeat: (workerId: string, poolId: string | null, hostname: string, pid: number) =>
      sql`select invite.record_heartbeat(${workerId}, ${poolId}, ${hostname}, ${pid})`,

    /** The relays that are busy or at fault. */
    relayConditions: () => value<RelayCondition[]>(sql`select invite.relay_conditions()`),

    /** The claims under which this worker holds mails. */
    heldClaims: (workerId: string) => value<string[]>(sql`select invite.held_claims(${workerId})`),

    /** Takes back what this worker holds under these claims, whose answer it has lost. Returns how many mails. */
    recoverClaims: (workerId: string, lostClaims: readonly string[]) =>
      value<number>(sql`select invite.recover_claims(${workerId}, ${lostClaims as string[]}::uuid[])`),

    /**
     * Takes back what workers held that have been silent for so many seconds. Returns how many there were.
     * @param holdUnknown Nothing of it is sent again: it ends as unconfirmed.
     */
    recoverWorkers: (silentSeconds: number, onlyWorkerId?: string, holdUnknown = false) =>
      value<number>(
        sql`select invite.recover_workers(${silentSeconds}, ${onlyWorkerId ?? null}, hold_unknown => ${holdUnknown})`,
      ),

    /** What the survey page shows; null if there is no such survey. */
    async surveyPage(surveyId: string, invitationToken: string | undefined): Promise<SurveyPage | null> {
      const [row] = await sql`select * from invite.survey_page(${surveyId}, ${invitationToken ?? null})`;
      return row?.survey_id ? record<SurveyPage>(row) : null;
    },

    /** Records a response from the survey page. */
    submitResponse: (surveyId: string, answers: Row, invitationToken: string | undefined) =>
      one<ResponseAnswer>(sql`
        select * from invite.submit_response(${surveyId}, ${json(answers)}, ${invitationToken ?? null})`),

    /** What the unsubscribe page shows; null if the token is unknown. */
    async unsubscribePage(invitationToken: string): Promise<UnsubscribePage | null> {
      const [row] = await sql`select * from invite.unsubscribe_page(${invitationToken})`;
      return row?.workspace_name ? record<UnsubscribePage>(row) : null;
    },

    /** Suppresses the address behind a tracked link; null if the token is unknown. */
    async unsubscribe(invitationToken: string): Promise<UnsubscribePage | null> {
      const [row] = await sql`select * from invite.unsubscribe(${invitationToken})`;
      return row?.workspace_name ? record<UnsubscribePage>(row) : null;
    },

    /** Takes an unsubscription back, and nothing else that suppresses the address; null if the token is unknown. */
    async subscribeAgain(invitationToken: string): Promise<UnsubscribePage | null> {
      const [row] = await sql`select * from invite.subscribe_again(${invitationToken})`;
      return row?.workspace_name ? record<UnsubscribePage>(row) : null;
    },

    /** Records what a relay has reported, and suppresses whom it must not be sent to again. Returns how many events were new. */
    recordRelayEvents: (relay: string, events: readonly RelayEventRecord[]) =>
      value<number>(sql`select invite.record_relay_events(${relay}, ${json(events)})`),

    ...createManagement(queries),
    ...createMemberFunctions(queries),
    ...createTokenFunctions(queries),
    ...createResultFunctions(queries),
    ...createInvitationFunctions(queries),
  };
}
