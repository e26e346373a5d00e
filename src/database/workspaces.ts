// Workspaces and their audit log.
import type { DeleteResult } from './deliveries.ts';
import type { Forecast } from './forecasts.ts';
import type { Queries, Row } from './mapping.ts';
import type { Role } from './members.ts';
import type { Sender } from './senders.ts';

export interface OwnWorkspace {
  readonly id: string;
  readonly name: string;
  readonly role: Role;
  /** What its secrets begin with. */
  readonly home: string;
  /** The id and name of its real workspace, and what its clock says (ISO 8601). Null: it is real. */
  readonly test: { readonly of: string; readonly name: string; readonly now: string } | null;
  /** What pauses all of its email (ISO 8601). by: an actor of the audit log, for owners and admins. Null: nothing. */
  readonly pause: { readonly scope: 'service' | 'guard' | 'workspace'; readonly at: string; readonly by?: string | null } | null;
}

/** The values of the type invite.audit_action. */
export type AuditAction =
  | 'signed_out'
  | 'answers_exported'
  | 'addresses_exported'
  | 'audit_exported'
  | 'access_refused'
  | 'member_added'
  | 'member_changed'
  | 'member_removed'
  | 'token_created'
  | 'token_changed'
  | 'token_deleted'
  | 'token_secret_replaced'
  | 'token_secret_ended'
  | 'list_sent'
  | 'list_cancelled'
  | 'workspace_moved'
  | 'notifications_changed'
  | 'guard_warned'
  | 'guard_domain_warned'
  | 'guard_paused'
  | 'guard_released'
  | 'guard_limit_changed'
  | 'cap_changed'
  | 'survey_state_changed'
  | 'batch_cancelled'
  | 'batch_retried'
  | 'invitation_cancelled'
  | 'test_workspace_created'
  | 'rules_changed'
  | 'invitation_sent_anyway'
  | 'reminded_now'
  | 'invitation_retried'
  | 'signed_in'
  | 'survey_disabled'
  | 'survey_enabled'
  | 'workspace_suspended'
  | 'workspace_resumed'
  | 'plan_changed'
  | 'sending_paused'
  | 'sending_resumed'
  | 'batch_rescheduled'
  | 'survey_cancelled'
  | 'survey_retried'
  | 'address_cancelled'
  | 'address_erased'
  | 'sign_in_link_created'
  | 'deletion_started'
  | 'survey_deleted'
  | 'workspace_deleted'
  | 'retention_changed'
  | 'address_blocked'
  | 'address_unblocked'
  | 'events_enabled'
  | 'events_disabled'
  | 'webhook_created'
  | 'webhook_rotated'
  | 'webhook_paused'
  | 'webhook_resumed'
  | 'webhook_deleted'
  | 'sender_changed'
  | 'wording_changed'
  | 'survey_created'
  | 'survey_changed'
  | 'workspace_renamed';

/** Times since when sending is paused. Null: it isn't paused. Who paused it is an actor of the audit log. Null: it isn't known. */
export interface Sending {
  readonly servicePausedAt: Date | null;
  readonly workspacePausedAt: Date | null;
  readonly workspacePausedBy: string | null;
  /** paused_at is ISO 8601. */
  readonly pausedSurveys: readonly {
    readonly id: string;
    readonly title: string;
    readonly paused_at: string;
    readonly paused_by: string | null;
  }[];
}

/** Rules about when emails may leave, as they are stored. Null: the rule isn't set. */
export interface WorkspaceRules {
  /** In days, between two invitations to an address. */
  readonly restDays: number | null;
  /** The text of an int4multirange of minutes of the week: see src/hours.ts. */
  readonly openHours: string | null;
  /** The text of a datemultirange. */
  readonly closedDays: string | null;
  readonly timeZone: string | null;
  readonly maxDelayHours: number | null;
}

/** The rules that a survey can have of its own. */
export type SurveyRules = Pick<WorkspaceRules, 'timeZone' | 'maxDelayHours'>;

/** The settings of a workspace, with its plan. */
export interface WorkspaceSettings {
  readonly name: string;
  readonly planId: string;
  readonly apiTrigger: boolean;
  readonly suspendedAt: Date | null;
  /** How many recipients it may invite within any hour. */
  readonly quota: number;
  /** How many of those it may still invite now. */
  readonly remaining: number;
}

export interface AuditEntry {
  readonly id: string;
  readonly at: Date;
  /** A member's address, or `cli` for the command line. */
  readonly actor: string;
  readonly action: AuditAction;
  /** Null: the subject was an address, which the audit log doesn't keep. */
  readonly subject: string | null;
  readonly detail: Readonly<Record<string, unknown>>;
}

export function workspacesCalls({ sql, one, value, json, jsonRecord }: Queries) {
  return {
    /** Creates or updates the workspace. Returns its id. */
    upsertWorkspace: (workspace: { id?: string | undefined; name?: string | undefined; plan?: string | undefined }) =>
      value<string>(
        sql`select invite.upsert_workspace(${workspace.id ?? null}, ${workspace.name ?? null}, ${workspace.plan ?? null})`,
      ),

    /** Settings that are left out keep their values. */
    setWorkspaceSender: (workspaceId: string, sender: Sender) =>
      sql`select invite.set_workspace_sender(${workspaceId}, ${json(sender)})`,

    /** Rules that are left out stay; null removes one. */
    setWorkspaceRules: (workspaceId: string, rules: Partial<WorkspaceRules>) =>
      sql`select invite.set_workspace_rules(${workspaceId}, ${jsonRecord(rules)})`,

    setSurveyRules: (surveyId: string, rules: Partial<SurveyRules>) =>
      sql`select invite.set_survey_rules(${surveyId}, ${jsonRecord(rules)})`,

    setWorkspaceSuspended: (workspaceId: string, suspended: boolean) =>
      sql`select invite.set_workspace_suspended(${workspaceId}, ${suspended})`,

    /** Runs one step. Rejects with P0002 if there is no such workspace. */
    deleteWorkspace: (workspaceId: string) => one<DeleteResult>(sql`select * from invite.delete_workspace(${workspaceId})`),

    /** One step of erasing what is left of a workspace that has moved to another cell. */
    eraseOldCopy: (workspaceId: string) => one<DeleteResult>(sql`select * from invite.erase_old_copy(${workspaceId})`),

    setWorkspacePaused: (workspaceId: string, paused: boolean) =>
      sql`select invite.set_workspace_paused(${workspaceId}, ${paused})`,

    setWorkspaceEvents: (workspaceId: string, enabled: boolean) =>
      sql`select invite.set_workspace_events(${workspaceId}, ${enabled})`,

    /** Rejects with P0002 if there is no such workspace. */
    requireWorkspace: (workspaceId: string) => sql`select invite.require_workspace(${workspaceId})`,

    findWorkspace: async (id: string): Promise<Row | undefined> =>
      (await sql<Row[]>`select * from invite.workspace_overview where id = ${id}`)[0],

    /** What the secrets and links of an existing workspace begin with. */
    homeOf: (id: string) => value<string>(sql`select home from invite.workspace_overview where id = ${id}`),

    listWorkspaces: () => sql<Row[]>`select * from invite.workspace_overview order by created_at, id`,
  };
}

export function consoleWorkspacesCalls({ sql, one, value, records, json, jsonRecord }: Queries) {
  return {
    sending: (session: Buffer, workspaceId: string) =>
      one<Sending>(sql`select * from console.sending(${session}, ${workspaceId})`),

    /** Null: MAIL_FROM is used. */
    workspaceSender: (session: Buffer, workspaceId: string) =>
      value<Sender | null>(sql`select console.workspace_sender(${session}, ${workspaceId})`),

    setWorkspaceSender: (session: Buffer, workspaceId: string, sender: Sender) =>
      sql`select console.set_workspace_sender(${session}, ${workspaceId}, ${json(sender)})`,

    workspaceRules: (session: Buffer, workspaceId: string) =>
      one<WorkspaceRules>(sql`select * from console.workspace_rules(${session}, ${workspaceId})`),

    setWorkspaceRules: (session: Buffer, workspaceId: string, rules: Partial<WorkspaceRules>) =>
      sql`select console.set_workspace_rules(${session}, ${workspaceId}, ${jsonRecord(rules)})`,

    /** The rules of the survey's workspace, and the survey's own. */
    surveyRules: async (session: Buffer, surveyId: string): Promise<{ workspace: WorkspaceRules; own: SurveyRules }> => {
      const { ownTimeZone, ownMaxDelayHours, ...workspace } = await one<
        WorkspaceRules & { ownTimeZone: string | null; ownMaxDelayHours: number | null }
      >(sql`select * from console.survey_rules(${session}, ${surveyId})`);
      return { workspace, own: { timeZone: ownTimeZone, maxDelayHours: ownMaxDelayHours } };
    },

    setSurveyRules: (session: Buffer, surveyId: string, rules: Partial<SurveyRules>) =>
      sql`select console.set_survey_rules(${session}, ${surveyId}, ${jsonRecord(rules)})`,

    /**
     * The forecast by changed rules. Rejects as if they were saved.
     * @param surveyId Undefined: they are the workspace's.
     * @param zone The reader's.
     */
    estimateRules: (
      session: Buffer,
      workspaceId: string,
      rules: Partial<WorkspaceRules>,
      surveyId: string | undefined,
      zone: string,
      maxEmails: number,
    ) =>
      one<Forecast>(sql`
        select * from console.estimate_rules(
          ${session}, ${workspaceId}, ${jsonRecord(rules)}, ${surveyId ?? null}, ${maxEmails + 1}, time_zone => ${zone})`),

    setWorkspacePaused: (session: Buffer, workspaceId: string, paused: boolean) =>
      sql`select console.set_workspace_paused(${session}, ${workspaceId}, ${paused})`,

    workspaceSettings: (session: Buffer, workspaceId: string, recipientsPerHour: number) =>
      one<WorkspaceSettings>(sql`select * from console.workspace_settings(${session}, ${workspaceId}, ${recipientsPerHour})`),

    updateWorkspace: (session: Buffer, workspaceId: string, name: string) =>
      sql`select console.update_workspace(${session}, ${workspaceId}, ${name})`,

    /** @param beforeId Undefined: the first page. */
    listAuditEntries: (session: Buffer, workspaceId: string, beforeId: string | undefined, maxRows: number) =>
      records<AuditEntry>(sql`select * from console.audit_log(${session}, ${workspaceId}, ${beforeId ?? null}, ${maxRows})`),

    recordAuditExport: (session: Buffer, workspaceId: string) =>
      sql`select console.record_audit_export(${session}, ${workspaceId})`,

    /** @param page The pattern of its address. @param surveyId The survey whose page it is. */
    recordRefusal: (session: Buffer, workspaceId: string, page: string, surveyId: string | undefined) =>
      sql`select console.record_refusal(${session}, ${workspaceId}, ${page}, ${surveyId ?? null})`,
  };
}
