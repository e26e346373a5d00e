// The header Idempotency-Key: its allowed values, the response to a repeated request, and which payloads count as the same.
import { request } from 'node:http';
import t from 'tap';
import { sha256 } from '../../src/secret.ts';
import { hashPayload } from '../../src/trigger/idempotency.ts';
import { FORM_TYPE, rejectionOf, startTestServer } from '../fixtures/http.ts';
import { createSurvey, createTestDatabase, createToken } from '../fixtures/setup.ts';

const { sql, store, urlAs } = await createTestDatabase(t);
const { url, post } = await startTestServer(t, urlAs('invite_web'));
const ada = { email: 'ada@example.com' };

const setup = async (cooldownSeconds = 600) => {
  const fixture = await createSurvey(store);
  const token = await createToken(store, fixture.survey, { cooldownSeconds });
  const send = (payload: unknown, key?: string) =>
    post(payload, { secret: token.secret, ...(key !== undefined && { headers: { 'idempotency-key': key } }) });
  return { ...fixture, ...token, send };
};
const replayed = (reply: { headers: Headers }) => reply.headers.get('idempotency-replayed');

t.test('a repeated request with a key is the same answer with Idempotency-Replayed: true, inside the cooldown too', async (t) => {
  const { survey, send } = await setup();
  const first = await send({ ...ada, send_in_seconds: 60 }, 'order-1');
  t.equal(first.status, 200);
  t.equal(replayed(first), null);
  const again = await send({ ...ada, send_in_seconds: 60 }, 'order-1');
  t.equal(again.status, 200);
  t.equal(replayed(again), 'true');
  t.equal(again.text, first.text);
  t.equal((await sql`select from invite.batches where survey_id = ${survey}`).length, 1);
});

t.test('the same key with another payload is 400 idempotency_key_reused', async (t) => {
  const { send } = await setup();
  await send(ada, 'order-1');
  const reply = await send({ ...ada, name: 'Ada' }, 'order-1');
  t.strictSame(rejectionOf(reply), { status: 400, code: 'idempotency_key_reused', fields: [] });
  t.equal(replayed(reply), null);
});

t.test('a time zone is part of the payload, and a payload without one has the hash that it always had', async (t) => {
  const recipient = { email: 'ada@example.com', name: undefined, language: undefined, time_zone: undefined, metadata: undefined };
  t.strictSame(
    hashPayload({ recipients: [recipient], timeZone: undefined }),
    sha256('{"recipients":[{"email":"ada@example.com"}]}'),
  );
  const { send } = await setup();
  t.equal((await send({ ...ada, time_zone: 'Asia/Tokyo' }, 'zone')).status, 200);
  t.equal(replayed(await send({ ...ada, time_zone: 'Asia/Tokyo' }, 'zone')), 'true');
  for (const other of [ada, { ...ada, time_zone: 'UTC' }, { emails: [{ ...ada, time_zone: 'Asia/Tokyo' }] }])
    t.equal(rejectionOf(await send(other, 'zone')).code, 'idempotency_key_reused');
});

t.test('without the header nothing changes', async (t) => {
  const { token, send } = await setup(0);
  const [first, second] = [await send(ada), await send(ada)];
  t.not(first.body.batch.uuid, second.body.batch.uuid);
  t.strictSame([replayed(first), replayed(second)], [null, null]);
  t.equal((await sql`select from invite.idempotency_keys where trigger_token_id = ${token}`).length, 0);
});

t.test('the payload counts, not its bytes, its form or where the secret was', async (t) => {
  const { secret, send } = await setup();
  const { body } = await send({ ...ada, metadata: { a: '1', b: '2' }, reminder_days: 3 }, 'k');
  const headers = { 'idempotency-key': 'k' };
  for (const [name, payload, options] of [
    ['a list of one', { ...ada, metadata: { a: '1', b: '2' }, reminders: [3] }, { secret, headers }],
    ['order of keys, null', { reminder_days: 3, name: null, metadata: { b: '2', a: '1' }, ...ada }, { secret, headers }],
    ['secret in the body', { ...ada, metadata: { a: '1', b: '2' }, reminder_days: 3, token: secret }, { headers }],
    ['secret in the query', { ...ada, metadata: { a: '1', b: '2' }, reminder_days: 3 }, { headers, query: `?token=${secret}` }],
    [
      'a form',
      'email=ada@example.com&reminder_days=3&metadata[a]=1&metadata[b]=2',
      { secret, headers: { ...headers, ...FORM_TYPE } },
    ],
  ] as const) {
    const reply = await post(payload, options);
    t.equal(reply.body.batch?.uuid, body.batch.uuid, name);
    t.equal(replayed(reply), 'true', name);
  }
});

t.test('send_at: now is the same payload a second later', async (t) => {
  const { send } = await setup();
  await send({ ...ada, send_at: 'now' }, 'k');
  t.equal(replayed(await send({ ...ada, send_at: 'now' }, 'k')), 'true');
});

t.test('a key has 1 to 255 printable ASCII characters; anything else is an invalid_field that queues nothing', async (t) => {
  const { survey, send } = await setup(0);
  for (const key of ['k', 'x'.repeat(255), 'a b~!"\'']) t.equal((await send(ada, key)).status, 200, key);
  for (const key of ['', ' ', 'x'.repeat(256), 'caf\u00e9', 'a\tb']) {
    const reply = await send(ada, key);
    t.strictSame(rejectionOf(reply), { status: 400, code: 'invalid_field', fields: ['Idempotency-Key'] }, JSON.stringify(key));
  }
  t.equal((await sql`select from invite.batches where survey_id = ${survey}`).length, 3);
});

t.test('a key that is sent twice is rejected, not joined', async (t) => {
  const { secret } = await setup();
  const body = await new Promise<string>((resolve, reject) => {
    const headers = ['content-type', 'application/json', 'authorization', `Bearer ${secret}`];
    headers.push('idempotency-key', 'a', 'idempotency-key', 'b', 'content-length', '27', 'host', new URL(url).host);
    const call = request(`${url}/api/invitation-trigger`, { method: 'POST', headers }, (response) => {
      response.setEncoding('utf8').once('data', resolve);
    });
    call.on('error', reject);
    call.end(JSON.stringify(ada));
  });
  t.match(JSON.parse(body), { error: { code: 'invalid_field', details: [{ field: 'Idempotency-Key' }] } });
});

t.test('of 20 requests at once with one key and a cooldown all are 200 with one batch', async (t) => {
  const { survey, send } = await setup(60);
  const replies = await Promise.all(Array.from({ length: 20 }, () => send(ada, 'order-1')));
  t.strictSame([...new Set(replies.map((reply) => reply.status))], [200]);
  t.equal(new Set(replies.map((reply) => reply.body.batch.uuid)).size, 1);
  t.equal(replies.filter((reply) => replayed(reply) === null).length, 1);
  t.equal((await sql`select from invite.batches where survey_id = ${survey}`).length, 1);
});

t.test('an unknown token is unknown, whatever its key', async (t) => {
  const { secret, send } = await setup();
  await send(ada, 'order-1');
  const reply = await post(ada, { secret: `${secret}x`, headers: { 'idempotency-key': 'order-1' } });
  t.equal(reply.body.error.code, 'unknown_token');
});

t.test('the hash tells every difference of meaning, and no other', async (t) => {
  const recipients = [{ email: 'a@example.com' }];
  const hash = (fields: object) => hashPayload({ recipients, ...fields }).toString('hex');
  t.equal(hash({ metadata: { a: 1, b: { c: 2, d: 3 } } }), hash({ metadata: { b: { d: 3, c: 2 }, a: 1 } }));
  t.equal(hash({ subject: undefined }), hash({}));
  t.equal(
    hash({ reminders: undefined }),
    '397c83042583c23000f5db54648b40e58b14d0167d1815cd7d8577dbae8e55ac',
    'as before there were lists of reminders',
  );
  const different = [
    {},
    { subject: 'a' },
    { message: 'a' },
    { reminders: [] },
    { reminders: [3] },
    { reminders: [3, 7] },
    { sendInSeconds: 0 },
    { sendAt: new Date(0) },
    { sendAt: new Date(1000) },
    { metadata: {} },
    { metadata: { a: {} } },
    { metadata: { a: [] } },
    { metadata: { a: null } },
    { metadata: { a: 1 } },
    { metadata: { a: '1' } },
    { metadata: { a: [['b', 1]] } },
    { metadata: { a: { b: 1 } } },
    { recipients: [{ email: 'a@example.com', name: 'A' }] },
    { recipients: [{ email: 'a@example.com', metadata: { a: 1 } }] },
    { recipients: [{ email: 'a@example.com' }, { email: 'b@example.com' }] },
    { recipients: [{ email: 'b@example.com' }, { email: 'a@example.com' }] },
  ];
  t.equal(new Set(different.map(hash)).size, different.length);
});
