// Listens to graphile-worker's events: which jobs run, when the database last answered, and whether an answer never comes.
import { EventEmitter } from 'node:events';
import { KnownJobs } from './known-jobs.ts';
import { createWatchdog, type Watchdog } from './watchdog.ts';

export interface RunnerWatchContext {
  /** Without a job or a request for one for so long, it hangs. */
  readonly hangingSeconds: number;
  /** With the runner's name as in jobs.locked_by, before it takes a job. */
  readonly onPool: (poolId: string) => void;
  readonly onHanging: () => void;
  /** Whether the runner was told to stop. */
  readonly isStopping: () => boolean;
}

interface Event {
  readonly worker: { readonly workerId: string };
  readonly job: { readonly id: string };
  readonly workerPool: { readonly id: string };
}

export class RunnerWatch {
  /** For graphile-worker. */
  readonly events = new EventEmitter();
  readonly #jobs = new KnownJobs();
  readonly #watchdog: Watchdog;
  #answeredAt: number | undefined;

  constructor({ hangingSeconds, onPool, onHanging, isStopping }: RunnerWatchContext) {
    this.#watchdog = createWatchdog(hangingSeconds, onHanging);
    this.#on('pool:create', ({ workerPool }) => onPool(workerPool.id));
    this.#on('pool:gracefulShutdown', () => {
      // One told to stop has jobs to finish; its caller has a deadline.
      if (isStopping()) this.#watchdog.stop();
      else this.#watchdog.expect('shutdown');
    });
    this.#listenToWorkers();
    this.#watchdog.expect('startup');
  }

  #listenToWorkers(): void {
    const asks = ({ worker }: Event) => this.#watchdog.expect(worker.workerId);
    this.#on('worker:create', (event) => {
      this.#watchdog.ended('startup');
      asks(event);
    });
    this.#on('worker:getJob:empty', (event) => {
      asks(event);
      this.#answered();
    });
    this.#on('job:start', ({ worker, job }) => {
      this.#watchdog.ended(worker.workerId);
      this.#jobs.started(worker.workerId, job.id);
      this.#answered();
    });
    this.#on('job:complete', (event) => {
      this.#jobs.ended(event.worker.workerId, event.job.id);
      asks(event);
    });
    this.#on('worker:stop', ({ worker }) => {
      this.#watchdog.ended(worker.workerId);
      this.#jobs.workerStopped(worker.workerId);
    });
  }

  #on(name: string, listener: (event: Event) => void): void {
    this.events.on(name, listener);
  }

  /** An error is no answer: a runner that gets nothing else is replaced. */
  #answered(): void {
    this.#answeredAt = performance.now();
  }

  /** Since the database last answered a request for a job; 0 while one runs; undefined: never. */
  secondsSinceFetch(): number | undefined {
    if (this.#jobs.isRunning) return 0;
    return this.#answeredAt === undefined ? undefined : (performance.now() - this.#answeredAt) / 1000;
  }

  /** Running, or ended a moment ago. */
  knownJobs(): ReadonlySet<string> {
    return this.#jobs.all();
  }

  /** Expects nothing more. */
  stop(): void {
    this.#watchdog.stop();
    this.#jobs.stop();
  }
}
