// Metrics for Prometheus: what a process counts, and the state of the queue, as text at GET /metrics on a port of its own.
// Imports nothing of ours but the list of metrics. No label ever holds an address, a token, a link or an id: each takes its values from a short list of ours.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { METRICS } from './metric-list.ts';

/** What handlers, delivery and worker tell of what they do. */
export interface Recorder {
  /** @param route The route's pattern. @param code Error code; undefined: answered as asked. */
  request(route: string, status: number, code: string | undefined, seconds: number): void;
  /** An attempt at a mail has ended. @param seconds Time at the relay; undefined: it was not asked. */
  mail(mail: string, outcome: string, seconds: number | undefined): void;
  /** Dead workers were given up. */
  recovered(workers: number): void;
  /** Mails were put back in the queue. */
  requeued(reason: 'activation' | 'lost_claim', mails: number): void;
}

/** The queue as the database has it. */
export interface QueueState {
  readonly due: number;
  readonly overdueSeconds: number;
  readonly waiting: number;
  readonly sending: number;
  readonly workers: number;
  /** Those that are not healthy. @property paused_until ISO 8601. */
  readonly relays: readonly { relay: string; condition: 'busy' | 'fault'; paused_until: string | null }[];
}

export interface RunningMetrics {
  readonly recorder: Recorder;
  /** Address of the text, as http://host:port/metrics. */
  readonly url: string;
  close(): Promise<void>;
}

/** Longest time that the database is waited for; Prometheus by default waits for 10 s. Milliseconds. */
const QUEUE_TIMEOUT = 5_000;
const REQUEST_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];
const RELAY_BUCKETS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

/**
 * Starts the metrics of this process.
 * @param readQueue Reads the queue; its rejection is a value of invitation_trigger_database_up.
 * Rejects with the error of listen if the port cannot be had.
 */
export async function startMetrics(
  { port, host }: { port: number; host: string },
  readQueue: () => Promise<QueueState>,
): Promise<RunningMetrics> {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const recorder = createRecorder(registry);
  const refresh = createGauges(registry, readQueue);

  const server = createServer({ requestTimeout: 10_000, headersTimeout: 5_000 }, async (request, response) => {
    if (request.url?.split('?')[0] !== '/metrics' || (request.method !== 'GET' && request.method !== 'HEAD')) {
      response.writeHead(404, { 'content-type': 'text/plain' }).end('There is only GET /metrics here.\n');
      return;
    }
    await refresh();
    const text = await registry.metrics();
    response.writeHead(200, { 'content-type': registry.contentType, 'cache-control': 'no-store' });
    response.end(request.method === 'HEAD' ? undefined : text);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  const shown = host.includes(':') ? `[${host}]` : host;
  return {
    recorder,
    url: `http://${shown}:${(server.address() as AddressInfo).port}/metrics`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** The constructor's argument of a metric. */
function configOf<N extends keyof typeof METRICS>(name: N, registry: Registry) {
  const { meaning, labels } = METRICS[name];
  return { name, help: meaning, labelNames: [...labels] as string[], registers: [registry] };
}

function createRecorder(registry: Registry): Recorder {
  const requests = new Counter(configOf('invitation_trigger_requests_total', registry));
  const requestSeconds = new Histogram({
    ...configOf('invitation_trigger_request_seconds', registry),
    buckets: REQUEST_BUCKETS,
  });
  const mails = new Counter(configOf('invitation_trigger_mails_total', registry));
  const relaySeconds = new Histogram({ ...configOf('invitation_trigger_relay_seconds', registry), buckets: RELAY_BUCKETS });
  const recovered = new Counter(configOf('invitation_trigger_workers_recovered_total', registry));
  const requeued = new Counter(configOf('invitation_trigger_requeued_total', registry));
  return {
    request(route, status, code, seconds) {
      requests.inc({ route, status, code: code ?? (status < 400 ? 'ok' : `http_${status}`) });
      requestSeconds.observe({ route }, seconds);
    },
    mail(mail, outcome, seconds) {
      mails.inc({ mail, outcome });
      if (seconds !== undefined) relaySeconds.observe({ outcome }, seconds);
    },
    recovered: (workers) => recovered.inc(workers),
    requeued: (reason, mails) => requeued.inc({ reason }, mails),
  };
}

/** Makes the gauges of the queue; what is returned brings them up to date, once for all who ask at the same time, and never rejects. */
function createGauges(registry: Registry, readQueue: () => Promise<QueueState>): () => Promise<void> {
  const up = new Gauge(configOf('invitation_trigger_database_up', registry));
  const gauges = {
    due: new Gauge(configOf('invitation_trigger_queue_due', registry)),
    overdueSeconds: new Gauge(configOf('invitation_trigger_queue_overdue_seconds', registry)),
    waiting: new Gauge(configOf('invitation_trigger_queue_waiting', registry)),
    sending: new Gauge(configOf('invitation_trigger_queue_sending', registry)),
    workers: new Gauge(configOf('invitation_trigger_workers', registry)),
  };
  const paused = new Gauge(configOf('invitation_trigger_relay_paused', registry));
  let reading: Promise<void> | undefined;

  async function read(): Promise<void> {
    const late = Promise.withResolvers<never>();
    const timer = setTimeout(() => late.reject(new Error('the database did not answer in time')), QUEUE_TIMEOUT);
    try {
      const state = await Promise.race([readQueue(), late.promise]);
      for (const [name, gauge] of Object.entries(gauges)) gauge.set(state[name as keyof typeof gauges]);
      paused.reset();
      for (const { relay, condition, paused_until } of state.relays) {
        // A fault ends with a mail that the relay takes; a pause that it asked for, by itself.
        if (condition === 'fault' || Date.parse(paused_until ?? '') > Date.now()) paused.set({ relay, condition }, 1);
      }
      up.set(1);
    } catch {
      // An old number would read as if all were well.
      for (const gauge of Object.values(gauges)) gauge.remove();
      paused.reset();
      up.set(0);
    } finally {
      clearTimeout(timer);
    }
  }

  return () => {
    reading ??= read().finally(() => {
      reading = undefined;
    });
    return reading;
  };
}
