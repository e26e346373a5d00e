// Sign-in links and sessions.
import type { Queries, Row } from './mapping.ts';
import type { OwnWorkspace } from './workspaces.ts';

/** How long a sign-in link is good for. A test compares it with SQL. */
export const SIGN_IN_MINUTES = 10;

export interface SignedIn {
  readonly email: string;
  /** Where to go on to. */
  readonly nextPath: string | null;
}

export interface SignInLink {
  readonly email: string;
  readonly otherBrowser: boolean;
}

/** Where a person is signed in. */
export interface SessionLine {
  readonly signedInAt: Date;
  readonly lastUsedAt: Date;
  readonly clientAddress: string | null;
  readonly endsAt: Date;
  /** The one they look with. */
  readonly current: boolean;
}

export interface Visitor {
  readonly email: string;
  readonly workspaces: readonly OwnWorkspace[];
  /** Of the survey that was asked for; null: of none, or not one of theirs. */
  readonly workspaceId: string | null;
}

export function sessionsCalls({ sql, value }: Queries) {
  return {
    createSignInLink: (email: string, secretHash: Buffer) => sql`select invite.create_sign_in_link(${email}, ${secretHash})`,

    /** Just before it is emailed. Returns the address; null: send nothing. */
    issueSignInLink: (linkId: string, secretHash: Buffer) =>
      value<string | null>(sql`select invite.issue_sign_in_link(${linkId}, ${secretHash})`),

    listSessions: (email: string) =>
      sql<Row[]>`select * from invite.member_sessions where email = lower(${email}::text collate "C") order by last_used_at desc`,

    endSessions: (email: string) => value<number>(sql`select invite.end_sessions(${email})`),
  };
}

export function consoleSessionsCalls({ sql, value, record, records }: Queries) {
  return {
    /**
     * Queues the email, within the limit.
     * @param browserHash Of the secret in the cookie of the browser that asks.
     */
    requestSignInLink: (email: string, nextPath: string | undefined, browserHash?: Buffer) =>
      sql`select console.request_sign_in_link(${email}, ${nextPath ?? null}, ${browserHash ?? null})`,

    /** Null: unknown, used or expired. */
    async findSignInLink(linkHash: Buffer, browserHash: Buffer | undefined): Promise<SignInLink | null> {
      const [row] = await sql`select * from console.find_sign_in_link(${linkHash}, ${browserHash ?? null})`;
      return row?.email ? record<SignInLink>(row) : null;
    },

    /** Uses up all the person's links; null: unknown, used or expired. */
    async signIn(linkHash: Buffer, sessionHash: Buffer, clientAddress: string): Promise<SignedIn | null> {
      const [row] = await sql`select * from console.sign_in(${linkHash}, ${sessionHash}, ${clientAddress})`;
      return row?.email ? record<SignedIn>(row) : null;
    },

    signOut: (session: Buffer) => sql`select console.sign_out(${session})`,

    /** The present one first. */
    listSessions: (session: Buffer) => records<SessionLine>(sql`select * from console.sessions(${session})`),

    /** This session too. Returns how many. */
    signOutEverywhere: (session: Buffer) => value<number>(sql`select console.sign_out_everywhere(${session})`),

    /** @param surveyId Of the page. Null: unknown or ended. */
    async authenticate(session: Buffer, surveyId?: string): Promise<Visitor | null> {
      const [row] = await sql`select * from console.authenticate(${session}, ${surveyId ?? null})`;
      return row?.email ? record<Visitor>(row) : null;
    },
  };
}
