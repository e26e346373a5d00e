// Surveys.
import type { DeleteResult } from './deliveries.ts';
import { type HoldReason, type InvitationOutcome, type InvitationStatus, MAX_COUNT } from './invitations.ts';
import type { Queries, Row } from './mapping.ts';
import type { Role } from './members.ts';
import type { Question, QuestionTranslation } from './questions.ts';
import type { InLanguage } from './senders.ts';

/** The questions of one version. Responses with its number answer these questions. */
export interface AskedQuestions {
  readonly version: number;
  readonly questions: readonly Question[];
  /** When the next version replaced this one. Null: this is the current version. */
  readonly replacedAt: Date | null;
}

/** A translation of a survey's texts. */
export interface SurveyTranslation {
  readonly title?: string;
  readonly thanks?: string;
  readonly button_label?: string;
  /** By question id. */
  readonly questions?: Readonly<Record<string, QuestionTranslation>>;
}

/** What decides in which language a page addresses its recipient. */
export interface PageLanguage {
  /** The recipient's language (on a survey's page, first what was chosen there) and the request's language. Null: none. */
  readonly language: string | null;
  readonly requestLanguage: string | null;
  readonly surveyLanguage: string;
  /** The workspace's color, `#rrggbb`. Null: the service's own color. */
  readonly accentColor: string | null;
  /** The workspace's logo: https, or the path of an uploaded one. Null: it has none. */
  readonly logoUrl: string | null;
  /** In its place. Null: the workspace's name. */
  readonly logoAlt: string | null;
  /** Which words of its own the workspace has, for findWording. Null: none. */
  readonly wording: string | null;
}

export interface SurveyPage extends PageLanguage {
  readonly surveyId: string;
  readonly workspaceName: string;
  readonly title: string;
  readonly state: 'draft' | 'active' | 'closed';
  readonly questions: readonly Question[];
  /** The address of the product's own survey page, if it has one. */
  readonly publicUrl: string | null;
  /** required: there is no link, and the survey takes no responses without one. */
  readonly link: 'none' | 'required' | 'open' | 'expired' | 'responded' | 'unknown';
  /** The version of these questions. */
  readonly questionsVersion: number;
  /** Null: the service's own sentence. */
  readonly thanks: string | null;
  /** Of the button below it, and where that leads. Null: there is none. */
  readonly buttonLabel: string | null;
  readonly buttonUrl: string | null;
  /** Whether every text except the title exists in the recipient's language. */
  readonly translated: boolean;
  readonly translation: InLanguage<SurveyTranslation> | null;
  /** Whether it is closed and has as many responses as its limit. */
  readonly isFull: boolean;
  /** For the log. */
  readonly workspaceId: string;
  /** Null: the link names none. */
  readonly invitationId: string | null;
  /** That the page can be shown in, the survey's first. */
  readonly languages: readonly string[];
}

/** What ends a survey and its links by itself. Null: it doesn't. */
export interface SurveyEnds {
  /** Times 24 hours, from the first email to a recipient. */
  readonly linkDays: number | null;
  readonly responseLimit: number | null;
  readonly closesAt: Date | null;
}

export interface ShownEnds extends SurveyEnds {
  /** How many responses count towards the limit, counted up to MAX_COUNT + 1. Null: there is no limit. */
  readonly responses: number | null;
}

export interface SurveyFrame {
  readonly surveyId: string;
  readonly title: string;
  readonly state: 'draft' | 'active' | 'closed';
  readonly workspaceId: string;
  readonly workspaceName: string;
  readonly role: Role;
  /** Why email is on hold. Null: it isn't. */
  readonly holdReason: HoldReason | null;
  /** When sending was paused for this survey. Null: it isn't paused. */
  readonly pausedAt: Date | null;
  /** An actor of the audit log, for owners and admins. Null: not known. */
  readonly pausedBy: string | null;
  /** The steps that the survey hasn't had yet, in order. None once it has a response or its first request is accepted, and for viewers. */
  readonly missingSteps: readonly ('questions' | 'test' | 'activate' | 'invite')[];
  readonly isBeingDeleted: boolean;
  /** Whether changes of its questions aren't published. False for viewers. */
  readonly hasDraft: boolean;
}

/** The settings that an editor can change. */
export interface SurveySettings {
  readonly title: string;
  readonly publicUrl: string | null;
  readonly openResponses: boolean;
  readonly thanks: string | null;
  readonly buttonLabel: string | null;
  readonly buttonUrl: string | null;
  readonly questions: readonly Question[];
  readonly questionsVersion: number;
  /** Whether earlier versions of the questions are kept when they change. */
  readonly isAsked: boolean;
  /** Counted up to MAX_COUNT + 1. */
  readonly responses: number;
  /** The ids of all questions that the survey has ever asked. */
  readonly pastIds: readonly string[];
  /** The language of the survey's texts. */
  readonly language: string;
  /** Translations by language. */
  readonly translations: Readonly<Record<string, SurveyTranslation>> | null;
  /** The originals that each translation was made from. Missing for languages that the product translated by other means. */
  readonly translatedFrom: Readonly<Record<string, TranslatedFrom>> | null;
}

/** What a translation was made from. */
export interface TranslatedFrom extends Pick<SurveySettings, 'title' | 'thanks' | 'questions'> {
  readonly button_label?: string | null;
  /** By question, for choices that were renamed since: what each was called. */
  readonly choices?: Readonly<Record<string, Readonly<Record<string, string>>>> | undefined;
}

/** Undefined fields stay as they are. An empty publicUrl or thanks is removed. */
export interface SurveyChanges {
  readonly title?: string;
  readonly publicUrl?: string;
  readonly openResponses?: boolean;
  readonly thanks?: string;
}

/** A survey to choose. */
export type SurveyTitle = Pick<SurveyCard, 'surveyId' | 'title' | 'state' | 'isBeingDeleted'>;

export interface SurveyCard {
  readonly surveyId: string;
  readonly title: string;
  readonly state: 'draft' | 'active' | 'closed';
  readonly holdReason: HoldReason | null;
  readonly responses: number;
  readonly sent: number;
  /** invited: invitations that were sent at least three days ago and didn't bounce. responded: how many of those have a response. */
  readonly invited: number;
  readonly responded: number;
  /** Invitations that weren't sent, by status, each counted up to MAX_COUNT + 1. Null for viewers. */
  readonly unsent: Readonly<Partial<Record<InvitationStatus, number>>> | null;
  readonly isBeingDeleted: boolean;
  /**
   * Emails that a rule has put off. number: counted up to MAX_COUNT + 1. first_at, last_at: when they are looked at again, ISO 8601. Null for
   * viewers.
   */
  readonly putOff: Readonly<Partial<Record<'resting' | 'outside_hours' | 'capped', PutOff>>> | null;
}

export interface PutOff {
  readonly number: number;
  readonly first_at: string;
  readonly last_at: string;
}

export interface SurveyCounts {
  /**
   * Counts by displayed status and by outcome. Reminders on hold or being sent are counted separately, because their invitations count as
   * sent. The totals are exact, however large they are.
   */
  readonly counts: Readonly<
    Record<
      InvitationStatus | InvitationOutcome | 'reminders_waiting' | 'reminders_sending' | 'sent_total' | 'responded_total',
      number
    >
  >;
}

export function surveysCalls({ sql, one, value, record, json, jsonRecord }: Queries) {
  return {
    /** Creates or updates the survey. Returns its id. */
    upsertSurvey: (survey: {
      workspaceId: string;
      id?: string | undefined;
      title?: string | undefined;
      state?: string | undefined;
      /** Empty: the service's own page. */
      publicUrl?: string | undefined;
      /** validate_questions.sql defines their form. */
      questions?: unknown;
      /** Whether people can respond without a link. */
      openResponses?: boolean | undefined;
      /** Empty: the service's own sentence. */
      thanks?: string | undefined;
    }) =>
      value<string>(sql`
        select invite.upsert_survey(
          ${survey.workspaceId}, ${survey.id ?? null}, ${survey.title ?? null},
          ${survey.state ?? null}::invite.survey_state, ${survey.publicUrl ?? null}, ${json(survey.questions)},
          ${survey.openResponses ?? null}, ${survey.thanks ?? null})`),

    /** Returns the id of the copy, which is a draft. */
    duplicateSurvey: (surveyId: string, id: string | undefined, title: string | undefined) =>
      value<string>(sql`select invite.duplicate_survey(${surveyId}, ${id ?? null}, ${title ?? null})`),

    /** The language of the survey's own texts and its tokens' texts. */
    setSurveyLanguage: (surveyId: string, language: string) => sql`select invite.set_survey_language(${surveyId}, ${language})`,

    /** @param translation survey_translation_error.sql defines its form. Null removes it. */
    setSurveyTranslation: (surveyId: string, language: string, translation: unknown) =>
      sql`select invite.set_survey_translation(${surveyId}, ${language}, ${translation === null ? null : json(translation)})`,

    setSurveyState: (surveyId: string, state: string) =>
      sql`select invite.set_survey_state(${surveyId}, ${state}::invite.survey_state)`,

    /** Sets the given ones. Null removes one. */
    setSurveyEnds: (surveyId: string, ends: Partial<SurveyEnds>) =>
      sql`select invite.set_survey_ends(${surveyId}, ${jsonRecord(ends)})`,

    /** Closes surveys whose closing date has come. Runs one step and queues the next one itself. Returns how many it has closed. */
    closeSurveys: () => value<number>(sql`select invite.close_surveys()`),

    /** Runs one step. Rejects with P0002 if there is no such survey. */
    deleteSurvey: (surveyId: string) => one<DeleteResult>(sql`select * from invite.delete_survey(${surveyId})`),

    setSurveyPaused: (surveyId: string, paused: boolean) => sql`select invite.set_survey_paused(${surveyId}, ${paused})`,

    /** Rejects with P0002 if there is no such survey. */
    requireSurvey: (surveyId: string) => sql`select invite.require_survey(${surveyId})`,

    findSurvey: async (id: string): Promise<Row | undefined> =>
      (await sql<Row[]>`select * from invite.survey_overview where id = ${id}`)[0],

    listSurveys: (workspaceId: string | undefined) =>
      sql<Row[]>`
        select * from invite.survey_overview
        where workspace_id = ${workspaceId ?? null} or ${workspaceId ?? null}::text is null
        order by created_at, id`,

    /**
     * Null: there is no such survey.
     * @param questionsVersion The version that an open page shows. The result has its questions, if they were ever asked.
     */
    async surveyPage(
      surveyId: string,
      invitationToken: string | undefined,
      questionsVersion?: number,
      language?: string,
      browserLanguages: readonly string[] = [],
    ): Promise<SurveyPage | null> {
      const [row] = await sql`
        select * from invite.survey_page(
          ${surveyId}, ${invitationToken ?? null}, ${questionsVersion ?? null}, ${language ?? null},
          browser_languages => ${browserLanguages as string[]}::text[])`;
      return row?.survey_id ? record<SurveyPage>(row) : null;
    },
  };
}

export function consoleSurveysCalls({ sql, value, one, records, json, jsonRecord }: Queries) {
  return {
    createSurvey: (session: Buffer, workspaceId: string, surveyId: string, title: string, questions: readonly Question[]) =>
      sql`select console.create_survey(${session}, ${workspaceId}, ${surveyId}, ${title}, ${json(questions)})`,

    duplicateSurvey: (session: Buffer, surveyId: string, newId: string, title: string) =>
      sql`select console.duplicate_survey(${session}, ${surveyId}, ${newId}, ${title})`,

    /** The newest version comes first. */
    askedQuestions: (session: Buffer, surveyId: string) =>
      records<AskedQuestions>(sql`select * from console.asked_questions(${session}, ${surveyId})`),

    surveySettings: (session: Buffer, surveyId: string) =>
      one<SurveySettings>(sql`select * from console.survey_settings(${session}, ${surveyId}, ${MAX_COUNT + 1})`),

    setSurveyLanguage: (session: Buffer, surveyId: string, language: string) =>
      sql`select console.set_survey_language(${session}, ${surveyId}, ${language})`,

    /**
     * @param translation Null removes it.
     * @param checked Names of texts that somebody has looked at: see translation_originals.sql.
     * @param saw Digests of the originals that the translator saw, by the same names.
     * @param before The translation that the change is made on; undefined: whatever there is.
     * @returns Whether it is saved: others may have changed it meanwhile.
     */
    setSurveyTranslation: (
      session: Buffer,
      surveyId: string,
      language: string,
      translation: SurveyTranslation | null,
      checked: readonly string[] = [],
      saw: Readonly<Record<string, string>> = {},
      before?: SurveyTranslation,
    ) =>
      value<boolean>(sql`
        select console.set_survey_translation(
          ${session}, ${surveyId}, ${language}, ${translation === null ? null : json(translation)}, ${checked as string[]}, ${json(saw)},
          ${before === undefined ? null : json(before)})`),

    updateSurvey: (session: Buffer, surveyId: string, changes: SurveyChanges) =>
      sql`
        select console.update_survey(
          ${session}, ${surveyId}, ${changes.title ?? null}, ${changes.publicUrl ?? null}, ${changes.openResponses ?? null},
          ${changes.thanks ?? null})`,

    /** Empty texts remove the button. Undefined: it stays. */
    setSurveyButton: (session: Buffer, surveyId: string, label?: string, url?: string) =>
      sql`select console.set_survey_button(${session}, ${surveyId}, ${label ?? null}, ${url ?? null})`,

    surveyEnds: (session: Buffer, surveyId: string) =>
      one<ShownEnds>(sql`select * from console.survey_ends(${session}, ${surveyId}, ${MAX_COUNT + 1})`),

    /** Sets the given ones. Null removes one. */
    setSurveyEnds: (session: Buffer, surveyId: string, ends: Partial<SurveyEnds>) =>
      sql`select console.set_survey_ends(${session}, ${surveyId}, ${jsonRecord(ends)})`,

    /** Returns whether everything is deleted. If not, a job continues. */
    deleteSurvey: (session: Buffer, surveyId: string) =>
      value<boolean>(sql`select console.delete_survey(${session}, ${surveyId})`),

    surveyFrame: (session: Buffer, surveyId: string, minRole: Role) =>
      one<SurveyFrame>(sql`select * from console.survey_frame(${session}, ${surveyId}, ${minRole}::invite.member_role)`),

    /** The newest, to choose one. Unlike listSurveys, it counts nothing. */
    surveyTitles: (session: Buffer, workspaceId: string, maxRows: number) =>
      records<SurveyTitle>(sql`select * from console.survey_titles(${session}, ${workspaceId}, ${maxRows})`),

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

    /** Each number is counted up to MAX_COUNT + 1. */
    surveyCounts: (session: Buffer, surveyId: string) =>
      one<SurveyCounts>(sql`select * from console.invitation_counts(${session}, ${surveyId}, ${MAX_COUNT + 1})`),

    setSurveyPaused: (session: Buffer, surveyId: string, paused: boolean) =>
      sql`select console.set_survey_paused(${session}, ${surveyId}, ${paused})`,

    /** Returns whether the state changed. */
    setSurveyState: (session: Buffer, surveyId: string, state: string) =>
      value<boolean>(sql`select console.set_survey_state(${session}, ${surveyId}, ${state}::invite.survey_state)`),
  };
}
