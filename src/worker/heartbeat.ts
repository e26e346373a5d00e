// A worker's heartbeat: renews its lease, and takes back what lost workers held.
import { hostname } from 'node:os';
import { LEASE_SECONDS } from '../database/deliveries.ts';
import type { Store } from '../database/store.ts';
import type { Log } from '../log.ts';
import type { Recorder } from '../metrics.ts';

/** Between two looks for lost jobs, which read all jobs. In beats. */
const LOST_JOBS_EVERY = 4;

/** Lost workers' messages are queued again after the lease and one heartbeat: within a minute. */
const HEARTBEAT_MS = 5_000;

export interface HeartbeatContext {
  readonly store: Pick<Store, 'recordHeartbeat' | 'heldClaims' | 'recoverClaims' | 'heldJobs' | 'unlockJobs' | 'recoverWorkers'>;
  readonly workerId: string;
  /** graphile-worker's names for the runners of this process, as in jobs.locked_by. The last one runs. */
  readonly poolIds: () => readonly string[];
  /** The jobs that this worker knows of. It gives back all others that its runners have locked. */
  readonly knownJobs: () => ReadonlySet<string>;
  /** Seconds since this worker last took a job, or was told that there is none. */
  readonly secondsSinceFetch: () => number;
  /** The claims that this worker knows of. It takes back all others that the database has under its name. */
  readonly openClaims: () => string[];
  /** Whether messages of lost workers are held as unconfirmed instead of sent again. */
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

  /** Whether the lease lasts for so many more seconds, so that two workers never send one message at the same time. */
  hasLeaseFor(seconds: number): boolean {
    return performance.now() - this.#recordedAt < (LEASE_SECONDS - seconds) * 1000;
  }

  /** Beats once. A failure is logged; the lease then isn't renewed. */
  async beat(): Promise<void> {
    const { store, workerId, poolIds, secondsSinceFetch, holdUnknown, log, recorder } = this.#context;
    try {
      // Measured before the call: the database can't have recorded an earlier time.
      const calledAt = performance.now();
      const since = secondsSinceFetch();
      await store.recordHeartbeat(workerId, poolIds().at(-1) ?? null, hostname(), process.pid, since);
      // The others go by the older of the two times.
      this.#recordedAt = calledAt - since * 1000;
      const requeued = await this.#recoverLostClaims();
      if (requeued > 0) recorder?.requeued('lost_claim', requeued);
      if (requeued > 0) log.warn({ requeued }, 'requeued emails of claims whose answer was lost');
      const unlocked = await this.#unlockLostJobs();
      if (unlocked > 0) log.warn({ unlocked }, 'unlocked jobs whose handing out was lost');
      const recovered = await store.recoverWorkers(LEASE_SECONDS, undefined, holdUnknown);
      if (recovered > 0) recorder?.recovered(recovered);
      if (recovered > 0) log.warn({ recovered }, 'took over the jobs and emails of lost workers');
    } catch (error) {
      log.warn({ err: error }, 'heartbeat failed');
    }
  }

  /** Asks the database first, then this worker: so a claim made in between isn't taken for lost. */
  async #recoverLostClaims(): Promise<number> {
    const { store, workerId, openClaims } = this.#context;
    const held = await store.heldClaims(workerId);
    const open = new Set(openClaims());
    const lost = held.filter((claim) => !open.has(claim));
    return lost.length === 0 ? 0 : store.recoverClaims(workerId, lost);
  }

  /** Asks the database first, as above; a job that was handed out since isn't among those that have been locked for seconds. */
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

  /** Stops beating and ends the lease: what this worker still held is queued at once, not only after LEASE_SECONDS. */
  async stop(): Promise<void> {
    const { store, workerId, holdUnknown } = this.#context;
    this.#beating = false;
    clearTimeout(this.#timer);
    await this.#last;
    // One last time: a worker stopped while starting has locked jobs under a pool id that the database doesn't have yet.
    await this.beat();
    await store.recoverWorkers(0, workerId, holdUnknown).catch(() => {});
  }

  /** Stops beating and leaves the rest to the end of the lease. */
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
