// A worker's heartbeat: renews its lease, and takes back what lost workers held.
import { hostname } from 'node:os';
import { LEASE_SECONDS } from '../database/deliveries.ts';
import type { Store } from '../database/store.ts';
import type { Log } from '../log.ts';
import type { Recorder } from '../metrics.ts';

/** Lost workers' messages are queued again after the lease and one heartbeat: within a minute. */
const HEARTBEAT_MS = 5_000;

export interface HeartbeatContext {
  readonly store: Pick<Store, 'recordHeartbeat' | 'heldClaims' | 'recoverClaims' | 'recoverWorkers'>;
  readonly workerId: string;
  /** graphile-worker's name for this process, as in jobs.locked_by; null until it is known. */
  readonly poolId: () => string | null;
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

  constructor(context: HeartbeatContext) {
    this.#context = context;
  }

  /** Whether the lease lasts for so many more seconds, so that two workers never send one message at the same time. */
  hasLeaseFor(seconds: number): boolean {
    return performance.now() - this.#recordedAt < (LEASE_SECONDS - seconds) * 1000;
  }

  /** Beats once. A failure is logged; the lease then isn't renewed. */
  async beat(): Promise<void> {
    const { store, workerId, poolId, holdUnknown, log, recorder } = this.#context;
    try {
      // Measured before the call: the database can't have recorded an earlier time.
      const calledAt = performance.now();
      await store.recordHeartbeat(workerId, poolId(), hostname(), process.pid);
      this.#recordedAt = calledAt;
      const requeued = await this.#recoverLostClaims();
      if (requeued > 0) recorder?.requeued('lost_claim', requeued);
      if (requeued > 0) log.warn({ requeued }, 'requeued emails of claims whose answer was lost');
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

  async #beatOn(): Promise<void> {
    this.#last = this.beat();
    await this.#last;
    if (this.#beating) this.#timer = setTimeout(() => void this.#beatOn(), HEARTBEAT_MS);
  }
}
