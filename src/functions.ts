// The SQL functions and views, typed: the only file that names them. Each method is one statement and so one transaction.
import { camelCase, type Sql } from './database.ts';
import type {
  CancelAnswer,
  ClaimedInvitation,
  ClaimOptions,
  Idempotency,
  RelayLimits,
  QueueState,
  RelayEventRecord,
  ResponseAnswer,
  Row,
  Settlement,
  SurveyPage,
  TokenSettings,
  TriggerAnswer,
  TriggerRequest,
  UnsubscribePage,
} from './records.ts';

export * from './records.ts';

export type Functions = ReturnType<typeof createFunctions>;

/**
 * Binds the functions to a pool.
 * All of them reject with the driver's error; see isNotReady in database.ts for which mean "try again".
 */
export function createFunctions(sql: Sql) {
  const json = (value: unknown) => (value === undefined ? null : sql.json(value as never));
  /** A row as an object of ours: its columns' names in camel case, its values as they are. */
  const record = <T>(row: Row | undefined): T =>
    Object.fromEntries(Object.entries(row ?? {}).map(([column, content]) => [camelCase(column), content])) as T;
  const value = async <T>(query: PromiseLike<readonly Row[]>): Promise<T> => {
    const [row] = await query;
    return Object.values(row ?? {})[0] as T;
  };
  const cancelled = async (query: PromiseLike<readonly Row[]>) => record<CancelAnswer>((await query)[0]);

  return {
    /** The number of the last applied migration. */
    schemaVersion: () => value<number>(sql`select invite.schema_version()`),

    /**
     * Accepts or refuses a trigger request.
     * @param secretHash SHA-256 of the trigger secret.
     * @param recipientsPerHour The workspace's volume limit.
     * @param idempotency With a key that the token has used before, the answer is the earlier batch.
     */
    async acceptTrigger(
      secretHash: Buffer,
      request: TriggerRequest,
      recipientsPerHour: number,
      idempotency?: Idempotency,
    ): Promise<TriggerAnswer> {
      const [row] = await sql`
        select * from invite.accept_trigger(
          ${secretHash}, ${json(request.recipients)}, ${request.subject ?? null}, ${request.message ?? null},
          ${request.reminderDays ?? null}, ${json(request.metadata)}, ${request.sendInSeconds ?? null},
          ${request.sendAt ?? null}, ${recipientsPerHour}, ${idempotency?.key ?? null}, ${idempotency?.payloadHash ?? null})`;
      return record<TriggerAnswer>(row);
    },

    /**
     * Claims the due ones among the given invitations of a survey for this worker, as far as the relay takes mail.
     * @param claim What holds it back, if anything, and the id that the claim is to have.
     */
    async claimInvitations(surveyId: string, invitationIds: readonly number[], workerId: string, claim: ClaimOptions = {}) {
      const rows = await sql`
        select * from invite.claim_invitations(
          ${surveyId}, ${invitationIds as number[]}::bigint[], ${workerId},
          relay => ${claim.relay?.name ?? null}, rate => ${claim.relay?.rate ?? null}, claim_id => ${claim.id ?? null})`;
      return rows.map((row) => record<ClaimedInvitation>(row));
    },

    /** Writes what became of claimed mails, and what that says of the relay. Returns how many of them the claims still held. */
    settleInvitations: (results: readonly Settlement[], relay?: RelayLimits) =>
      value<number>(sql`select invite.settle_invitations(${json(results)}, relay => ${relay?.name ?? null})`),

    /** One step of requeueing a survey's waiting invitations; queues the next step itself. */
    requeueWaiting: (surveyId: string) => value<number>(sql`select invite.requeue_waiting(${surveyId})`),

    /** Queues the requeueing of all surveys of a workspace. */
    requeueWorkspace: (workspaceId: string) => value<number>(sql`select invite.requeue_workspace(${workspaceId})`),

    /** Makes jobs for what comes near or was lost. */
    sweepInvitations: () => value<number>(sql`select invite.sweep_invitations()`),

    /** Deletes expired idempotency keys. */
    pruneIdempotencyKeys: () => value<number>(sql`select invite.prune_idempotency_keys()`),

    /** The state of the queue, for the metrics. */
    async queueMetrics(): Promise<QueueState> {
      const [row = {}] = await sql`select * from invite.queue_metrics()`;
      return record<QueueState>(Object.fromEntries(Object.entries(row).map(([name, number]) => [name, Number(number)])));
    },

    /** Registers this worker, or says that it is alive. */
    recordHeartbeat: (workerId: string, poolId: string | null, hostname: string, pid: number) =>
      sql`select invite.record_heartbeat(${workerId}, ${poolId}, ${hostname}, ${pid})`,

    /** The relays that are busy or at fault. */
    relayConditions: () => value<Row[]>(sql`select invite.relay_conditions()`),

    /** Takes back what this worker holds under other claims than these. Returns how many mails. */
    recoverClaims: (workerId: string, openClaims: readonly string[]) =>
      value<number>(sql`select invite.recover_claims(${workerId}, ${openClaims as string[]}::uuid[])`),

    /** Takes back what workers held that have been silent for so many seconds. Returns how many there were. */
    recoverWorkers: (silentSeconds: number, onlyWorkerId?: string) =>
      value<number>(sql`select invite.recover_workers(${silentSeconds}, ${onlyWorkerId ?? null})`),

    /** What the survey page shows; null if there is no such survey. */
    async surveyPage(surveyId: string, invitationToken: string | undefined): Promise<SurveyPage | null> {
      const [row] = await sql`select * from invite.survey_page(${surveyId}, ${invitationToken ?? null})`;
      return row?.survey_id ? record<SurveyPage>(row) : null;
    },

    /** Records a response from the survey page. */
    async submitResponse(surveyId: string, answers: Row, invitationToken: string | undefined): Promise<ResponseAnswer> {
      const [row] = await sql`
        select * from invite.submit_response(${surveyId}, ${json(answers)}, ${invitationToken ?? null})`;
      return record<ResponseAnswer>(row);
    },

    /** What the unsubscribe page shows; null if the token is unknown. */
    async unsubscribePage(invitationToken: string): Promise<UnsubscribePage | null> {
      const [row] = await sql`select * from invite.unsubscribe_page(${invitationToken})`;
      return row?.email ? record<UnsubscribePage>(row) : null;
    },

    /** Suppresses the address behind a tracked link; null if the token is unknown. */
    async unsubscribe(invitationToken: string): Promise<UnsubscribePage | null> {
      const [row] = await sql`select * from invite.unsubscribe(${invitationToken})`;
      return row?.email ? record<UnsubscribePage>(row) : null;
    },

    /** Records what a relay has reported, and suppresses whom it must not be sent to again. Returns how many events were new. */
    recordRelayEvents: (relay: string, events: readonly RelayEventRecord[]) =>
      value<number>(sql`select invite.record_relay_events(${relay}, ${json(events)})`),

    /** Creates a workspace, or updates the one with this id. Returns its id. */
    upsertWorkspace: (workspace: { id?: string | undefined; name?: string | undefined; plan?: string | undefined }) =>
      value<string>(
        sql`select invite.upsert_workspace(${workspace.id ?? null}, ${workspace.name ?? null}, ${workspace.plan ?? null})`,
      ),

    setWorkspaceSuspended: (workspaceId: string, suspended: boolean) =>
      sql`select invite.set_workspace_suspended(${workspaceId}, ${suspended})`,

    upsertMember: (workspaceId: string, email: string, role: string) =>
      sql`select invite.upsert_member(${workspaceId}, ${email}, ${role}::invite.member_role)`,

    removeMember: (workspaceId: string, email: string) => sql`select invite.remove_member(${workspaceId}, ${email})`,

    /** Creates a survey, or updates the one with this id. Returns its id. */
    upsertSurvey: (survey: {
      workspaceId: string;
      id?: string | undefined;
      title?: string | undefined;
      state?: string | undefined;
      publicUrl?: string | undefined;
    }) =>
      value<string>(sql`
        select invite.upsert_survey(
          ${survey.workspaceId}, ${survey.id ?? null}, ${survey.title ?? null},
          ${survey.state ?? null}::invite.survey_state, ${survey.publicUrl ?? null})`),

    setSurveyState: (surveyId: string, state: string) =>
      sql`select invite.set_survey_state(${surveyId}, ${state}::invite.survey_state)`,

    /** Creates a trigger token from the hash of its secret. Returns its id. */
    createTriggerToken: (token: TokenSettings & { surveyId: string; secretHash: Buffer; secretHint: string }) =>
      value<string>(sql`
        select invite.create_trigger_token(
          ${token.surveyId}, ${token.name ?? null}, ${token.secretHash}, ${token.secretHint},
          ${token.cooldownSeconds ?? null}, ${token.defaultSubject ?? null}, ${token.defaultMessage ?? null},
          ${token.defaultReminderDays ?? null})`),

    updateTriggerToken: (tokenId: string, token: TokenSettings) =>
      sql`
        select invite.update_trigger_token(
          ${tokenId}, ${token.name ?? null}, ${token.cooldownSeconds ?? null}, ${token.defaultSubject ?? null},
          ${token.defaultMessage ?? null}, ${token.defaultReminderDays ?? null})`,

    deleteTriggerToken: (tokenId: string) => sql`select invite.delete_trigger_token(${tokenId})`,

    cancelInvitation: (invitationId: string) => cancelled(sql`select * from invite.cancel_invitation(${invitationId})`),
    cancelBatch: (batchId: string) => cancelled(sql`select * from invite.cancel_batch(${batchId})`),
    cancelEmail: (workspaceId: string, email: string) =>
      cancelled(sql`select * from invite.cancel_email(${workspaceId}, ${email})`),
    /** One step of cancelling all that is pending of a survey; more: call again. */
    cancelSurvey: (surveyId: string) => cancelled(sql`select * from invite.cancel_survey(${surveyId})`),

    /** Rejects with P0002 unless the survey exists. */
    requireSurvey: (surveyId: string) => sql`select invite.require_survey(${surveyId})`,
    /** Rejects with P0002 unless the workspace exists. */
    requireWorkspace: (workspaceId: string) => sql`select invite.require_workspace(${workspaceId})`,

    listWorkspaces: () => sql<Row[]>`select * from invite.workspace_overview order by created_at, id`,
    listMembers: (workspaceId: string) =>
      sql<Row[]>`select * from invite.members where workspace_id = ${workspaceId} order by email`,
    listSurveys: (workspaceId: string | undefined) =>
      sql<Row[]>`
        select * from invite.survey_overview
        where workspace_id = ${workspaceId ?? null} or ${workspaceId ?? null}::text is null
        order by created_at, id`,
    listTriggerTokens: (surveyId: string) =>
      sql<Row[]>`select * from invite.trigger_token_overview where survey_id = ${surveyId} order by created_at, id`,
    listBatches: (surveyId: string, limit: number) =>
      sql<Row[]>`
        select * from invite.batch_overview where survey_id = ${surveyId} order by accepted_at desc, id desc limit ${limit}`,
    /** One batch with its status; null if there is none. */
    async findBatch(batchId: string): Promise<Row | null> {
      const [row] = await sql<Row[]>`select * from invite.batch_overview where id = ${batchId}`;
      return row ?? null;
    },
    listInvitations: (batchId: string) =>
      sql<Row[]>`select * from invite.invitation_overview where batch_id = ${batchId} order by id`,
    listResults: (surveyId: string, limit: number) =>
      sql<Row[]>`select * from invite.results where survey_id = ${surveyId} order by id desc limit ${limit}`,
  };
}
