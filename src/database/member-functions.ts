// The SQL functions that the members' pages call, typed. Each takes the hash of the session first, and decides itself what its owner may do:
// it rejects with P0002 for whoever is no member, and with 42501 for a role that is not enough. A part of functions.ts.
import { MAX_COUNT } from './invitation-records.ts';
import type { Queries } from './mapping.ts';
import type { AuditEntry, Member, Role, SignedIn, SurveyCard, SurveyFrame, Visitor } from './member-records.ts';

export function createMemberFunctions({ sql, value, record, one, records }: Queries) {
  return {
    /** Queues the mail with a sign-in link, if there have not been too many. @param nextPath A page of ours to go on to. */
    requestSignInLink: (email: string, nextPath: string | undefined) =>
      sql`select invite.request_sign_in_link(${email}, ${nextPath ?? null})`,

    /** Arms a link just before it is mailed. Returns the address; null: nothing is to be sent. */
    issueSignInLink: (linkId: string, secretHash: Buffer) =>
      value<string | null>(sql`select invite.issue_sign_in_link(${linkId}, ${secretHash})`),

    /** Makes a link for a member at once. */
    createSignInLink: (email: string, secretHash: Buffer) => sql`select invite.create_sign_in_link(${email}, ${secretHash})`,

    /** Whether a link would sign in now. */
    isSignInLink: (linkHash: Buffer) => value<boolean>(sql`select invite.is_sign_in_link(${linkHash})`),

    /** Spends a link and opens a session; null if the link is unknown, used or expired. */
    async signIn(linkHash: Buffer, sessionHash: Buffer): Promise<SignedIn | null> {
      const [row] = await sql`select * from invite.sign_in(${linkHash}, ${sessionHash})`;
      return row?.email ? record<SignedIn>(row) : null;
    },

    signOut: (session: Buffer) => sql`select invite.sign_out(${session})`,

    /** Signs a person out everywhere. Returns how many sessions there were. */
    endSessions: (email: string) => value<number>(sql`select invite.end_sessions(${email})`),

    /** Deletes ended sessions and old links. */
    pruneSignIns: () => sql`select invite.prune_sign_ins()`,

    /** Who comes with a session; null if it is unknown or has ended. */
    async visit(session: Buffer): Promise<Visitor | null> {
      const [row] = await sql`select * from invite.visit(${session})`;
      return row?.email ? record<Visitor>(row) : null;
    },

    /** What a page of a survey shows around its content. @param least The least role that may see the page. */
    surveyFrame: (session: Buffer, surveyId: string, least: Role) =>
      one<SurveyFrame>(sql`select * from invite.survey_frame(${session}, ${surveyId}, ${least}::invite.member_role)`),

    workspaceSurveys: (session: Buffer, workspaceId: string) =>
      records<SurveyCard>(sql`
        select * from invite.workspace_surveys(${session}, ${workspaceId}, max_responses => ${MAX_COUNT + 1})`),

    workspaceMembers: (session: Buffer, workspaceId: string) =>
      records<Member>(sql`select * from invite.workspace_members(${session}, ${workspaceId})`),

    /** Adds a member, changes the role, or removes the member. @param role Null: remove. @param adding Whether the person may be new. */
    changeMember: (session: Buffer, workspaceId: string, email: string, role: Role | null, adding = false) =>
      sql`select invite.change_member(${session}, ${workspaceId}, ${email}, ${role}::invite.member_role, ${adding})`,

    /** A page of the audit log, newest first. @param beforeId Undefined: the first page. */
    auditEntries: (session: Buffer, workspaceId: string, beforeId: string | undefined, maxRows: number) =>
      records<AuditEntry>(sql`select * from invite.audit_entries(${session}, ${workspaceId}, ${beforeId ?? null}, ${maxRows})`),
  };
}
