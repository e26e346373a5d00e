// Runs the tasks, with a heartbeat. What hangs is replaced: the runner first, then the process, which its supervisor restarts.
import { randomUUID } from 'node:crypto';
import { homeError, SCHEMA_VERSION } from '../database/migrate.ts';
import { isNotReady, openDatabase } from '../database/pool.ts';
import { createStore, patient } from '../database/store.ts';
import { NotReadyError } from '../errors.ts';
import { createPublisher } from '../events/publisher.ts';
import type { WebhookSender } from '../events/webhook-sender.ts';
import { createWebhooks } from '../events/webhooks.ts';
import { type Log, logOutage } from '../log.ts';
import type { Recorder } from '../metrics.ts';
import { createActivity } from './activity.ts';
import { createDelivery, type DeliverySettings } from './delivery.ts';
import { Heartbeat } from './heartbeat.ts';
import { createMemberEmail } from './member-email.ts';
import { logRelayAtStart } from './relay-log.ts';
import { HangingError, type Runner, startRunner } from './runner.ts';
import { createTasks, crontabOf } from './tasks.ts';
import { createWatchdog, watched } from './watchdog.ts';

export interface WorkerContext {
  readonly databaseUrl: string;
  readonly databasePool: number;
  /** The setting HOME_ID, if it is set. */
  readonly home?: string | undefined;
  readonly concurrency: number;
  readonly delivery: DeliverySettings;
  /** schedule: seconds from each failed attempt to the next. */
  readonly webhooks?: { readonly sender: WebhookSender; readonly schedule: readonly number[] } | undefined;
  /** Undefined: never erased. */
  readonly retentionDays?: number | undefined;
  readonly limits?: Partial<typeof LIMITS> | undefined;
  /** By default the process exits with EXIT_HANGING. */
  readonly onHanging?: (() => void) | undefined;
  readonly log: Log;
  readonly recorder?: Recorder | undefined;
}

export interface Worker {
  /** When it first takes jobs. */
  readonly started: Promise<void>;
  secondsSinceFetch(): number;
  /** Finishes the sends in flight and gives back the rest. Resolves after stopSeconds, whatever hangs. */
  stop(): Promise<void>;
}

/** In seconds, except runners. */
const LIMITS = {
  /** A runner that has taken no job for so long hangs. */
  runnerSeconds: 5,
  /** After so many runners in a row without a job, the worker doesn't count as running; if they hang, the process is given up. */
  runners: 3,
  /** A longer call hangs: its connection is dead. Longer than the statement timeout. */
  callSeconds: 25,
  /** For what is in flight when told to stop. */
  stopSeconds: 28,
  /** For what is in flight when given up. */
  giveUpSeconds: 3,
};

/** Given up, or not ended in time. EX_TEMPFAIL of sysexits.h. */
export const EXIT_HANGING = 75;

const RESTART_MS = 1_000;
/** Past runners whose jobs are still looked for. */
const MAX_POOL_IDS = 10;

/** While the database is away or not migrated, it waits and retries. */
export function startWorker(context: WorkerContext): Worker {
  const { databaseUrl, databasePool, home, concurrency, retentionDays, log, recorder } = context;
  const activity = createActivity(log);
  const { onHanging = () => process.exit(EXIT_HANGING) } = context;
  const { sender, render, holdUnknown = false } = context.delivery;
  const limits = { ...LIMITS, ...context.limits };
  const id = randomUUID();
  const sql = openDatabase(databaseUrl, { max: databasePool, applicationName: 'invitation-trigger worker' });
  const calls = createWatchdog(limits.callSeconds, () => void giveUp('a call of the database has no answer'));
  const direct = createStore(sql);
  // The settler handles locks itself. Watched outside of the retries: a call nobody waits for any more may fail unheard.
  const store = watched({ ...patient(direct), settleInvitations: direct.settleInvitations }, calls);
  const poolIds: string[] = [];
  let runner: Runner | undefined;
  /** When earlier runners last took a job, and how many in a row never did. */
  let fetchedAt = performance.now();
  let fruitless = 0;
  const secondsSinceFetch = () => runner?.secondsSinceFetch() ?? (performance.now() - fetchedAt) / 1000;
  const canStartSend = () => heartbeat.hasLeaseFor(sender.maxSeconds ?? 0);
  const delivery = createDelivery({
    ...context.delivery,
    store,
    workerId: id,
    canStartSend,
    log,
    recorder: {
      attempt(messageKind, outcome, seconds) {
        activity.count(outcome);
        recorder?.attempt(messageKind, outcome, seconds);
      },
    },
  });
  const heartbeat = new Heartbeat({
    store,
    workerId: id,
    poolIds: () => poolIds,
    knownJobs: () => runner?.knownJobs() ?? new Set(),
    // A new runner is trusted at first: a claim needs a lease before the first job.
    secondsSinceFetch: () => runner?.secondsSinceFetch() ?? (fruitless < limits.runners ? 0 : secondsSinceFetch()),
    openClaims: delivery.openClaims,
    limits: context.delivery,
    holdUnknown,
    log,
    recorder,
  });
  const memberEmail = createMemberEmail({ store, sender, render, log });
  const publisher = createPublisher({ store, log });
  const webhooks = context.webhooks && createWebhooks({ ...context.webhooks, store, log });
  const taskList = createTasks({
    store,
    delivery,
    publisher,
    webhooks,
    memberEmail,
    retentionDays,
    log,
    recorder,
  });
  const stopped = Promise.withResolvers<void>();
  const started = Promise.withResolvers<void>();
  const stopEvents = () => Promise.all([publisher.stop(), webhooks?.stop()]);
  let stopping = false;

  const pause = (ms: number) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, ms);
    return Promise.race([promise, stopped.promise]).finally(() => clearTimeout(timer));
  };

  /** Throws when the connection is lost or the runner hangs; returns when stopped. */
  async function runUntilDisconnected(): Promise<void> {
    const version = await store.schemaVersion();
    if (version < SCHEMA_VERSION) {
      throw new NotReadyError(`the schema has version ${version}, this code needs ${SCHEMA_VERSION}: run migrate`);
    }
    const wrongHome = homeError(home, await store.home());
    if (wrongHome !== undefined) throw new NotReadyError(wrongHome);
    // A claim needs the worker's row; again below, with the pool id.
    await heartbeat.beat();
    if (stopping) return;
    runner = startRunner({
      databaseUrl,
      concurrency,
      taskList,
      crontab: crontabOf(retentionDays),
      hangingSeconds: limits.runnerSeconds,
      onPool: (poolId) => poolIds.splice(0, poolIds.length, ...poolIds.slice(1 - MAX_POOL_IDS), poolId),
      log,
    });
    await Promise.race([runner.ready, runner.ended]);
    await heartbeat.start();
    logRelayAtStart(log, await store.relayConditions(), context.delivery.relay?.name);
    // For what others may have left.
    publisher.wake();
    webhooks?.wake();
    started.resolve();
    log.info({ worker: id }, 'worker started');
    await runner.ended;
  }

  const ended = (async () => {
    while (!stopping) {
      try {
        await runUntilDisconnected();
      } catch (error) {
        if (stopping) break;
        if (isNotReady(error)) logOutage(log, error, 'the database is not ready; trying again');
        else log.error({ err: error }, 'worker failed; trying again');
        const since = runner?.secondsSinceFetch();
        if (since !== undefined) fetchedAt = performance.now() - since * 1000;
        if (runner !== undefined) fruitless = since === undefined ? fruitless + 1 : 0;
        runner = undefined;
        if (error instanceof HangingError && fruitless >= limits.runners) return void giveUp('no runner takes jobs');
        await pause(RESTART_MS);
      }
    }
  })();

  /** False: not done in time. */
  async function shutDown(seconds: number): Promise<boolean> {
    stopping = true;
    stopped.resolve();
    const delivered = delivery.stop();
    const done = (async () => {
      await runner?.stop().catch((error: unknown) => log.error({ err: error }, 'worker did not stop cleanly'));
      await ended;
      // Until here the heartbeat keeps others from taking over sends in flight.
      await delivered;
      await heartbeat.stop();
      await stopEvents();
      return true;
    })();
    const { promise: late, resolve } = Promise.withResolvers<boolean>();
    const timer = setTimeout(resolve, seconds * 1000, false);
    const isDone = await Promise.race([done, late]);
    clearTimeout(timer);
    if (!isDone) runner?.giveUp();
    activity.stop();
    void stopEvents();
    heartbeat.end();
    calls.stop();
    const closed = sql.end({ timeout: isDone ? 5 : 0 });
    if (isDone) await closed;
    else closed.catch(() => {});
    return isDone;
  }

  /** What is in flight is left to the others, once the lease ends. */
  async function giveUp(reason: string): Promise<void> {
    if (stopping) return;
    log.fatal({ worker: id, reason }, 'the worker hangs: ending this process');
    await shutDown(limits.giveUpSeconds);
    onHanging();
  }

  let halted: Promise<void> | undefined;
  return {
    started: started.promise,
    secondsSinceFetch,
    async stop() {
      if (stopping) return halted;
      halted = shutDown(limits.stopSeconds).then((isDone) => {
        if (isDone) log.info({ worker: id }, 'worker stopped');
        else log.error({ worker: id }, 'the worker did not stop in time: what it holds is taken over when its lease ends');
      });
      return halted;
    },
  };
}
