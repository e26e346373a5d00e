// The worker's calls: claim, settle, requeue, sweep, confirm, recover, prune.
import type { Queries, Row } from './mapping.ts';
import type { InLanguage, Sender, TokenTranslation } from './senders.ts';
import type { DeliveryOutcome } from './test-invitations.ts';

/** The attempts of an email. A test compares it with SQL. */
export const MAX_ATTEMPTS = 12;

/** A worker silent for longer is lost, in seconds. A test compares it with SQL. */
export const LEASE_SECONDS = 50;

/** One step of a deletion. */
export interface DeleteResult {
  readonly deleted: number;
  readonly sending: number;
  readonly more: boolean;
}

/** For how many sending is paused. */
export interface PausedCount {
  readonly scope: 'all' | 'workspace' | 'survey';
  readonly paused: number;
}

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
  /** In the recipient's language; null: the survey doesn't exist in it. */
  readonly translatedTitle: string | null;
  readonly surveyPublicUrl: string | null;
  readonly workspaceName: string;
  /** Null: the invitation's. */
  readonly reminderSubject: string | null;
  readonly reminderMessage: string | null;
  readonly sender: Sender | null;
  /** The recipient's, and the request's; null: none. */
  readonly language: string | null;
  readonly requestLanguage: string | null;
  readonly surveyLanguage: string;
  /** Of the request's own subject and message; null: the survey's. */
  readonly subjectLanguage: string | null;
  readonly messageLanguage: string | null;
  readonly translation: InLanguage<TokenTranslation> | null;
  /** Since when it may have been sent without our knowing; null: not in doubt. */
  readonly unconfirmedSince: Date | null;
}

/** The relay, by its name in the database. */
export interface RelayLimits {
  readonly name: string;
  /** Messages per second over all workers; undefined: no limit. */
  readonly rate: number | undefined;
}

export interface ClaimOptions {
  readonly relay?: RelayLimits | undefined;
  /** Overdue by more, a message fails instead; undefined: no limit. */
  readonly lateSendHours?: number | undefined;
  readonly id?: string | undefined;
  /** Called with the ids of those that the relay's rate turns down now, and that get no other job: the caller keeps them. */
  readonly onPutOff?: ((ids: readonly string[]) => void) | undefined;
}

/** What became of a claimed message: see settle_invitations.sql. */
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
  /** How many the claims still held. */
  readonly settled: number;
  /** Locked by somebody else: settle again. */
  readonly locked: readonly string[];
  /** Null: its condition is as before. */
  readonly relayChange?: RelayChange | null;
}

/** Of a relay's condition. Times are ISO 8601. */
export interface RelayChange {
  readonly relay: string;
  readonly from: 'healthy' | 'busy' | 'fault';
  readonly condition: 'healthy' | 'busy' | 'fault';
  /** When the condition before it began. */
  readonly since: string;
  readonly code?: string | null;
  /** The relay's words. */
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
    /** Claims those that are due, as many as the relay takes now. */
    async claimInvitations(invitationIds: readonly number[], workerId: string, claim: ClaimOptions = {}) {
      const rows = await records<ClaimedInvitation>(sql`
        select * from invite.claim_invitations(
          ${invitationIds as number[]}::bigint[], ${workerId},
          relay => ${claim.relay?.name ?? null}, rate => ${claim.relay?.rate ?? null}, claim_id => ${claim.id ?? null},
          late_send_hours => ${claim.lateSendHours ?? null})`);
      const claimed = rows.filter(({ claimId }) => claimId !== null);
      if (claimed.length < rows.length) claim.onPutOff?.(rows.filter(({ claimId }) => claimId === null).map(({ id }) => id));
      return claimed;
    },

    /** Those that are queued, by workspace. */
    workspacesOf: async (invitationIds: readonly number[]): Promise<WorkspaceInvitations[]> =>
      (
        await sql<{ workspace_id: string; ids: string[] }[]>`
          select * from invite.workspaces_of(${invitationIds as number[]}::bigint[])`
      ).map((row) => ({ workspaceId: row.workspace_id, ids: row.ids.map(Number) })),

    /** Makes jobs for these invitations, so many seconds from now. */
    requeueSends: async (invitationIds: readonly number[], afterSeconds: number): Promise<void> => {
      await sql`select invite.requeue_sends(${invitationIds as number[]}::bigint[], ${afterSeconds})`;
    },

    settleInvitations: (results: readonly Settlement[], relay?: RelayLimits) =>
      one<Settled>(sql`select * from invite.settle_invitations(${json(results)}, relay => ${relay?.name ?? null})`),

    /**
     * One step; queues the next itself.
     * @param after The last id of the step before.
     */
    requeueWaiting: (surveyId: string, after: number | null = null) =>
      value<number>(sql`select invite.requeue_waiting(${surveyId}, after => ${after})`),

    requeueWorkspace: (workspaceId: string) => value<number>(sql`select invite.requeue_workspace(${workspaceId})`),

    /**
     * Makes jobs for reminders due soon and for messages whose job was lost.
     * @param relay While it is paused, only for reminders.
     */
    sweepInvitations: (relay?: string) => value<number>(sql`select invite.sweep_invitations(relay => ${relay ?? null})`),

    nextSweep: () => sql`select invite.next_sweep()`,

    /** Returns how many rows and surveys were requeued. */
    healInvitations: () => value<number>(sql`select invite.heal_invitations()`),

    /** Ends unconfirmed invitations that the relay has reported on as sent. Returns how many. */
    confirmInvitations: () => value<number>(sql`select invite.confirm_invitations()`),

    /** One step; queues the next itself. Returns how many idempotency keys it deleted. */
    pruneExpired: () => value<number>(sql`select invite.prune_expired()`),

    /** @param secondsSinceFetch Since this worker last took a job, or was told that there is none. */
    recordHeartbeat: (
      workerId: string,
      poolId: string | null,
      hostname: string,
      pid: number,
      secondsSinceFetch = 0,
      relay: string | undefined = undefined,
    ) => sql`select invite.record_heartbeat(${workerId}, ${poolId}, ${hostname}, ${pid}, ${secondsSinceFetch}, ${relay ?? null})`,

    /** Jobs that these runners have locked for some seconds. */
    heldJobs: (poolIds: readonly string[]) => value<string[]>(sql`select invite.held_jobs(${poolIds as string[]}::text[])`),

    /** Gives back jobs that these runners hold without knowing. Returns how many. */
    unlockJobs: (poolIds: readonly string[], jobIds: readonly string[]) =>
      value<number>(sql`select invite.unlock_jobs(${poolIds as string[]}::text[], ${jobIds as string[]}::bigint[])`),

    heldClaims: (workerId: string) => value<string[]>(sql`select invite.held_claims(${workerId})`),

    /** Requeues messages whose claim's answer was lost. Returns how many. */
    recoverClaims: (workerId: string, lostClaims: readonly string[]) =>
      value<number>(sql`select invite.recover_claims(${workerId}, ${lostClaims as string[]}::uuid[])`),

    /**
     * Requeues what workers silent for so long held. Returns how many workers.
     * @param holdUnknown Whether to end those messages as unconfirmed instead.
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

    /** Pauses or resumes sending for everyone. */
    setSendingPaused: (paused: boolean) => sql`select invite.set_sending_paused(${paused})`,

    /** How many jobs failed at their last attempt. */
    countFailingJobs: async (): Promise<{ state: string; jobs: number }[]> =>
      (await sql<{ state: string; jobs: string }[]>`select * from invite.count_failing_jobs()`).map(({ state, jobs }) => ({
        state,
        jobs: Number(jobs),
      })),

    /** What grows, and until when. */
    listGrowth: () => sql<Row[]>`select * from invite.data_growth`,

    /** @param days Null: kept for good. */
    setRetention: (what: string, days: number | null) => sql`select invite.set_retention(${what}::invite.retained, ${days})`,

    /** For whom sending is paused. */
    listPaused: () => sql<Row[]>`select * from invite.paused_sending order by paused_at`,

    /** For how many sending is paused, for the metrics and /readyz. */
    countPaused: async (): Promise<PausedCount[]> =>
      (await sql<{ scope: PausedCount['scope']; paused: string }[]>`select * from invite.count_paused()`).map(
        ({ scope, paused }) => ({ scope, paused: Number(paused) }),
      ),

    async queueMetrics(): Promise<QueueState> {
      const [row = {}] = await sql`select * from invite.queue_metrics()`;
      return record<QueueState>(Object.fromEntries(Object.entries(row).map(([name, number]) => [name, Number(number)])));
    },
  };
}
