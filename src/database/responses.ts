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
}

/** Those with a metadata key, and its value if given. */
export interface ResultFilter {
  readonly key: string;
  readonly value: string | undefined;
}

export interface ResultKeys {
  readonly answerKeys: readonly string[];
  readonly metadataKeys: readonly string[];
  readonly scanned: number;
  /** The last scanned response; null: none. */
  readonly lastId: string | null;
}

/** How many of the newest responses the summary covers. */
export const SUMMARY_RESPONSES = 20_000;

/** Days are `YYYY-MM-DD`, UTC. */
export interface ResultSummary {
  /** Of the whole survey; null under a filter. */
  readonly responses: string | null;
  /** How many responses days and answers cover. */
  readonly scanned: number;
  readonly firstAt: Date | null;
  readonly lastAt: Date | null;
  readonly days: readonly { readonly day: string; readonly invitation: number; readonly direct: number }[];
  /** value null: any other answer. */
  readonly answers: readonly { readonly question: string; readonly value: string | null; readonly number: number }[];
  /** The newest invitations sent that didn't bounce, and how many of them got a response; null under a filter. */
  readonly invited: number | null;
  readonly bounced: number | null;
  readonly responded: number | null;
  readonly sentDays: readonly { readonly day: string; readonly invited: number; readonly responded: number }[] | null;
  readonly sentCapped: boolean | null;
}

export function responsesCalls({ sql, one, json }: Queries) {
  return {
    /** @param questionsVersion Of the questions that were answered; undefined: the present ones. */
    submitResponse: (surveyId: string, answers: Row, invitationToken: string | undefined, questionsVersion?: number) =>
      one<ResponseResult>(sql`
        select * from invite.submit_response(
          ${surveyId}, ${json(answers)}, ${invitationToken ?? null}, questions_version => ${questionsVersion ?? null})`),

    listResults: (surveyId: string, limit: number) =>
      sql<Row[]>`select * from invite.results where survey_id = ${surveyId} order by id desc limit ${limit}`,
  };
}

export function consoleResponsesCalls({ sql, one, records }: Queries) {
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
          ${session}, ${surveyId}, ${filter?.key ?? null}, ${filter?.value ?? null}, ${beforeId ?? null}, ${maxRows})`),

    resultKeys: (
      session: Buffer,
      surveyId: string,
      filter: ResultFilter | undefined,
      beforeId: string | undefined,
      maxRows: number,
    ) =>
      one<ResultKeys>(sql`
        select * from console.result_keys(
          ${session}, ${surveyId}, ${filter?.key ?? null}, ${filter?.value ?? null}, ${beforeId ?? null}, ${maxRows})`),

    resultSummary: (session: Buffer, surveyId: string, filter: ResultFilter | undefined) =>
      one<ResultSummary>(sql`
        select * from console.result_summary(
          ${session}, ${surveyId}, ${filter?.key ?? null}, ${filter?.value ?? null}, max_responses => ${SUMMARY_RESPONSES})`),
  };
}
