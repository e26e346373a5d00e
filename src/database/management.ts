// The SQL functions and views of those who manage the service, typed: workspaces, members, surveys, tokens, batches, cancelling, sending again, Results. A part of
// functions.ts.
import type { Queries } from './mapping.ts';
import type { CancelAnswer, EraseAnswer, RetryAnswer, Row, TokenSettings } from './records.ts';

export function createManagement({ sql, value, one, json }: Queries) {
  return {
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
      /** See invite.question_fault for their form. */
      questions?: unknown;
    }) =>
      value<string>(sql`
        select invite.upsert_survey(
          ${survey.workspaceId}, ${survey.id ?? null}, ${survey.title ?? null},
          ${survey.state ?? null}::invite.survey_state, ${survey.publicUrl ?? null}, ${json(survey.questions)})`),

    setSurveyState: (surveyId: string, state: string) =>
      sql`select invite.set_survey_state(${surveyId}, ${state}::invite.survey_state)`,

    /** Creates a trigger token from the hash of its secret. Returns its id. */
    createTriggerToken: (token: TokenSettings & { surveyId: string; secretHash: Buffer; secretHint: string }) =>
      value<string>(sql`
        select invite.create_trigger_token(
          ${token.surveyId}, ${token.name ?? null}, ${token.secretHash}, ${token.secretHint},
          ${token.cooldownSeconds ?? null}, ${token.defaultSubject ?? null}, ${token.defaultMessage ?? null},
          ${token.defaultReminderDays ?? null}, default_reminder_subject => ${token.defaultReminderSubject ?? null},
          default_reminder_message => ${token.defaultReminderMessage ?? null})`),

    updateTriggerToken: (tokenId: string, token: TokenSettings) =>
      sql`
        select invite.update_trigger_token(
          ${tokenId}, ${token.name ?? null}, ${token.cooldownSeconds ?? null}, ${token.defaultSubject ?? null},
          ${token.defaultMessage ?? null}, ${token.defaultReminderDays ?? null}, ${token.defaultReminderSubject ?? null},
          ${token.defaultReminderMessage ?? null})`,

    deleteTriggerToken: (tokenId: string) => sql`select invite.delete_trigger_token(${tokenId})`,

    cancelInvitation: (invitationId: string) => one<CancelAnswer>(sql`select * from invite.cancel_invitation(${invitationId})`),
    cancelBatch: (batchId: string) => one<CancelAnswer>(sql`select * from invite.cancel_batch(${batchId})`),
    cancelEmail: (workspaceId: string, email: string) =>
      one<CancelAnswer>(sql`select * from invite.cancel_email(${workspaceId}, ${email})`),
    /** One step of cancelling all that is pending of a survey; more: call again. */
    cancelSurvey: (surveyId: string) => one<CancelAnswer>(sql`select * from invite.cancel_survey(${surveyId})`),

    retryInvitation: (invitationId: string) => one<RetryAnswer>(sql`select * from invite.retry_invitation(${invitationId})`),
    retryBatch: (batchId: string) => one<RetryAnswer>(sql`select * from invite.retry_batch(${batchId})`),
    /** One step of sending again what has failed of a survey; nextId: the afterId of the next step. */
    retrySurvey: (surveyId: string, afterId = '0') =>
      one<RetryAnswer>(sql`select * from invite.retry_survey(${surveyId}, ${afterId})`),
    /** Erases an address in a workspace; stillSending: call again. */
    eraseEmail: (workspaceId: string, email: string, suppress: boolean) =>
      one<EraseAnswer>(sql`select * from invite.erase_email(${workspaceId}, ${email}, ${suppress})`),

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
