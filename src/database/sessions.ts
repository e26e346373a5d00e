// Sign-in links and sessions.
import type { Queries, Row } from './mapping.ts';
import type { OwnWorkspace } from './workspaces.ts';

export interface SignedIn {
  readonly email: string;
  /** The page to go on to. */
  readonly nextPath: string | null;
}

export interface SignInLink {
  /** The person it signs in. */
  readonly email: string;
  /** Whether another browser requested it. */
  readonly otherBrowser: boolean;
}

/** The signed-in person. */
export interface Visitor {
  readonly email: string;
  readonly workspaces: readonly OwnWorkspace[];
}

export function sessionsCalls({ sql, value }: Queries) {
  return {
    /** Makes a link for a member at once. */
    createSignInLink: (email: string, secretHash: Buffer) => sql`select invite.create_sign_in_link(${email}, ${secretHash})`,

    /** Activates a link just before it is emailed. Returns the address; null: send nothing. */
    issueSignInLink: (linkId: string, secretHash: Buffer) =>
      value<string | null>(sql`select invite.issue_sign_in_link(${linkId}, ${secretHash})`),

    /** Where a person is signed in. */
    listSessions: (email: string) =>
      sql<Row[]>`select * from invite.member_sessions where email = ${email.toLowerCase()} order by last_used_at desc`,

    /** Signs a person out everywhere. Returns how many sessions there were. */
    endSessions: (email: string) => value<number>(sql`select invite.end_sessions(${email})`),
  };
}

/** For members: each takes the hash of a session first, and SQL decides what that member may do. */
export function consoleSessionsCalls({ sql, record }: Queries) {
  return {
    /**
     * Queues the email with a sign-in link, within the limit.
     * @param nextPath The page to go on to. @param browserHash Of the secret in the cookie of the browser that asks.
     */
    requestSignInLink: (email: string, nextPath: string | undefined, browserHash?: Buffer) =>
      sql`select console.request_sign_in_link(${email}, ${nextPath ?? null}, ${browserHash ?? null})`,

    /** What a link would do now; null if it is unknown, used or expired. */
    async findSignInLink(linkHash: Buffer, browserHash: Buffer | undefined): Promise<SignInLink | null> {
      const [row] = await sql`select * from console.find_sign_in_link(${linkHash}, ${browserHash ?? null})`;
      return row?.email ? record<SignInLink>(row) : null;
    },

    /** Uses up a link, and the person's other links, and opens a session; null if the link is unknown, used or expired. */
    async signIn(linkHash: Buffer, sessionHash: Buffer, clientAddress: string): Promise<SignedIn | null> {
      const [row] = await sql`select * from console.sign_in(${linkHash}, ${sessionHash}, ${clientAddress})`;
      return row?.email ? record<SignedIn>(row) : null;
    },

    signOut: (session: Buffer) => sql`select console.sign_out(${session})`,

    /** The person of a session; null if it is unknown or has ended. */
    async authenticate(session: Buffer): Promise<Visitor | null> {
      const [row] = await sql`select * from console.authenticate(${session})`;
      return row?.email ? record<Visitor>(row) : null;
    },
  };
}
