// Responses, also as Results.
import type { Queries, Row } from './mapping.ts';

export interface ResponseResult {
  readonly outcome:
    | 'recorded'
    | 'already_responded'
    | 'unknown_invitation'
    | 'unknown_survey'
    | 'survey_not_open'
    | 'survey_closed'
    | 'link_required';
  readonly responseId: string | null;
}

export interface Result {
  readonly id: string;
  readonly submittedAt: Date;
  readonly answers: Readonly<Record<string, unknown>>;
  readonly attribution: 'invitation' | 'direct';
  readonly invitationId: string | null;
  readonly batchId: string | null;
  /** Null for viewers, and once erased. */
  readonly email: string | null;
  readonly name: string | null;
  readonly metadata: Readonly<Record<string, unknown>> | null;
  /** Which of askedQuestions it answers. */
  readonly questionsVersion: number;
}

/** Those that match all of it. */
export interface ResultFilter {
  /** Without a value: any. */
  readonly metadata?: readonly { readonly key: string; readonly value?: string | undefined }[];
  /** Those with an answer to this question. */
  readonly question?: string | undefined;
  /** One of these. */
  readonly answers?: readonly string[] | undefined;
  readonly period?: Period | undefined;
}

/** Days are `YYYY-MM-DD`, the last one included. */
export interface Period {
  readonly firstDay: string;
  readonly lastDay: string;
  /** Of IANA. */
  readonly zone: string;
}

export interface ResultKeys {
  readonly answerKeys: readonly string[];
  readonly metadataKeys: readonly string[];
  readonly scanned: number;
  /** The last scanned response; null: none. */
  readonly lastId: string | null;
}

/** What can be filtered by. */
export interface ResultOffer {
  readonly key: string;
  readonly values: readonly string[];
}

/** With the ends of its 95 % interval. Nulls: no responses; without ends: one. */
export interface Estimate {
  readonly value: number | null;
  readonly low: number | null;
  readonly high: number | null;
  readonly responses: number | null;
}

/** An NPS, if the question says so, or an average. */
export interface Score extends Estimate {
  readonly question: string;
  /** Null: compared with nothing. */
  readonly before: Estimate | null;
  readonly bins: readonly Estimate[];
}

export interface Answer {
  readonly question: string;
  /** Empty: any other answer, or a text. */
  readonly value: string;
  readonly number: number;
  /** Of a choice's share, from 0 to 1. */
  readonly low: number | null;
  readonly high: number | null;
}

/** Days are `YYYY-MM-DD`, in the reader's zone. */
export interface ResultSummary {
  readonly responses: string;
  /** In the period that this one is compared with; null: none. */
  readonly responsesBefore: string | null;
  readonly firstDay: string;
  readonly lastDay: string;
  readonly unit: 'day' | 'week' | 'month' | 'year';
  /** Of charts, each from its day on. */
  readonly bins: readonly { readonly day: string; readonly invitation: number; readonly direct: number }[];
  readonly answers: readonly Answer[];
  readonly scores: readonly Score[];
}

/** Of all invitations that were sent in a period. All null under a filter by answers. */
export interface ResponseRate {
  /** Sent, and didn't bounce. */
  readonly invited: string | null;
  /** Of those. */
  readonly responded: string | null;
  readonly bounced: string | null;
  /** In the period that this one is compared with; null: none. */
  readonly invitedBefore: string | null;
  readonly respondedBefore: string | null;
  /** As those of the summary, by the day sent. */
  readonly bins: readonly { readonly day: string; readonly invited: number; readonly responded: number }[] | null;
}

export function responsesCalls({ sql, one, value, json }: Queries) {
  return {
    /** One step; queues the next itself. Returns how many changes it has added up. */
    foldResultCounts: () => value<number>(sql`select invite.fold_result_counts()`),

    /** @param questionsVersion Of the questions that were answered; undefined: the present ones. */
    submitResponse: (surveyId: string, answers: Row, invitationToken: string | undefined, questionsVersion?: number) =>
      one<ResponseResult>(sql`
        select * from invite.submit_response(
          ${surveyId}, ${json(answers)}, ${invitationToken ?? null}, questions_version => ${questionsVersion ?? null})`),

    listResults: (surveyId: string, limit: number) =>
      sql<Row[]>`select * from invite.results where survey_id = ${surveyId} order by id desc limit ${limit}`,
  };
}

export function consoleResponsesCalls({ sql, one, records, value, json }: Queries) {
  const row = (filter: ResultFilter | undefined) => {
    const { metadata = [], question, answers, period } = filter ?? {};
    const pairs = metadata.map(({ key, value }) => (value === undefined ? [key] : [key, value]));
    const zone = period?.zone ?? null;
    return sql`row(
      ${period?.firstDay ?? null}::date::timestamp at time zone ${zone}, (${period?.lastDay ?? null}::date + 1)::timestamp at time zone ${zone},
      ${pairs.length === 0 ? null : json(pairs)}, ${question ?? null}, ${answers ?? null}::text[])::console.result_filter`;
  };
  const numbersOf = (session: Buffer, surveyId: string, filter: ResultFilter | undefined, zone: string, before?: Period) => sql`
    ${session}, ${surveyId}, ${row(filter)}, ${zone}, ${filter?.period?.firstDay ?? null}::date, ${filter?.period?.lastDay ?? null}::date,
    ${before?.firstDay ?? null}::date, ${before?.lastDay ?? null}::date`;
  return {
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
     * @param zone Of the days.
     * @param before The period to compare with.
     */
    resultSummary: (session: Buffer, surveyId: string, filter: ResultFilter | undefined, zone = 'UTC', before?: Period) =>
      one<ResultSummary>(sql`select * from console.result_summary(${numbersOf(session, surveyId, filter, zone, before)})`),

    responseRate: (session: Buffer, surveyId: string, filter: ResultFilter | undefined, zone = 'UTC', before?: Period) =>
      one<ResponseRate>(sql`select * from console.response_rate(${numbersOf(session, surveyId, filter, zone, before)})`),

    resultOffers: (session: Buffer, surveyId: string) =>
      value<readonly ResultOffer[]>(sql`select console.result_offers(${session}, ${surveyId})`),
  };
}
