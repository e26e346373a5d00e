// The jobs that a runner has. Others that the database has locked for it never reached it.

/** A job that has ended is known for this long, and at most twice as long: the database may not know yet. */
const KNOWN_MS = 5_000;

export class KnownJobs {
  /** By graphile-worker's id of what runs it. */
  readonly #running = new Map<string, string>();
  #endedNow = new Set<string>();
  #endedBefore = new Set<string>();
  readonly #rotation = setInterval(() => {
    this.#endedBefore = this.#endedNow;
    this.#endedNow = new Set();
  }, KNOWN_MS).unref();

  get isRunning(): boolean {
    return this.#running.size > 0;
  }

  started(workerId: string, jobId: string): void {
    this.#running.set(workerId, jobId);
  }

  ended(workerId: string, jobId: string): void {
    this.#endedNow.add(jobId);
    this.#running.delete(workerId);
  }

  /** Whatever it ran has no end. */
  workerStopped(workerId: string): void {
    this.#running.delete(workerId);
  }

  all(): Set<string> {
    return new Set([...this.#running.values(), ...this.#endedNow, ...this.#endedBefore]);
  }

  stop(): void {
    clearInterval(this.#rotation);
  }
}
