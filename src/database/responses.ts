// Responses, and their evaluation in Results.
import type { Queries, Row } from './mapping.ts';
import type { Question } from './questions.ts';

export interface ResponseResult {
  readonly outcome:
    | 'recorded'
    | 'already_responded'
    | 'unknown_invitation'
    | 'unknown_survey'
    | 'survey_not_open'
    | 'survey_closed'
    | 'link_required'
    | 'link_expired';
  readonly responseId: string | null;
}

export interface Result {
  readonly id: string;
  readonly submittedAt: Date;
  readonly answers: Readonly<Record<string, unknown>>;
  readonly attribution: 'invitation' | 'direct';
  readonly invitationId: string | null;
  readonly batchId: string | null;
  /** Null for viewers, and after the address was erased. */
  readonly email: string | null;
  readonly name: string | null;
  readonly metadata: Readonly<Record<string, unknown>> | null;
  /** The version of the questions that the response answers (see askedQuestions). */
  readonly questionsVersion: number;
  /** When its answers and metadata were erased for the person who gave them. */
  readonly erasedAt: Date | null;
  /** The language in which the questions were shown. Null: nobody said. */
  readonly language: string | null;
  /** The id of the question whose answer began with a click in the email. Null: none. */
  readonly clickedInEmail: string | null;
}

/** One response, for its own page. */
export interface ResponseDetail {
  readonly id: string;
  readonly submittedAt: Date;
  readonly answers: Readonly<Record<string, unknown>>;
  /** Those that it answers, as they were asked. */
  readonly questions: readonly Question[];
  readonly metadata: Readonly<Record<string, unknown>> | null;
  readonly erasedAt: Date | null;
  /** The language in which the questions were shown. Null: nobody said. */
  readonly language: string | null;
  /** Null: it came without a link. */
  readonly invitationId: string | null;
  /** Null for viewers, and without an invitation, as the fields below. */
  readonly batchId: string | null;
  /** Null also after the address was erased. */
  readonly email: string | null;
  readonly name: string | null;
  /** The newest responses of the same person in the workspace. */
  readonly others: readonly OtherResponse[] | null;
  /** The id of the question whose answer began with a click in the email. Null: none. */
  readonly clickedInEmail: string | null;
}

/** A response among those of all surveys of a workspace. */
export interface WorkspaceResponse {
  readonly id: string;
  readonly surveyId: string;
  readonly surveyTitle: string;
  readonly submittedAt: Date;
  /** Null: it came without a link. */
  readonly invitationId: string | null;
  /** Null for viewers, without an invitation and after it was erased. */
  readonly email: string | null;
  readonly name: string | null;
  /** The first with a score. Null: the survey has none. */
  readonly question: Question | null;
  readonly score: unknown;
  readonly comment: string | null;
  readonly erasedAt: Date | null;
}

export interface OtherResponse {
  readonly id: string;
  readonly survey_id: string;
  readonly survey_title: string;
  /** ISO 8601. */
  readonly submitted_at: string;
  /** Of the first question with a score. Null: the survey had none. */
  readonly label: string | null;
  readonly score: unknown;
}

/** What Results can be filtered and broken down by. A key belongs to metadata, or is the id of a question with one choice. */
export type ResultPart =
  | { readonly dimension: 'metadata' | 'answer'; readonly key: string }
  | { readonly dimension: 'language' | 'token'; readonly key?: undefined };

export type ResultCondition = ResultPart & {
  /** One of these. Undefined: any value. */
  readonly values?: readonly string[] | undefined;
  /** Selects all other responses instead. */
  readonly excludes?: boolean;
};

/** A response must match all of these conditions. */
export interface ResultFilter {
  readonly conditions?: readonly ResultCondition[];
  /** Only responses that answer this question. */
  readonly question?: string | undefined;
  /** The answer must be one of these. */
  readonly answers?: readonly string[] | undefined;
  readonly period?: Period | undefined;
}

/** Days are `YYYY-MM-DD`. The last day is included. */
export interface Period {
  readonly firstDay: string;
  readonly lastDay: string;
  /** An IANA time zone. */
  readonly zone: string;
}

export interface ResultKeys {
  readonly answerKeys: readonly string[];
  readonly metadataKeys: readonly string[];
  readonly scanned: number;
  /** The last response that was scanned. Null: none. */
  readonly lastId: string | null;
}

/** What Results can be filtered and broken down by. */
export interface ResultOffers {
  readonly metadata: readonly { readonly key: string; readonly values: readonly string[] }[];
  readonly languages: readonly string[];
  readonly tokens: readonly { readonly id: string; readonly name: string }[];
}

/** A value with the ends of its 95% interval. All null: there are no responses. Only the ends null: there is one response. */
export interface Estimate {
  readonly value: number | null;
  readonly low: number | null;
  readonly high: number | null;
  readonly responses: number | null;
}

/** Which bins of the summary a point of a trend covers, from 1. */
export interface Bins {
  readonly first: number;
  readonly last: number;
}

/** An NPS if the question asks for one, and otherwise an average. */
export interface Score extends Estimate {
  readonly question: string;
  /** The value in the earlier period. Null: there is no comparison. */
  readonly before: Estimate | null;
  /** The trend. Each point has at least 30 responses, if there are so many. */
  readonly points: readonly (Estimate & Bins)[];
}

export interface Answer {
  readonly question: string;
  /** Empty: any other answer to a choice, or an answer to a text question. */
  readonly value: string;
  readonly number: number;
  /** The ends of the interval of a choice's share, from 0 to 1. */
  readonly low: number | null;
  readonly high: number | null;
}

/** Days are `YYYY-MM-DD`, in the reader's time zone. */
export interface ResultSummary {
  readonly responses: string;
  /** The number in the earlier period. Null: there is no comparison. */
  readonly responsesBefore: string | null;
  readonly firstDay: string;
  readonly lastDay: string;
  readonly unit: 'day' | 'week' | 'month' | 'year';
  /** The bars of the charts. Each starts at its day. */
  readonly bins: readonly { readonly day: string; readonly invitation: number; readonly direct: number }[];
  readonly answers: readonly Answer[];
  readonly scores: readonly Score[];
}

/** The response rate of the invitations that were sent in a period, at least three days ago. All values are null if responses are filtered by answers. */
export interface ResponseRate {
  /** Invitations that were sent and didn't bounce. */
  readonly invited: string | null;
  /** How many of those have a response. */
  readonly responded: string | null;
  readonly bounced: string | null;
  /** Invitations that were sent less than three days ago. They count nowhere else. */
  readonly recent: string | null;
  /** The numbers in the earlier period. Null: there is no comparison. */
  readonly invitedBefore: string | null;
  readonly respondedBefore: string | null;
  /** The trend, by the day on which the invitation was sent. low, high: the interval of the share, from 0 to 1. */
  readonly points:
    | readonly (Bins & {
        readonly invited: number;
        readonly responded: number;
        readonly low: number | null;
        readonly high: number | null;
      })[]
    | null;
  /** Under a filter the numbers may cover the newest MOST_RATED invitations alone, accepted since then. Null: all. */
  readonly ratedSince: Date | null;
}

/** Of how many invitations a breakdown or a filter has the response rate at most. */
export const MOST_RATED = 100_000;

/** What the responses that share a part have in common. */
export interface BreakdownLine {
  /** The value, or a month as `YYYY-MM`. Null: `kind` is not `value`. */
  readonly part: string | null;
  /** others: all smaller values together. none: what has no such part. */
  readonly kind: 'value' | 'others' | 'none';
  readonly responses: string;
  readonly score: Estimate | null;
  /** As in ResponseRate. Null under a filter by answers. */
  readonly invited: string | null;
  /** From 0 to 1. */
  readonly rate: Estimate | null;
  /** Rates cover the newest invitations, accepted since. Null: all. */
  readonly ratedSince: Date | null;
}

export function responsesCalls({ sql, one, value, json }: Queries) {
  return {
    /** Runs one step and queues the next one itself. Returns how many changes it has added to the counts. */
    foldResultCounts: () => value<number>(sql`select invite.fold_result_counts()`),

    /**
     * @param questionsVersion The version of the questions that were answered. Undefined: the current one.
     * @param language In which they were shown.
     * @param clickedInEmail The id of the question whose answer was chosen in the email.
     */
    submitResponse: (
      surveyId: string,
      answers: Row,
      invitationToken: string | undefined,
      questionsVersion?: number,
      language?: string,
      clickedInEmail?: string,
    ) =>
      one<ResponseResult>(sql`
        select * from invite.submit_response(
          ${surveyId}, ${json(answers)}, ${invitationToken ?? null}, questions_version => ${questionsVersion ?? null},
          language => ${language ?? null}, clicked_in_email => ${clickedInEmail ?? null})`),

    /** Call it before listResults. */
    recordAnswersExport: (surveyId: string) =>
      sql`select invite.record_export('answers_exported', s.workspace_id, s.id) from invite.surveys as s where s.id = ${surveyId}`,

    listResults: (surveyId: string, limit: number) =>
      sql<Row[]>`select * from invite.results where survey_id = ${surveyId} order by id desc limit ${limit}`,
  };
}

export function consoleResponsesCalls({ sql, one, records, value, json }: Queries) {
  const row = (filter: ResultFilter | undefined) => {
    const { conditions = [], question, answers, period } = filter ?? {};
    const zone = period?.zone ?? null;
    return sql`row(
      ${period?.firstDay ?? null}::date::timestamp at time zone ${zone}, (${period?.lastDay ?? null}::date + 1)::timestamp at time zone ${zone},
      ${conditions.length === 0 ? null : json(conditions as unknown as Row[])}, ${question ?? null}, ${answers ?? null}::text[])::console.result_filter`;
  };
  const numbersOf = (session: Buffer, surveyId: string, filter: ResultFilter | undefined, zone: string, before?: Period) => sql`
    ${session}, ${surveyId}, ${row(filter)}, ${zone}, ${filter?.period?.firstDay ?? null}::date, ${filter?.period?.lastDay ?? null}::date,
    ${before?.firstDay ?? null}::date, ${before?.lastDay ?? null}::date`;
  return {
    recordAnswersExport: (session: Buffer, surveyId: string, filtered: boolean) =>
      sql`select console.record_answers_export(${session}, ${surveyId}, ${filtered})`,

    /** @param beforeId Undefined: the first page. */
    listResults: (
      session: Buffer,
      surveyId: string,
      filter: ResultFilter | undefined,
      beforeId: string | undefined,
      maxRows: number,
    ) =>
      records<Result>(sql`
        select * from console.results(
          ${session}, ${surveyId}, ${row(filter)}, ${beforeId ?? null}, ${maxRows})`),

    /** Of all surveys. @param beforeId Undefined: the first page. */
    workspaceResponses: (session: Buffer, workspaceId: string, beforeId: string | undefined, maxRows: number) =>
      records<WorkspaceResponse>(
        sql`select * from console.workspace_responses(${session}, ${workspaceId}, ${beforeId ?? null}, ${maxRows})`,
      ),

    /** Rejects with P0002 if the survey has no such response. */
    findResponse: (session: Buffer, surveyId: string, responseId: string) =>
      one<ResponseDetail>(sql`select * from console.response(${session}, ${surveyId}, ${responseId})`),

    /** Null: there is none. */
    async responseTo(session: Buffer, surveyId: string, invitationId: string): Promise<ResponseDetail | null> {
      const found = await one<ResponseDetail | { id: null }>(
        sql`select * from console.response(${session}, ${surveyId}, invitation_id => ${invitationId})`,
      );
      return found.id === null ? null : found;
    },

    resultKeys: (
      session: Buffer,
      surveyId: string,
      filter: ResultFilter | undefined,
      beforeId: string | undefined,
      maxRows: number,
    ) =>
      one<ResultKeys>(sql`
        select * from console.result_keys(
          ${session}, ${surveyId}, ${row(filter)}, ${beforeId ?? null}, ${maxRows})`),

    /**
     * @param zone The time zone of the days.
     * @param before The period to compare with.
     */
    resultSummary: (session: Buffer, surveyId: string, filter: ResultFilter | undefined, zone = 'UTC', before?: Period) =>
      one<ResultSummary>(sql`select * from console.result_summary(${numbersOf(session, surveyId, filter, zone, before)})`),

    responseRate: (session: Buffer, surveyId: string, filter: ResultFilter | undefined, zone = 'UTC', before?: Period) =>
      one<ResponseRate>(
        sql`select * from console.response_rate(${numbersOf(session, surveyId, filter, zone, before)}, max_rated => ${MOST_RATED})`,
      ),

    /**
     * @param question The score that is summarized. Undefined: the first, an NPS before an average.
     */
    resultBreakdown: (
      session: Buffer,
      surveyId: string,
      by: ResultPart | { readonly dimension: 'month'; readonly key?: undefined },
      question: string | undefined,
      filter: ResultFilter | undefined,
      zone = 'UTC',
    ) =>
      records<BreakdownLine>(sql`
        select b.part, b.kind, b.responses, to_jsonb(b.score) as score, b.invited, to_jsonb(b.rate) as rate, b.rated_since
        from console.result_breakdown(
          ${session}, ${surveyId}, ${by.dimension}, ${by.key ?? null}, ${question ?? null}, ${row(filter)}, ${zone},
          ${filter?.period?.firstDay ?? null}::date, ${filter?.period?.lastDay ?? null}::date, ${MOST_RATED}) as b`),

    resultOffers: (session: Buffer, surveyId: string) =>
      value<ResultOffers>(sql`select console.result_offers(${session}, ${surveyId})`),
  };
}
