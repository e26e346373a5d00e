// What is going on now: in the whole installation for the command `status`, and in a workspace for its page Sending.

import type { Cap } from './caps.ts';
import { type NotWritable, tryWrite } from './inspect.ts';
import type { HoldReason, UnsentReason } from './invitations.ts';
import type { Queries } from './mapping.ts';

export interface Status {
  /** Why the database takes no writes. */
  readonly notWritable?: NotWritable | null | undefined;
  /** What happened in the last so many seconds. */
  readonly recent: readonly {
    readonly seconds: number;
    readonly requests: number;
    readonly recipients: number;
    readonly sent: number;
    readonly failed: number;
  }[];
  /** Why emails that are due have not left. */
  readonly unsent: readonly {
    readonly unsentReason: string;
    readonly holdReason: string | null;
    readonly emails: number;
    readonly oldestDueAt: Date;
  }[];
  readonly relays: readonly {
    readonly relay: string;
    readonly condition: 'healthy' | 'busy' | 'fault';
    readonly since: Date | null;
    readonly pausedUntil: Date | null;
    readonly code: string | null;
    readonly detail: string | null;
  }[];
  readonly pauses: readonly {
    readonly scope: string;
    readonly id: string | null;
    readonly pausedAt: Date;
    /** Null: it isn't known, as for all pauses of everyone. */
    readonly pausedBy: string | null;
  }[];
  /** Those under which emails wait for their turn. Test workspaces aren't here. */
  readonly caps: readonly {
    readonly scope: Cap['scope'];
    /** Empty: all emails of the workspace. */
    readonly domain: string;
    /** Null: shared by all. */
    readonly workspaceId: string | null;
    /** Emails that were promised a place for later. */
    readonly emails: number;
    /** When the last of these places ends. */
    readonly until: Date;
  }[];
  readonly workers: readonly {
    readonly hostname: string;
    readonly pid: number;
    readonly isRunning: boolean;
    readonly startedAt: Date;
    readonly heartbeatAt: Date;
    readonly sending: number;
  }[];
  readonly jobs: readonly { readonly task: string; readonly state: string; readonly jobs: number; readonly lastError: string }[];
  readonly broken: readonly { readonly code: string; readonly emails: number; readonly since: Date }[];
  readonly webhooks: {
    readonly endpoints: number;
    readonly failing: number;
    readonly paused: number;
    readonly unpublished: number;
  };
}

/** Times are ISO 8601, except since. */
export interface SendingStatus {
  /** The beginning of a quarter hour, an hour ago or a little more. What was accepted, sent and failed is counted since then. */
  readonly since: Date;
  readonly requests: number;
  readonly recipients: number;
  /** Invitations, without reminders. */
  readonly sent: number;
  readonly failed: number;
  /** Emails that a worker has now. */
  readonly sending: number;
  readonly unsent: readonly {
    /** Null: these are due, but so many that nobody asked why. */
    readonly reason: UnsentReason | null;
    readonly hold_reason: HoldReason | null;
    readonly emails: number;
    readonly oldest_due_at: string | null;
    readonly next_due_at: string | null;
  }[];
  /** Emails that failed since yesterday. */
  readonly failures: readonly {
    readonly survey_id: string;
    readonly title: string;
    readonly code: string | null;
    readonly emails: number;
  }[];
  /** Null: a test workspace needs none. */
  readonly hasWorker: boolean | null;
  /** Those that aren't healthy. Null: a test workspace needs none. */
  readonly relays:
    | readonly {
        readonly id: string;
        readonly condition: 'busy' | 'fault';
        readonly since: string;
        readonly paused_until: string | null;
        readonly code: string | null;
      }[]
    | null;
  /** Those that fail or are disabled. */
  readonly webhooks: readonly {
    readonly id: string;
    readonly url: string;
    readonly failing_since: string | null;
    readonly disabled_at: string | null;
  }[];
}

export function consoleStatusCalls({ sql, one }: Queries) {
  return {
    sendingStatus: (session: Buffer, workspaceId: string) =>
      one<SendingStatus>(sql`select * from console.sending_status(${session}, ${workspaceId})`),
  };
}

export function statusCalls({ sql, records, one }: Queries) {
  return {
    /** As the role that reads all views. It costs the same however much there is: what may be long is counted up to a limit. */
    async readStatus(): Promise<Status> {
      const [notWritable, recent, unsent, relays, pauses, caps, workers, jobs, broken, webhooks] = await Promise.all([
        tryWrite(sql),
        records<Status['recent'][number]>(sql`
          select seconds, requests::integer, recipients::integer, sent::integer, failed::integer from invite.recent_activity()`),
        records<Status['unsent'][number]>(
          sql`select unsent_reason, hold_reason, emails::integer, oldest_due_at from invite.unsent_reasons()`,
        ),
        records<Status['relays'][number]>(
          sql`select r.id as relay, r.condition, r.since, r.paused_until, r.code, r.detail
            from invite.active_relays as a join invite.relay_health as r on r.id = a.id order by r.id`,
        ),
        records<Status['pauses'][number]>(sql`
          select p.scope, coalesce(p.survey_id, p.workspace_id) as id, p.paused_at, a.actor as paused_by
          from invite.paused_sending as p
          left join lateral (
            select x.actor
            from invite.audit_log as x
            where x.workspace_id = p.workspace_id and x.action in ('sending_paused', 'guard_paused') and x.at >= p.paused_at - interval '1 second'
            order by x.id
            limit 1
          ) as a on true
          order by p.paused_at
          limit 20`),
        records<Status['caps'][number]>(sql`
          select c.scope, c.domain, c.workspace_id, c.waiting as emails, c.waits_until as until
          from invite.cap_overview as c
          left join invite.workspaces as w on w.id = c.workspace_id
          where c.waiting > 0 and w.test_of is null
          order by c.waiting desc, c.workspace_id, c.scope, c.domain
          limit 20`),
        records<Status['workers'][number]>(
          sql`select hostname, pid, is_running, started_at, heartbeat_at, sending from invite.worker_health order by started_at`,
        ),
        records<Status['jobs'][number]>(sql`
          select task, state, count(*)::integer as jobs, max(last_error) as last_error from invite.failing_jobs group by 1, 2 order by 2, 3 desc`),
        records<Status['broken'][number]>(
          sql`select code, count(*)::integer as emails, min(since) as since from invite.broken_invariants group by 1 order by 1`,
        ),
        one<Status['webhooks']>(sql`
          select
            count(*)::integer as endpoints, (count(*) filter (where failing_since is not null and paused_at is null))::integer as failing,
            (count(*) filter (where paused_at is not null))::integer as paused,
            (select count from invite.count_events() where state = 'unpublished')::integer as unpublished
          from invite.webhook_endpoints where deleted_at is null`),
      ]);
      return { notWritable, recent, unsent, relays, pauses, caps, workers, jobs, broken, webhooks };
    },
  };
}
