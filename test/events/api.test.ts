// GET /api/batches/:uuid and GET /api/events on a real server: a token may read what openapi.json says, and gets 404 for everything else.
import { EventEmitter } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import type { Request } from 'polka';
import t from 'tap';
import type { EventPage } from '../../src/database/store.ts';
import { presentAsker } from '../../src/database/turns.ts';
import { createReading } from '../../src/events/api.ts';
import { createFeed } from '../../src/events/feed.ts';
import { EVENT_TYPES } from '../../src/events/schema.ts';
import type { Readiness } from '../../src/http/readiness.ts';
import { hashSecret } from '../../src/secret.ts';
import { startTestServer } from '../fixtures/http.ts';
import { idsOf } from '../fixtures/inspect.ts';
import { createSurvey, createTestDatabase, createToken, createWorker, until } from '../fixtures/setup.ts';
import { acceptTrigger } from '../fixtures/trigger.ts';

const { sql, store, urlAs } = await createTestDatabase(t);
const { url } = await startTestServer(t, urlAs('invite_web'), {
  FLOOD_UNKNOWN_PER_MINUTE: '40',
  FLOOD_REQUESTS_PER_MINUTE: '100',
});
const ajv = new Ajv2020({ strict: false });
formats.default(ajv);
ajv.addSchema((await (await fetch(`${url}/openapi.json`)).json()) as object, 'openapi');

interface Body {
  readonly batch: object;
  readonly recipients: readonly object[];
  readonly events: readonly object[];
  readonly next: string | null;
  readonly error: { readonly code: string };
  readonly message: string;
}
/** Gets a path, and checks the response against openapi.json. */
async function read(path: string, secret?: string) {
  const response = await fetch(`${url}${path}`, {
    headers: secret === undefined ? {} : { authorization: `Bearer ${secret}` },
  });
  const body = (await response.json()) as Body;
  const route = path.startsWith('/api/events') ? '/api/events' : '/api/batches/{uuid}';
  const pointer = `${route.replaceAll('/', '~1')}/get/responses/${response.status}/content/application~1json/schema`;
  const valid = ajv.compile({ $ref: `openapi#/paths/${encodeURI(pointer)}` });
  if (!valid(body)) throw new Error(`not as openapi.json says: ${ajv.errorsText(valid.errors)}: ${JSON.stringify(body)}`);
  return { status: response.status, body, headers: response.headers };
}

async function setup(allowReading = true) {
  const fixture = await createSurvey(store);
  await store.setWorkspaceEvents(fixture.workspace, true);
  return { ...fixture, ...(await createToken(store, fixture.survey, { allowReading })) };
}
const accept = async (token: { hash: Buffer }, count = 1) => {
  const recipients = Array.from({ length: count }, (_, index) => ({ email: `p${index}@example.com`, name: 'Ada' }));
  const answer = await acceptTrigger(store, token.hash, { recipients, metadata: { order: 'A-1' } }, 10_000);
  return answer.outcome === 'accepted' ? answer.batchId : '';
};
const publish = () => until('all is published', async () => (await store.publishEvents(1000)) === 0);

t.test("the event of a response has the address of the response's page", async (t) => {
  const reader = await setup();
  const { responseId } = await store.submitResponse(reader.survey, { score: 9 }, undefined);
  await accept(reader);
  const events = await until('both are published', async () => {
    await publish();
    const { body } = await read('/api/events', reader.secret);
    return body.events.length === 2 ? body.events : undefined;
  });
  t.match(events, [
    { type: 'response.submitted', data: { response: { id: responseId, answers: { score: 9 } } } },
    { type: 'batch.accepted' },
  ]);
  const { data } = events[0] as { data: { response: { url: string } } };
  t.equal(data.response.url, `${url}/surveys/${reader.survey}/responses/${responseId}`);
  t.notMatch(events[1], { data: { response: {} } });
});

t.test('a batch with its counts, and each recipient with state and reason, by pages', async (t) => {
  const reader = await setup();
  const batch = await accept(reader, 5);
  const [first, second] = await store.claimInvitations((await idsOf(sql, reader.survey)).slice(0, 2), await createWorker(store));
  await store.settleInvitations([
    { id: first?.id ?? '', claim_id: first?.claimId ?? '', outcome: 'accepted' },
    { id: second?.id ?? '', claim_id: second?.claimId ?? '', outcome: 'rejected', code: 'blocked' },
  ]);
  await sql`select invite.record_relay_events('postmark', ${sql.json(
    ['delivered', 'complaint', 'hard_bounce'].map((type, index) => ({
      event_id: `e${index}`,
      type,
      occurred_at: `2026-01-0${index + 1}T10:00:00Z`,
      invitation_id: first?.id ?? '',
      email: 'p0@example.com',
    })),
  )})`;
  const page = await read(`/api/batches/${batch}?limit=3`, reader.secret);
  t.match(page.body.batch, {
    delivered: 1,
    bounced: 1,
    complained: 1,
    unsubscribed: 0,
    id: batch,
    survey: reader.survey,
    recipients: 5,
    sent: 1,
    failed: 1,
    queued: 3,
    status: 'sending',
    metadata: { order: 'A-1' },
  });
  t.match(page.body.recipients, [
    {
      email: 'p0@example.com',
      status: 'sent',
      reason: null,
      code: null,
      outcomes: { delivered: /^2026-01-01T10:00/, complained: /^2026-01-02T10:00/, bounced: /^2026-01-03T10:00/ },
    },
    { email: 'p1@example.com', status: 'failed', reason: 'failed', code: 'blocked', outcomes: {} },
    { email: 'p2@example.com', status: 'queued', reason: 'ready' },
  ]);
  t.notMatch(JSON.stringify(page.body), first?.linkToken ?? '');
  const rest = await read(`/api/batches/${batch}?limit=3&after=${page.body.next}`, reader.secret);
  t.match(rest.body, { recipients: [{ email: 'p3@example.com' }, { email: 'p4@example.com' }], next: null });
});

t.test('a token that replaces another reads its batches and events on; one of another survey does not', async (t) => {
  const [reader, other] = [await setup(), await setup()];
  const batch = await accept(reader);
  await publish();
  const { next } = (await read('/api/events', reader.secret)).body;
  await store.deleteTriggerToken(reader.token);
  const replaced = { ...reader, ...(await createToken(store, reader.survey, { allowReading: true })) };
  const silent = await createToken(store, reader.survey);
  t.match((await read(`/api/batches/${batch}`, replaced.secret)).body, {
    batch: { id: batch },
    recipients: [{ email: 'p0@example.com' }],
  });
  await store.cancelBatch(batch);
  await publish();
  t.match((await read(`/api/events?after=${next}`, replaced.secret)).body.events, [
    { type: 'invitation.cancelled', data: { batch } },
  ]);
  t.match((await read('/api/events', replaced.secret)).body.events, [{ type: 'batch.accepted', data: { batch } }, {}]);
  t.same((await read('/api/events', other.secret)).body.events, []);
  for (const secret of [other.secret, silent.secret, reader.secret])
    t.equal((await read(`/api/batches/${batch}`, secret)).status, 404);
});

t.test('the events of its survey, in order, going on where the last answer ended', async (t) => {
  const [reader, other] = [await setup(), await setup()];
  const batch = await accept(reader);
  await accept(other);
  await publish();
  const page = await read('/api/events?limit=1', reader.secret);
  t.match(page.body.events, [{ type: 'batch.accepted', version: 1, data: { batch, metadata: { order: 'A-1' } } }]);
  t.equal(page.body.events.length, 1);
  t.same((await read(`/api/events?after=${page.body.next}`, reader.secret)).body.events, []);
  await store.cancelBatch(batch);
  await publish();
  t.match((await read(`/api/events?after=${page.body.next}`, reader.secret)).body.events, [
    { type: 'invitation.cancelled', data: { recipient: { email: 'p0@example.com' } } },
  ]);
});

t.test("a cursor doesn't tell that others are busy, and goes on to work", async (t) => {
  const [reader, other] = [await setup(), await setup()];
  const nextAfter = async (cursor?: string | null) => {
    const { body } = await read(`/api/events${cursor ? `?after=${cursor}` : ''}`, reader.secret);
    return { events: body.events.length, next: body.next };
  };
  const empty = await nextAfter();
  await accept(other);
  await publish();
  t.same(await nextAfter(), empty);
  t.same(await nextAfter(empty.next), empty);
  await accept(reader);
  await publish();
  const last = await nextAfter(empty.next);
  t.equal(last.events, 1);
  t.same(await nextAfter(last.next), { events: 0, next: last.next });
  await accept(other);
  await publish();
  t.same(await nextAfter(last.next), { events: 0, next: last.next });
  await accept(reader);
  await publish();
  t.equal((await nextAfter(last.next)).events, 1);
});

t.test('a cursor tells nothing, and is only good for the database that gave it', async (t) => {
  const reader = await setup();
  const batch = await accept(reader);
  await store.cancelBatch(batch);
  await publish();
  // As migrate does: this database is a copy.
  await sql`select invite.renew_epoch()`;
  const { body } = await read('/api/events', reader.secret);
  const [events, next] = [body.events as { cursor: string }[], body.next ?? ''];
  t.equal(events.length, 2);
  for (const cursor of [next, ...events.map(({ cursor }) => cursor)]) t.match(cursor, /^[a-z0-9]{12}[\w-]{11}$/);
  t.notOk('position' in (events[0] ?? {}));
  t.match((await read(`/api/events?after=${events[0]?.cursor}`, reader.secret)).body.events, [{ type: 'invitation.cancelled' }]);
  const [row] = await sql`
      select invite.event_cursor(${'9'.repeat(15)}, w, g.epoch) as ahead, invite.event_cursor(-1, w, g.epoch) as below
      from invite.settings as g, invite.workspaces as w where w.id = ${reader.workspace}`;
  const altered = `${next.slice(0, -1)}${next.endsWith('A') ? 'E' : 'A'}`;
  for (const cursor of ['0', '7', 'x', `test${next.slice(4)}`, altered, row?.ahead, row?.below, `${next}A`]) {
    const refused = await read(`/api/events?after=${cursor}`, reader.secret);
    t.equal(refused.status, 400, cursor);
    t.match(refused.body.error, {
      code: 'invalid_field',
      details: [{ field: 'after', message: 'without it, the list begins with the oldest event' }],
    });
  }
  t.equal((await read('/api/events?after=x', 'sit_unknown')).status, 404, 'to a stranger too');
  await sql`select invite.renew_epoch()`;
  t.equal((await read(`/api/events?after=${next}`, reader.secret)).status, 200, 'the same database');
  await sql`update invite.settings set epoch_of = regexp_replace(epoch_of, '^[0-9]+', '7')`;
  await sql`select invite.renew_epoch()`;
  t.equal((await read(`/api/events?after=${next}`, reader.secret)).status, 400, 'a database with its number in another cluster');
  const again = (await read('/api/events', reader.secret)).body.next;
  await sql`select invite.renew_epoch(always => true)`;
  t.equal((await read(`/api/events?after=${again}`, reader.secret)).status, 400, 'one that was restored');
  t.equal((await read('/api/events', reader.secret)).body.events.length, 2);
});

t.test('the types are those of SQL', async (t) => {
  const rows = await sql`select unnest(enum_range(null::invite.event_type))::text as type`;
  t.same(
    rows.map(({ type }) => type),
    [...EVENT_TYPES],
  );
});

t.test('a request that waits is answered by the event', async (t) => {
  const reader = await setup();
  await publish();
  const { next } = (await read('/api/events', reader.secret)).body;
  const waiting = read(`/api/events?after=${next}&wait=30`, reader.secret);
  const other = await setup();
  await accept(other);
  await publish();
  const batch = await accept(reader);
  await publish();
  t.match((await waiting).body.events, [{ type: 'batch.accepted', data: { batch } }]);
  const brief = await read(`/api/events?after=${(await waiting).body.next}&wait=1`, reader.secret);
  t.same(brief.body.events, [], 'or when its time is over');
});

t.test('404 for a token that may not read: the same for each reason', async (t) => {
  const [reader, silent] = [await setup(), await setup(false)];
  const [own, hidden] = [await accept(reader), await accept(silent)];
  const answers = await Promise.all([
    read(`/api/batches/${hidden}`, reader.secret),
    read(`/api/batches/${hidden}`, silent.secret),
    read('/api/events', silent.secret),
    read(`/api/batches/${own}`, 'sit_unknown'),
    read('/api/events', 'sit_unknown'),
    read('/api/batches/none', reader.secret),
    read('/api/batches/00000000-0000-4000-8000-000000000000', reader.secret),
  ]);
  t.same(new Set(answers.map(({ status, body }) => `${status} ${body.error.code} ${body.message}`)).size, 1);
  t.match(answers[0], { status: 404, body: { error: { code: 'not_found' } } });
  await store.updateTriggerToken(silent.token, { allowReading: true });
  t.equal((await read(`/api/batches/${hidden}`, silent.secret)).status, 200, 'once its owner allows it');
  await store.deleteTriggerToken(silent.token);
  t.equal((await read(`/api/batches/${hidden}`, silent.secret)).status, 404, 'not once it is deleted');
});

t.test('the secret counts in the header only, and the parameters are checked', async (t) => {
  const reader = await setup();
  t.match(await read(`/api/events?token=${reader.secret}`), { status: 400, body: { error: { code: 'missing_token' } } });
  for (const cursor of ['%00', 'a%00', '%0A', '%F0%9F%98%80', 'a'.repeat(101), 'a&after=b'])
    t.match(
      await read(`/api/events?after=${cursor}`, reader.secret),
      { status: 400, body: { error: { code: 'invalid_field', details: [{ field: 'after' }] } } },
      cursor,
    );
  for (const query of ['after=x', 'after=-1', 'limit=0', 'limit=1001', 'wait=31', 'limit=1&limit=2'])
    t.match(
      await read(`/api/events?${query}`, reader.secret),
      { status: 400, body: { error: { code: 'invalid_field' } } },
      query,
    );
});

t.test('reading has a limit of its own, and has no cooldown', async (t) => {
  const reader = await setup();
  const refused = await until('one is refused', async () => {
    const replies = await Promise.all(Array.from({ length: 50 }, () => read('/api/events', reader.secret)));
    return replies.find(({ status }) => status === 429);
  });
  t.match(refused.body.error, { code: 'flood_protection' });
  t.ok(Number(refused.headers.get('retry-after')) >= 1);
  t.ok(await accept(reader), 'trigger requests are counted apart');
});

t.test('guesses are limited by address', async (t) => {
  const refused = await until('one is refused', async () => {
    const replies = await Promise.all(Array.from({ length: 50 }, (_, index) => read('/api/events', `sit_${index}`)));
    return replies.find(({ status }) => status === 429);
  });
  t.match(refused.body.error, { code: 'flood_protection' });
});

t.test('of 600 guesses at the same moment few are looked up, and tokens that exist read from their address', async (t) => {
  let looks = 0;
  const page: EventPage = { events: [{}], next: 'c', nextPosition: '1', workspaceId: 'acme' };
  const tokens = ['first', 'second'].map((secret) => hashSecret(secret).toString('hex'));
  const reading = createReading({
    publicUrl: () => 'https://i.example',
    store: {
      tokenEvents: async (secretHash: Buffer) => {
        looks += 1;
        return tokens.includes(secretHash.toString('hex')) ? page : undefined;
      },
      tokenBatch: async () => undefined,
    },
    feed: createFeed({ publishedTo: async () => '0' }),
    readiness: { ready: async () => {} } as unknown as Readiness,
    requestsPerMinute: 10,
    unknownPerMinute: 10,
    clientAddress: () => '192.0.2.1',
  });
  const ask = (secret: string) =>
    reading.events({ headers: { authorization: `Bearer ${secret}` }, query: {}, params: {}, socket: {} } as unknown as Request);
  t.equal((await ask('first')).status, 200);
  const guesses = await Promise.allSettled(Array.from({ length: 600 }, (_, index) => ask(`guess${index}`)));
  t.ok(guesses.every(({ status }) => status === 'rejected'));
  // The limit of the address, and what is spared in a second for tokens that weren't seen before.
  t.ok(looks <= 1 + 10 + 60, `${looks}`);
  t.equal((await ask('first')).status, 200, 'a neighbor that has read before');
  t.equal((await until('one is spared', () => ask('second').catch(() => undefined))).status, 200, 'one that was not seen before');
});

t.test('who waits is woken by an event, by the end of the connection, and when the server closes', async (t) => {
  let published = '5';
  const feed = createFeed({ publishedTo: async () => published }, 1);
  const request = () => ({ socket: new EventEmitter() }) as unknown as IncomingMessage;
  const [there, leaving] = [request(), request()];
  const [found, left] = [feed.wait('a', '5', 60_000, there), feed.wait('a', '9', 60_000, leaving)];
  published = '6';
  t.equal(await found, true);
  leaving.socket.emit('close');
  t.equal(await left, false);
  const waiting = feed.wait('a', '9', 60_000, there);
  feed.close();
  t.equal(await waiting, false);
  t.equal(await feed.wait('a', '0', 60_000, there), false, 'nor does anybody wait after that');
  t.equal(there.socket.listenerCount('close'), 0);
});

t.test('a workspace takes no more than its places, and leaves those of others', async (t) => {
  const feed = createFeed({ publishedTo: async () => '0' }, 1);
  const wait = (workspace: string) => {
    const request = { socket: new EventEmitter() } as unknown as IncomingMessage;
    return { request, done: feed.wait(workspace, '9', 60_000, request) };
  };
  const answered = ({ done }: ReturnType<typeof wait>) =>
    Promise.race([
      done.then(() => true),
      Promise.resolve()
        .then(() => {})
        .then(() => false),
    ]);
  const own = Array.from({ length: 50 }, () => wait('a'));
  t.equal(await answered(wait('a')), true, 'the fifty-first is answered at once');
  own.push(wait('b'));
  own[0]?.request.socket.emit('close');
  own.push(wait('a'));
  t.same(await Promise.all(own.map(answered)), [true, ...Array(51).fill(false)]);
  feed.close();
  t.same(await Promise.all(own.map(({ done }) => done)), Array(52).fill(false));
});

t.test('tokens of a workspace and of its test workspaces wait in the places of one', async (t) => {
  const real = await setup();
  const second = await createToken(store, real.survey, { allowReading: true });
  const test = await store.createTestWorkspace(real.workspace, undefined);
  const survey = await store.upsertSurvey({ workspaceId: test, title: 'Test', state: 'active' });
  const tester = await createToken(store, survey, { allowReading: true });
  const other = await setup();
  const workspaceOf = async ({ hash }: { hash: Buffer }) => {
    const page = await store.tokenEvents(hash, undefined, 1);
    return typeof page === 'object' ? page.workspaceId : undefined;
  };
  t.same(await Promise.all([real, second, tester, other].map(workspaceOf)), [...Array(3).fill(real.workspace), other.workspace]);
});

t.test('reading takes its turn as the workspace, once it is known, until the client leaves', async (t) => {
  const asked: { group: string; isGone: boolean }[] = [];
  const page: EventPage = { events: [{}], next: 'c', nextPosition: '1', workspaceId: 'acme' };
  const look = async <T>(found: T) => {
    const { group, isGone } = presentAsker();
    asked.push({ group, isGone: isGone() });
    return found;
  };
  const reading = createReading({
    publicUrl: () => 'https://invite.example.com',
    store: { tokenEvents: () => look(page), tokenBatch: () => look({ batch: { workspace: 'w', survey: 's' }, recipients: [] }) },
    feed: createFeed({ publishedTo: async () => '0' }),
    readiness: { ready: async () => {} } as unknown as Readiness,
    requestsPerMinute: 10,
    unknownPerMinute: 10,
    clientAddress: () => '192.0.2.1',
  });
  const request = (secret: string, destroyed = false) =>
    ({
      headers: { authorization: `Bearer ${secret}` },
      query: {},
      params: { uuid: '00000000-0000-7000-8000-000000000000' },
      socket: { destroyed },
    }) as unknown as Request;
  await reading.batch(request('first'));
  await reading.events(request('first'));
  await reading.batch(request('first', true));
  await reading.events(request('second'));
  await reading.events(request('second'));
  const groups = asked.map(({ group }) => group);
  t.equal(groups[0], groups[1]);
  t.not(groups[1], groups[3]);
  t.same([groups[2], groups[4]], ['acme', 'acme']);
  t.same(
    asked.map(({ isGone }) => isGone),
    [false, false, true, false, false],
  );
});
