// graphile-worker's runner, watched. An answer that never comes stops it for good: then its connections are broken.
import { run, type TaskList, Logger as WorkerLogger } from 'graphile-worker';
import { openJobsPool } from '../database/pool.ts';
import type { Log } from '../log.ts';
import { createRunnerLog } from './runner-log.ts';
import { RunnerWatch, type RunnerWatchContext } from './runner-watch.ts';

export interface RunnerContext extends Pick<RunnerWatchContext, 'hangingSeconds' | 'onPool'> {
  readonly databaseUrl: string;
  readonly concurrency: number;
  readonly taskList: TaskList;
  readonly crontab: string;
  readonly log: Log;
}

export interface Runner extends Pick<RunnerWatch, 'secondsSinceFetch' | 'knownJobs'> {
  readonly ready: Promise<void>;
  /** Rejects when the runner ends by itself, with a HangingError if given up. Resolves after stop. */
  readonly ended: Promise<void>;
  /** Resolves when running jobs have ended. */
  stop(): Promise<void>;
  giveUp(): void;
}

export class HangingError extends Error {
  override readonly name = 'HangingError';
}

/** The most that polling delays a scheduled email: a future job that falls due isn't notified. */
const POLL_MS = 250;

/** What fails at the start rejects ready and ended. */
export function startRunner(context: RunnerContext): Runner {
  const { databaseUrl, concurrency, taskList, crontab, log } = context;
  // One of them listens.
  const jobs = openJobsPool(databaseUrl, { max: concurrency + 1, applicationName: 'invitation-trigger jobs' });
  const lost = Promise.withResolvers<never>();
  let stopping = false;
  const watch = new RunnerWatch({
    ...context,
    isStopping: () => stopping,
    onHanging() {
      giveUp();
      lost.reject(new HangingError('the runner takes no jobs'));
    },
  });

  const starting = run({
    pgPool: jobs.pool,
    concurrency,
    taskList,
    crontab,
    noHandleSignals: true,
    events: watch.events as never,
    logger: new WorkerLogger(createRunnerLog(log)),
    pollInterval: POLL_MS,
    preset: {
      worker: {
        // No localQueue: graphile-worker 0.18.0 can't release one with jobs in it; shutdown then fails and leaves its pool open.
        // Batched, or stopping doesn't wait for them, and one that is lost is a rejection that nobody handles.
        completeJobBatchDelay: 0,
        failJobBatchDelay: 0,
      },
    },
  });

  function giveUp(): void {
    watch.stop();
    jobs.destroy();
    starting.then((runner) => runner.stop()).catch(() => {});
  }

  const ended = Promise.race([
    lost.promise,
    starting.then(
      async (runner) => {
        try {
          await runner.promise.finally(() => jobs.end());
        } finally {
          watch.stop();
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
    secondsSinceFetch: () => watch.secondsSinceFetch(),
    knownJobs: () => watch.knownJobs(),
  };
}
