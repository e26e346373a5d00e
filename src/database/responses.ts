// Responses: recorded from the survey page, shown in the Results.
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

/** One response; see the type result in sql/migrations/0001_schema.sql. */
export interface Result {
  readonly id: string;
  readonly submittedAt: Date;
  readonly answers: Readonly<Record<string, unknown>>;
  readonly attribution: 'invitation' | 'direct';
  readonly invitationId: string | null;
  readonly batchId: string | null;
  /** Of the recipient; null for viewers, and once they are erased. */
  readonly email: string | null;
  readonly name: string | null;
  readonly metadata: Readonly<Record<string, unknown>> | null;
}

/** Which responses: those with a metadata key, and with a value if there is one. */
export interface ResultFilter {
  readonly key: string;
  readonly value: string | undefined;
}

/** The columns that some responses need. */
export interface ResultKeys {
  readonly answerKeys: readonly string[];
  readonly metadataKeys: readonly string[];
  readonly scanned: number;
  /** The last response that was scanned; null: there was none. */
  readonly lastId: string | null;
}

/** The numbers and charts cover at most so many of the newest responses. */
export const SUMMARY_RESPONSES = 20_000;

/** The Results in numbers; see the type result_summary in sql/migrations/0001_schema.sql. Days are `YYYY-MM-DD`, UTC. */
export interface ResultSummary {
  /** All of the survey's; null under a filter. */
  readonly responses: string | null;
  /** How many of the newest responses days and answers cover. */
  readonly scanned: number;
  readonly firstAt: Date | null;
  readonly lastAt: Date | null;
  readonly days: readonly { readonly day: string; readonly invitation: number; readonly direct: number }[];
  /** value null: any other answer. */
  readonly answers: readonly { readonly question: string; readonly value: string | null; readonly number: number }[];
  /** The newest invitations that were sent, and how many of them got a response; null under a filter. */
  readonly invited: number | null;
  readonly responded: number | null;
  readonly sentDays: readonly { readonly day: string; readonly invited: number; readonly responded: number }[] | null;
  readonly sentCapped: boolean | null;
}

export function responsesCalls({ sql, one, json }: Queries) {
  return {
    /** Records a response from the survey page. */
    submitResponse: (surveyId: string, answers: Row, invitationToken: string | undefined) =>
      one<ResponseResult>(sql`
        select * from invite.submit_response(${surveyId}, ${json(answers)}, ${invitationToken ?? null})`),

    listResults: (surveyId: string, limit: number) =>
      sql<Row[]>`select * from invite.results where survey_id = ${surveyId} order by id desc limit ${limit}`,
  };
}

/** For members: each takes the hash of a session first, and SQL decides what that member may do. */
export function consoleResponsesCalls({ sql, one, records }: Queries) {
  return {
    /** A page of Results, newest first. @param beforeId Undefined: the first page. */
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

    /** Which answers and metadata keys the newest responses before an id have. */
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

    /** The Results in numbers. */
    resultSummary: (session: Buffer, surveyId: string, filter: ResultFilter | undefined) =>
      one<ResultSummary>(sql`
        select * from console.result_summary(
          ${session}, ${surveyId}, ${filter?.key ?? null}, ${filter?.value ?? null}, max_responses => ${SUMMARY_RESPONSES})`),
  };
}
