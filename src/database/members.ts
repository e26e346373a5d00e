// Members and their roles.
import type { Queries, Row } from './mapping.ts';

/** From most to least powerful. */
export const ROLES = ['owner', 'admin', 'editor', 'viewer'] as const;

export type Role = (typeof ROLES)[number];

/** Decides only what is displayed. SQL decides what is allowed. */
export const isAtLeast = (role: Role, least: Role): boolean => ROLES.indexOf(role) <= ROLES.indexOf(least);

export interface Member {
  readonly email: string;
  readonly role: Role;
  readonly createdAt: Date;
}

export interface MemberInvitation {
  readonly workspaceName: string;
  readonly role: Role;
}

export function membersCalls({ sql, record }: Queries) {
  return {
    upsertMember: (workspaceId: string, email: string, role: string) =>
      sql`select invite.upsert_member(${workspaceId}, ${email}, ${role}::invite.member_role)`,

    removeMember: (workspaceId: string, email: string) => sql`select invite.remove_member(${workspaceId}, ${email})`,

    /** The data for the email to a new member. Null: the person is no longer a member. */
    async findMemberInvitation(workspaceId: string, email: string): Promise<MemberInvitation | null> {
      const [row] = await sql`
        select w.name as workspace_name, m.role
        from invite.members as m
        join invite.workspaces as w on w.id = m.workspace_id
        where m.workspace_id = ${workspaceId} and m.email = ${email}`;
      return row === undefined ? null : record<MemberInvitation>(row);
    },

    listMembers: (workspaceId: string) =>
      sql<Row[]>`select * from invite.members where workspace_id = ${workspaceId} order by email`,
  };
}

export function consoleMembersCalls({ sql, records }: Queries) {
  return {
    listMembers: (session: Buffer, workspaceId: string) =>
      records<Member>(sql`select * from console.members(${session}, ${workspaceId})`),

    addMember: (session: Buffer, workspaceId: string, email: string, role: Role) =>
      sql`select console.add_member(${session}, ${workspaceId}, ${email}, ${role}::invite.member_role)`,

    setMemberRole: (session: Buffer, workspaceId: string, email: string, role: Role) =>
      sql`select console.set_member_role(${session}, ${workspaceId}, ${email}, ${role}::invite.member_role)`,

    removeMember: (session: Buffer, workspaceId: string, email: string) =>
      sql`select console.remove_member(${session}, ${workspaceId}, ${email})`,
  };
}
