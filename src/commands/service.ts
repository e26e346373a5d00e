// Builds from the settings what the commands run.

import type { Config } from '../config.ts';
import { cellOf } from '../database/cell.ts';
import { isNotReady, openDatabase, requireSession } from '../database/pool.ts';
import { createStore } from '../database/store.ts';
import { startOutbox } from '../dev/outbox.ts';
import { createWebhookSender } from '../events/webhook-sender.ts';
import { listenError } from '../http/listen.ts';
import type { Log } from '../log.ts';
import { type Recorder, startMetrics } from '../metrics.ts';
import { endOutage, logOutage } from '../outage.ts';
import { createSender } from '../relay/http-sender.ts';
import { RELAYS } from '../relay/registry.ts';
import type { MessageSender } from '../relay/relay.ts';
import { createReturnPath, type ReturnPath } from '../relay/return-path.ts';
import { createSmtpSender } from '../relay/smtp-sender.ts';
import { keyringOf } from '../sealed.ts';
import { startServer } from '../server.ts';
import { EXIT_HANGING, startWorker, type Worker } from '../worker/worker.ts';

interface WorkerExtras {
  /** Overrides RELAY_URL. */
  readonly relayUrl?: string | undefined;
  readonly recorder?: Recorder | undefined;
}

export async function startConfiguredMetrics({ METRICS_PORT: port, METRICS_HOST: host }: Config, databaseUrl: string, log: Log) {
  if (port === undefined) return { recorder: undefined, url: undefined, close: async () => {} };
  const sql = openDatabase(databaseUrl, { applicationName: 'invitation-trigger metrics' });
  const store = createStore(sql);
  try {
    const readQueue = async () => ({
      writable: await endOutage(log, store.tryWrite).then(
        () => true,
        () => false,
      ),
      ...(await store.queueMetrics()),
      broken: await store.brokenInvariants(),
      relays: await store.relayConditions(),
      paused: await store.countPaused(),
      events: await store.countEvents(),
      failingJobs: await store.countFailingJobs(),
    });
    const metrics = await startMetrics({ port, host }, readQueue);
    const close = async () => {
      await metrics.close();
      await sql.end({ timeout: 1 });
    };
    return { ...metrics, close };
  } catch (error) {
    await sql.end();
    throw listenError(error as NodeJS.ErrnoException, 'METRICS_PORT', port, host);
  }
}

export const returnPathOf = (config: Config): ReturnPath | undefined =>
  config.SMTP_RETURN_PATH === undefined ? undefined : createReturnPath(config.SMTP_RETURN_PATH, keyringOf(config));

export function createConfiguredSender(config: Config, relayUrl?: string): MessageSender {
  const url = relayUrl ?? config.RELAY_URL;
  // One connection more than recipients' emails use, so that an email to a member doesn't wait for them.
  const limits = { connections: config.RELAY_CONCURRENCY + 1, timeoutSeconds: config.RELAY_TIMEOUT_SECONDS };
  if (config.RELAY === 'smtp') return createSmtpSender({ url: url ?? '', ...limits, returnPath: returnPathOf(config) });
  return createSender({
    adapter: RELAYS[config.RELAY || 'mailpit'].adapter,
    url,
    apiKey: config.RELAY_API_KEY,
    domain: config.RELAY_DOMAIN,
    stream: config.RELAY_STREAM,
    batch: config.RELAY_BATCH,
    ...limits,
  });
}

export function startConfiguredWorker(
  config: Config,
  databaseUrl: string,
  base: string,
  log: Log,
  { relayUrl, recorder }: WorkerExtras = {},
): Worker {
  requireSession(databaseUrl);
  const sender = createConfiguredSender(config, relayUrl);
  const webhookSender = createWebhookSender(config.WEBHOOK_ALLOW);
  const worker = startWorker({
    databaseUrl,
    databasePool: config.DATABASE_POOL,
    cell: cellOf(config),
    concurrency: config.WORKER_CONCURRENCY,
    delivery: {
      sender,
      render: { publicUrl: base, from: config.MAIL_FROM, senderDomains: config.SENDER_DOMAINS },
      concurrency: config.RELAY_CONCURRENCY,
      relay: { name: config.RELAY || 'mailpit', rate: config.RELAY_RATE },
      holdUnknown: config.RELAY_UNKNOWN === 'hold',
      lateSendHours: config.LATE_SEND_HOURS,
    },
    webhooks: { sender: webhookSender, keys: keyringOf(config), schedule: config.WEBHOOK_RETRY_SECONDS },
    operatorEmail: config.OPERATOR_EMAIL,
    retentionDays: config.RETENTION_DAYS,
    log,
    recorder,
  });
  recorder?.watchFetches(worker.secondsSinceFetch);
  return {
    ...worker,
    async stop() {
      await worker.stop();
      await sender.close();
      await webhookSender.close();
    },
  };
}

/**
 * When the connection to PostgreSQL is lost, graphile-worker 0.18.0 leaves rejections unhandled, which would end the process. The caller gets
 * the same error anyway, and startWorker starts a new runner. The error of a broken socket has no stack frame of a package, so isNotReady
 * recognizes it by its code.
 */
export function ignoreLostConnections(log: Log): void {
  process.on('unhandledRejection', (error) => {
    if (!isNotReady(error) && !/node_modules\/(graphile-worker|pg)\//.test(String((error as Error)?.stack))) throw error;
    logOutage(log, error, 'a connection to the database was lost');
  });
}

/** Starts everything in this process. The development outbox is started too, unless RELAY is set. */
export async function startAll(config: Config, databaseUrl: string, log: Log, recorder?: Recorder) {
  const stops: (() => Promise<void>)[] = [];
  // The outbox stops last, because it has to receive the worker's last emails.
  const stop = async () => {
    for (const stopPart of stops.splice(0).reverse()) await stopPart();
  };
  try {
    const outbox = config.RELAY === '' ? await startOutbox(config.DATA_DIR, config.OUTBOX_PORT) : undefined;
    if (outbox !== undefined) stops.push(outbox.close);
    const server = await startServer(config, databaseUrl, log, recorder);
    stops.push(server.close);
    const worker = startConfiguredWorker(config, databaseUrl, config.PUBLIC_URL ?? server.url, log, {
      relayUrl: outbox?.url,
      recorder,
    });
    stops.push(worker.stop);
    await worker.started;
    return { server, outbox, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** A worker needs less time to stop (LIMITS in worker.ts). */
export const END_MS = 30_000;

/**
 * Resolves at the first SIGINT or SIGTERM. A second signal ends the process at once. If something hangs, the process ends after END_MS.
 * @param drainSeconds How long the process continues as before after the first signal.
 */
export function untilSignal(drainSeconds = 0): Promise<void> {
  return new Promise((resolve) => {
    let signals = 0;
    const onSignal = () => {
      signals += 1;
      if (signals > 1) process.exit(130);
      setTimeout(() => process.exit(EXIT_HANGING), END_MS + drainSeconds * 1_000).unref();
      resolve();
    };
    process.on('SIGINT', onSignal);
    process.on('SIGTERM', onSignal);
  });
}
