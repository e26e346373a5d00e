// Surveys.
import type { DeleteResult } from './deliveries.ts';
import { type HoldReason, type InvitationOutcome, type InvitationStatus, MAX_COUNT } from './invitations.ts';
import type { Queries, Row } from './mapping.ts';
import type { Role } from './members.ts';
import type { InLanguage } from './senders.ts';

export interface Question {
  readonly id: string;
  readonly type: 'score' | 'choice' | 'text';
  readonly label: string;
  readonly required?: boolean;
  readonly min?: number;
  readonly max?: number;
  readonly min_label?: string;
  readonly max_label?: string;
  /** Of a score from 0 to 10: its author counts promoters and detractors by it. */
  readonly nps?: boolean;
  readonly choices?: readonly string[];
}

/** The questions of one version: what responses with its number answered. */
export interface AskedQuestions {
  readonly version: number;
  readonly questions: readonly Question[];
  /** By the next version; null: they are asked now. */
  readonly replacedAt: Date | null;
}

/** Of a survey's texts. */
export interface SurveyTranslation {
  readonly title?: string;
  readonly thanks?: string;
  /** By id. */
  readonly questions?: Readonly<Record<string, QuestionTranslation>>;
}

export interface QuestionTranslation {
  readonly label?: string;
  readonly min_label?: string;
  readonly max_label?: string;
  /** By choice: what is stored stays the same. */
  readonly choices?: Readonly<Record<string, string>>;
}

/** What decides on the language in which a page speaks to its recipient. */
export interface PageLanguage {
  /** The recipient's, and the request's; null: none. */
  readonly language: string | null;
  readonly requestLanguage: string | null;
  readonly surveyLanguage: string;
  /** The workspace's, `#rrggbb`; null: the service's. */
  readonly accentColor: string | null;
}

export interface SurveyPage extends PageLanguage {
  readonly surveyId: string;
  readonly workspaceName: string;
  readonly title: string;
  readonly state: 'draft' | 'active' | 'closed';
  readonly questions: readonly Question[];
  /** The product's own survey page, if it has one. */
  readonly publicUrl: string | null;
  /** required: none, but the survey takes no responses without. */
  readonly link: 'none' | 'required' | 'open' | 'responded' | 'unknown';
  /** Of these questions. */
  readonly questionsVersion: number;
  /** Null: a sentence of the service. */
  readonly thanks: string | null;
  /** Whether each text but the title exists in the recipient's language. */
  readonly translated: boolean;
  readonly translation: InLanguage<SurveyTranslation> | null;
}

export interface SurveyFrame {
  readonly surveyId: string;
  readonly title: string;
  readonly state: 'draft' | 'active' | 'closed';
  readonly workspaceId: string;
  readonly workspaceName: string;
  readonly role: Role;
  /** Null: not held. */
  readonly holdReason: HoldReason | null;
  /** Sending for this survey. Null: it isn't. */
  readonly pausedAt: Date | null;
  /** Until its first request is accepted; null for viewers. */
  readonly nextStep: 'questions' | 'token' | 'test' | 'activate' | 'call' | null;
  readonly isBeingDeleted: boolean;
}

/** What an editor may change of a survey. */
export interface SurveySettings {
  readonly title: string;
  readonly publicUrl: string | null;
  readonly openResponses: boolean;
  readonly thanks: string | null;
  readonly questions: readonly Question[];
  readonly questionsVersion: number;
  /** Whether its questions are kept when they change. */
  readonly isAsked: boolean;
  /** At most one more than MAX_COUNT. */
  readonly responses: number;
  /** The ids of all questions that it has asked. */
  readonly pastIds: readonly string[];
  /** Of its texts. */
  readonly language: string;
  /** By language. */
  readonly translations: Readonly<Record<string, SurveyTranslation>> | null;
  /** What each was made from; a language that the product set elsewhere has none. */
  readonly translatedFrom: Readonly<Record<string, Pick<SurveySettings, 'title' | 'thanks' | 'questions'>>> | null;
}

/** What is undefined stays; an empty publicUrl or thanks is removed. */
export interface SurveyChanges {
  readonly title?: string;
  readonly publicUrl?: string;
  readonly openResponses?: boolean;
  readonly thanks?: string;
  readonly questions?: readonly Question[];
  /** Of the questions that were edited. */
  readonly questionsVersion?: number;
}

export interface SurveyCard {
  readonly surveyId: string;
  readonly title: string;
  readonly state: 'draft' | 'active' | 'closed';
  readonly holdReason: HoldReason | null;
  readonly responses: number;
  readonly sent: number;
  /** Invitations sent three days ago or earlier that didn't bounce, and how many of them have a response. */
  readonly invited: number;
  readonly responded: number;
  /** Invitations that weren't sent, by status, each at most one more than MAX_COUNT; null for viewers. */
  readonly unsent: Readonly<Partial<Record<InvitationStatus, number>>> | null;
  readonly isBeingDeleted: boolean;
}

export interface SurveyCounts {
  /** By display status, and by outcome; also reminders held or being sent, whose invitations count as sent. */
  readonly counts: Readonly<Record<InvitationStatus | InvitationOutcome | 'reminders_waiting' | 'reminders_sending', number>>;
}

export interface SurveyForecast {
  readonly atOnce: number;
  readonly later: number;
}

export function surveysCalls({ sql, one, value, record, json }: Queries) {
  return {
    /** Creates or updates. Returns the id. */
    upsertSurvey: (survey: {
      workspaceId: string;
      id?: string | undefined;
      title?: string | undefined;
      state?: string | undefined;
      /** Empty: the service's page. */
      publicUrl?: string | undefined;
      /** For their form see validate_questions.sql. */
      questions?: unknown;
      /** Whether responses are taken without a link. */
      openResponses?: boolean | undefined;
      /** Empty: a sentence of the service. */
      thanks?: string | undefined;
    }) =>
      value<string>(sql`
        select invite.upsert_survey(
          ${survey.workspaceId}, ${survey.id ?? null}, ${survey.title ?? null},
          ${survey.state ?? null}::invite.survey_state, ${survey.publicUrl ?? null}, ${json(survey.questions)},
          ${survey.openResponses ?? null}, ${survey.thanks ?? null})`),

    /** Returns the id of the draft. */
    duplicateSurvey: (surveyId: string, id: string | undefined, title: string | undefined) =>
      value<string>(sql`select invite.duplicate_survey(${surveyId}, ${id ?? null}, ${title ?? null})`),

    /** Of its own texts and its tokens'. */
    setSurveyLanguage: (surveyId: string, language: string) => sql`select invite.set_survey_language(${surveyId}, ${language})`,

    /** @param translation Its form: survey_translation_error.sql. Null removes it. */
    setSurveyTranslation: (surveyId: string, language: string, translation: unknown) =>
      sql`select invite.set_survey_translation(${surveyId}, ${language}, ${translation === null ? null : json(translation)})`,

    setSurveyState: (surveyId: string, state: string) =>
      sql`select invite.set_survey_state(${surveyId}, ${state}::invite.survey_state)`,

    /** One step. Rejects with P0002. */
    deleteSurvey: (surveyId: string) => one<DeleteResult>(sql`select * from invite.delete_survey(${surveyId})`),

    setSurveyPaused: (surveyId: string, paused: boolean) => sql`select invite.set_survey_paused(${surveyId}, ${paused})`,

    /** Rejects with P0002. */
    requireSurvey: (surveyId: string) => sql`select invite.require_survey(${surveyId})`,

    findSurvey: async (id: string): Promise<Row | undefined> =>
      (await sql<Row[]>`select * from invite.survey_overview where id = ${id}`)[0],

    listSurveys: (workspaceId: string | undefined) =>
      sql<Row[]>`
        select * from invite.survey_overview
        where workspace_id = ${workspaceId ?? null} or ${workspaceId ?? null}::text is null
        order by created_at, id`,

    /**
     * Null: no such survey.
     * @param questionsVersion Of a page that was opened before: its questions, if they were asked.
     */
    async surveyPage(
      surveyId: string,
      invitationToken: string | undefined,
      questionsVersion?: number,
      language?: string,
    ): Promise<SurveyPage | null> {
      const [row] = await sql`
        select * from invite.survey_page(${surveyId}, ${invitationToken ?? null}, ${questionsVersion ?? null}, ${language ?? null})`;
      return row?.survey_id ? record<SurveyPage>(row) : null;
    },
  };
}

export function consoleSurveysCalls({ sql, value, one, records, json }: Queries) {
  return {
    createSurvey: (session: Buffer, workspaceId: string, surveyId: string, title: string, questions: readonly Question[]) =>
      sql`select console.create_survey(${session}, ${workspaceId}, ${surveyId}, ${title}, ${json(questions)})`,

    duplicateSurvey: (session: Buffer, surveyId: string, newId: string, title: string) =>
      sql`select console.duplicate_survey(${session}, ${surveyId}, ${newId}, ${title})`,

    /** The newest version first. */
    askedQuestions: (session: Buffer, surveyId: string) =>
      records<AskedQuestions>(sql`select * from console.asked_questions(${session}, ${surveyId})`),

    surveySettings: (session: Buffer, surveyId: string) =>
      one<SurveySettings>(sql`select * from console.survey_settings(${session}, ${surveyId}, ${MAX_COUNT + 1})`),

    /** What is wrong with them, as the detail of the constraint surveys_questions_form; null: nothing. */
    checkQuestions: (session: Buffer, surveyId: string, questions: readonly unknown[]) =>
      value<{ readonly code: string; readonly question?: number } | null>(
        sql`select console.check_questions(${session}, ${surveyId}, ${json(questions)})`,
      ),

    setSurveyLanguage: (session: Buffer, surveyId: string, language: string) =>
      sql`select console.set_survey_language(${session}, ${surveyId}, ${language})`,

    /** Null removes it. */
    setSurveyTranslation: (session: Buffer, surveyId: string, language: string, translation: SurveyTranslation | null) =>
      sql`
        select console.set_survey_translation(
          ${session}, ${surveyId}, ${language}, ${translation === null ? null : json(translation)})`,

    updateSurvey: (session: Buffer, surveyId: string, changes: SurveyChanges) =>
      sql`
        select console.update_survey(
          ${session}, ${surveyId}, ${changes.title ?? null}, ${changes.publicUrl ?? null}, ${changes.openResponses ?? null},
          ${changes.thanks ?? null}, ${json(changes.questions)}, ${changes.questionsVersion ?? null})`,

    /** Returns whether it is done; otherwise a job goes on. */
    deleteSurvey: (session: Buffer, surveyId: string) =>
      value<boolean>(sql`select console.delete_survey(${session}, ${surveyId})`),

    surveyFrame: (session: Buffer, surveyId: string, minRole: Role) =>
      one<SurveyFrame>(sql`select * from console.survey_frame(${session}, ${surveyId}, ${minRole}::invite.member_role)`),

    /** @param beforeId Undefined: the first page. */
    listSurveys: async (session: Buffer, workspaceId: string, beforeId?: string, maxRows = 50): Promise<SurveyCard[]> =>
      (
        await records<Record<keyof SurveyCard, unknown>>(sql`
          select * from console.surveys(${session}, ${workspaceId}, ${beforeId ?? null}, ${maxRows}, ${MAX_COUNT + 1})`)
      ).map(
        (row) =>
          ({
            ...row,
            responses: Number(row.responses),
            sent: Number(row.sent),
            invited: Number(row.invited),
            responded: Number(row.responded),
          }) as SurveyCard,
      ),

    /** Each counted up to MAX_COUNT + 1. */
    surveyCounts: (session: Buffer, surveyId: string) =>
      one<SurveyCounts>(sql`select * from console.invitation_counts(${session}, ${surveyId}, ${MAX_COUNT + 1})`),

    surveyForecast: (session: Buffer, surveyId: string) =>
      one<SurveyForecast>(sql`select * from console.survey_forecast(${session}, ${surveyId}, ${MAX_COUNT + 1})`),

    setSurveyPaused: (session: Buffer, surveyId: string, paused: boolean) =>
      sql`select console.set_survey_paused(${session}, ${surveyId}, ${paused})`,

    /** Returns whether it changed. */
    setSurveyState: (session: Buffer, surveyId: string, state: string) =>
      value<boolean>(sql`select console.set_survey_state(${session}, ${surveyId}, ${state}::invite.survey_state)`),
  };
}
