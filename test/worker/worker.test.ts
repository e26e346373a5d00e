// The worker on a real database: what it sends, what it holds, how it starts before the database is there, and how it stops.
import { randomBytes, randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import t, { type Test } from 'tap';
import { MAX_ATTEMPTS } from '../../src/database/deliveries.ts';
import { migrate } from '../../src/database/migrate.ts';
import { openDatabase } from '../../src/database/pool.ts';
import { createStore } from '../../src/database/store.ts';
import { createLog } from '../../src/log.ts';
import type { Recorder } from '../../src/metrics.ts';
import type { MessageSender, Outcome, OutgoingMessage } from '../../src/relay/relay.ts';
import { createTasks, crontabOf } from '../../src/worker/tasks.ts';
import { startWorker, type Worker } from '../../src/worker/worker.ts';
import { databaseUrl } from '../fixtures/cluster.ts';
import { createBatch, createSurvey, createTestDatabase, createToken, silent, until } from '../fixtures/setup.ts';
import { acceptTrigger } from '../fixtures/trigger.ts';

const { url, sql, store, cluster } = await createTestDatabase(t);

/** Starts a worker. The test records its messages and decides their outcomes. */
function start(
  t: Test,
  answer: (message: OutgoingMessage) => Outcome | Promise<Outcome>,
  databaseUrl = url,
  log = silent,
  recorder?: Recorder,
  holdUnknown = false,
  retentionDays?: number,
) {
  // Each test has its own relay, because an outcome may pause it.
  const relay = randomUUID();
  const messages: OutgoingMessage[] = [];
  const sender: MessageSender = {
    maxBatch: 1,
    async send(batch) {
      messages.push(...batch);
      return Promise.all(batch.map(answer));
    },
    close: async () => {},
  };
  const worker: Worker = startWorker({
    databaseUrl,
    databasePool: 2,
    concurrency: 2,
    delivery: {
      sender,
      render: { publicUrl: 'https://i.example', from: { name: 'Surveys', email: 'surveys@example.org' } },
      concurrency: 5,
      relay: { name: relay, rate: undefined },
      holdUnknown,
    },
    retentionDays,
    log,
    recorder,
  });
  t.teardown(() => worker.stop());
  return { worker, messages, relay };
}

const accept = (): Outcome => ({ kind: 'accepted', messageId: 'm-1' });

const invitationOf = async (batch: string) => {
  const [row] = await sql`select * from test.invitations where batch_id = ${batch}`;
  return row;
};
const whenInvitation = (batch: string, status: string) =>
  until(`the invitation is ${status}`, async () => {
    const row = await invitationOf(batch);
    return row?.status === status && row;
  });

t.test('an accepted request is sent once and settled as sent', async (t) => {
  const { messages, worker } = start(t, accept);
  const { batch } = await createBatch(store);
  t.match(await whenInvitation(batch, 'sent'), { relay_message_id: 'm-1', attempts: 1, due_at: null, worker_id: null });
  t.match(messages, [{ to: { email: 'ada@example.com', name: 'Ada' }, subject: 'Acme: Customer survey' }]);
  t.equal(messages.length, 1);
  await worker.stop();
});

t.test("a draft survey's email waits, and is sent when a plain UPDATE activates the survey", async (t) => {
  const requeued: unknown[] = [];
  const recorder = { attempt() {}, requeued: (...what: unknown[]) => requeued.push(what) } as unknown as Recorder;
  const { messages, worker } = start(t, accept, url, silent, recorder);
  const { batch, survey } = await createBatch(store, {}, { state: 'draft' });
  await whenInvitation(batch, 'waiting');
  t.equal(messages.length, 0);
  await sql`update invite.surveys set state = 'active' where id = ${survey}`;
  await whenInvitation(batch, 'sent');
  t.equal(messages.length, 1);
  t.same(requeued, [['activation', 1]], 'and is counted');
  await worker.stop();
});

t.test(
  "with hold, an email that may have been sent isn't sent again until a person asks; nor is one that a lost worker was sending",
  async (t) => {
    let answer: Outcome = { kind: 'unknown', code: 'timeout', detail: 'The relay did not respond in time.' };
    const orphaned = await createBatch(store);
    const lost = randomUUID();
    await store.recordHeartbeat(lost, null, 'test', 1);
    const [row] = await sql`select id from test.invitations where batch_id = ${orphaned.batch}`;
    await store.claimInvitations([Number(row?.id)], lost);
    await sql`update invite.workers set heartbeat_at = clock_timestamp() - interval '1 hour' where id = ${lost}`;
    const { messages } = start(t, () => answer, url, silent, undefined, true);
    t.match(await whenInvitation(orphaned.batch, 'failed'), { last_error_code: 'unconfirmed', last_error: /worker .* stopped/ });
    const { batch } = await createBatch(store);
    t.match(await whenInvitation(batch, 'failed'), { last_error_code: 'unconfirmed', attempts: 1 });
    answer = accept();
    await store.retryBatch(batch);
    t.match(await whenInvitation(batch, 'sent'), { attempts: 1, last_error_code: null, unconfirmed_since: null });
    t.equal(messages.length, 2);
  },
);

t.test('an email that the relay defers is queued for later, with the reason', async (t) => {
  const { worker } = start(t, () => ({ kind: 'retry', code: 'http_429', detail: 'Slow down.', afterSeconds: 600 }));
  const { batch } = await createBatch(store);
  const row = await until('the attempt is settled', async () => {
    const found = await invitationOf(batch);
    return found?.last_error && found;
  });
  t.match(row, { status: 'queued', attempts: 0, last_error_code: 'http_429', last_error: 'Slow down.', worker_id: null });
  t.ok(row.due_at > new Date(Date.now() + 500_000), 'not before the relay said');
  await until('a job is there for then', async () => {
    const jobs = await sql`
      select from graphile_worker.jobs as j
      where j.task_identifier = 'send_invitations'
        and j.run_at = (select i.due_at from test.invitations as i where i.batch_id = ${batch})`;
    return jobs.length === 1;
  });
  await sql`delete from invite.invitations where batch_id = ${batch}`;
  await worker.stop();
});

t.test(
  "the log follows an invitation by its id, says at info how it failed, and never has an address or the relay's text",
  async (t) => {
    const lines: Record<string, unknown>[] = [];
    const log = createLog('debug', { write: (line) => void lines.push(JSON.parse(line)) });
    const outcomes: Outcome[] = [
      { kind: 'retry', code: 'ada@example.com', detail: 'ada@example.com has a full mailbox.' },
      { kind: 'rejected', code: 'http_422', detail: 'ada@example.com is not an address.' },
    ];
    const { worker } = start(t, () => outcomes.shift() ?? accept(), url, log);
    const { batch, survey } = await createBatch(store);
    const id = await until('it has been tried', async () => {
      const row = await invitationOf(batch);
      return row?.status === 'queued' && row.attempts === 1 && String(row.id);
    });
    await sql`update invite.messages set not_before = clock_timestamp() where invitation_id = ${id}`;
    await sql`update graphile_worker._private_jobs set run_at = clock_timestamp() where run_at > clock_timestamp()`;
    await whenInvitation(batch, 'failed');
    // This adds a job whose invitation is already settled.
    await sql`select graphile_worker.add_job('send_invitations', ${sql.json({ survey_id: survey, invitation_ids: [Number(id)] })}::json)`;
    const ofIt = () => lines.filter(({ invitations }) => Array.isArray(invitations) && invitations.includes(id));
    await until('the job has run', () => ofIt().some(({ msg }) => String(msg).startsWith('emails not claimed')));
    await worker.stop();
    const common = { message_kind: 'invitation', survey, batches: [batch], level: 30 };
    t.match(ofIt(), [
      { msg: 'emails claimed', level: 20 },
      { ...common, msg: 'emails not sent, tried again later', attempts: 1, outcome: 'retry', code: undefined },
      { msg: 'emails settled', level: 20 },
      { msg: 'emails claimed', level: 20 },
      { ...common, msg: 'emails rejected by the relay', attempts: 2, outcome: 'rejected', code: 'http_422' },
      { msg: 'emails settled', level: 20 },
      { msg: /^emails not claimed/, level: 20 },
    ]);
    t.notMatch(JSON.stringify(lines), 'ada@example.com');
  },
);

t.test('an email is logged as failed at the attempt after which SQL gives up', async (t) => {
  const lines: Record<string, unknown>[] = [];
  const log = createLog('info', { write: (line) => void lines.push(JSON.parse(line)) });
  const { worker } = start(t, () => ({ kind: 'unknown', code: 'timeout', detail: 'No answer.' }), url, log);
  const { survey } = await createSurvey(store, { state: 'draft' });
  const { hash } = await createToken(store, survey);
  const accepted = await acceptTrigger(
    store,
    hash,
    { recipients: [{ email: 'a@example.com' }, { email: 'b@example.com' }] },
    10_000,
  );
  const batch = accepted.outcome === 'accepted' ? accepted.batchId : '';
  const rows = () =>
    sql`select id, status, attempts, last_error_code from test.invitations where batch_id = ${batch} order by id`;
  await until('both wait', async () => (await rows()).every(({ status }) => status === 'waiting'));
  const [one, two] = await rows();
  await sql`update invite.messages set attempts = ${MAX_ATTEMPTS - 2} where invitation_id = ${one?.id}`;
  await sql`update invite.messages set attempts = ${MAX_ATTEMPTS - 1} where invitation_id = ${two?.id}`;
  await sql`update invite.surveys set state = 'active' where id = ${survey}`;
  await until('both are settled', async () => (await rows()).every(({ last_error_code }) => last_error_code !== null));
  await worker.stop();
  t.match(await rows(), [
    { status: 'queued', attempts: MAX_ATTEMPTS - 1 },
    { status: 'failed', attempts: MAX_ATTEMPTS, last_error_code: 'gave_up' },
  ]);
  t.match(
    lines.filter(({ msg }) => msg === 'emails failed at their last attempt'),
    [{ invitations: [String(two?.id)], outcome: 'unknown', code: 'timeout' }],
  );
  await sql`delete from invite.invitations where batch_id = ${batch}`;
});

t.test('a stopping worker lets the send in flight finish, and settles it', async (t) => {
  const arrival = Promise.withResolvers<Outcome>();
  const { worker, messages } = start(t, () => arrival.promise);
  const { batch } = await createBatch(store);
  await until('the message is in flight', () => messages.length === 1);
  const stopped = worker.stop();
  t.equal((await invitationOf(batch))?.status, 'sending');
  arrival.resolve(accept());
  await stopped;
  t.match(await invitationOf(batch), { status: 'sent', attempts: 1, relay_message_id: 'm-1' });
});

t.test('a stopping worker releases claims that it had not started to send, without counting an attempt', async (t) => {
  const arrival = Promise.withResolvers<Outcome>();
  const { worker, messages } = start(t, () => arrival.promise);
  const recipients = Array.from({ length: 8 }, (_, index) => ({ email: `r${index}@example.com` }));
  const { batch } = await createBatch(store, { recipients });
  await until('as many sends are in flight as allowed', () => messages.length === 5);
  const stopped = worker.stop();
  arrival.resolve(accept());
  await stopped;
  t.equal(messages.length, 5, 'nothing more was sent');
  const rows = await sql`
    select status, attempts, due_at <= clock_timestamp() as due, count(*)::integer
    from test.invitations where batch_id = ${batch} group by 1, 2, 3 order by 4`;
  t.match(rows, [
    { status: 'queued', attempts: 0, due: true, count: 3 },
    { status: 'sent', attempts: 1, due: null, count: 5 },
  ]);
  await sql`delete from invite.invitations where batch_id = ${batch}`;
});

t.test('a worker has a row with its pool while it runs', async (t) => {
  const { worker } = start(t, accept);
  await worker.started;
  const rows = await sql`select pid, pool_id, heartbeat_at from invite.workers`;
  t.match(rows, [{ pid: process.pid, pool_id: String }]);
  t.equal(rows.length, 1);
  await worker.stop();
  t.same([...(await sql`select * from invite.workers`)], []);
});

t.test('a worker can be stopped while it starts', async (t) => {
  for (const when of ['at once', 'once it has registered']) {
    const { worker } = start(t, accept);
    if (when !== 'at once') await until('it has registered', async () => (await sql`select from invite.workers`).length > 0);
    let stopped = false;
    void worker.stop().then(() => {
      stopped = true;
    });
    await until(`it has stopped, told to ${when}`, () => stopped);
    t.same([...(await sql`select * from invite.workers`)], [], when);
  }
});

t.test('a worker started before its database exists waits for it', async (t) => {
  const name = `invite_test_${randomBytes(6).toString('hex')}`;
  const late = databaseUrl(cluster, name);
  const admin = openDatabase(cluster, { applicationName: 'tests', transactions: true });
  t.teardown(async () => {
    await admin.unsafe(`drop database if exists ${name} with (force)`);
    await admin.end();
  });
  const { worker } = start(t, accept, late);
  let started = false;
  const whenStarted = worker.started.then(() => (started = true));
  await admin.unsafe(`create database ${name}`);
  const lateSql = openDatabase(late, { applicationName: 'tests' });
  t.teardown(() => lateSql.end());
  await until('the worker has found the database without a schema', async () => {
    const rows =
      await lateSql`select from pg_stat_activity where datname = ${name} and application_name = 'invitation-trigger worker'`;
    return rows.length > 0;
  });
  t.notOk(started);
  await migrate(late);
  const { batch } = await createBatch(createStore(lateSql));
  await whenStarted;
  await until('the email has left', async () => {
    const rows = await lateSql`
      select from invite.messages as m join invite.invitations as i on i.id = m.invitation_id
      where i.batch_id = ${batch} and m.status = 'sent'`;
    return rows.length === 1;
  });
  await worker.stop();
});

t.test('the worker erases hourly if there is a retention, otherwise never', async (t) => {
  const crons = async () =>
    (await sql`select identifier from graphile_worker._private_known_crontabs`).map((row) => row.identifier as string);
  const without = start(t, accept);
  await without.worker.started;
  await until('the crontab is known', async () => (await crons()).length > 0);
  t.notOk((await crons()).includes('erase_expired'));
  await without.worker.stop();
  start(t, accept, url, silent, undefined, false, 30);
  await until('the crontab has it', async () => (await crons()).includes('erase_expired'));
});

t.test("files in tasks/, the worker's tasks, and the jobs that SQL and the crontab queue have the same names", async (t) => {
  const tasks = Object.keys(
    createTasks({
      store,
      delivery: { add: async () => {}, stop: async () => {}, openClaims: () => [], unclaimed: () => 0 },
      memberEmail: {
        sendSignInLink: async () => {},
        sendMemberInvitation: async () => {},
        sendTestInvitation: async () => {},
        sendGuardNotice: async () => {},
        sendWebhookWarning: async () => {},
      },
      testClocks: { advance: async () => {} },
      notifier: { wake() {} },
      publisher: { wake() {} },
      log: silent,
    }),
  ).sort();
  const files = readdirSync(new URL('../../tasks', import.meta.url)).map((file) => file.replace(/\.ts$/, ''));
  t.same(files.sort(), tasks);

  const folder = new URL('../../sql/', import.meta.url);
  const text = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.sql'))
    .map((file) => readFileSync(new URL(file, folder), 'utf8'))
    .join('\n');
  const specs = [...text.matchAll(/array_agg\(row\(\s*'(\w+)'(?:(?!array_agg)[^;])*?::graphile_worker\.job_spec/g)].map(
    ([, name]) => name,
  );
  const calls = [...text.matchAll(/(?:graphile_worker\.add_job|perform invite\.queue_looks)\(\s*'(\w+)'/g)].map(
    ([, name]) => name,
  );
  const adding = text.match(/graphile_worker\.add_job\((?!queue_looks\.task|\s*j\.task)|perform invite\.queue_looks\(/g);
  t.equal(text.match(/\)::graphile_worker\.job_spec/g)?.length, specs.length, 'every job spec was found');
  t.equal(adding?.length, calls.length, 'every add_job was found');
  const lines = crontabOf(90).split('\n');
  const crontab = lines.map((line) => /^(?:[\d*/]+ ){5}(\w+)(?: \?(?:jobKey=\1)?&?(?:priority=-1)?)?$/.exec(line)?.[1]);
  t.ok(crontab.length > 0 && !crontab.includes(undefined), 'every line of the crontab was read');
  t.same([...new Set([...specs, ...calls, ...crontab])].sort(), tasks);
});

t.test('a worker stopped with jobs queued stops at once, without an error, and leaves nothing locked', async (t) => {
  const { survey } = await createSurvey(store);
  const { hash } = await createToken(store, survey);
  for (let request = 0; request < 200; request += 1) {
    await acceptTrigger(store, hash, { recipients: [{ email: `person${request}@example.com` }] }, 10_000);
  }
  const lines: string[] = [];
  const log = createLog('warn', { write: (line) => void lines.push(line) });
  const { promise: told, resolve: tell } = Promise.withResolvers<void>();
  const { messages, worker } = start(t, () => told.then(accept), url, log);
  await until('as many sends are in flight as allowed, and others wait', () => messages.length === 5);
  const stopped = worker.stop();
  tell();
  await stopped;
  t.same(lines, []);
  const [row] = await sql`
    select
      (select count(*)::integer from graphile_worker.jobs where locked_by is not null) as locked,
      (select count(*)::integer from test.invitations where status = 'sending') as unsettled`;
  t.same(row, { locked: 0, unsettled: 0 });
  await until('its connections are gone', async () => {
    const open = await sql`
      select from pg_stat_activity where application_name = 'invitation-trigger jobs' and datname = current_database()`;
    return open.length === 0;
  });
});

t.test(
  'a relay with a wrong key gets a handful of emails, and all of them once the key is fixed; no attempt is counted',
  async (t) => {
    const { survey } = await createSurvey(store);
    const { hash } = await createToken(store, survey);
    const recipients = Array.from({ length: 250 }, (_, index) => ({ email: `key${index}@example.com` }));
    let broken = true;
    const lines: { level: number; msg: string; relay?: string; paused_until?: string }[] = [];
    const log = createLog('info', { write: (line) => lines.push(JSON.parse(line)) });
    const detail = 'The key is wrong for key7@example.com, see https://relay.example/secret';
    const answer = () => (broken ? ({ kind: 'config', code: 'bad_key', detail } as const) : accept());
    const { messages, relay } = start(t, answer, url, log);
    await acceptTrigger(store, hash, { recipients }, 10_000);
    const statuses = async () => [
      ...(await sql`select status, count(*)::integer as count, max(attempts) as attempts from test.invitations where survey_id = ${survey} group by 1`),
    ];
    await until('the relay is known to be at fault, and nothing is on its way', async () => {
      const [row] = await sql`select condition from invite.relay_health where id = ${relay}`;
      const [only, ...others] = await statuses();
      return row?.condition === 'fault' && only?.status === 'queued' && others.length === 0;
    });
    t.ok(messages.length <= 10, `${messages.length} messages`);
    t.match(await statuses(), [{ status: 'queued', count: 250, attempts: 0 }]);

    const ofRelay = () => lines.filter((line) => line.relay === relay);
    await until('the log says so', () => ofRelay().length > 0);
    t.match(ofRelay(), [
      {
        level: 40,
        condition: 'fault',
        code: 'bad_key',
        words: 'The key is wrong for (address), see (link)',
        paused_until: /^20\d\d-/,
      },
    ]);
    t.match(ofRelay()[0]?.msg, 'the relay takes no email');

    broken = false;
    const ours = () => messages.filter(({ to }) => to.email.startsWith('key')).length;
    const tried = ours();
    // Ends the pause, so that the test doesn't wait for it. The probe is sent first.
    const endPause = async () => {
      const { count } = await sql`
        update invite.relays set paused_until = clock_timestamp() where id = ${relay} and paused_until > clock_timestamp()`;
      if (count === 0) return;
      await sql`update invite.messages set not_before = clock_timestamp() where survey_id = ${survey} and status = 'queued'`;
      await sql`update graphile_worker._private_jobs set run_at = clock_timestamp() where run_at > clock_timestamp()`;
    };
    await until('all are sent', async () => {
      await endPause();
      const [only, ...others] = await statuses();
      return only?.status === 'sent' && others.length === 0;
    });
    t.equal(ours() - tried, 250, 'each once');
    t.match((await sql`select condition from invite.relay_health where id = ${relay}`)[0], { condition: 'healthy' });
    await until('the log says so', () => ofRelay().length > 1);
    t.match(
      ofRelay().slice(1),
      [{ level: 40, condition: 'healthy', msg: 'the relay takes email again', fault: /^20\d\d-/ }],
      'once',
    );
  },
);
