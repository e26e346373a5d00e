// A worker's heartbeat: says that it is alive, takes back what dead workers held, and knows how long the others will think it alive.
import { hostname } from 'node:os';
import type { Store } from '../database/store.ts';
import type { Log } from '../log.ts';
import type { Recorder } from '../metrics.ts';

const HEARTBEAT_MS = 5_000;
/**
 * A worker is given up after so many seconds without a heartbeat; its mails are then back in the queue within HEARTBEAT_MS, a minute in all.
 */
export const SILENT_SECONDS = 50;

export class Heartbeat {
  readonly #store: Pick<Store, 'recordHeartbeat' | 'heldClaims' | 'recoverClaims' | 'recoverWorkers'>;
  readonly #workerId: string;
  readonly #log: Log;
  #heardAt = Number.NEGATIVE_INFINITY;
  #timer: NodeJS.Timeout | undefined;
  #last: Promise<void> | undefined;
  #beating = false;
  /** Told what this worker has taken back. */
  recorder: Pick<Recorder, 'recovered' | 'requeued'> | undefined;
  /** The claims that this worker knows of; whatever else it holds is taken back. */
  openClaims: () => string[] = () => [];
  /** Whether the mails of dead workers are held as unconfirmed instead of sent again. */
  holdUnknown = false;
  /** graphile-worker's name for this process, as in jobs.locked_by, once it is known. */
  poolId: string | null = null;

  constructor(
    store: Pick<Store, 'recordHeartbeat' | 'heldClaims' | 'recoverClaims' | 'recoverWorkers'>,
    workerId: string,
    log: Log,
  ) {
    this.#store = store;
    this.#workerId = workerId;
    this.#log = log;
  }

  /**
   * Whether something that takes so many seconds will be over before anybody can give this worker up: two workers then never send one
   * mail at the same time.
   */
  outlasts(seconds: number): boolean {
    return performance.now() - this.#heardAt < (SILENT_SECONDS - seconds) * 1000;
  }

  /** Beats once. A failure is logged; it shows in outlasts. */
  async beat(): Promise<void> {
    try {
      // Counted from before the question: the database cannot have written down an earlier time.
      const asked = performance.now();
      await this.#store.recordHeartbeat(this.#workerId, this.poolId, hostname(), process.pid);
      this.#heardAt = asked;
      const forgotten = await this.#recoverLostClaims();
      if (forgotten > 0) this.recorder?.requeued('lost_claim', forgotten);
      if (forgotten > 0) this.#log.warn({ forgotten }, 'took back mails of claims whose answer was lost');
      const recovered = await this.#store.recoverWorkers(SILENT_SECONDS, undefined, this.holdUnknown);
      if (recovered > 0) this.recorder?.recovered(recovered);
      if (recovered > 0) this.#log.warn({ recovered }, 'took back what dead workers held');
    } catch (error) {
      this.#log.warn({ err: error }, 'heartbeat failed');
    }
  }

  /** The database is asked first, and this worker second: a claim that is made meanwhile is then not among those of the database. */
  async #recoverLostClaims(): Promise<number> {
    const held = await this.#store.heldClaims(this.#workerId);
    const open = new Set(this.openClaims());
    const lost = held.filter((claim) => !open.has(claim));
    return lost.length === 0 ? 0 : this.#store.recoverClaims(this.#workerId, lost);
  }

  /** Beats now, and from now on until it is stopped. */
  async start(): Promise<void> {
    if (this.#beating) return this.beat();
    this.#beating = true;
    await this.#beatOn();
  }

  /** Stops beating, and gives up what this worker still held: it goes back into the queue at once rather than after SILENT_SECONDS. */
  async stop(): Promise<void> {
    this.#beating = false;
    clearTimeout(this.#timer);
    await this.#last;
    // Beats a last time: a worker that is stopped while it starts has jobs locked under a name that the database has not heard yet.
    await this.beat();
    await this.#store.recoverWorkers(0, this.#workerId, this.holdUnknown).catch(() => {});
  }

  async #beatOn(): Promise<void> {
    this.#last = this.beat();
    await this.#last;
    if (this.#beating) this.#timer = setTimeout(() => void this.#beatOn(), HEARTBEAT_MS);
  }
}
