// Rejected trigger requests.
import type { Queries } from './mapping.ts';

export interface Rejection {
  readonly tokenId: string;
  readonly tokenName: string;
  readonly secretHint: string;
  readonly deleted: boolean;
  readonly code: string;
  readonly rejectedDay: number;
  readonly rejectedWeek: number;
  readonly lastAt: Date;
  /** Null: the code says enough. */
  readonly lastDetail: string | null;
}

export interface RejectionCount {
  /** See hashSecret; as `\x…`. */
  readonly secret_hash: string;
  readonly code: string;
  readonly rejected: number;
  readonly age_seconds: number;
  readonly detail?: string | undefined;
}

export function rejectionsCalls({ sql, json }: Queries) {
  return {
    /** All are for one database. */
    recordRejections: (refusals: readonly RejectionCount[]) => sql`select invite.record_rejections(${json(refusals)})`,
  };
}

export function consoleRejectionsCalls({ sql, records }: Queries) {
  return {
    /** The rejections of the last week by code, latest first. */
    listRejections: (session: Buffer, surveyId: string, tokenId?: string) =>
      records<Rejection>(sql`select * from console.rejections(${session}, ${surveyId}, ${tokenId ?? null})`),
  };
}
