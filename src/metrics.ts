// Prometheus metrics at GET /metrics on a separate port: the counters of a process and the state of the queue. No label has an address,
// token, link or id, because all label values come from short lists.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

interface Metric {
  readonly type: 'counter' | 'histogram' | 'gauge';
  readonly labels: readonly string[];
  readonly meaning: string;
}

/** A test compares them with docs/monitoring.md. */
export const METRICS = {
  invitation_trigger_requests_total: {
    type: 'counter',
    labels: ['route', 'status', 'code'],
    meaning: 'Requests handled. `code` is `ok` or the error code.',
  },
  invitation_trigger_request_seconds: {
    type: 'histogram',
    labels: ['route'],
    meaning: 'Time from the request to its response.',
  },
  invitation_trigger_attempts_total: {
    type: 'counter',
    labels: ['message_kind', 'outcome'],
    meaning: 'Attempts to send an email, by outcome; `released` was not tried, because the worker stopped.',
  },
  invitation_trigger_relay_seconds: {
    type: 'histogram',
    labels: ['outcome'],
    meaning: 'Time of one request to the relay, until its response or the timeout.',
  },
  invitation_trigger_workers_recovered_total: {
    type: 'counter',
    labels: [],
    meaning: 'Lost workers whose emails this process put back into the queue.',
  },
  invitation_trigger_requeued_total: {
    type: 'counter',
    labels: ['reason'],
    meaning:
      'Emails that this process put back into the queue. `activation`: they waited for their survey; `lost_claim`: the reply to their claim was lost.',
  },
  invitation_trigger_dsn_total: {
    type: 'counter',
    labels: ['result'],
    meaning:
      'Bounces at `/relay-events/dsn`: `recorded`, `repeated`, `ignored` (no end of an email), or `unsigned` (no valid return path).',
  },
  invitation_trigger_database_up: {
    type: 'gauge',
    labels: [],
    meaning: '1 if the database responded just now. If 0, the gauges below are left out.',
  },
  invitation_trigger_database_writable: {
    type: 'gauge',
    labels: [],
    meaning: '0 since a write of this process failed, because the disk is full or the database read-only, until one succeeds.',
  },
  invitation_trigger_queue_due: { type: 'gauge', labels: [], meaning: 'Emails that are queued and due now.' },
  invitation_trigger_queue_overdue_seconds: {
    type: 'gauge',
    labels: [],
    meaning: 'How long the oldest of them has been due.',
  },
  invitation_trigger_queue_waiting: {
    type: 'gauge',
    labels: [],
    meaning: 'Emails that are due and held: see the view `waiting_invitations`.',
  },
  invitation_trigger_queue_sending: { type: 'gauge', labels: [], meaning: 'Emails that a worker has claimed.' },
  invitation_trigger_broken_invariants: {
    type: 'gauge',
    labels: ['code'],
    meaning:
      'Stuck emails, events and webhook endpoints: the view `broken_invariants`. Above 0 for more than two minutes is a fault.',
  },
  invitation_trigger_jobs_failing: {
    type: 'gauge',
    labels: ['state'],
    meaning: 'Jobs whose last attempt failed: the view `failing_jobs`. `gave_up`: nothing tries them again.',
  },
  invitation_trigger_sending_paused: {
    type: 'gauge',
    labels: ['scope'],
    meaning: 'Sending is paused: 1 for `all`, or the number of pauses of a `workspace` or `survey`, and by the `guard`.',
  },
  invitation_trigger_events: {
    type: 'gauge',
    labels: ['state'],
    meaning: '`unpublished`: events that readers do not see yet; `webhooks_failing`: endpoints.',
  },
  invitation_trigger_relay_paused: {
    type: 'gauge',
    labels: ['relay', 'condition'],
    meaning:
      '1 while the relay is paused, otherwise no sample. `busy`: it asked for a pause; `fault`: nothing gets through, and it is probed.',
  },
  invitation_trigger_workers: {
    type: 'gauge',
    labels: [],
    meaning: 'Workers that report and take jobs.',
  },
  invitation_trigger_worker_last_fetch_age_seconds: {
    type: 'gauge',
    labels: [],
    meaning: "Seconds since this process's worker last got a reply about jobs.",
  },
} as const satisfies Record<string, Metric>;

export interface Recorder {
  /**
   * @param route The route's pattern, not the path.
   * @param code Undefined: no error.
   */
  request(route: string, status: number, code: string | undefined, seconds: number): void;
  /**
   * Counts an attempt that has ended.
   * @param seconds How long its request to the relay took. Undefined: it had no request of its own.
   */
  attempt(messageKind: string, outcome: string, seconds: number | undefined): void;
  /** Counts a delivery status notification. */
  report(result: string): void;
  recovered(workers: number): void;
  requeued(reason: 'activation' | 'lost_claim', messages: number): void;
  /** @param secondsSinceFetch Returns the seconds since this process's worker got a job, or a reply that there is none. */
  watchFetches(secondsSinceFetch: () => number): void;
}

export interface QueueState {
  /** As far as this process knows. */
  readonly writable: boolean;
  /** Null, as the next four: a router doesn't know. */
  readonly due: number | null;
  readonly overdueSeconds: number | null;
  readonly waiting: number | null;
  readonly sending: number | null;
  readonly workers: number | null;
  readonly broken: readonly { code: string; emails: number }[];
  readonly failingJobs: readonly { state: string; jobs: number }[];
  /** How many workspaces and surveys have paused sending. */
  readonly paused: readonly { scope: string; paused: number }[];
  readonly events: readonly { state: string; count: number }[];
  /** Relays that aren't healthy. paused_until is ISO 8601. */
  readonly relays: readonly { relay: string; condition: 'busy' | 'fault'; paused_until: string | null }[];
}

export interface RunningMetrics {
  readonly recorder: Recorder;
  readonly url: string;
  close(): Promise<void>;
}

const TRIGGER_ROUTE = '/api/invitation-trigger';
/** What alerts compare. */
const COUNTED_STATUSES = [
  [200, 'ok'],
  [500, 'internal_error'],
  [503, 'not_ready'],
] as const;
const COUNTED_OUTCOMES = ['accepted', 'retry', 'unknown', 'config', 'rejected'] as const;
/** If a worker has got no reply about jobs for this long, it isn't ready. */
const READY_SECONDS = 30;
/** In milliseconds. Prometheus by default waits for 10 s. */
const QUEUE_TIMEOUT = 5_000;
const REQUEST_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];
const RELAY_BUCKETS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

/**
 * @param readQueue If it rejects, invitation_trigger_database_up is 0.
 * @throws The error of listen, if the port can't be used.
 */
export async function startMetrics(
  { port, host }: { port: number; host: string },
  readQueue: () => Promise<QueueState>,
): Promise<RunningMetrics> {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const lastFetch = new Gauge(configOf('invitation_trigger_worker_last_fetch_age_seconds', registry));
  lastFetch.remove();
  let secondsSinceFetch: (() => number) | undefined;
  const recorder = createRecorder(registry, (read) => {
    secondsSinceFetch = read;
  });
  const refresh = createGauges(registry, readQueue);

  const server = createServer({ requestTimeout: 10_000, headersTimeout: 5_000 }, async (request, response) => {
    const path = request.url?.split('?')[0] ?? '';
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    if (!isRead || !['/metrics', '/readyz'].includes(path)) {
      response.writeHead(404, { 'content-type': 'text/plain' }).end('Only GET /metrics and GET /readyz are served here.\n');
      return;
    }
    const age = secondsSinceFetch?.();
    if (path === '/readyz') {
      const isReady = age === undefined || age < READY_SECONDS;
      response.writeHead(isReady ? 200 : 503, { 'content-type': 'text/plain', 'cache-control': 'no-store' });
      response.end(isReady ? 'ready\n' : 'the worker takes no jobs\n');
      return;
    }
    if (age !== undefined) lastFetch.set(age);
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

function configOf<N extends keyof typeof METRICS>(name: N, registry: Registry) {
  const { meaning, labels } = METRICS[name];
  return { name, help: meaning, labelNames: [...labels] as string[], registers: [registry] };
}

function createRecorder(registry: Registry, watchFetches: Recorder['watchFetches']): Recorder {
  const requests = new Counter(configOf('invitation_trigger_requests_total', registry));
  const requestSeconds = new Histogram({
    ...configOf('invitation_trigger_request_seconds', registry),
    buckets: REQUEST_BUCKETS,
  });
  const attempts = new Counter(configOf('invitation_trigger_attempts_total', registry));
  const relaySeconds = new Histogram({ ...configOf('invitation_trigger_relay_seconds', registry), buckets: RELAY_BUCKETS });
  const reports = new Counter(configOf('invitation_trigger_dsn_total', registry));
  const recovered = new Counter(configOf('invitation_trigger_workers_recovered_total', registry));
  const requeued = new Counter(configOf('invitation_trigger_requeued_total', registry));
  // A counter that first appears at 1 has no growth that an alert could see.
  for (const [status, code] of COUNTED_STATUSES) requests.inc({ route: TRIGGER_ROUTE, status, code }, 0);
  for (const message_kind of ['invitation', 'reminder'])
    for (const outcome of COUNTED_OUTCOMES) attempts.inc({ message_kind, outcome }, 0);
  for (const result of ['recorded', 'repeated', 'ignored', 'unsigned']) reports.inc({ result }, 0);
  for (const reason of ['activation', 'lost_claim']) requeued.inc({ reason }, 0);
  return {
    request(route, status, code, seconds) {
      requests.inc({ route, status, code: code ?? (status < 400 ? 'ok' : `http_${status}`) });
      requestSeconds.observe({ route }, seconds);
    },
    attempt(messageKind, outcome, seconds) {
      attempts.inc({ message_kind: messageKind, outcome });
      if (seconds !== undefined) relaySeconds.observe({ outcome }, seconds);
    },
    report: (result) => reports.inc({ result }),
    recovered: (workers) => recovered.inc(workers),
    requeued: (reason, messages) => requeued.inc({ reason }, messages),
    watchFetches,
  };
}

/** Returns a function that updates the queue's gauges. Simultaneous scrapes share one update. It never rejects. */
function createGauges(registry: Registry, readQueue: () => Promise<QueueState>): () => Promise<void> {
  const up = new Gauge(configOf('invitation_trigger_database_up', registry));
  const writable = new Gauge(configOf('invitation_trigger_database_writable', registry));
  const gauges = {
    due: new Gauge(configOf('invitation_trigger_queue_due', registry)),
    overdueSeconds: new Gauge(configOf('invitation_trigger_queue_overdue_seconds', registry)),
    waiting: new Gauge(configOf('invitation_trigger_queue_waiting', registry)),
    sending: new Gauge(configOf('invitation_trigger_queue_sending', registry)),
    workers: new Gauge(configOf('invitation_trigger_workers', registry)),
  };
  const broken = new Gauge(configOf('invitation_trigger_broken_invariants', registry));
  const failingJobs = new Gauge(configOf('invitation_trigger_jobs_failing', registry));
  const sendingPaused = new Gauge(configOf('invitation_trigger_sending_paused', registry));
  const events = new Gauge(configOf('invitation_trigger_events', registry));
  const relayPaused = new Gauge(configOf('invitation_trigger_relay_paused', registry));
  let reading: Promise<void> | undefined;

  async function read(): Promise<void> {
    const late = Promise.withResolvers<never>();
    const timer = setTimeout(() => late.reject(new Error('the database did not respond in time')), QUEUE_TIMEOUT);
    try {
      const state = await Promise.race([readQueue(), late.promise]);
      for (const [name, gauge] of Object.entries(gauges)) {
        const value = state[name as keyof typeof gauges];
        if (value === null) gauge.remove();
        else gauge.set(value);
      }
      writable.set(state.writable ? 1 : 0);
      for (const { code, emails } of state.broken) broken.set({ code }, emails);
      for (const { state: of, jobs } of state.failingJobs) failingJobs.set({ state: of }, jobs);
      for (const { scope, paused } of state.paused) sendingPaused.set({ scope }, paused);
      for (const { state: of, count } of state.events) events.set({ state: of }, count);
      relayPaused.reset();
      for (const { relay, condition, paused_until } of state.relays) {
        // A fault lasts until the relay accepts a message. A pause ends at its time.
        if (condition === 'fault' || Date.parse(paused_until ?? '') > Date.now()) relayPaused.set({ relay, condition }, 1);
      }
      up.set(1);
    } catch {
      // Old numbers would look as if everything were fine.
      for (const gauge of Object.values(gauges)) gauge.remove();
      writable.remove();
      broken.reset();
      failingJobs.reset();
      sendingPaused.reset();
      events.reset();
      relayPaused.reset();
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
