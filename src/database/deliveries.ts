// The worker's calls: claim, settle, requeue, sweep, confirm, recover, prune.
import type { Queries } from './mapping.ts';

/** Attempts after which SQL gives up an email. A test compares it with the SQL. */
export const MAX_ATTEMPTS = 12;

/** Seconds without a heartbeat after which SQL counts a worker as lost. A test compares it with the SQL. */
export const LEASE_SECONDS = 50;

export interface ClaimedInvitation {
  readonly id: string;
  readonly claimId: string;
  readonly messageKind: 'invitation' | 'reminder';
  readonly attempts: number;
  readonly email: string;
  readonly name: string | null;
  readonly linkToken: string;
  readonly batchId: string;
  readonly subject: string;
  readonly message: string;
  readonly surveyId: string;
  readonly surveyTitle: string;
  readonly surveyPublicUrl: string | null;
  readonly workspaceName: string;
  /** Of a reminder that has one of its own; null: the invitation's. */
  readonly reminderSubject: string | null;
  readonly reminderMessage: string | null;
  /** Since when this message may have been sent without our knowing; null: not in doubt. */
  readonly unconfirmedSince: Date | null;
}

/** The relay, by the name that the database has for it. */
export interface RelayLimits {
  readonly name: string;
  /** Messages per second over all workers; undefined: no limit. */
  readonly rate: number | undefined;
}

export interface ClaimOptions {
  readonly relay?: RelayLimits | undefined;
  /** A message that has been due for longer fails instead of being sent; undefined: no limit. */
  readonly lateSendHours?: number | undefined;
  readonly id?: string | undefined;
}

/** What became of one claimed message; see sql/functions/delivery/settle_invitations.sql for the outcomes. */
export interface Settlement {
  readonly id: string;
  readonly claim_id: string;
  readonly outcome: 'accepted' | 'retry' | 'unknown' | 'unconfirmed' | 'config' | 'released' | 'suppressed' | 'rejected';
  readonly code?: string | undefined;
  readonly detail?: string | undefined;
  readonly relay_message_id?: string | undefined;
  readonly retry_after_seconds?: number | undefined;
}

export interface WorkspaceInvitations {
  readonly workspaceId: string;
  readonly ids: readonly number[];
}

/** What settle_invitations did. */
export interface Settled {
  /** How many of them the claims still held. */
  readonly settled: number;
  /** The ids of those that somebody else has locked: to be settled again. */
  readonly locked: readonly string[];
}

/** The queue at one moment; see sql/functions/delivery/queue_metrics.sql. */
export interface QueueState {
  readonly due: number;
  readonly overdueSeconds: number;
  readonly waiting: number;
  readonly sending: number;
  readonly workers: number;
}

export function deliveriesCalls({ sql, value, one, record, records, json }: Queries) {
  return {
    /**
     * Claims those of the given invitations that are due, as many as the relay takes now.
     * @param claim Its id, and what limits it.
     */
    claimInvitations: (invitationIds: readonly number[], workerId: string, claim: ClaimOptions = {}) =>
      records<ClaimedInvitation>(sql`
        select * from invite.claim_invitations(
          ${invitationIds as number[]}::bigint[], ${workerId},
          relay => ${claim.relay?.name ?? null}, rate => ${claim.relay?.rate ?? null}, claim_id => ${claim.id ?? null},
          late_send_hours => ${claim.lateSendHours ?? null})`),

    /** Which of these invitations are queued, by their workspaces. */
    workspacesOf: async (invitationIds: readonly number[]): Promise<WorkspaceInvitations[]> =>
      (
        await sql<{ workspace_id: string; ids: string[] }[]>`
          select * from invite.workspaces_of(${invitationIds as number[]}::bigint[])`
      ).map((row) => ({ workspaceId: row.workspace_id, ids: row.ids.map(Number) })),

    /** Makes jobs that look at these invitations again after so many seconds. */
    requeueSends: async (invitationIds: readonly number[], afterSeconds: number): Promise<void> => {
      await sql`select invite.requeue_sends(${invitationIds as number[]}::bigint[], ${afterSeconds})`;
    },

    /** Records what became of claimed messages, and what that says about the relay. */
    settleInvitations: (results: readonly Settlement[], relay?: RelayLimits) =>
      one<Settled>(sql`select * from invite.settle_invitations(${json(results)}, relay => ${relay?.name ?? null})`),

    /** One step of requeueing a survey's waiting invitations; queues the next step itself. @param after The last id of the step before. */
    requeueWaiting: (surveyId: string, after: number | null = null) =>
      value<number>(sql`select invite.requeue_waiting(${surveyId}, after => ${after})`),

    /** Queues the requeueing of all surveys of a workspace. */
    requeueWorkspace: (workspaceId: string) => value<number>(sql`select invite.requeue_workspace(${workspaceId})`),

    /** Makes jobs for reminders that are due soon and for messages whose job was lost. @param relay While it is paused, only for the former. */
    sweepInvitations: (relay?: string) => value<number>(sql`select invite.sweep_invitations(relay => ${relay ?? null})`),

    /** Adds the job for the next sweep. */
    nextSweep: () => sql`select invite.next_sweep()`,

    /** Queues again what triggers and jobs have missed. Returns how many rows and surveys. */
    healInvitations: () => value<number>(sql`select invite.heal_invitations()`),

    /** Ends unconfirmed invitations as sent once the relay has reported on them. Returns how many. */
    confirmInvitations: () => value<number>(sql`select invite.confirm_invitations()`),

    /** One step of deleting what has expired; queues the next step itself. Returns how many idempotency keys. */
    pruneExpired: () => value<number>(sql`select invite.prune_expired()`),

    /** Registers this worker, or says that it is running. @param secondsSinceFetch Since it last took a job, or was told that there is none. */
    recordHeartbeat: (workerId: string, poolId: string | null, hostname: string, pid: number, secondsSinceFetch = 0) =>
      sql`select invite.record_heartbeat(${workerId}, ${poolId}, ${hostname}, ${pid}, ${secondsSinceFetch})`,

    /** The jobs that these runners have locked for some seconds. */
    heldJobs: (poolIds: readonly string[]) => value<string[]>(sql`select invite.held_jobs(${poolIds as string[]}::text[])`),

    /** Gives back jobs that these runners hold without knowing. Returns how many. */
    unlockJobs: (poolIds: readonly string[], jobIds: readonly string[]) =>
      value<number>(sql`select invite.unlock_jobs(${poolIds as string[]}::text[], ${jobIds as string[]}::bigint[])`),

    /** The claims under which this worker holds messages. */
    heldClaims: (workerId: string) => value<string[]>(sql`select invite.held_claims(${workerId})`),

    /** Requeues what this worker holds under claims whose answer was lost. Returns how many messages. */
    recoverClaims: (workerId: string, lostClaims: readonly string[]) =>
      value<number>(sql`select invite.recover_claims(${workerId}, ${lostClaims as string[]}::uuid[])`),

    /**
     * Requeues what workers without a heartbeat for so many seconds held. Returns how many workers.
     * @param holdUnknown Whether to end those messages as unconfirmed instead.
     */
    recoverWorkers: (silentSeconds: number, onlyWorkerId?: string, holdUnknown = false) =>
      value<number>(
        sql`select invite.recover_workers(${silentSeconds}, ${onlyWorkerId ?? null}, hold_unknown => ${holdUnknown})`,
      ),

    /** How many emails are stuck in each way, for the metrics. */
    brokenInvariants: async () =>
      (await sql<{ code: string; emails: string }[]>`select * from invite.count_broken_invariants()`).map(({ code, emails }) => ({
        code,
        emails: Number(emails),
      })),

    /** The state of the queue, for the metrics. */
    async queueMetrics(): Promise<QueueState> {
      const [row = {}] = await sql`select * from invite.queue_metrics()`;
      return record<QueueState>(Object.fromEntries(Object.entries(row).map(([name, number]) => [name, Number(number)])));
    },
  };
}
