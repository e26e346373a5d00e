// The metrics: which labels each has, what they show while the database is away, and that they contain nothing private.
import { request } from 'node:http';
import t, { type Test } from 'tap';
import { openDatabase } from '../src/database/pool.ts';
import { unsubscribeLink } from '../src/mail/links.ts';
import { METRICS, type QueueState, startMetrics } from '../src/metrics.ts';
import type { Outcome } from '../src/relay/relay.ts';
import { createDelivery } from '../src/worker/delivery.ts';
import { startTestServer } from './fixtures/http.ts';
import { claimedInvitation } from './fixtures/mail.ts';
import { createEmptyDatabase, runJson, startProgram } from './fixtures/program.ts';
import { createBatch, createTestDatabase, silent, until } from './fixtures/setup.ts';

const EMPTY: QueueState = {
  writable: true,
  due: 0,
  overdueSeconds: 0,
  waiting: 0,
  sending: 0,
  workers: 0,
  broken: [],
  failingJobs: [],
  paused: [],
  events: [],
  relays: [],
};

/** Serves metrics on a free port. samples() returns their values by name and labels. */
async function start(t: Test, readQueue: () => Promise<QueueState> = async () => EMPTY) {
  const metrics = await startMetrics({ port: 0, host: '127.0.0.1' }, readQueue);
  t.teardown(metrics.close);
  const text = async () => (await fetch(metrics.url)).text();
  return { ...metrics, text, samples: async () => samplesOf(await text()) };
}

const samplesOf = (text: string): Record<string, number> =>
  Object.fromEntries(
    text
      .split('\n')
      .filter((line) => line.startsWith('invitation_trigger_'))
      .map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ') + 1))]),
  );

t.test('every metric is there with its type and meaning, along with those of the process', async (t) => {
  const { text, url } = await start(t);
  const answer = await text();
  for (const [name, { type, meaning }] of Object.entries(METRICS)) {
    t.ok(answer.includes(`# HELP ${name} ${meaning}\n# TYPE ${name} ${type}\n`), name);
  }
  t.match(answer, /^process_cpu_user_seconds_total /m);
  t.equal((await fetch(url)).headers.get('content-type'), 'text/plain; version=0.0.4; charset=utf-8');
});

t.test('only GET /metrics is answered', async (t) => {
  const { url } = await start(t);
  for (const [method, address, status] of [
    ['GET', url, 200],
    ['GET', `${url}?x=1`, 200],
    ['HEAD', url, 200],
    ['POST', url, 404],
    ['GET', new URL('/readyz', url).href, 200],
    ['GET', new URL('/', url).href, 404],
  ] as const)
    t.equal((await fetch(address, { method })).status, status, `${method} ${address}`);
});

t.test('the queue is what the database reports, and left out while it reports nothing', async (t) => {
  let answer: () => Promise<QueueState> = async () => ({
    ...{ writable: false, due: 3, overdueSeconds: 1.5, waiting: 2, sending: 1, workers: 4 },
    broken: [{ code: 'queued_overdue', emails: 5 }],
    failingJobs: [{ state: 'gave_up', jobs: 1 }],
    paused: [{ scope: 'workspace', paused: 2 }],
    events: [{ state: 'unpublished', count: 3 }],
    relays: [{ relay: 'resend', condition: 'fault', paused_until: null }],
  });
  const { samples } = await start(t, () => answer());
  t.match(await samples(), {
    invitation_trigger_database_up: 1,
    invitation_trigger_database_writable: 0,
    invitation_trigger_queue_due: 3,
    invitation_trigger_queue_overdue_seconds: 1.5,
    invitation_trigger_queue_waiting: 2,
    invitation_trigger_queue_sending: 1,
    invitation_trigger_workers: 4,
    'invitation_trigger_broken_invariants{code="queued_overdue"}': 5,
    'invitation_trigger_jobs_failing{state="gave_up"}': 1,
    'invitation_trigger_sending_paused{scope="workspace"}': 2,
    'invitation_trigger_events{state="unpublished"}': 3,
  });
  answer = () => Promise.reject(new Error('away'));
  const away = await samples();
  t.equal(away.invitation_trigger_database_up, 0);
  t.same(
    Object.keys(away).filter((name) => /(?<!re)queue|workers$|broken|failing|paused/.test(name)),
    [],
    'no old number',
  );
  answer = async () => EMPTY;
  t.match(await samples(), { invitation_trigger_database_up: 1, invitation_trigger_queue_due: 0 });
});

t.test('a relay is paused while it is at fault, or until the time that it asked for', async (t) => {
  const minutes = (count: number) => new Date(Date.now() + count * 60_000).toISOString();
  let relays: QueueState['relays'] = [
    { relay: 'resend', condition: 'fault', paused_until: minutes(-1) },
    { relay: 'ses', condition: 'busy', paused_until: minutes(60) },
    { relay: 'brevo', condition: 'busy', paused_until: minutes(-1) },
  ];
  const { samples } = await start(t, async () => ({ ...EMPTY, relays }));
  const paused = async () => Object.entries(await samples()).filter(([name]) => name.includes('relay_paused'));
  t.same(await paused(), [
    ['invitation_trigger_relay_paused{relay="resend",condition="fault"}', 1],
    ['invitation_trigger_relay_paused{relay="ses",condition="busy"}', 1],
  ]);
  relays = [];
  t.same(await paused(), []);
});

t.test('simultaneous scrapes share one query', async (t) => {
  let [running, most, reads] = [0, 0, 0];
  const { text } = await start(t, async () => {
    reads += 1;
    running += 1;
    most = Math.max(most, running);
    for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate);
    running -= 1;
    return EMPTY;
  });
  await Promise.all(Array.from({ length: 20 }, text));
  t.ok(reads > 0);
  t.equal(most, 1);
});

t.test('a request is counted by route, status and code, whatever its path and its secret are', async (t) => {
  const { store, sql, urlAs } = await createTestDatabase(t);
  const { recorder, text, samples } = await start(t);
  const { secret, batch } = await createBatch(store);
  const { url, post } = await startTestServer(t, urlAs('invite_web'), {}, silent, recorder);
  await post({ email: 'bob@example.com' }, { secret });
  await post({ email: 'bob@example.com' }, { secret });
  await post({ email: 'not an address' }, { secret });
  await post({ email: 'bob@example.com' }, { secret: 'sit_unknown' });
  const [invitation] = await sql`select id, link_token from test.invitations where batch_id = ${batch}`;
  await (await fetch(`${unsubscribeLink(url, invitation?.link_token)}?token=${secret}`)).text();
  await (await fetch(`${url}/nowhere/${secret}`)).text();
  const of = (route: string, status: number, code: string) =>
    `invitation_trigger_requests_total{route="${route}",status="${status}",code="${code}"}`;
  t.match(await samples(), {
    [of('/api/invitation-trigger', 200, 'ok')]: 2,
    [of('/api/invitation-trigger', 400, 'invalid_recipient')]: 1,
    [of('/api/invitation-trigger', 400, 'unknown_token')]: 1,
    [of('/u/:token', 200, 'ok')]: 1,
    [of('*', 404, 'not_found')]: 1,
    'invitation_trigger_request_seconds_count{route="/api/invitation-trigger"}': 4,
  });
  const answer = await text();
  for (const one of [secret, invitation?.link_token, batch, 'example.com', 'nowhere']) t.notOk(answer.includes(one), one);
});

t.test('an attempt is counted by its outcome, and the time at the relay is measured', async (t) => {
  const { recorder, samples } = await start(t);
  const outcomes: Outcome[] = [
    { kind: 'accepted' },
    { kind: 'accepted' },
    { kind: 'retry', code: 'ada@example.com', detail: 'Away.' },
    { kind: 'suppressed', code: 'suppressed', detail: 'No.' },
  ];
  const left = [...outcomes];
  const delivery = createDelivery({
    store: {
      workspacesOf: async (ids) => [{ workspaceId: 'acme', ids }],
      findWording: async () => null,
      requeueSends: async () => {},
      claimInvitations: async (ids) => ids.map((id) => claimedInvitation({ id: String(id), messageKind: 'reminder' })),
      putOffInvitations: async () => [],
      settleInvitations: async (results) => ({ settled: results.length, locked: [] }),
    },
    sender: { maxBatch: 1, send: async () => [left.shift() as Outcome], close: async () => {} },
    render: { publicUrl: 'https://i.example', from: { name: 'Surveys', email: 'surveys@example.org' } },
    workerId: 'worker',
    concurrency: 1,
    log: silent,
    recorder,
  });
  await delivery.add([1, 2, 3, 4]);
  await until('all are settled', () => delivery.openClaims().length === 0);
  recorder.recovered(2);
  recorder.requeued('lost_claim', 3);
  t.match(await samples(), {
    'invitation_trigger_attempts_total{message_kind="reminder",outcome="accepted"}': 2,
    'invitation_trigger_attempts_total{message_kind="reminder",outcome="retry"}': 1,
    'invitation_trigger_attempts_total{message_kind="reminder",outcome="suppressed"}': 1,
    'invitation_trigger_relay_seconds_count{outcome="accepted"}': 2,
    invitation_trigger_workers_recovered_total: 2,
    'invitation_trigger_requeued_total{reason="lost_claim"}': 3,
  });
});

t.test('a worker that takes no jobs is not ready, and says since when', async (t) => {
  const { recorder, samples, url } = await start(t);
  const readiness = async () => (await fetch(new URL('/readyz', url))).status;
  const name = 'invitation_trigger_worker_last_fetch_age_seconds';
  t.equal((await samples())[name], undefined, 'no worker, no sample');
  t.equal(await readiness(), 200);
  let age = 0.2;
  recorder.watchFetches(() => age);
  t.equal((await samples())[name], 0.2);
  t.equal(await readiness(), 200);
  age = 31;
  t.equal((await samples())[name], 31);
  t.equal(await readiness(), 503);
});

t.test('a scrape that hangs does not keep the metrics from closing', async (t) => {
  const metrics = await startMetrics({ port: 0, host: '127.0.0.1' }, () => new Promise(() => {}));
  const hanging = new Promise((resolve) =>
    request(metrics.url)
      .on('error', resolve)
      .on('socket', (socket) => socket.on('connect', () => void metrics.close()))
      .end(),
  );
  t.ok(await hanging);
});

t.test('the program has metrics where METRICS_PORT is set, and none where it is not', async (t) => {
  const env = { DATABASE_URL: await createEmptyDatabase(t), DATA_DIR: t.testdir({}), LOG_LEVEL: 'warn' };
  await runJson(env, 'migrate');
  const sql = openDatabase(env.DATABASE_URL, { applicationName: 'tests' });
  await sql`insert into invite.relays (id, condition) values ('mailpit', 'fault'), ('resend', 'fault')`;
  await sql.end();
  const serve = await startProgram(t, { ...env, METRICS_PORT: '0' }, 'serve');
  const start = await startProgram(t, { ...env, METRICS_PORT: '0' }, 'start');
  const off = await startProgram(t, env, 'serve');
  t.equal(off.document.metrics, undefined);
  for (const { document } of [serve, start]) {
    const samples = await until('the database reports', async () => {
      const read = samplesOf(await (await fetch(document.metrics ?? '')).text());
      return read.invitation_trigger_database_up === 1 ? read : undefined;
    });
    t.match(samples, { invitation_trigger_workers: 1, invitation_trigger_queue_due: 0 });
    t.equal(samples['invitation_trigger_relay_paused{relay="mailpit",condition="fault"}'], 1);
    t.equal(samples['invitation_trigger_relay_paused{relay="resend",condition="fault"}'], undefined, 'nobody sends to it');
  }
  for (const program of [start, serve, off]) t.equal((await program.terminate()).code, 0);
});
