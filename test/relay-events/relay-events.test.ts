// POST /relay-events/<relay> on a real server and database: it needs a signature, may be repeated, is bounded, and is off unless it is set
// up.
import { createHmac, randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import type { Request } from 'polka';
import t from 'tap';
import type { AddressLimit } from '../../src/http/rate-limit.ts';
import type { Readiness } from '../../src/http/readiness.ts';
import type { RelayEvent } from '../../src/relay/event.ts';
import { MAX_EVENTS_BYTES, relayEvents } from '../../src/relay-events/relay-events.ts';
import { startTestServer } from '../fixtures/http.ts';
import { idsOf, invitationsOf } from '../fixtures/inspect.ts';
import { createBatch, createTestDatabase, createWorker, silent, until } from '../fixtures/setup.ts';

const { sql, store, urlAs } = await createTestDatabase(t);
const key = randomBytes(24);
const needed = { RELAY: 'resend', RELAY_API_KEY: 're_key', PUBLIC_URL: 'https://i.example', MAIL_FROM: 'a@i.example' };
const env = { ...needed, RELAY_EVENTS_SECRET: `whsec_${key.toString('base64')}` };
const server = await startTestServer(t, urlAs('invite_web'), env);

/** Posts a body with a Resend signature of this age in seconds. */
async function report(
  body: unknown,
  options: { path?: string; url?: string; age?: number; headers?: Record<string, string> } = {},
) {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const timestamp = String(Math.floor(Date.now() / 1000) - (options.age ?? 0));
  const signature = createHmac('sha256', key).update(`msg_1.${timestamp}.${text}`).digest('base64');
  const response = await fetch(`${options.url ?? server.url}${options.path ?? '/relay-events/resend'}`, {
    method: 'POST',
    headers: { 'svix-id': 'msg_1', 'svix-timestamp': timestamp, 'svix-signature': `v1,${signature}`, ...options.headers },
    body: text,
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

async function createSent() {
  const fixture = await createBatch(store, { recipients: [{ email: 'ada@example.com' }] });
  const [claimed] = await store.claimInvitations(await idsOf(sql, fixture.survey), await createWorker(store));
  await store.settleInvitations([{ id: claimed?.id ?? '', claim_id: claimed?.claimId ?? '', outcome: 'accepted' }]);
  return { ...fixture, invitation: claimed?.id ?? '' };
}

const bounce = (invitation: string) => ({
  type: 'email.bounced',
  created_at: '2030-01-31T09:00:00.000Z',
  data: {
    email_id: `r-${invitation}`,
    to: ['ada@example.com'],
    tags: { invitation: `home0001-${invitation}` },
    bounce: { type: 'Permanent', message: 'No.' },
  },
});

t.test('each call is for one database, and one that hangs delays no events of others', async (t) => {
  const held = Promise.withResolvers<void>();
  const asked: (string | undefined)[][] = [];
  const event = (home?: string): RelayEvent => ({ eventId: 'x', home, type: 'delivered', at: new Date(), detail: '' });
  const events = ['one10001', undefined, 'two20001', 'one10002', undefined, 'slow0001'].map(event);
  const handler = relayEvents({
    store: {
      recordRelayEvents: async (_, records) => {
        asked.push(records.map(({ home }) => home));
        if (records[0]?.home?.startsWith('slow')) await held.promise;
        return records.length;
      },
    },
    readiness: { ready: async () => {}, invalidate: () => {} } as unknown as Readiness,
    settings: { relay: 'x', secret: '', source: { verify: () => true, checkSecret: () => undefined, parse: () => events } },
    limit: { take: () => {}, giveBack: () => {} } as unknown as AddressLimit,
    log: silent,
  });
  const request = Object.assign(Readable.from([Buffer.from('{}')]), { params: { relay: 'x' }, headers: {}, headersDistinct: {} });
  const answer = handler(request as unknown as Request);
  await until('all are asked', () => asked.length === 4);
  held.resolve();
  t.match(await answer, { status: 200, body: /"recorded":6/ });
  t.strictSame(asked, [['one10001', 'one10002'], [undefined, undefined], ['two20001'], ['slow0001']]);
});

t.test('a bounce is recorded once however often it comes, and the next invitation to the address is suppressed', async (t) => {
  const sent = await createSent();
  t.same(await report(bounce(sent.invitation)), { status: 200, body: { ok: true, events: 1, recorded: 1 } });
  t.same(await report(bounce(sent.invitation)), { status: 200, body: { ok: true, events: 1, recorded: 0 } });
  const reply = await server.post({ email: 'Ada@example.com' }, { secret: sent.secret });
  t.equal(reply.status, 200);
  const ids = await idsOf(sql, sent.survey);
  t.same(await store.claimInvitations(ids, await createWorker(store)), []);
  t.match(await invitationsOf(sql, sent.survey), [{ status: 'sent' }, { status: 'suppressed', last_error_code: 'suppressed' }]);
  t.match(await store.findBatch(reply.body.batch.uuid), { suppressed: '1' });
});

t.test('events that are not known are answered 200 and not recorded', async (t) => {
  t.same(await report({ type: 'email.opened', data: {} }), { status: 200, body: { ok: true, events: 0, recorded: 0 } });
  t.same(await report([]), { status: 200, body: { ok: true, events: 0, recorded: 0 } });
});

t.test('without a good signature nothing is recorded: 401', async (t) => {
  const sent = await createSent();
  for (const [what, options] of [
    ['none', { headers: { 'svix-signature': '' } }],
    ['another', { headers: { 'svix-signature': `v1,${randomBytes(32).toString('base64')}` } }],
    ['too old', { age: 400 }],
    ['from the future', { age: -400 }],
    ['of another message', { headers: { 'svix-id': 'msg_2' } }],
  ] as const) {
    const { status, body } = await report(bounce(sent.invitation), options);
    t.equal(status, 401, what);
    t.match(body, { ok: false, message: /signature/ }, what);
  }
  const [row] = await sql`select count(*)::integer as count from invite.relay_events where invitation_id = ${sent.invitation}`;
  t.equal(row?.count, 0);
});

t.test('a signed body that is not JSON, and one that is too large, are rejected', async (t) => {
  t.match(await report('{'), { status: 400, body: { error: { code: 'invalid_json' } } });
  t.match(await report(`${' '.repeat(MAX_EVENTS_BYTES - 2)}[]`), { status: 200 });
  t.match(await report(`${' '.repeat(MAX_EVENTS_BYTES - 1)}[]`), { status: 400, body: { error: { code: 'body_too_large' } } });
});

t.test(
  'another relay than the one in use is not found, whatever its credentials; nor is any where no secret is set',
  async (t) => {
    for (const path of [
      '/relay-events/postmark',
      '/relay-events/sendgrid',
      '/relay-events/constructor',
      '/relay-events/mailpit',
    ]) {
      const basic = Buffer.from(env.RELAY_EVENTS_SECRET).toString('base64');
      t.match(await report({}, { path, headers: { authorization: `Basic ${basic}` } }), {
        status: 404,
        body: { error: { code: 'not_found' } },
      });
    }
    const without = await startTestServer(t, urlAs('invite_web'), needed);
    t.equal((await report(bounce('1'), { url: without.url })).status, 404);
    const unset = await startTestServer(t, urlAs('invite_web'), { RELAY_EVENTS_SECRET: env.RELAY_EVENTS_SECRET });
    t.equal((await report(bounce('1'), { url: unset.url })).status, 404);
  },
);

t.test('unsigned events are limited by address, signed ones are not', async (t) => {
  const { url } = await startTestServer(t, urlAs('invite_web'), { ...env, FLOOD_PAGES_PER_MINUTE: '2' });
  const event = { type: 'email.opened' };
  for (let count = 1; count <= 4; count += 1) t.equal((await report(event, { url })).status, 200);
  const forged = { url, headers: { 'svix-signature': 'v1,AAAA' } };
  t.same(
    [(await report(event, forged)).status, (await report(event, forged)).status, (await report(event, forged)).status],
    [401, 401, 429],
  );
});

t.test('while the database is away the relay is told to try again', async (t) => {
  const away = await startTestServer(t, 'postgres://nobody@127.0.0.1:1/none', env);
  t.match(await report(bounce('1'), { url: away.url }), { status: 503, body: { error: { code: 'not_ready' } } });
});
