// Renews a worker's lease, and takes back what lost workers held.
import { hostname } from 'node:os';
import { LEASE_SECONDS, type WorkerLimits } from '../database/deliveries.ts';
import { isNotReady } from '../database/pool.ts';
import type { Store } from '../database/store.ts';
import type { Log } from '../log.ts';
import type { Recorder } from '../metrics.ts';
import { endOutage, logOutage } from '../outage.ts';

/** In beats; it reads all jobs. */
const LOST_JOBS_EVERY = 4;

/** With the lease, lost messages are queued again within a minute. */
const HEARTBEAT_MS = 5_000;

export const LOST_WORKERS = 'took over the jobs and emails of lost workers';

export interface HeartbeatContext {
  readonly store: Pick<
    Store,
    | 'recordHeartbeat'
    | 'tryWrite'
    | 'heldClaims'
    | 'recoverClaims'
    | 'heldJobs'
    | 'unlockJobs'
    | 'recoverWorkers'
    | 'sweepInvitations'
  >;
  readonly workerId: string;
  /** This process's runners as in jobs.locked_by, the running one last. */
  readonly poolIds: () => readonly string[];
  /** Others that its runners have locked are given back. */
  readonly knownJobs: () => ReadonlySet<string>;
  /** See Runner. */
  readonly secondsSinceFetch: () => number;
  /** Others that the database has under its name are taken back. */
  readonly openClaims: () => string[];
  readonly limits: WorkerLimits;
  readonly holdUnknown: boolean;
  readonly log: Log;
  readonly recorder: Pick<Recorder, 'recovered' | 'requeued'> | undefined;
}

export class Heartbeat {
  readonly #context: HeartbeatContext;
  #recordedAt = Number.NEGATIVE_INFINITY;
  #timer: NodeJS.Timeout | undefined;
  #last: Promise<void> | undefined;
  #beating = false;
  #beats = 0;

  constructor(context: HeartbeatContext) {
    this.#context = context;
  }

  /** So that two workers never send one message at the same time. */
  hasLeaseFor(seconds: number): boolean {
    return performance.now() - this.#recordedAt < (LEASE_SECONDS - seconds) * 1000;
  }

  /** A failure is logged; the lease isn't renewed. */
  async beat(): Promise<void> {
    const { store, workerId, poolIds, secondsSinceFetch, limits, holdUnknown, log, recorder } = this.#context;
    try {
      // Before the call: the database can't have recorded an earlier time.
      const calledAt = performance.now();
      const since = secondsSinceFetch();
      await store.recordHeartbeat(workerId, poolIds().at(-1) ?? null, hostname(), process.pid, since, limits);
      // Others go by the older of the two times.
      this.#recordedAt = calledAt - since * 1000;
      await endOutage(log, store.tryWrite);
      const requeued = await this.#recoverLostClaims();
      if (requeued > 0) recorder?.requeued('lost_claim', requeued);
      if (requeued > 0) log.warn({ requeued }, 'requeued emails of claims whose reply was lost');
      const unlocked = await this.#unlockLostJobs();
      if (unlocked > 0) log.warn({ unlocked }, 'unlocked jobs that never reached this worker');
      const recovered = await store.recoverWorkers(LEASE_SECONDS, undefined, holdUnknown);
      // What was in their lists is in no job.
      if (recovered > 0) await store.sweepInvitations(true);
      if (recovered > 0) recorder?.recovered(recovered);
      if (recovered > 0) log.warn({ recovered }, LOST_WORKERS);
    } catch (error) {
      if (isNotReady(error)) logOutage(log, error, 'heartbeat failed');
      else log.error({ err: error }, 'heartbeat failed');
    }
  }

  /** Asks the database first: a claim made in between isn't taken for lost. */
  async #recoverLostClaims(): Promise<number> {
    const { store, workerId, openClaims } = this.#context;
    const held = await store.heldClaims(workerId);
    const open = new Set(openClaims());
    const lost = held.filter((claim) => !open.has(claim));
    return lost.length === 0 ? 0 : store.recoverClaims(workerId, lost);
  }

  async #unlockLostJobs(): Promise<number> {
    const { store, poolIds, knownJobs } = this.#context;
    this.#beats += 1;
    const pools = poolIds();
    if (this.#beats % LOST_JOBS_EVERY !== 0 || pools.length === 0) return 0;
    const held = await store.heldJobs(pools);
    const known = knownJobs();
    const lost = held.filter((job) => !known.has(job));
    return lost.length === 0 ? 0 : store.unlockJobs(pools, lost);
  }

  async start(): Promise<void> {
    if (this.#beating) return this.beat();
    this.#beating = true;
    await this.#beatOn();
  }

  /** Also ends the lease: what this worker held is queued at once. */
  async stop(): Promise<void> {
    const { store, workerId, holdUnknown } = this.#context;
    this.#beating = false;
    clearTimeout(this.#timer);
    await this.#last;
    // A worker stopped while starting has locked jobs under a pool id not yet recorded.
    await this.beat();
    await store.recoverWorkers(0, workerId, holdUnknown).catch(() => {});
  }

  /** Leaves the rest to the lease's end. */
  end(): void {
    this.#beating = false;
    clearTimeout(this.#timer);
  }

  async #beatOn(): Promise<void> {
    this.#last = this.beat();
    await this.#last;
    if (this.#beating) this.#timer = setTimeout(() => void this.#beatOn(), HEARTBEAT_MS);
  }
}
