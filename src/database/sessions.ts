// Sign-in links and sessions.
import type { Queries, Row } from './mapping.ts';
import type { OwnWorkspace } from './workspaces.ts';

/** How long a sign-in link is valid. A test compares the number with SQL. */
export const SIGN_IN_MINUTES = 10;

/** How recent a sign-in must be to delete a survey, make a secret or change members. A test compares the number with SQL. */
export const RECENT_SIGN_IN_MINUTES = 15;

export interface SignedIn {
  readonly email: string;
  /** The page to open after signing in. */
  readonly nextPath: string | null;
}

export interface SignInLink {
  readonly email: string;
  readonly otherBrowser: boolean;
}

/** A session, as its owner sees it. */
export interface SessionLine {
  readonly id: string;
  readonly signedInAt: Date;
  readonly lastUsedAt: Date;
  readonly clientAddress: string | null;
  /** Such as `Firefox on Windows`. Null: not known. */
  readonly device: string | null;
  readonly endsAt: Date;
  /** Whether this is the session that asks. */
  readonly current: boolean;
}

export interface Visitor {
  readonly email: string;
  readonly workspaces: readonly OwnWorkspace[];
  /** The workspace of the survey that was asked for. Null: no survey was asked for, or the person can't see it. */
  readonly workspaceId: string | null;
  /** For the log, which names no member by address. */
  readonly sessionId: string;
}

export function sessionsCalls({ sql, value }: Queries) {
  return {
    createSignInLink: (email: string, secretHash: Buffer) => sql`select invite.create_sign_in_link(${email}, ${secretHash})`,

    /** Called just before the link is emailed. Returns the address. Null: send nothing. */
    issueSignInLink: (linkId: string, secretHash: Buffer) =>
      value<string | null>(sql`select invite.issue_sign_in_link(${linkId}, ${secretHash})`),

    listSessions: (email: string) =>
      sql<Row[]>`select * from invite.member_sessions where email = lower(${email}::text collate "C") order by last_used_at desc`,

    /** Returns whether the person had this session. */
    endSession: async (email: string, id: string) => (await value<number>(sql`select invite.end_session(${email}, ${id})`)) === 1,

    endSessions: (email: string) => value<number>(sql`select invite.end_sessions(${email})`),
  };
}

export function consoleSessionsCalls({ sql, value, record, records }: Queries) {
  return {
    /**
     * Queues the email, unless the limit is reached.
     * @param browserHash The hash of the secret in a cookie of the browser that asks.
     * @param home Of one database, where several stand behind one address.
     */
    requestSignInLink: (email: string, nextPath: string | undefined, browserHash?: Buffer, home?: string) =>
      sql`select console.request_sign_in_link(${email}, ${nextPath ?? null}, ${browserHash ?? null}, home => ${home ?? null})`,

    /** Null: the link is unknown, used or expired. */
    async findSignInLink(linkHash: Buffer, browserHash: Buffer | undefined): Promise<SignInLink | null> {
      const [row] = await sql`select * from console.find_sign_in_link(${linkHash}, ${browserHash ?? null})`;
      return row?.email ? record<SignInLink>(row) : null;
    },

    /** Uses up all sign-in links of the person. Null: the link is unknown, used or expired. */
    async signIn(linkHash: Buffer, sessionHash: Buffer, clientAddress: string, device?: string): Promise<SignedIn | null> {
      const [row] = await sql`select * from console.sign_in(${linkHash}, ${sessionHash}, ${clientAddress}, ${device ?? null})`;
      return row?.email ? record<SignedIn>(row) : null;
    },

    signOut: (session: Buffer) => sql`select console.sign_out(${session})`,

    /** The current session comes first. */
    listSessions: (session: Buffer) => records<SessionLine>(sql`select * from console.sessions(${session})`),

    /** Ends one of the person's own sessions. Returns whether there was one. */
    endSession: async (session: Buffer, id: string) =>
      (await value<number>(sql`select console.end_session(${session}, ${id})`)) === 1,

    /** Ends all sessions except this one. Returns how many. */
    endOtherSessions: (session: Buffer) => value<number>(sql`select console.end_other_sessions(${session})`),

    /** Ends all sessions, including this one. Returns how many. */
    signOutEverywhere: (session: Buffer) => value<number>(sql`select console.sign_out_everywhere(${session})`),

    /** @param surveyId The survey of the page. Returns null if the session is unknown or has ended. */
    async authenticate(session: Buffer, surveyId?: string): Promise<Visitor | null> {
      const [row] = await sql`select * from console.authenticate(${session}, ${surveyId ?? null})`;
      return row?.email ? record<Visitor>(row) : null;
    },
  };
}
