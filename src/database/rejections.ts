// Rejected trigger requests, counted by token, code and hour.
import type { Queries } from './mapping.ts';

/** Rejected requests of a token with one code. */
export interface Rejection {
  readonly tokenId: string;
  readonly tokenName: string;
  readonly secretHint: string;
  readonly deleted: boolean;
  readonly code: string;
  readonly rejectedDay: number;
  readonly rejectedWeek: number;
  readonly lastAt: Date;
  /** The field and the rule; null: the code says it all. */
  readonly lastDetail: string | null;
}

/** Rejected requests as they are recorded. */
export interface RejectionCount {
  /** SHA-256 of the secret, as `\x…`. */
  readonly secret_hash: string;
  readonly code: string;
  readonly rejected: number;
  /** How long ago the last of them was. */
  readonly age_seconds: number;
  readonly detail?: string | undefined;
}

export function rejectionsCalls({ sql, json }: Queries) {
  return {
    /** Adds to the counts of rejected requests. */
    recordRejections: (refusals: readonly RejectionCount[]) => sql`select invite.record_rejections(${json(refusals)})`,
  };
}

/** For members: each takes the hash of a session first, and SQL decides what that member may do. */
export function consoleRejectionsCalls({ sql, records }: Queries) {
  return {
    /** The rejected requests of a survey, or of one token, in the last week: by code, the latest first. */
    listRejections: (session: Buffer, surveyId: string, tokenId?: string) =>
      records<Rejection>(sql`select * from console.rejections(${session}, ${surveyId}, ${tokenId ?? null})`),
  };
}
