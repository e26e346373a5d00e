// The worker process: runs the tasks on graphile-worker, says that it is alive, takes back what dead workers held.
import { randomUUID } from 'node:crypto';
import { EventEmitter } from 'node:events';
import { type Runner, run, Logger as WorkerLogger } from 'graphile-worker';
import { SCHEMA_VERSION } from '../database/migrate.ts';
import { isNotReady, openDatabase, workerDatabaseUrl } from '../database/pool.ts';
import { createStore, type RelayLimits } from '../database/store.ts';
import type { Log } from '../log.ts';
import type { RenderOptions } from '../mail/render.ts';
import type { Recorder } from '../metrics.ts';
import type { MessageSender } from '../relay/relay.ts';
import { createDelivery, STOPPING } from './delivery.ts';
import { Heartbeat } from './heartbeat.ts';
import { createMemberEmail } from './member-email.ts';
import { createTasks, crontabOf } from './tasks.ts';

export interface WorkerOptions {
  readonly databaseUrl: string;
  readonly databasePool: number;
  readonly sender: MessageSender;
  /** The relay's name and rate. */
  readonly relay?: RelayLimits | undefined;
  /** Longest time for one request to the relay. */
  readonly relayTimeoutSeconds?: number | undefined;
  /** Whether what may have been sent is held as unconfirmed instead of sent again. */
  readonly holdUnknown?: boolean | undefined;
  readonly render: RenderOptions;
  /** Mails on their way at the same time. */
  readonly relayConcurrency: number;
  /** Jobs at the same time. */
  readonly concurrency: number;
  /** What has been due for longer is not sent but fails; undefined: no limit. */
  readonly lateSendHours?: number | undefined;
  /** Days after which settled invitations are erased; undefined: never. */
  readonly retentionDays?: number | undefined;
  readonly log: Log;
  readonly recorder?: Recorder | undefined;
}

export interface Worker {
  /** Resolves when the worker has first begun to take jobs. */
  readonly started: Promise<void>;
  /** Takes no more jobs, lets what is on its way finish, gives back the rest. */
  stop(): Promise<void>;
}

const RESTART_MS = 1_000;
/** Longer than any request to a relay may take. */
const DRAIN_MS = 600_000;
/** How late a scheduled mail may leave, on average half of it: what is due later has no notification. */
const POLL_MS = 250;

/** Starts a worker. While the database is away or not migrated it waits, and goes on by itself. */
export function startWorker(options: WorkerOptions): Worker {
  const { log, sender, retentionDays } = options;
  const id = randomUUID();
  const sql = openDatabase(options.databaseUrl, { max: options.databasePool, applicationName: 'invitation-trigger worker' });
  const store = createStore(sql);
  const heartbeat = new Heartbeat(store, id, log);
  const delivery = createDelivery({
    store,
    sender,
    render: options.render,
    workerId: id,
    concurrency: options.relayConcurrency,
    relay: options.relay,
    holdUnknown: options.holdUnknown,
    lateSendHours: options.lateSendHours,
    mayBegin: () => heartbeat.outlasts(options.relayTimeoutSeconds ?? 0),
    log,
    recorder: options.recorder,
  });
  heartbeat.holdUnknown = options.holdUnknown ?? false;
  heartbeat.openClaims = delivery.openClaims;
  heartbeat.recorder = options.recorder;
  const memberEmail = createMemberEmail({ store, sender, render: options.render, log });
  const tasks = createTasks({ store, delivery, ...memberEmail, retentionDays, log, recorder: options.recorder });
  const stopped = Promise.withResolvers<void>();
  const started = Promise.withResolvers<void>();
  let stopping = false;
  let runner: Runner | undefined;

  const pause = (ms: number) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, ms);
    return Promise.race([promise, stopped.promise]).finally(() => clearTimeout(timer));
  };

  /** One life of the runner: from the first contact with the database until it ends. */
  async function live(): Promise<void> {
    const version = await store.schemaVersion();
    if (version < SCHEMA_VERSION) throw new Error(`the schema has version ${version}, this code needs ${SCHEMA_VERSION}`);
    const events = new EventEmitter();
    events.on('pool:create', ({ workerPool }: { workerPool: { id: string } }) => {
      heartbeat.poolId = workerPool.id;
    });
    // Before the first job: a claim needs the worker's row. After: graphile-worker's name for this process is known.
    await heartbeat.beat();
    const running = await run({
      connectionString: workerDatabaseUrl(options.databaseUrl, 'invitation-trigger jobs'),
      maxPoolSize: Math.max(options.concurrency, 2),
      concurrency: options.concurrency,
      taskList: tasks,
      crontab: crontabOf(retentionDays),
      noHandleSignals: true,
      events,
      logger: workerLogger(log),
      pollInterval: POLL_MS,
      preset: {
        worker: {
          // No localQueue: graphile-worker 0.18.0 cannot release one that has jobs in it, and its shutdown then fails and leaves its pool open.
          completeJobBatchDelay: 0,
          // A mail on its way is let finish; graphile-worker would give its job up after five seconds.
          gracefulShutdownAbortTimeout: DRAIN_MS,
        },
      },
    });
    // stop() came while it started, and had nothing to stop.
    if (stopping) return running.stop();
    runner = running;
    await heartbeat.start();
    started.resolve();
    log.info({ worker: id }, 'worker started');
    await runner.promise;
  }

  const lives = (async () => {
    while (!stopping) {
      try {
        await live();
        if (!stopping) throw new Error('the runner has ended by itself');
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
      if (stopping) return lives;
      stopping = true;
      stopped.resolve();
      const delivered = delivery.stop();
      await runner?.stop().catch((error: unknown) => log.error({ err: error }, 'worker did not stop cleanly'));
      await lives;
      // The heart goes on beating until here: others must not take what is still on its way.
      await delivered;
      await heartbeat.stop();
      await sql.end({ timeout: 5 });
      log.info({ worker: id }, 'worker stopped');
    },
  };
}

/** graphile-worker's log lines in ours; its levels are error, warning, info and debug. */
function workerLogger(log: Log): WorkerLogger {
  return new WorkerLogger((scope) => (level, message) => {
    const line = { scope: scope.taskIdentifier ?? scope.label, job: scope.jobId };
    // A job that comes while the worker stops is another's, and no fault.
    if (level === 'error' && message.includes(STOPPING)) log.info(line, 'the worker is stopping: the job is left to another');
    else if (level === 'error') log.error(line, message);
    else if (level === 'warning') log.warn(line, message);
    else log.debug(line, message);
  });
}
