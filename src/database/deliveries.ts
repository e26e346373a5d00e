// The worker's calls: claim, settle, requeue, sweep, confirm, recover, prune.
import type { Queries, Row } from './mapping.ts';
import type { EmailQuestion } from './questions.ts';
import type { InLanguage, PageTranslation, Sender, TokenTranslation } from './senders.ts';
import type { DeliveryOutcome } from './test-invitations.ts';

/** The attempts that an email gets. A test compares the number with SQL. */
export const MAX_ATTEMPTS = 12;

/** A worker that has been silent for longer than this is lost. In seconds. A test compares the number with SQL. */
export const LEASE_SECONDS = 50;

/** How many rows are counted before they are deleted. */
export const DUE_ROWS = 10_000;

/** What pruning deletes, in this order. A test compares the list with SQL. */
export const EXPIRING = [
  'idempotency_keys',
  'rejections',
  'sign_in_links',
  'test_invitations',
  'sessions',
  'notifications',
  'uploads',
  'cap_slots',
  'webhook_deliveries',
  'webhook_endpoints',
  'failed_jobs',
  'relay_events',
  'audit_log',
  'responses',
  'batches',
] as const;
export type Expiring = (typeof EXPIRING)[number];

/** One step of a deletion. */
export interface DeleteResult {
  readonly deleted: number;
  readonly sending: number;
  readonly more: boolean;
}

/** How many workspaces or surveys have paused sending. */
export interface PausedCount {
  readonly scope: 'all' | 'workspace' | 'survey';
  readonly paused: number;
}

export interface ClaimedInvitation {
  readonly id: string;
  readonly claimId: string;
  readonly messageKind: 'invitation' | 'reminder';
  /** 0: the invitation. From 1: its reminders. */
  readonly messageNumber: number;
  readonly attempts: number;
  readonly email: string;
  readonly name: string | null;
  readonly linkToken: string;
  readonly batchId: string;
  readonly subject: string;
  readonly message: string;
  readonly surveyId: string;
  readonly surveyTitle: string;
  /** Null: the survey's page doesn't exist in the recipient's language. */
  readonly pageTranslation: PageTranslation | null;
  readonly surveyPublicUrl: string | null;
  readonly workspaceName: string;
  /** Null: the invitation's subject or message is used. */
  readonly reminderSubject: string | null;
  readonly reminderMessage: string | null;
  readonly sender: Sender | null;
  /** The recipient's language and the request's language. Null: none. */
  readonly language: string | null;
  readonly requestLanguage: string | null;
  readonly surveyLanguage: string;
  /** The language of the request's own subject or message. Null: the survey's language. */
  readonly subjectLanguage: string | null;
  readonly messageLanguage: string | null;
  readonly translation: InLanguage<TokenTranslation> | null;
  /** Which words of its own the workspace has, for findWording. Null: none. */
  readonly wording: string | null;
  /** Since when the email may have been sent without a confirmation. Null: there is no such doubt. */
  readonly unconfirmedSince: Date | null;
  /** The question that the email asks. Null: none. */
  readonly question: EmailQuestion | null;
}

/** A relay, with its name in the database. */
export interface RelayLimits {
  readonly name: string;
  /** Messages per second for all workers together. Undefined: no limit. */
  readonly rate: number | undefined;
}

/** What a worker sends to, and within what limits. The database decides by it what the worker may claim. */
export interface WorkerLimits {
  /** Its pauses hold for all workers. Undefined: an outbox, which has none. */
  readonly relay?: RelayLimits | undefined;
  /** A message that is overdue by more than this fails instead of being sent. Undefined: no limit. */
  readonly lateSendHours?: number | undefined;
}

/** The result for a claimed message: see settle_invitations.sql. */
export interface Settlement {
  readonly id: string;
  readonly claim_id: string;
  readonly outcome: DeliveryOutcome;
  readonly code?: string | undefined;
  readonly detail?: string | undefined;
  readonly relay_message_id?: string | undefined;
  readonly retry_after_seconds?: number | undefined;
}

export interface WorkspaceInvitations {
  readonly workspaceId: string;
  readonly ids: readonly number[];
}

export interface Settled {
  /** How many messages their claims still held. */
  readonly settled: number;
  /** Messages that somebody else has locked. Settle them again. */
  readonly locked: readonly string[];
  /** Null: the relay's condition hasn't changed. */
  readonly relayChange?: RelayChange | null;
}

/** A change of a relay's condition. Times are ISO 8601. */
export interface RelayChange {
  readonly relay: string;
  readonly from: 'healthy' | 'busy' | 'fault';
  readonly condition: 'healthy' | 'busy' | 'fault';
  /** When the previous condition began. */
  readonly since: string;
  readonly code?: string | null;
  /** The relay's own message. */
  readonly detail?: string | null;
  readonly paused_until?: string | null;
}

export interface QueueState {
  readonly due: number;
  readonly overdueSeconds: number;
  readonly waiting: number;
  readonly sending: number;
  readonly workers: number;
}

export function deliveriesCalls({ sql, value, one, record, records, json }: Queries) {
  return {
    /** Claims the invitations that are due, as many as the relay accepts now. */
    claimInvitations: (invitationIds: readonly number[], workerId: string, claimId: string | null = null) =>
      records<ClaimedInvitation>(sql`
        select * from invite.claim_invitations(${invitationIds as number[]}::bigint[], ${workerId}, claim_id => ${claimId})`),

    /** Queues jobs for what a claim couldn't take. Returns what only the relay's rate turned down: it gets no job, so the caller keeps it. */
    putOffInvitations: async (invitationIds: readonly number[], workerId: string) =>
      (await value<string[]>(sql`select invite.put_off_invitations(${invitationIds as number[]}::bigint[], ${workerId})`)).map(
        Number,
      ),

    /** The queued ones of these invitations, by workspace. */
    workspacesOf: async (invitationIds: readonly number[]): Promise<WorkspaceInvitations[]> =>
      (
        await sql<{ workspace_id: string; ids: string[] }[]>`
          select * from invite.workspaces_of(${invitationIds as number[]}::bigint[])`
      ).map((row) => ({ workspaceId: row.workspace_id, ids: row.ids.map(Number) })),

    /** Makes jobs for these invitations that run after so many seconds. */
    requeueSends: async (invitationIds: readonly number[], afterSeconds: number): Promise<void> => {
      await sql`select invite.requeue_sends(${invitationIds as number[]}::bigint[], ${afterSeconds})`;
    },

    settleInvitations: (results: readonly Settlement[], relay?: RelayLimits) =>
      one<Settled>(sql`select * from invite.settle_invitations(${json(results)}, relay => ${relay?.name ?? null})`),

    /**
     * Runs one step and queues the next one itself.
     * @param after The last id of the previous step.
     */
    requeueWaiting: (surveyId: string, after: number | null = null) =>
      value<number>(sql`select invite.requeue_waiting(${surveyId}, after => ${after})`),

    requeueWorkspace: (workspaceId: string) => value<number>(sql`select invite.requeue_workspace(${workspaceId})`),

    /**
     * Makes jobs for reminders that are due soon and for messages whose job was lost.
     * @param lost Whether a worker was lost, with what it had in its list.
     */
    sweepInvitations: (lost = false) => value<number>(sql`select invite.sweep_invitations(lost => ${lost})`),

    nextSweep: () => sql`select invite.next_sweep()`,

    /** Returns how many rows and surveys it requeued. */
    healInvitations: () => value<number>(sql`select invite.heal_invitations()`),

    /** Marks unconfirmed invitations as sent if the relay has reported about them. Returns how many. */
    confirmInvitations: () => value<number>(sql`select invite.confirm_invitations()`),

    /** Deletes what has expired of one kind, for two seconds, and queues the next job itself. Returns how many rows it deleted. */
    pruneExpired: (what: Expiring) => value<number>(sql`select invite.prune_expired(${what}::invite.expiring)`),

    /** @param secondsSinceFetch Seconds since this worker last got a job, or a reply that there is none. */
    recordHeartbeat: (
      workerId: string,
      poolId: string | null,
      hostname: string,
      pid: number,
      secondsSinceFetch = 0,
      { relay, lateSendHours }: WorkerLimits = {},
    ) => sql`
      select invite.record_heartbeat(
        ${workerId}, ${poolId}, ${hostname}, ${pid}, ${secondsSinceFetch}, ${relay?.name ?? null}, ${relay?.rate ?? null}, ${lateSendHours ?? null})`,

    /** Lists the jobs that these runners have locked for some seconds. */
    heldJobs: (poolIds: readonly string[]) => value<string[]>(sql`select invite.held_jobs(${poolIds as string[]}::text[])`),

    /** Unlocks jobs that are locked by these runners although the runners don't know about them. Returns how many. */
    unlockJobs: (poolIds: readonly string[], jobIds: readonly string[]) =>
      value<number>(sql`select invite.unlock_jobs(${poolIds as string[]}::text[], ${jobIds as string[]}::bigint[])`),

    heldClaims: (workerId: string) => value<string[]>(sql`select invite.held_claims(${workerId})`),

    /** Requeues messages whose claim succeeded but whose response was lost. Returns how many. */
    recoverClaims: (workerId: string, lostClaims: readonly string[]) =>
      value<number>(sql`select invite.recover_claims(${workerId}, ${lostClaims as string[]}::uuid[])`),

    /**
     * Requeues what was held by workers that have been silent for this long. Returns how many workers it recovered.
     * @param holdUnknown Whether to mark those messages as unconfirmed instead of sending them again.
     */
    recoverWorkers: (silentSeconds: number, onlyWorkerId?: string, holdUnknown = false) =>
      value<number>(
        sql`select invite.recover_workers(${silentSeconds}, ${onlyWorkerId ?? null}, hold_unknown => ${holdUnknown})`,
      ),

    brokenInvariants: async () =>
      (await sql<{ code: string; emails: string }[]>`select * from invite.count_broken_invariants()`).map(({ code, emails }) => ({
        code,
        emails: Number(emails),
      })),

    /** Pauses or resumes sending for all workspaces. */
    setSendingPaused: (paused: boolean) => sql`select invite.set_sending_paused(${paused})`,

    /** Counts jobs that failed at their last attempt. */
    countFailingJobs: async (): Promise<{ state: string; jobs: number }[]> =>
      (await sql<{ state: string; jobs: string }[]>`select * from invite.count_failing_jobs()`).map(({ state, jobs }) => ({
        state,
        jobs: Number(jobs),
      })),

    /** Lists which data grows, and how long it is kept. */
    listGrowth: () => sql<Row[]>`select * from invite.data_growth`,

    /** Lists what the next 24 hours delete. */
    listDue: () => sql<Row[]>`select * from invite.due_for_deletion`,

    /** Counts, up to DUE_ROWS, what the next 24 hours delete if something is kept for so many days. */
    countDue: (what: string, days: number | null) =>
      value<number>(sql`select invite.count_due(${what}::invite.retained, ${days}, max_rows => ${DUE_ROWS}) as due`),

    /** @param days Null: it is never deleted. Returns from when on it holds. Null: at once. */
    setRetention: (what: string, days: number | null) =>
      value<Date | null>(sql`select invite.set_retention(${what}::invite.retained, ${days})`),

    /** Returns for how many days it is kept. Null: for good. */
    findRetention: async (what: string): Promise<number | null> =>
      (await sql`select days from invite.retention where what = ${what}::invite.retained`)[0]?.days ?? null,

    /** Lists the workspaces and surveys whose sending is paused. */
    listPaused: () => sql<Row[]>`select * from invite.paused_sending order by paused_at`,

    /** Counts what listPaused lists, for the metrics and /readyz. */
    countPaused: async (): Promise<PausedCount[]> =>
      (await sql<{ scope: PausedCount['scope']; paused: string }[]>`select * from invite.count_paused()`).map(
        ({ scope, paused }) => ({ scope, paused: Number(paused) }),
      ),

    async queueMetrics(): Promise<QueueState> {
      const [row = {}] = await sql`select * from invite.queue_metrics()`;
      return record<QueueState>(
        Object.fromEntries(Object.entries(row).map(([name, number]) => [name, number === null ? null : Number(number)])),
      );
    },
  };
}
