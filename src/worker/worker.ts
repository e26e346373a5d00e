// Runs the tasks, with a heartbeat. What hangs is replaced: the runner first, then the process, which exits.

import { randomUUID } from 'node:crypto';
import type { CellSettings } from '../database/cell.ts';
import { openDatabase, type Sql } from '../database/pool.ts';
import { createStore, patient, type Store } from '../database/store.ts';
import { createPublisher } from '../events/publisher.ts';
import { createWebhooks, type WebhooksContext } from '../events/webhooks.ts';
import type { Log } from '../log.ts';
import type { Recorder } from '../metrics.ts';
import { createActivity } from './activity.ts';
import { createDelivery, type DeliverySettings } from './delivery.ts';
import { Heartbeat } from './heartbeat.ts';
import { createMemberEmail } from './member-email.ts';
import { createNotifier } from './notifier.ts';
import { Runners } from './runners.ts';
import { Shutdown } from './shutdown.ts';
import { Supervisor } from './supervisor.ts';
import { createTasks, crontabOf } from './tasks.ts';
import { createTestClocks } from './test-clock.ts';
import { createWatchdog, watched } from './watchdog.ts';

export interface WorkerContext {
  readonly databaseUrl: string;
  readonly databasePool: number;
  readonly cell?: CellSettings;
  readonly concurrency: number;
  readonly delivery: DeliverySettings;
  /** schedule: seconds from each failed attempt to the next. */
  readonly webhooks?: Pick<WebhooksContext, 'sender' | 'keys' | 'schedule'> | undefined;
  /** Who gets an email when the guard acts. Undefined: only owners. */
  readonly operatorEmail?: string | undefined;
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

/** While the database is away or not migrated, it waits and retries. */
export function startWorker(context: WorkerContext): Worker {
  const { log, onHanging = () => process.exit(EXIT_HANGING) } = context;
  const limits = { ...LIMITS, ...context.limits };
  const workerId = randomUUID();
  const giveUp = (reason: string) => void shutdown.giveUp(reason);
  const { sql, testSql, store, calls } = openStore(context, limits.callSeconds, () =>
    giveUp('a call of the database has no answer'),
  );
  const runners = new Runners({
    databaseUrl: context.databaseUrl,
    concurrency: context.concurrency,
    crontab: crontabOf(context.retentionDays),
    hangingSeconds: limits.runnerSeconds,
    maxFruitless: limits.runners,
    log,
  });
  const parts = createParts(context, workerId, { testSql, store }, runners);
  const supervisor = new Supervisor({
    ...parts,
    store,
    cell: context.cell ?? {},
    relay: context.delivery.relay?.name,
    workerId,
    runners,
    giveUp,
    log,
  });
  const shutdown = new Shutdown({
    ...limits,
    parts: { ...parts, supervisor, runners, calls, sql },
    workerId,
    onHanging,
    log,
  });
  supervisor.start();
  return {
    started: supervisor.started,
    secondsSinceFetch: () => runners.secondsSinceFetch(),
    stop: () => shutdown.stop(),
  };
}

/** @param onHanging Called when a call has had no answer for so many seconds. */
function openStore({ databaseUrl, databasePool }: WorkerContext, callSeconds: number, onHanging: () => void) {
  const sql = openDatabase(databaseUrl, { max: databasePool, applicationName: 'invitation-trigger worker' });
  const direct = createStore(sql);
  const calls = createWatchdog(callSeconds, onHanging);
  // The settler handles locks itself. Watched outside of the retries: a call nobody waits for any more may fail unheard.
  const store = watched({ ...patient(direct), settleInvitations: direct.settleInvitations }, calls);
  // One connection, so that test workspaces never take more of a worker or of the database.
  const testSql = openDatabase(databaseUrl, { transactions: true, limited: true, applicationName: 'invitation-trigger worker' });
  const end: Sql['end'] = async (options) => {
    await Promise.all([sql.end(options), testSql.end(options)]);
  };
  return { sql: { end }, testSql, store, calls };
}

/** What the tasks work with. */
function createParts(
  context: WorkerContext,
  workerId: string,
  { testSql, store }: { testSql: Sql; store: Store },
  runners: Runners,
) {
  const { retentionDays, log, recorder } = context;
  const { sender, render, holdUnknown = false } = context.delivery;
  const activity = createActivity(log);
  const delivery = createDelivery({
    ...context.delivery,
    store,
    workerId,
    canStartSend: () => heartbeat.hasLeaseFor(sender.maxSeconds ?? 0),
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
    workerId,
    poolIds: () => runners.poolIds,
    knownJobs: () => runners.knownJobs(),
    secondsSinceFetch: () => runners.trustedSecondsSinceFetch(),
    openClaims: delivery.openClaims,
    limits: context.delivery,
    holdUnknown,
    log,
    recorder,
  });
  const memberEmail = createMemberEmail({ store, sender, render, operatorEmail: context.operatorEmail, log });
  const notifier = createNotifier({ store, sender, render, log });
  const testClocks = createTestClocks({
    store,
    inTransaction: <T>(work: (store: Store) => Promise<T>) =>
      testSql.begin((transaction) => work(createStore(transaction as unknown as Sql))) as Promise<T>,
    workerId,
    render,
    log,
  });
  const publisher = createPublisher({ store, log });
  const webhooks = context.webhooks && createWebhooks({ ...context.webhooks, publicUrl: render.publicUrl, store, log });
  const taskList = createTasks({
    store,
    delivery,
    publisher,
    webhooks,
    memberEmail,
    notifier,
    testClocks,
    retentionDays,
    log,
    recorder,
  });
  return {
    activity,
    delivery,
    heartbeat,
    taskList,
    events: [publisher, notifier, ...(webhooks === undefined ? [] : [webhooks])],
  };
}
