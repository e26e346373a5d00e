// The worker process: runs the tasks on graphile-worker, with a heartbeat beside them.
import { randomUUID } from 'node:crypto';
import { EventEmitter } from 'node:events';
import { run, Logger as WorkerLogger } from 'graphile-worker';
import { SCHEMA_VERSION } from '../database/migrate.ts';
import { isNotReady, openDatabase, workerDatabaseUrl } from '../database/pool.ts';
import { createStore } from '../database/store.ts';
import type { Log } from '../log.ts';
import type { Recorder } from '../metrics.ts';
import { createDelivery, type DeliverySettings, STOPPING } from './delivery.ts';
import { Heartbeat } from './heartbeat.ts';
import { createMemberEmail } from './member-email.ts';
import { createTasks, crontabOf } from './tasks.ts';

export interface WorkerContext {
  readonly databaseUrl: string;
  readonly databasePool: number;
  /** Most jobs at a time. */
  readonly concurrency: number;
  readonly delivery: DeliverySettings;
  /** Days after which settled invitations are erased; undefined: never. */
  readonly retentionDays?: number | undefined;
  readonly log: Log;
  readonly recorder?: Recorder | undefined;
}

export interface Worker {
  /** Resolves when the worker takes jobs for the first time. */
  readonly started: Promise<void>;
  /** Takes no more jobs, finishes the sends in flight, gives back the rest. */
  stop(): Promise<void>;
}

const RESTART_MS = 1_000;
/** Longer than any request to a relay. */
const DRAIN_MS = 600_000;
/** The longest delay that polling adds to a scheduled email: a future job that falls due sends no notification. */
const POLL_MS = 250;

/** Starts a worker. While the database is away or not migrated, it waits and retries. */
export function startWorker(context: WorkerContext): Worker {
  const { databaseUrl, databasePool, concurrency, retentionDays, log, recorder } = context;
  const { sender, render, holdUnknown = false } = context.delivery;
  const id = randomUUID();
  const sql = openDatabase(databaseUrl, { max: databasePool, applicationName: 'invitation-trigger worker' });
  const store = createStore(sql);
  let poolId: string | null = null;
  const canStartSend = () => heartbeat.hasLeaseFor(sender.maxSeconds ?? 0);
  const delivery = createDelivery({ ...context.delivery, store, workerId: id, canStartSend, log, recorder });
  const { openClaims } = delivery;
  const heartbeat = new Heartbeat({ store, workerId: id, poolId: () => poolId, openClaims, holdUnknown, log, recorder });
  const memberEmail = createMemberEmail({ store, sender, render, log });
  const taskList = createTasks({ store, delivery, memberEmail, retentionDays, log, recorder });
  const stopped = Promise.withResolvers<void>();
  const started = Promise.withResolvers<void>();
  let stopping = false;
  let stopRunner: (() => Promise<void>) | undefined;

  const pause = (ms: number) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, ms);
    return Promise.race([promise, stopped.promise]).finally(() => clearTimeout(timer));
  };

  /** Connects, runs jobs, and returns or throws when the connection is lost or the worker is stopped. */
  async function runUntilDisconnected(): Promise<void> {
    const version = await store.schemaVersion();
    if (version < SCHEMA_VERSION) throw new Error(`the schema has version ${version}, this code needs ${SCHEMA_VERSION}`);
    const events = new EventEmitter();
    events.on('pool:create', ({ workerPool }: { workerPool: { id: string } }) => {
      poolId = workerPool.id;
    });
    // Before the first job, because a claim needs the worker's row; and again below, when the pool id is known.
    await heartbeat.beat();
    const runner = await run({
      connectionString: workerDatabaseUrl(databaseUrl, 'invitation-trigger jobs'),
      maxPoolSize: Math.max(concurrency, 2),
      concurrency,
      taskList,
      crontab: crontabOf(retentionDays),
      noHandleSignals: true,
      events,
      logger: workerLogger(log),
      pollInterval: POLL_MS,
      preset: {
        worker: {
          // No localQueue: graphile-worker 0.18.0 can't release one that has jobs in it; its shutdown then fails and leaves its pool open.
          completeJobBatchDelay: 0,
          // Sends in flight may finish; the default would give their jobs up after five seconds.
          gracefulShutdownAbortTimeout: DRAIN_MS,
        },
      },
    });
    // stop() was called during startup, and had no runner to stop.
    if (stopping) return runner.stop();
    stopRunner = () => runner.stop();
    await heartbeat.start();
    started.resolve();
    log.info({ worker: id }, 'worker started');
    await runner.promise;
  }

  const ended = (async () => {
    while (!stopping) {
      try {
        await runUntilDisconnected();
        if (!stopping) throw new Error('the runner ended by itself');
      } catch (error) {
        if (stopping) break;
        log.error({ err: error }, isNotReady(error) ? 'the database is not ready; trying again' : 'worker failed; trying again');
        await pause(RESTART_MS);
      }
    }
  })();

  return {
    started: started.promise,
    async stop() {
      if (stopping) return ended;
      stopping = true;
      stopped.resolve();
      const delivered = delivery.stop();
      await stopRunner?.().catch((error: unknown) => log.error({ err: error }, 'worker did not stop cleanly'));
      await ended;
      // The heartbeat goes on until here: other workers must not take over sends in flight.
      await delivered;
      await heartbeat.stop();
      await sql.end({ timeout: 5 });
      log.info({ worker: id }, 'worker stopped');
    },
  };
}

/** Passes graphile-worker's log lines to ours; its levels are error, warning, info and debug. */
function workerLogger(log: Log): WorkerLogger {
  return new WorkerLogger((scope) => (level, message) => {
    const line = { scope: scope.taskIdentifier ?? scope.label, job: scope.jobId };
    // Not an error: another worker takes a job that comes while this one stops.
    if (level === 'error' && message.includes(STOPPING)) log.info(line, 'the worker is stopping: another takes the job');
    else if (level === 'error') log.error(line, message);
    else if (level === 'warning') log.warn(line, message);
    else log.debug(line, message);
  });
}
