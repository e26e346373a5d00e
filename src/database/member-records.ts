// What the SQL functions of the members' pages give back, typed. Column names are in camel case, except inside JSON.

/** From the most to the least. */
export const ROLES = ['owner', 'admin', 'editor', 'viewer'] as const;
export type Role = (typeof ROLES)[number];

/** Whether a role is at least another one. For what a page shows: what is allowed is decided in SQL. */
export const isAtLeast = (role: Role, least: Role): boolean => ROLES.indexOf(role) <= ROLES.indexOf(least);

export interface SignedIn {
  readonly email: string;
  /** The page of ours that was asked for. */
  readonly nextPath: string | null;
}

export interface OwnWorkspace {
  readonly id: string;
  readonly name: string;
  readonly role: Role;
}

/** Who looks at a page. */
export interface Visitor {
  readonly email: string;
  readonly workspaces: readonly OwnWorkspace[];
}

export interface SurveyFrame {
  readonly surveyId: string;
  readonly title: string;
  readonly state: 'draft' | 'active' | 'closed';
  readonly workspaceId: string;
  readonly workspaceName: string;
  readonly role: Role;
}

export interface SurveyCard {
  readonly surveyId: string;
  readonly title: string;
  readonly state: 'draft' | 'active' | 'closed';
  /** Why its mail is held; null: it is not. */
  readonly heldBecause: string | null;
  /** At most one more than MAX_COUNT. */
  readonly responses: number;
  /** Invitations that were sent, and those of them that were answered. */
  readonly invited: number;
  readonly responded: number;
  /** Invitations by status; null for viewers. */
  readonly counts: Readonly<Record<string, number>> | null;
  /** Only the newest were counted. */
  readonly capped: boolean;
}

export interface Member {
  readonly email: string;
  readonly role: Role;
  readonly createdAt: Date;
}

export interface AuditEntry {
  readonly id: string;
  readonly at: Date;
  /** A member's address, or cli. */
  readonly actor: string;
  readonly action: string;
  readonly subject: string;
  readonly detail: Readonly<Record<string, unknown>>;
}
