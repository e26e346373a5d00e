// Members and their roles.
import type { Queries, Row } from './mapping.ts';

/** From the most powerful down. */
export const ROLES = ['owner', 'admin', 'editor', 'viewer'] as const;

export type Role = (typeof ROLES)[number];

/** For display only: SQL decides what is allowed. */
export const isAtLeast = (role: Role, least: Role): boolean => ROLES.indexOf(role) <= ROLES.indexOf(least);

export interface Member {
  readonly email: string;
  readonly role: Role;
  readonly createdAt: Date;
}

export function membersCalls({ sql }: Queries) {
  return {
    upsertMember: (workspaceId: string, email: string, role: string) =>
      sql`select invite.upsert_member(${workspaceId}, ${email}, ${role}::invite.member_role)`,

    removeMember: (workspaceId: string, email: string) => sql`select invite.remove_member(${workspaceId}, ${email})`,

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
