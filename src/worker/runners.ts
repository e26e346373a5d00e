// A worker's runners, one after another: the one that runs, and what is remembered of those before.
import { type Runner, type RunnerContext, startRunner } from './runner.ts';

export interface RunnersContext extends Omit<RunnerContext, 'onPool' | 'taskList'> {
  /** After so many runners in a row without a job, the worker doesn't count as running. */
  readonly maxFruitless: number;
}

/** Of the last runners, whose jobs are still looked for. */
const MAX_POOL_IDS = 10;

export class Runners {
  readonly #context: RunnersContext;
  readonly #poolIds: string[] = [];
  #running: Runner | undefined;
  /** When earlier runners last took a job, and how many in a row never did. */
  #fetchedAt = performance.now();
  #fruitless = 0;

  constructor(context: RunnersContext) {
    this.#context = context;
  }

  /** As in jobs.locked_by, the running one last. */
  get poolIds(): readonly string[] {
    return this.#poolIds;
  }

  /** Whether none of the last ones took a job. */
  get areFruitless(): boolean {
    return this.#fruitless >= this.#context.maxFruitless;
  }

  knownJobs(): ReadonlySet<string> {
    return this.#running?.knownJobs() ?? new Set();
  }

  /** Since the database last answered one's request for a job; 0 while a job runs. */
  secondsSinceFetch(): number {
    return this.#running?.secondsSinceFetch() ?? (performance.now() - this.#fetchedAt) / 1000;
  }

  /** The same, but a new runner is trusted at first: a claim needs a lease before the first job. */
  trustedSecondsSinceFetch(): number {
    return this.#running?.secondsSinceFetch() ?? (this.areFruitless ? this.secondsSinceFetch() : 0);
  }

  /** Only when none runs. */
  start(taskList: RunnerContext['taskList']): Runner {
    this.#running = startRunner({
      ...this.#context,
      taskList,
      onPool: (poolId) => {
        this.#poolIds.push(poolId);
        if (this.#poolIds.length > MAX_POOL_IDS) this.#poolIds.shift();
      },
    });
    return this.#running;
  }

  /** Call it when none runs any more. It remembers when the last one took a job, or that it never did. */
  forget(): void {
    if (this.#running === undefined) return;
    const since = this.#running.secondsSinceFetch();
    if (since !== undefined) this.#fetchedAt = performance.now() - since * 1000;
    this.#fruitless = since === undefined ? this.#fruitless + 1 : 0;
    this.#running = undefined;
  }

  /** Resolves when running jobs have ended. A failure is logged. */
  async stop(): Promise<void> {
    await this.#running?.stop().catch((error: unknown) => this.#context.log.error({ err: error }, 'worker did not stop cleanly'));
  }

  /** Doesn't wait for its jobs. */
  giveUp(): void {
    this.#running?.giveUp();
  }
}
