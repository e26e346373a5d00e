// graphile-worker's runner, watched. After a broken connection its promise may never settle (0.18.0 miscounts what it waits for), and an
// answer that never comes stops it for good: then its connections are broken.
import { EventEmitter } from 'node:events';
import { run, type TaskList, Logger as WorkerLogger } from 'graphile-worker';
import { openJobsPool } from '../database/pool.ts';
import type { Log } from '../log.ts';
import { STOPPING } from './ready-list.ts';
import { createWatchdog } from './watchdog.ts';

export interface RunnerContext {
  readonly databaseUrl: string;
  readonly concurrency: number;
  readonly taskList: TaskList;
  readonly crontab: string;
  /** Without a job or a request for one for so long, it hangs. */
  readonly hangingSeconds: number;
  /** With the runner's name as in jobs.locked_by, before it takes a job. */
  readonly onPool: (poolId: string) => void;
  readonly log: Log;
}

export interface Runner {
  readonly ready: Promise<void>;
  /** Rejects when the runner ends by itself, with a HangingError if given up. Resolves after stop. */
  readonly ended: Promise<void>;
  /** Resolves when running jobs have ended. */
  stop(): Promise<void>;
  giveUp(): void;
  /** Since the database last answered a request for a job; 0 while one runs; undefined: never. */
  secondsSinceFetch(): number | undefined;
  /** Running, or ended a moment ago: the database may not know yet. */
  knownJobs(): ReadonlySet<string>;
}

export class HangingError extends Error {
  override readonly name = 'HangingError';
}

/** The most that polling delays a scheduled email: a future job that falls due isn't notified. */
const POLL_MS = 250;
const KNOWN_MS = 5_000;
/** Longer than any job. */
const DRAIN_MS = 600_000;
const ENDING_SECONDS = 2;

interface Event {
  readonly worker: { readonly workerId: string };
  readonly job: { readonly id: string };
  readonly workerPool: { readonly id: string };
}

export function startRunner(context: RunnerContext): Runner {
  const { databaseUrl, concurrency, taskList, crontab, hangingSeconds, log } = context;
  // One of them listens.
  const jobs = openJobsPool(databaseUrl, { max: concurrency + 1, applicationName: 'invitation-trigger jobs' });
  const running = new Map<string, string>();
  let endedNow = new Set<string>();
  let endedBefore = new Set<string>();
  let answeredAt: number | undefined;
  let stopping = false;
  const lost = Promise.withResolvers<never>();
  const hang = () => {
    giveUp();
    lost.reject(new HangingError('the runner takes no jobs'));
  };
  const watchdog = createWatchdog(hangingSeconds, hang);
  const ending = createWatchdog(ENDING_SECONDS, hang);
  const rotation = setInterval(() => {
    endedBefore = endedNow;
    endedNow = new Set();
  }, KNOWN_MS).unref();

  const events = new EventEmitter();
  const on = (name: string, listener: (event: Event) => void) => events.on(name, listener);
  const answered = () => {
    answeredAt = performance.now();
  };
  // An error is no answer: graphile-worker 0.18.0 keeps the first error of its look-up of tasks, and repeats it for ever.
  const asks = ({ worker }: Event) => watchdog.expect(worker.workerId);
  on('pool:create', ({ workerPool }) => context.onPool(workerPool.id));
  on('worker:create', (event) => {
    watchdog.ended('startup');
    asks(event);
  });
  on('worker:getJob:empty', (event) => {
    asks(event);
    answered();
  });
  on('job:start', ({ worker, job }) => {
    watchdog.ended(worker.workerId);
    running.set(worker.workerId, job.id);
    answered();
  });
  on('job:complete', (event) => {
    endedNow.add(event.job.id);
    running.delete(event.worker.workerId);
    asks(event);
  });
  on('worker:stop', ({ worker }) => {
    watchdog.ended(worker.workerId);
    running.delete(worker.workerId);
  });
  on('pool:gracefulShutdown', () => {
    watchdog.stop();
    // One told to stop has jobs to finish; its caller has a deadline.
    if (!stopping) ending.expect('shutdown');
  });
  watchdog.expect('startup');

  const starting = run({
    pgPool: jobs.pool,
    concurrency,
    taskList,
    crontab,
    noHandleSignals: true,
    events: events as never,
    logger: workerLogger(log),
    pollInterval: POLL_MS,
    preset: {
      worker: {
        // No localQueue: graphile-worker 0.18.0 can't release one with jobs in it; shutdown then fails and leaves its pool open.
        completeJobBatchDelay: 0,
        // Batched, or stopping doesn't wait for it.
        failJobBatchDelay: 0,
        // The default gives up sends in flight after five seconds.
        gracefulShutdownAbortTimeout: DRAIN_MS,
      },
    },
  });

  function release(): void {
    watchdog.stop();
    ending.stop();
    clearInterval(rotation);
  }
  function giveUp(): void {
    release();
    // Stopped midway, graphile-worker releases its listening connection twice.
    const destroyed = jobs.destroy();
    Promise.all([starting, destroyed])
      .then(([runner]) => runner.stop())
      .catch(() => {});
  }

  const ended = Promise.race([
    lost.promise,
    starting.then(
      async (runner) => {
        try {
          await runner.promise.finally(() => jobs.end());
        } finally {
          release();
        }
        if (!stopping) throw new Error('the runner ended by itself');
      },
      (error: unknown) => {
        giveUp();
        throw error;
      },
    ),
  ]);
  ended.catch(() => {});

  return {
    ready: Promise.race([starting.then(() => {}), ended]),
    ended,
    async stop() {
      stopping = true;
      const runner = await Promise.race([starting, lost.promise]);
      await runner.stop();
      await ended;
    },
    giveUp,
    secondsSinceFetch() {
      if (running.size > 0) return 0;
      return answeredAt === undefined ? undefined : (performance.now() - answeredAt) / 1000;
    },
    knownJobs: () => new Set([...running.values(), ...endedNow, ...endedBefore]),
  };
}

/** Its levels are error, warning, info and debug. */
function workerLogger(log: Log): WorkerLogger {
  return new WorkerLogger((scope) => (level, message) => {
    const line = { scope: scope.taskIdentifier ?? scope.label, job: scope.jobId };
    // Expected: another worker takes a job that comes while this one stops.
    if (level === 'error' && message.includes(STOPPING)) log.info(line, 'the worker is stopping: another takes the job');
    else if (level === 'error') log.error(line, message);
    else if (level === 'warning') log.warn(line, message);
    else log.debug(line, message);
  });
}
