// Surveys: what the product and the CLI set, what recipients see, and what pages show.
import { type HoldReason, type InvitationStatus, MAX_COUNT } from './invitations.ts';
import type { Queries, Row } from './mapping.ts';
import type { Role } from './members.ts';

export interface Question {
  readonly id: string;
  readonly type: 'score' | 'choice' | 'text';
  readonly label: string;
  readonly required?: boolean;
  readonly min?: number;
  readonly max?: number;
  /** The labels of a score's ends. */
  readonly min_label?: string;
  readonly max_label?: string;
  readonly choices?: readonly string[];
}

export interface SurveyPage {
  readonly surveyId: string;
  readonly workspaceName: string;
  readonly title: string;
  readonly state: 'draft' | 'active' | 'closed';
  readonly questions: readonly Question[];
  /** The product's own survey page, if it has one. */
  readonly publicUrl: string | null;
  /** required: there is none, and the survey takes no responses without. */
  readonly link: 'none' | 'required' | 'open' | 'responded' | 'unknown';
}

export interface SurveyFrame {
  readonly surveyId: string;
  readonly title: string;
  readonly state: 'draft' | 'active' | 'closed';
  readonly workspaceId: string;
  readonly workspaceName: string;
  readonly role: Role;
  /** Null: its email isn't held. */
  readonly holdReason: HoldReason | null;
}

export interface SurveyCard {
  readonly surveyId: string;
  readonly title: string;
  readonly state: 'draft' | 'active' | 'closed';
  /** Null: its email isn't held. */
  readonly holdReason: HoldReason | null;
  /** At most one more than MAX_COUNT. */
  readonly responses: number;
  /** Invitations that were sent, and how many of them got a response. */
  readonly invited: number;
  readonly responded: number;
  /** Invitations by status; null for viewers. */
  readonly counts: Readonly<Record<string, number>> | null;
  /** Only the newest were counted. */
  readonly capped: boolean;
}

export interface SurveyCounts {
  /** By status as people see it; also the reminders that are held or being sent, whose invitations are sent. */
  readonly counts: Readonly<Record<InvitationStatus | 'reminders_waiting' | 'reminders_sending', number>>;
}

/** Messages that would be sent at once if the survey became active now, and those that are due later. */
export interface SurveyForecast {
  readonly atOnce: number;
  readonly later: number;
}

export function surveysCalls({ sql, value, record, json }: Queries) {
  return {
    /** Creates a survey, or updates the one with this id. Returns its id. */
    upsertSurvey: (survey: {
      workspaceId: string;
      id?: string | undefined;
      title?: string | undefined;
      state?: string | undefined;
      publicUrl?: string | undefined;
      /** See invite.validate_questions for their form. */
      questions?: unknown;
      /** Whether the service's page takes responses without a link. */
      openResponses?: boolean | undefined;
    }) =>
      value<string>(sql`
        select invite.upsert_survey(
          ${survey.workspaceId}, ${survey.id ?? null}, ${survey.title ?? null},
          ${survey.state ?? null}::invite.survey_state, ${survey.publicUrl ?? null}, ${json(survey.questions)},
          ${survey.openResponses ?? null})`),

    setSurveyState: (surveyId: string, state: string) =>
      sql`select invite.set_survey_state(${surveyId}, ${state}::invite.survey_state)`,

    /** Rejects with P0002 unless the survey exists. */
    requireSurvey: (surveyId: string) => sql`select invite.require_survey(${surveyId})`,

    listSurveys: (workspaceId: string | undefined) =>
      sql<Row[]>`
        select * from invite.survey_overview
        where workspace_id = ${workspaceId ?? null} or ${workspaceId ?? null}::text is null
        order by created_at, id`,

    /** What the survey page shows; null if there is no such survey. */
    async surveyPage(surveyId: string, invitationToken: string | undefined): Promise<SurveyPage | null> {
      const [row] = await sql`select * from invite.survey_page(${surveyId}, ${invitationToken ?? null})`;
      return row?.survey_id ? record<SurveyPage>(row) : null;
    },
  };
}

/** For members: each takes the hash of a session first, and SQL decides what that member may do. */
export function consoleSurveysCalls({ sql, value, one, records }: Queries) {
  return {
    /** The frame of a survey's page. @param minRole The minimum role that may see the page. */
    surveyFrame: (session: Buffer, surveyId: string, minRole: Role) =>
      one<SurveyFrame>(sql`select * from console.survey_frame(${session}, ${surveyId}, ${minRole}::invite.member_role)`),

    listSurveys: (session: Buffer, workspaceId: string) =>
      records<SurveyCard>(sql`
        select * from console.surveys(${session}, ${workspaceId}, max_responses => ${MAX_COUNT + 1})`),

    /** The invitations of a survey by status, each counted up to MAX_COUNT + 1. */
    surveyCounts: (session: Buffer, surveyId: string) =>
      one<SurveyCounts>(sql`select * from console.invitation_counts(${session}, ${surveyId}, ${MAX_COUNT + 1})`),

    /** What the survey would send if it were active now; each counted as by surveyCounts. */
    surveyForecast: (session: Buffer, surveyId: string) =>
      one<SurveyForecast>(sql`select * from console.survey_forecast(${session}, ${surveyId}, ${MAX_COUNT + 1})`),

    /** Returns whether it changed. */
    setSurveyState: (session: Buffer, surveyId: string, state: string) =>
      value<boolean>(sql`select console.set_survey_state(${session}, ${surveyId}, ${state}::invite.survey_state)`),
  };
}
