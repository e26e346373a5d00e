// The SQL functions of the tab Invitations, typed. Each takes the hash of the session first, and decides itself what its owner may do, as
// those in member-functions.ts. A part of functions.ts.
import {
  type BatchLine,
  type InvitationEvent,
  type InvitationFilter,
  type InvitationLine,
  MAX_COUNT,
  type SurveyCounts,
  type SurveyForecast,
  type TestLine,
  type TestMail,
  type TestTemplate,
} from './invitation-records.ts';
import type { Queries } from './mapping.ts';

export function createInvitationFunctions({ sql, value, record, one, records }: Queries) {
  return {
    /** The invitations of a survey by status, each counted one further than MAX_COUNT, and why its mail is held. */
    surveyCounts: (session: Buffer, surveyId: string) =>
      one<SurveyCounts>(sql`select * from invite.survey_counts(${session}, ${surveyId}, ${MAX_COUNT + 1})`),

    /** What the survey would send if it were active now; each counted as by surveyCounts. */
    surveyForecast: (session: Buffer, surveyId: string) =>
      one<SurveyForecast>(sql`select * from invite.survey_forecast(${session}, ${surveyId}, ${MAX_COUNT + 1})`),

    /** A page of a survey's invitations. */
    surveyInvitations: (session: Buffer, surveyId: string, filter: InvitationFilter, maxRows: number) =>
      records<InvitationLine>(sql`
        select * from invite.survey_invitations(
          ${session}, ${surveyId}, ${filter.status ?? null}::invite.invitation_status, ${filter.search ?? null},
          ${filter.batch ?? null}, ${filter.before ?? null}, ${maxRows})`),

    /** An invitation and what happened to it, in order. One statement: a worker may change it between two looks. */
    async surveyInvitation(session: Buffer, surveyId: string, invitationId: string) {
      const { events, ...line } = await one<
        InvitationLine & { events: readonly (Omit<InvitationEvent, 'at'> & { at: string })[] }
      >(sql`
        select l.*, array(select to_jsonb(e) from invite.invitation_events(${session}, ${surveyId}, ${invitationId}) as e) as events
        from invite.survey_invitation(${session}, ${surveyId}, ${invitationId}) as l`);
      return { line, events: events.map((event): InvitationEvent => ({ ...event, at: new Date(event.at) })) };
    },

    /** A page of a survey's batches, newest first. @param beforeId Undefined: the first page. */
    surveyBatches: (session: Buffer, surveyId: string, beforeId: string | undefined, maxRows: number) =>
      records<BatchLine>(sql`
        select * from invite.survey_batches(${session}, ${surveyId}, before_id => ${beforeId ?? null}, max_rows => ${maxRows})`),

    surveyBatch: (session: Buffer, surveyId: string, batchId: string) =>
      one<BatchLine>(sql`select * from invite.survey_batches(${session}, ${surveyId}, ${batchId})`),

    /** Returns whether it changed. */
    changeSurveyState: (session: Buffer, surveyId: string, state: string) =>
      value<boolean>(sql`select invite.change_survey_state(${session}, ${surveyId}, ${state}::invite.survey_state)`),

    /** Cancels or sends again the mails of a batch. Returns how many. */
    changeBatch: (session: Buffer, surveyId: string, action: 'cancel' | 'retry', batchId: string) =>
      value<number>(sql`
        select invite.change_mails(${session}, ${surveyId}, ${action}::invite.mail_action, batch_id => ${batchId})`),

    /** Cancels or sends again the mail of an invitation. Returns how many. */
    changeInvitation: (session: Buffer, surveyId: string, action: 'cancel' | 'retry', invitationId: string) =>
      value<number>(sql`
        select invite.change_mails(${session}, ${surveyId}, ${action}::invite.mail_action, invitation_id => ${invitationId})`),

    testTemplates: (session: Buffer, surveyId: string) =>
      records<TestTemplate>(sql`select * from invite.test_templates(${session}, ${surveyId})`),

    /** Queues a test mail to the member's own address. */
    requestTestInvitation: (session: Buffer, surveyId: string, tokenId: string, mail: TestMail['mail']) =>
      sql`select invite.request_test_invitation(${session}, ${surveyId}, ${tokenId}, ${mail}::invite.mail_kind)`,

    /** The member's last test mails of the survey, newest first. */
    testLines: (session: Buffer, surveyId: string) =>
      records<TestLine>(sql`select * from invite.test_lines(${session}, ${surveyId})`),

    /** Writes what became of an attempt at a test mail. @param code The relay's or ours; null: it was accepted. */
    recordTestOutcome: (testId: string, outcome: string, code: string | null) =>
      sql`select invite.record_test_outcome(${testId}, ${outcome}::invite.delivery_outcome, ${code})`,

    /** What a test mail consists of; null: nothing is to be sent. */
    async issueTestInvitation(testId: string): Promise<TestMail | null> {
      const [row] = await sql`select * from invite.issue_test_invitation(${testId})`;
      return row?.id ? record<TestMail>(row) : null;
    },
  };
}
