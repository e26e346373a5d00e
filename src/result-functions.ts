// The SQL functions of the Results, typed. As those in member-functions.ts, each takes the hash of the session first. A part of functions.ts.
import type { Sql } from './database.ts';
import type { Row } from './records.ts';
import { type Result, type ResultFilter, type ResultKeys, type ResultSummary, SUMMARY_RESPONSES } from './result-records.ts';

/** @param record A row as an object of ours. */
export function createResultFunctions(sql: Sql, record: <T>(row: Row | undefined) => T) {
  return {
    /** A page of Results, newest first. @param beforeId Undefined: the first page. */
    async resultPage(
      session: Buffer,
      surveyId: string,
      filter: ResultFilter | undefined,
      beforeId: string | undefined,
      maxRows: number,
    ): Promise<Result[]> {
      const rows = await sql`
        select * from invite.result_page(
          ${session}, ${surveyId}, ${filter?.key ?? null}, ${filter?.value ?? null}, ${beforeId ?? null}, ${maxRows})`;
      return rows.map((row) => record<Result>(row));
    },

    /** Which answers and metadata keys the newest responses before an id have. */
    async resultKeys(
      session: Buffer,
      surveyId: string,
      filter: ResultFilter | undefined,
      beforeId: string | undefined,
      maxRows: number,
    ): Promise<ResultKeys> {
      const [row] = await sql`
        select * from invite.result_keys(
          ${session}, ${surveyId}, ${filter?.key ?? null}, ${filter?.value ?? null}, ${beforeId ?? null}, ${maxRows})`;
      return record<ResultKeys>(row);
    },

    /** The Results in numbers. */
    async resultSummary(session: Buffer, surveyId: string, filter: ResultFilter | undefined): Promise<ResultSummary> {
      const [row] = await sql`
        select * from invite.result_summary(
          ${session}, ${surveyId}, ${filter?.key ?? null}, ${filter?.value ?? null}, max_responses => ${SUMMARY_RESPONSES})`;
      return record<ResultSummary>(row);
    },
  };
}
