// Webhooks to real receivers. The reference libraries verify the signatures, retries keep the same id, endpoints don't affect each other,
// and no request goes to a private network.
import { randomUUID } from 'node:crypto';
import type { LookupAddress } from 'node:dns';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import { Webhook as Svix } from 'svix';
import t from 'tap';
import { createNetworks, lookupOnly } from '../../src/events/networks.ts';
import { createWebhookSender, sign } from '../../src/events/webhook-sender.ts';
import { createWebhooks } from '../../src/events/webhooks.ts';
import { createLog } from '../../src/log.ts';
import { createKeyring } from '../../src/sealed.ts';
import { createWebhookSecret } from '../../src/secret.ts';
import replayTask from '../../tasks/replay_webhooks.ts';
import { clearJobs, constraint, sqlstate } from '../fixtures/inspect.ts';
import { createReceiver } from '../fixtures/receiver.ts';
import { createSurvey, createTestDatabase, createToken, silent, until } from '../fixtures/setup.ts';
import { acceptTrigger } from '../fixtures/trigger.ts';
import { createWebhook, keys, rotateWebhookSecret, SECRET_KEYS } from '../fixtures/webhooks.ts';

const { sql, store } = await createTestDatabase(t);
const LOOPBACK = ['127.0.0.1/32'];
const sender = createWebhookSender(LOOPBACK, 60);
const impatient = createWebhookSender(LOOPBACK, 1);
t.teardown(() => Promise.all([sender.close(), impatient.close()]));

async function setup(url: string, types?: string[]) {
  const fixture = await createSurvey(store, { state: 'draft' });
  return { ...fixture, ...(await createWebhook(store, fixture.workspace, url, types)) };
}
const setState = (survey: string, state: string) => sql`update invite.surveys set state = ${state} where id = ${survey}`;
const publish = () => until('all is published', async () => (await store.publishEvents(1000)) === 0);
const logOf = (endpoint: string) => sql`select * from invite.webhook_log where endpoint_id = ${endpoint} order by id`;
const endpointOf = async (id: string) => (await sql`select * from invite.webhook_overview where id = ${id}`)[0];
const later = (seconds: number) => new Date(Date.now() + seconds * 1000);
const SCHEDULE = [1_000, 10_000];

/** Runs one round: claims and sends what is due this many seconds from now. Returns the number of requests. */
async function deliver(seconds = 1, through = sender): Promise<number> {
  const rows = await sql`select * from invite.claim_webhooks(100, 60, 4, ${later(seconds)})`;
  const claimed = rows.map((row) => ({
    id: row.id,
    attempts: row.attempts,
    endpointId: row.endpoint_id,
    url: row.url,
    secrets: row.secrets.map((secret: string) => keys.open(secret, { kind: 'webhook', id: row.endpoint_id })),
    eventId: row.event_id,
    body: row.body,
  }));
  for (const webhook of claimed) {
    const { status, responseStart, errorCode, retryAfterSeconds } = await through.send(webhook);
    await sql`
      select invite.settle_webhook(
        ${webhook.id}, ${webhook.attempts}, ${SCHEDULE}::integer[], ${status ?? null}, ${responseStart ?? null}, ${errorCode ?? null},
        ${retryAfterSeconds ?? null}, ${later(seconds)})`;
  }
  return claimed.length;
}

t.beforeEach(() => sql`delete from invite.webhook_endpoints`);

t.test('the published vector of Standard Webhooks holds', async (t) => {
  t.equal(
    sign('whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'msg_p5jXN8AQM9LWM0D4loKWxJek', '1614265330', '{"test": 2432232314}'),
    'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  );
});

t.test('an event arrives once, as the reference libraries verify it, and during a rotation by either secret', async (t) => {
  const receiver = await createReceiver(t);
  const endpoint = await setup(receiver.url);
  await setState(endpoint.survey, 'active');
  await publish();
  t.equal(await deliver(), 1);
  t.equal(await deliver(1000), 0);
  const [call] = receiver.calls;
  const headers = (call?.headers ?? {}) as Record<string, string>;
  for (const library of [new StandardWebhook(endpoint.secret), new Svix(endpoint.secret)]) {
    t.match(library.verify(call?.body ?? '', headers), {
      type: 'survey.activated',
      version: 1,
      data: { survey: endpoint.survey },
    });
  }
  t.throws(() => new Svix(endpoint.secret).verify(`${call?.body} `, headers), 'and they notice a change');
  t.equal(headers['webhook-id'], JSON.parse(call?.body ?? '').id);
  t.match(await logOf(endpoint.id), [{ status: 'delivered', attempts: 1, response_status: 200 }]);

  const second = await rotateWebhookSecret(store, endpoint.id, 60);
  await store.sendTestWebhook(endpoint.id);
  await deliver();
  const rotated = receiver.calls[1];
  for (const secret of [endpoint.secret, second])
    t.match(new Svix(secret).verify(rotated?.body ?? '', rotated?.headers as Record<string, string>), { type: 'webhook.test' });
  await sql`update invite.webhook_endpoints set previous_secret_until = now() where id = ${endpoint.id}`;
  await store.sendTestWebhook(endpoint.id);
  await deliver();
  const after = receiver.calls[2];
  t.throws(() => new Svix(endpoint.secret).verify(after?.body ?? '', after?.headers as Record<string, string>));
});

t.test('an endpoint that takes all events gets no deferral, unless it names that type', async (t) => {
  const [wanted] = await sql`
    select
      invite.is_event_wanted(null, 'invitation.deferred') as all, invite.is_event_wanted('{invitation.deferred}', 'invitation.deferred') as named,
      invite.is_event_wanted('{survey.closed}', 'invitation.deferred') as others, invite.is_event_wanted(null, 'invitation.skipped') as skipped`;
  t.strictSame(wanted, { all: false, named: true, others: false, skipped: true });
});

t.test('an endpoint gets the types that it wants, of its own workspace', async (t) => {
  const receiver = await createReceiver(t);
  const [endpoint, other] = [await setup(receiver.url, ['survey.closed']), await setup((await createReceiver(t)).url)];
  for (const { survey } of [endpoint, other]) for (const state of ['active', 'closed']) await setState(survey, state);
  await publish();
  while ((await deliver()) > 0);
  t.match(
    receiver.calls.map(({ body }) => JSON.parse(body)),
    [{ type: 'survey.closed', data: { survey: endpoint.survey } }],
  );
  t.equal(receiver.calls.length, 1);
});

t.test(
  'what fails comes again by the schedule under the same id, and is given up after it; then it can be replayed',
  async (t) => {
    let works = false;
    const receiver = await createReceiver(t, () => (works ? 204 : [500, {}, `no ${'x'.repeat(5000)}`]));
    const endpoint = await setup(receiver.url);
    await setState(endpoint.survey, 'active');
    await publish();
    t.equal(await deliver(), 1);
    t.match(await logOf(endpoint.id), [
      { status: 'pending', pending_reason: 'retry_later', response_status: 500, response_start: /^no x+$/ },
    ]);
    t.equal(await deliver(900), 0, 'not before');
    t.equal(await deliver(1_500), 1);
    t.equal(await deliver(20_000), 1);
    t.match(await logOf(endpoint.id), [{ status: 'failed', attempts: 3 }]);
    await sql`update invite.webhook_deliveries set created_at = created_at - interval '4 days' where endpoint_id = ${endpoint.id}`;
    t.match(await endpointOf(endpoint.id), { failing_since: Date, failed: '1', pending: '0' });
    t.equal(await deliver(100_000), 0);
    t.equal(new Set(receiver.calls.map(({ headers }) => headers['webhook-id'])).size, 1);

    works = true;
    t.equal(await store.replayWebhooks(endpoint.id), 1);
    await deliver();
    t.match(await logOf(endpoint.id), [{ status: 'delivered', attempts: 1, response_status: 204 }]);
    t.match(await endpointOf(endpoint.id), { failing_since: null });
    t.equal(await store.replayWebhooks(endpoint.id), 0, 'nothing has failed');
    const [row] = await logOf(endpoint.id);
    t.equal(await store.replayWebhooks(endpoint.id, { deliveryId: row?.id }), 1, 'one');
    await deliver();
    t.equal(await store.replayWebhooks(endpoint.id, { since: later(-3600) }), 1, 'a range');
    await deliver();
    t.equal(new Set(receiver.calls.map(({ headers }) => headers['webhook-id'])).size, 1);
  },
);

t.test('a new endpoint can be given what happened before', async (t) => {
  const first = await setup((await createReceiver(t)).url);
  await setState(first.survey, 'active');
  await publish();
  const receiver = await createReceiver(t);
  const { id } = await createWebhook(store, first.workspace, receiver.url);
  t.equal(await store.replayWebhooks(id, { since: later(-3600) }), 1);
  while ((await deliver()) > 0);
  t.match(receiver.calls, [{ body: /survey.activated/ }]);
});

t.test('a hanging, a breaking and a redirecting endpoint fail with a code, and what one asks for is kept', async (t) => {
  const target = await createReceiver(t);
  const cases = [
    ['hang', { error_code: 'timeout', response_status: null }],
    ['reset', { error_code: 'und_err_socket' }],
    [[302, { location: target.url }, ''], { response_status: 302 }],
    [[429, { 'retry-after': '500' }, ''], { response_status: 429 }],
    [[503, { 'retry-after': '99999999999' }, ''], { response_status: 503 }],
  ] as const;
  for (const [answer, expected] of cases) {
    const endpoint = await setup((await createReceiver(t, () => answer as never)).url);
    await store.sendTestWebhook(endpoint.id);
    await deliver(1, answer === 'hang' ? impatient : sender);
    const [row] = await logOf(endpoint.id);
    t.match(row, { status: 'pending', ...expected }, String(answer));
    if (row?.response_status === 429) t.ok(row.due_at > later(400), 'Retry-After');
  }
  t.same(target.calls, [], 'no redirect is followed');
});

t.test('of what an endpoint responds nothing steers a terminal or turns a page around', async (t) => {
  const endpoint = await setup((await createReceiver(t, () => [500, {}, '\u001b[2J\u202eno\r\n\0\u2066way\ufffe'])).url);
  await store.sendTestWebhook(endpoint.id);
  await deliver();
  t.match(await logOf(endpoint.id), [{ response_start: '[2J no way\ufffe' }]);
});

t.test('410 disables an endpoint, until it is resumed', async (t) => {
  let gone = true;
  const receiver = await createReceiver(t, () => (gone ? 410 : 200));
  const endpoint = await setup(receiver.url);
  await setState(endpoint.survey, 'active');
  await publish();
  await deliver();
  t.match(await logOf(endpoint.id), [{ status: 'failed', response_status: 410 }]);
  t.match(await endpointOf(endpoint.id), { disabled_at: Date });
  await setState(endpoint.survey, 'closed');
  await publish();
  t.equal((await logOf(endpoint.id)).length, 1, 'it gets nothing more');
  gone = false;
  await store.setWebhookPaused(endpoint.id, false);
  await store.replayWebhooks(endpoint.id, { since: later(-3600) });
  await deliver();
  t.equal(receiver.calls.length, 3);
});

t.test('a paused endpoint keeps its events', async (t) => {
  const receiver = await createReceiver(t);
  const endpoint = await setup(receiver.url);
  await store.setWebhookPaused(endpoint.id, true);
  await setState(endpoint.survey, 'active');
  await publish();
  t.equal(await deliver(), 0);
  t.match(await logOf(endpoint.id), [{ status: 'pending', pending_reason: 'paused' }]);
  await store.setWebhookPaused(endpoint.id, false);
  t.equal(await deliver(), 1);
});

t.test('an endpoint that hangs has at most its share in flight, and delays no other', async (t) => {
  const hanging = await setup((await createReceiver(t, () => 'hang')).url);
  const quick = await setup((await createReceiver(t)).url);
  for (let count = 0; count < 20; count += 1) await store.sendTestWebhook(hanging.id);
  await store.sendTestWebhook(quick.id);
  const claim = () => sql<{ endpoint_id: string }[]>`select endpoint_id from invite.claim_webhooks(50, 60, 4, ${later(1)})`;
  const first = (await claim()).map(({ endpoint_id }) => endpoint_id);
  t.same([first.filter((id) => id === hanging.id).length, first.filter((id) => id === quick.id).length], [4, 1]);
  t.same(await claim(), []);
  t.equal(
    (await sql`select from invite.claim_webhooks(50, 60, 4, ${later(65)})`).length,
    5,
    'what a lost worker had comes again',
  );
  await sql`delete from invite.webhook_endpoints where id in ${sql([hanging.id, quick.id])}`;
});

t.test(
  'twenty endpoints of a workspace that hang delay no other workspace, and have at most a quarter of the places',
  async (t) => {
    const hanging = await createReceiver(t, () => 'hang');
    const endpoint = await setup(hanging.url);
    for (let index = 1; index < 20; index += 1) await createWebhook(store, endpoint.workspace, `${hanging.url}${index}`);
    for (let event = 0; event < 12; event += 1) {
      await setState(endpoint.survey, 'active');
      await setState(endpoint.survey, 'closed');
    }
    await publish();
    const patient = createWebhookSender(LOOPBACK, 600);
    const webhooks = createWebhooks({ store, sender: patient, keys, schedule: SCHEDULE, log: silent });
    // A failing test must end too.
    t.teardown(async () => {
      await patient.close();
      await webhooks.stop();
    });
    webhooks.wake();
    const inFlight = async () =>
      Number((await sql`select count(*) from invite.webhook_deliveries where leased_until > now()`)[0]?.count);
    await until(
      'all that may be is in flight',
      async () => hanging.calls.length >= 12 && (await inFlight()) === hanging.calls.length,
    );
    const receiver = await createReceiver(t);
    const other = await setup(receiver.url);
    await store.sendTestWebhook(other.id);
    webhooks.wake();
    await until('the other workspace has its event', () => receiver.calls.length === 1);
    t.equal(hanging.calls.length, 12);
  },
);

t.test('workspaces take turns at the places, even if one has more that is older', async (t) => {
  const [many, few] = [await setup('http://127.0.0.1:9/'), await setup('http://127.0.0.1:9/')];
  const second = await createWebhook(store, many.workspace, 'http://127.0.0.1:9/b');
  for (let event = 0; event < 5; event += 1) for (const { id } of [many, second]) await store.sendTestWebhook(id);
  await store.sendTestWebhook(few.id);
  const claim = async (rows: number) =>
    (await sql`select endpoint_id from invite.claim_webhooks(${rows}, 60, 4, ${later(1)})`).map((row) => row.endpoint_id);
  t.ok((await claim(2)).includes(few.id), 'the second place is the other workspace’s');
  await store.sendTestWebhook(few.id);
  await claim(3);
  const left = await sql`select from invite.webhook_deliveries where endpoint_id = ${few.id} and leased_until is null`;
  t.equal(left.length, 0, 'who has fewer in flight comes first');
});

t.test('test workspaces take the places of their workspace, and its real events come in turn with theirs', async (t) => {
  const real = await setup('http://127.0.0.1:9/');
  const tests: string[] = [];
  for (let count = 0; count < 5; count += 1) {
    const test = await store.createTestWorkspace(real.workspace, undefined);
    for (let index = 0; index < 4; index += 1) tests.push((await createWebhook(store, test, 'http://127.0.0.1:9/')).id);
  }
  for (const id of tests) for (let event = 0; event < 4; event += 1) await store.sendTestWebhook(id);
  await store.sendTestWebhook(real.id);
  const claim = async (rows: number) =>
    (await sql`select endpoint_id from invite.claim_webhooks(${rows}, 60, 4, ${later(1)})`).map((row) => row.endpoint_id);
  const first = await claim(6);
  t.ok(first.includes(real.id), 'one of each before a second of any');
  t.equal(first.length + (await claim(50)).length, 12);
  t.same(await claim(50), [], 'six workspaces, and one share');
});

t.test('an endpoint that is paused or resumed again is no new entry in the audit log', async (t) => {
  const endpoint = await setup('http://127.0.0.1:9/');
  for (const paused of [false, true, true, true, false, false]) await store.setWebhookPaused(endpoint.id, paused);
  const entries = await sql`
    select action::text from invite.audit_log
    where workspace_id = ${endpoint.workspace} and action in ('webhook_paused', 'webhook_resumed') order by id`;
  t.same(
    entries.map(({ action }) => action),
    ['webhook_paused', 'webhook_resumed'],
  );
  await sql`update invite.webhook_endpoints set disabled_at = now() where id = ${endpoint.id}`;
  await store.setWebhookPaused(endpoint.id, false);
  t.match(await endpointOf(endpoint.id), { disabled_at: null }, 'one that a 410 has disabled is resumed');
});

t.test('an endpoint that takes five seconds on average has one place, until it is faster', async (t) => {
  const endpoint = await setup('http://127.0.0.1:9/');
  for (let event = 0; event < 60; event += 1) await store.sendTestWebhook(endpoint.id);
  let now = 1;
  const round = async (seconds: number) => {
    const rows = await sql`select id, attempts from invite.claim_webhooks(100, 60, 4, ${later(now)})`;
    now += seconds;
    for (const { id, attempts } of rows)
      await sql`select invite.settle_webhook(${id}, ${attempts}, ${SCHEDULE}::integer[], 200, at => ${later(now)})`;
    return rows.length;
  };
  t.equal(await round(0.5), 4);
  t.match(
    await sql`select mean_seconds from invite.webhook_endpoints where id = ${endpoint.id}`,
    [{ mean_seconds: 0 }],
    'fast: nothing is written',
  );
  t.equal(await round(12), 4);
  t.equal(await round(12), 1, 'it is slow now');
  let rounds = 0;
  while ((await round(1)) === 1 && rounds < 30) rounds += 1;
  t.ok(rounds > 1 && rounds < 15, `after ${rounds} faster ones it has its places again`);
});

t.test('an attempt that is no longer the last settles nothing', async (t) => {
  const endpoint = await setup((await createReceiver(t)).url);
  const id = await store.sendTestWebhook(endpoint.id);
  await sql`select from invite.claim_webhooks(50, 60, 4, ${later(1)})`;
  await sql`select from invite.claim_webhooks(50, 60, 4, ${later(65)})`;
  await store.settleWebhook({ id, attempts: 1 }, SCHEDULE, { status: 200 });
  t.match(await logOf(endpoint.id), [{ status: 'pending', attempts: 2 }]);
  await store.settleWebhook({ id, attempts: 2 }, SCHEDULE, { status: 200 });
  t.match(await logOf(endpoint.id), [{ status: 'delivered' }]);
});

t.test('the owners are told once, after a day of failing', async (t) => {
  const endpoint = await setup((await createReceiver(t, () => 500)).url);
  await store.sendTestWebhook(endpoint.id);
  const jobs = async () =>
    (
      await sql`select payload from graphile_worker._private_jobs as j join graphile_worker._private_tasks as k on k.id = j.task_id
      where k.identifier = 'send_webhook_warning' and j.payload ->> 'endpoint_id' = ${endpoint.id}`
    ).length;
  await deliver();
  await deliver(1_500);
  t.equal(await jobs(), 0);
  await sql`update invite.webhook_endpoints set failing_since = now() - interval '25 hours' where id = ${endpoint.id}`;
  await deliver(20_000);
  t.equal(await jobs(), 1);
  await store.sendTestWebhook(endpoint.id);
  await deliver();
  t.equal(await jobs(), 1);
  t.match(await store.findWebhookWarning(endpoint.id), { url: /127/, workspaceName: 'Acme', lastError: '500', owners: [] });
});

t.test('erasing a recipient reaches what receivers responded; deleting a workspace, its endpoints', async (t) => {
  const endpoint = await setup((await createReceiver(t, () => [200, {}, 'thanks for ada@example.com'])).url);
  await sql`update invite.surveys set state = 'active' where id = ${endpoint.survey}`;
  const token = await createToken(store, endpoint.survey);
  const answer = await acceptTrigger(store, token.hash, { recipients: [{ email: 'ada@example.com' }] }, 100);
  await store.cancelBatch(answer.outcome === 'accepted' ? answer.batchId : '');
  await publish();
  while ((await deliver()) > 0);
  const quoted = async () => (await logOf(endpoint.id)).filter(({ response_start }) => /ada@/.test(response_start)).length;
  t.equal(await quoted(), 3);
  await store.eraseEmail(endpoint.workspace, 'ada@example.com', false);
  t.equal(await quoted(), 2, 'that of the invitation is gone');
  while ((await store.deleteWorkspace(endpoint.workspace)).more);
  t.same(await logOf(endpoint.id), []);
});

t.test('the loop delivers what comes, and stops when all in flight is settled', async (t) => {
  const receiver = await createReceiver(t);
  const endpoint = await setup(receiver.url);
  const loop = createWebhooks({ store, sender, keys, schedule: SCHEDULE, log: silent });
  for (let count = 0; count < 30; count += 1) await store.sendTestWebhook(endpoint.id);
  loop.wake();
  await until('all have arrived', () => receiver.calls.length >= 30);
  await loop.stop();
  t.same(new Set((await logOf(endpoint.id)).map(({ status }) => status)), new Set(['delivered']));
});

t.test("the event of a response arrives with the address of the response's page, signed with it", async (t) => {
  const receiver = await createReceiver(t);
  const endpoint = await setup(receiver.url, ['response.submitted']);
  await setState(endpoint.survey, 'active');
  const { responseId } = await store.submitResponse(endpoint.survey, { score: 9 }, undefined);
  await publish();
  const loop = createWebhooks({ store, sender, publicUrl: 'https://x.example', keys, schedule: SCHEDULE, log: silent });
  loop.wake();
  const call = await until('it has arrived', () => receiver.calls[0]);
  await loop.stop();
  t.equal(JSON.parse(call.body).data.response.url, `https://x.example/surveys/${endpoint.survey}/responses/${responseId}`);
  t.ok(new StandardWebhook(endpoint.secret).verify(call.body, call.headers as Record<string, string>));
});

t.test('a secret that cannot be read fails its own endpoint only, with the reason in the log and nothing sent', async (t) => {
  const receiver = await createReceiver(t);
  const [works, unknown, damaged] = [await setup(receiver.url), await setup(receiver.url), await setup(receiver.url)];
  const foreign = createKeyring([Buffer.alloc(32, 9).toString('base64')]);
  await sql`update invite.webhook_endpoints set secret = ${foreign.seal(unknown.secret, { kind: 'webhook', id: unknown.id })} where id = ${unknown.id}`;
  // What was sealed for one endpoint can't be put to another.
  await sql`update invite.webhook_endpoints set secret = (select secret from invite.webhook_endpoints where id = ${works.id}) where id = ${damaged.id}`;
  const lines: string[] = [];
  const log = createLog('error', { write: (line) => lines.push(line) });
  const loop = createWebhooks({ store, sender, keys, schedule: [3600], log });
  for (const { id } of [unknown, damaged, works]) await store.sendTestWebhook(id);
  loop.wake();
  await until('the other endpoint has got its event', async () => (await logOf(works.id))[0]?.status === 'delivered');
  await until('both are settled', async () =>
    [...(await logOf(unknown.id)), ...(await logOf(damaged.id))].every(({ error_code }) => error_code !== null),
  );
  await loop.stop();
  t.equal(receiver.calls.length, 1);
  t.match(await logOf(unknown.id), [{ status: 'pending', pending_reason: 'retry_later', error_code: 'unknown_secret_key' }]);
  t.match(await logOf(damaged.id), [{ status: 'pending', error_code: 'damaged_secret' }]);
  t.equal(lines.filter((line) => line.includes('SECRET_KEYS')).length, 2);
  t.notMatch(lines.join(''), /whsec_|sealed\./);

  // With the key again, the next attempt arrives, signed as before.
  await sql`update invite.webhook_deliveries set due_at = now() where endpoint_id = ${unknown.id}`;
  const both = createWebhooks({
    store,
    sender,
    keys: createKeyring([SECRET_KEYS, Buffer.alloc(32, 9).toString('base64')]),
    schedule: [3600],
    log: silent,
  });
  both.wake();
  await until('it arrives', async () => (await logOf(unknown.id))[0]?.status === 'delivered');
  await both.stop();
  const { body = '', headers } = receiver.calls[1] ?? {};
  t.match(new Svix(unknown.secret).verify(body, headers as Record<string, string>), { type: 'webhook.test' });
});

t.test('the database takes no secret that is not encrypted, and holds none', async (t) => {
  const endpoint = await setup('https://x.example/');
  const plain = createWebhookSecret();
  t.equal(
    await constraint(store.createWebhook(randomUUID(), endpoint.workspace, { url: 'https://y.example/', secret: plain })),
    'webhook_endpoints_secret_sealed',
  );
  t.equal(await constraint(store.rotateWebhookSecret(endpoint.id, plain, 60)), 'webhook_endpoints_secret_sealed');
  const previous = sql`update invite.webhook_endpoints set previous_secret = ${plain} where id = ${endpoint.id}`;
  t.equal(await constraint(previous), 'webhook_endpoints_previous_secret_sealed');
  await rotateWebhookSecret(store, endpoint.id, 60);
  const [row] = await sql`select w::text as text from invite.webhook_endpoints as w where id = ${endpoint.id}`;
  t.notMatch(row?.text, /whsec/);
});

t.test('only public addresses are reached, unless the operator names a network', async (t) => {
  const open = createNetworks();
  const forbidden = [
    ...[
      '127.0.0.1',
      '10.1.2.3',
      '172.31.0.1',
      '192.168.1.1',
      '169.254.169.254',
      '100.64.0.1',
      '0.0.0.0',
      '224.0.0.1',
      '255.255.255.255',
      '168.63.129.16',
    ],
    ...[
      '::',
      '::1',
      '::ffff:127.0.0.1',
      '::ffff:8.8.8.8',
      '::127.0.0.1',
      'fe80::1',
      'fc00::1',
      'fd00:ec2::254',
      '64:ff9b::7f00:1',
      '2002:7f00:1::',
      '::ffff:0:127.0.0.1',
      '4000::1',
    ],
    'not an address',
  ];
  for (const address of forbidden) t.notOk(open.isAllowed(address), address);
  for (const address of ['8.8.8.8', '93.184.216.34', '2606:2800:220:1::1']) t.ok(open.isAllowed(address), address);
  t.ok(createNetworks(['10.0.0.0/8']).isAllowed('10.1.2.3'));
  t.notOk(createNetworks(['10.0.0.0/8']).isAllowed('127.0.0.1'));
  t.ok(createNetworks(['::1/128']).isAllowed('::1'));
  t.ok(createNetworks(['168.63.129.16/32']).isNamed('168.63.129.16'));
  t.notOk(createNetworks(['fd00::/8']).isAllowed('10.0.0.1'));

  const strict = createWebhookSender([], 60);
  t.teardown(() => strict.close());
  const receiver = await createReceiver(t);
  const { port } = new URL(receiver.url);
  const webhook = {
    id: '1',
    attempts: 1,
    endpointId: 'x',
    secrets: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
    eventId: 'e',
    body: '{}',
  };
  for (const host of ['127.0.0.1', '2130706433', '0x7f.1', 'localhost', '[::1]', '[::ffff:127.0.0.1]', '127.1'])
    for (const scheme of ['http', 'https'])
      t.same(
        await strict.send({ ...webhook, url: `${scheme}://${host}:${port}/` }),
        { errorCode: 'forbidden_address' },
        `${scheme} ${host}`,
      );
  t.same(receiver.calls, []);
  t.match(await sender.send({ ...webhook, url: receiver.url }), { status: 200 });
});

t.test('a network that has a special one as a part is refused, so that none is opened by chance', async (t) => {
  for (const network of [
    '::/0',
    '::/3',
    '::/8',
    '8000::/1',
    '::ffff:0:0/96',
    '::ffff:0.0.0.0/97',
    '0.0.0.0/0',
    '126.0.0.0/7',
    '168.63.0.0/16',
  ])
    t.throws(
      () => createNetworks([network]),
      { name: 'ConfigError', message: `WEBHOOK_ALLOW is too wide: ${network} includes ` },
      network,
    );
  for (const network of [
    '127.0.0.0/8',
    '127.0.0.1/32',
    '10.0.0.0/8',
    '8.8.8.0/24',
    'fc00::/7',
    'fe80::/10',
    '64:ff9b::/96',
    '2606:2800::/32',
  ])
    t.ok(createNetworks([network]).isNamed(network.split('/')[0] ?? ''), network);
});

t.test('a name is judged by the addresses that are connected to, all of them', async (t) => {
  const resolving = (...addresses: string[]) =>
    ((_: string, __: object, callback: (error: null, found: LookupAddress[]) => void) =>
      callback(
        null,
        addresses.map((address) => ({ address, family: 4 })),
      )) as never;
  const look = (resolve: never, all: boolean) =>
    new Promise((done) =>
      lookupOnly(createNetworks().isAllowed, resolve)('x.example', { all }, (error, address) => done(error?.code ?? address)),
    );
  t.equal(await look(resolving('8.8.8.8'), false), '8.8.8.8');
  t.match(await look(resolving('8.8.8.8', '8.8.4.4'), true), [{ address: '8.8.8.8' }, {}]);
  t.equal(await look(resolving('8.8.8.8', '10.0.0.1'), true), 'forbidden_address');
  t.equal(await look(resolving('127.0.0.1'), false), 'forbidden_address');
  t.equal(await look(resolving(), true), 'forbidden_address');
});

t.test('an address that can be no endpoint is rejected', async (t) => {
  const { workspace } = await createSurvey(store);
  for (const url of [
    'ftp://x.example/',
    'https://',
    'https://user:secret@x.example/',
    'https://x.example/#a',
    'https://x.example/ a',
    'x',
  ])
    t.equal(await sqlstate(createWebhook(store, workspace, url)), '23514', url);
  t.equal(await sqlstate(createWebhook(store, 'none', 'https://x.example/')), 'P0002');
});

t.test('a workspace has a bounded number of endpoints, each of which costs a row for every event', async (t) => {
  const { workspace } = await createSurvey(store);
  const create = () => createWebhook(store, workspace, 'https://x.example/');
  const { id } = await create();
  for (let count = 1; count < 20; count += 1) await create();
  t.match(await create().catch((error) => error), { code: '23514', constraint_name: 'webhook_endpoints_many' });
  await store.deleteWebhook(id);
  await create();
});

t.test('a deleted endpoint is gone at once, however many events wait for it, and they follow in steps', async (t) => {
  const receiver = await createReceiver(t, () => 500);
  const endpoint = await setup(receiver.url);
  for (const state of ['active', 'closed', 'active', 'closed']) await setState(endpoint.survey, state);
  await publish();
  t.equal(await deliver(), 4);
  for (const state of ['active', 'closed', 'active']) await setState(endpoint.survey, state);
  await publish();
  t.match(await endpointOf(endpoint.id), { pending: '7', failing_since: Date });

  await clearJobs(sql);
  const [inFlight] = await sql`select * from invite.claim_webhooks(1, 60, 4, ${later(5)})`;
  await store.deleteWebhook(endpoint.id);
  await sql`select invite.settle_webhook(${inFlight?.id}, ${inFlight?.attempts}, '{1,1,1}', 500)`;
  t.equal(await endpointOf(endpoint.id), undefined);
  t.strictSame([...(await logOf(endpoint.id))], []);
  t.equal(await deliver(), 0);
  t.match(await sql`select count from invite.count_events() where state = 'webhooks_failing'`, [{ count: '0' }]);
  for (const refused of [
    () => store.deleteWebhook(endpoint.id),
    () => store.setWebhookPaused(endpoint.id, false),
    () => store.replayWebhooks(endpoint.id),
    () => store.sendTestWebhook(endpoint.id),
  ])
    t.equal(await sqlstate(refused()), 'P0002');
  await setState(endpoint.survey, 'closed');
  await publish();
  const rest = async () => {
    const [row] = await sql`
      select (select count(*)::integer from invite.webhook_endpoints where id = ${endpoint.id}) as endpoints,
        (select count(*)::integer from invite.webhook_deliveries where endpoint_id = ${endpoint.id}) as deliveries`;
    return [row?.endpoints, row?.deliveries];
  };
  t.strictSame(await rest(), [1, 7]);
  const asked = async () => (await sql`select from graphile_worker.jobs where task_identifier = 'prune_expired'`).length;
  t.equal(await asked(), 1, 'it is asked for');
  await sql`select test.prune_expired(4)`;
  t.strictSame(await rest(), [1, 3]);
  t.equal(await asked(), 2, 'and again, because there is more');
  await sql`select test.prune_expired(4)`;
  t.strictSame(await rest(), [0, 0]);
});

t.test('what failed is sent again in steps, however much it is', async (t) => {
  const receiver = await createReceiver(t, () => 500);
  const endpoint = await setup(receiver.url);
  for (const state of ['active', 'closed', 'active', 'closed', 'active']) await setState(endpoint.survey, state);
  await publish();
  const failed = async () =>
    (
      await sql`update invite.webhook_deliveries set status = 'failed', due_at = null where endpoint_id = ${endpoint.id} returning id`
    ).length;
  for (const since of [null, later(-3600)]) {
    t.equal(await failed(), 5);
    const steps = [];
    for (let after: string | null = '0'; after !== null; ) {
      const [step]: { replayed: number; next: string | null }[] =
        await sql`select * from invite.replay_webhooks(${endpoint.id}, null, ${since}, ${after}, 2)`;
      steps.push(step?.replayed);
      after = step?.next ?? null;
    }
    t.strictSame(steps, [2, 2, 1]);
    t.match(await endpointOf(endpoint.id), { pending: '5', failed: '0' });
  }

  // This replays as the job does, after the page has done the first step.
  t.equal(await failed(), 5);
  const [first] = await sql`select next from invite.replay_webhooks(${endpoint.id}, max_rows => 2)`;
  const jobs: unknown[] = [];
  const helpers = { addJob: async (...job: unknown[]) => jobs.push(job) } as never;
  await replayTask({ store })({ endpoint_id: endpoint.id, after: first?.next }, helpers);
  t.match(await endpointOf(endpoint.id), { pending: '5' });
  t.strictSame(jobs, []);
  await store.deleteWebhook(endpoint.id);
  await replayTask({ store })({ endpoint_id: endpoint.id, after: '0' }, helpers);
});
