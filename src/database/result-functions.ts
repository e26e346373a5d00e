// The SQL functions of the Results, typed. As those in member-functions.ts, each takes the hash of the session first. A part of functions.ts.
import type { Queries } from './mapping.ts';
import { type Result, type ResultFilter, type ResultKeys, type ResultSummary, SUMMARY_RESPONSES } from './result-records.ts';

export function createResultFunctions({ sql, one, records }: Queries) {
  return {
    /** A page of Results, newest first. @param beforeId Undefined: the first page. */
    resultPage: (
      session: Buffer,
      surveyId: string,
      filter: ResultFilter | undefined,
      beforeId: string | undefined,
      maxRows: number,
    ) =>
      records<Result>(sql`
        select * from invite.result_page(
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
        select * from invite.result_keys(
          ${session}, ${surveyId}, ${filter?.key ?? null}, ${filter?.value ?? null}, ${beforeId ?? null}, ${maxRows})`),

    /** The Results in numbers. */
    resultSummary: (session: Buffer, surveyId: string, filter: ResultFilter | undefined) =>
      one<ResultSummary>(sql`
        select * from invite.result_summary(
          ${session}, ${surveyId}, ${filter?.key ?? null}, ${filter?.value ?? null}, max_responses => ${SUMMARY_RESPONSES})`),
  };
}
