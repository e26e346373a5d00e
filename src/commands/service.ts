// Server, worker and outbox as the settings say, for the commands that run them.
import type { Config } from '../config.ts';
import { startServer } from '../http/server.ts';
import type { Log } from '../log.ts';
import { startOutbox } from '../outbox.ts';
import { ADAPTERS } from '../relay/adapters.ts';
import { createSender } from '../relay/sender.ts';
import { startWorker, type Worker } from '../worker.ts';

/** Starts a worker as the settings say. @param relayUrl Overrides RELAY_URL: the development outbox. */
export function startConfiguredWorker(config: Config, databaseUrl: string, base: string, log: Log, relayUrl?: string): Worker {
  surviveLostRunner(log);
  const sender = createSender({
    adapter: ADAPTERS[config.RELAY || 'mailpit'],
    url: relayUrl ?? config.RELAY_URL,
    apiKey: config.RELAY_API_KEY,
    connections: config.RELAY_CONCURRENCY,
    timeoutSeconds: config.RELAY_TIMEOUT_SECONDS,
  });
  const worker = startWorker({
    databaseUrl,
    databasePool: config.DATABASE_POOL,
    sender,
    relay: { name: config.RELAY || 'mailpit', rate: config.RELAY_RATE },
    relayTimeoutSeconds: config.RELAY_TIMEOUT_SECONDS,
    render: { publicUrl: base, from: config.MAIL_FROM },
    relayConcurrency: config.RELAY_CONCURRENCY,
    concurrency: config.WORKER_CONCURRENCY,
    log,
  });
  return {
    started: worker.started,
    async stop() {
      await worker.stop();
      await sender.close();
    },
  };
}

/**
 * When PostgreSQL goes away, graphile-worker 0.18.0 begins a shutdown of its own and leaves some of its rejected promises to nobody,
 * which would end the process. The runner's promise tells startWorker of the same fault, and it starts a new runner.
 */
export function surviveLostRunner(log: Log): void {
  process.on('unhandledRejection', (error) => {
    if (!/node_modules\/(graphile-worker|pg)\//.test(String((error as Error)?.stack))) throw error;
    log.warn({ err: error }, 'the job queue lost its connection');
  });
}

/** Server, worker and, unless RELAY is set, the development outbox, all in this process. */
export async function startAll(config: Config, databaseUrl: string, log: Log) {
  const stops: (() => Promise<void>)[] = [];
  // What was started last stops first: the worker, the server, and then the outbox that takes the worker's last mails.
  const stop = async () => {
    for (const one of stops.splice(0).reverse()) await one();
  };
  try {
    const outbox = config.RELAY === '' ? await startOutbox(config.DATA_DIR, config.OUTBOX_PORT) : undefined;
    if (outbox !== undefined) stops.push(outbox.close);
    const server = await startServer(config, databaseUrl, log);
    stops.push(server.close);
    const worker = startConfiguredWorker(config, databaseUrl, config.PUBLIC_URL ?? server.url, log, outbox?.url);
    stops.push(worker.stop);
    await worker.started;
    return { server, outbox, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Resolves at the first SIGINT or SIGTERM; a second one ends the process at once. */
export function untilSignal(): Promise<void> {
  return new Promise((resolve) => {
    let signals = 0;
    const onSignal = () => {
      signals += 1;
      if (signals === 1) resolve();
      else process.exit(130);
    };
    process.on('SIGINT', onSignal);
    process.on('SIGTERM', onSignal);
  });
}
