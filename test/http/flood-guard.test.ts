// The flood guard: its buckets with an injected clock, and the queries that it saves PostgreSQL.
import { Writable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import t from 'tap';
import { FloodGuard } from '../../src/http/flood-guard.ts';
import { createLog } from '../../src/log.ts';
import { JSON_TYPE, rejectionOf, startTestServer } from '../fixtures/http.ts';
import { createSurvey, createTestDatabase, createToken } from '../fixtures/setup.ts';

/** Creates a guard with a clock that the test sets. Requests are made as in the endpoint: each is checked, then decided, one after the other. */
function setup(limits: { requestsPerMinute?: number; unknownPerMinute?: number } = {}) {
  const clock = { seconds: 0 };
  const guard = new FloodGuard({ requestsPerMinute: 60, unknownPerMinute: 30, ...limits }, () => clock.seconds * 1000, 300_000);
  const request = async (token: string, address: string, known: boolean) => {
    const admission = await guard.check(token, address);
    const isSpared = admission.countedBy === 'spare';
    const isLookedUp = admission.retryAfter === undefined || isSpared;
    guard.decide(admission, token, isLookedUp ? known : undefined);
    return isSpared && known ? undefined : admission.retryAfter;
  };
  const burst = async (count: number, token: string, address: string, known: boolean) => {
    let passed = 0;
    for (let number = 0; number < count; number += 1) if ((await request(token, address, known)) === undefined) passed += 1;
    return passed;
  };
  return { clock, guard, request, burst };
}

t.test('of 61 requests of a token in a burst 60 pass', async (t) => {
  const { burst, request } = setup();
  t.equal(await burst(60, 'token', '192.0.2.1', true), 60);
  t.equal(await request('token', '192.0.2.1', true), 1);
  t.equal(await request('other', '192.0.2.1', true), undefined, 'another token has its own count');
});

t.test('a rejected caller passes after the seconds it was told, and not just before', async (t) => {
  const { clock, burst, request } = setup({ requestsPerMinute: 6 });
  await burst(6, 'token', '192.0.2.1', true);
  t.equal(await request('token', '192.0.2.1', true), 10);
  clock.seconds = 9.9;
  t.equal(await request('token', '192.0.2.1', true), 1);
  clock.seconds = 10;
  t.equal(await request('token', '192.0.2.1', true), undefined);
  t.equal(await request('token', '192.0.2.1', true), 10, 'one request came back, not more');
});

t.test('a long pause gives back a minute of requests, not more', async (t) => {
  const { clock, burst } = setup({ requestsPerMinute: 6 });
  await burst(6, 'token', '192.0.2.1', true);
  clock.seconds = 3600;
  t.equal(await burst(10, 'token', '192.0.2.1', true), 6);
});

t.test('a clock that is set back locks nobody out', async (t) => {
  const { clock, burst, request } = setup({ requestsPerMinute: 6 });
  clock.seconds = 7200;
  await burst(1, 'token', '192.0.2.1', true);
  clock.seconds = 0;
  t.equal(await request('token', '192.0.2.1', true), undefined);
});

t.test('an address is rejected after 30 unknown tokens, whichever they are', async (t) => {
  const { request } = setup();
  for (let number = 1; number <= 30; number += 1) t.equal(await request(`guess ${number}`, '192.0.2.1', false), undefined);
  t.equal(await request('guess 31', '192.0.2.1', false), 2);
  t.equal(await request('guess 31', '192.0.2.2', false), undefined, 'another address has its own count');
});

t.test('a token that is known passes from a flooded address', async (t) => {
  const { burst, request } = setup();
  await request('token', '192.0.2.1', true);
  t.equal(await burst(100, 'guess', '192.0.2.1', false), 30);
  t.equal(await request('token', '192.0.2.1', true), undefined);
});

t.test('a token not seen before passes from a flooded address too: after a restart none has been seen', async (t) => {
  const { burst, request } = setup();
  t.equal(await burst(100, 'guess', '192.0.2.1', false), 30);
  t.equal(await request('token', '192.0.2.1', true), undefined);
  t.equal(await burst(100, 'token', '192.0.2.1', true), 59, 'from then on it has its own count');
});

t.test('tokens that exist leave nothing on the count of their address', async (t) => {
  const { request, burst } = setup();
  for (let number = 1; number <= 100; number += 1) t.equal(await request(`token ${number}`, '192.0.2.1', true), undefined);
  t.equal(await burst(100, 'guess', '192.0.2.1', false), 30);
});

t.test('of 600 guesses at the same moment few are looked up, and of one guess fewer', async (t) => {
  const { guard, clock } = setup();
  const lookups = async (tokenOf: (number: number) => string) => {
    const requests = Array.from({ length: 600 }, async (_, number) => {
      const admission = await guard.check(tokenOf(number), '192.0.2.1');
      const isLookedUp = admission.retryAfter === undefined || admission.countedBy === 'spare';
      guard.decide(admission, tokenOf(number), isLookedUp ? false : undefined);
      return isLookedUp;
    });
    return (await Promise.all(requests)).filter(Boolean).length;
  };
  t.equal(await lookups((number) => `guess ${number}`), 30 + 50);
  clock.seconds = 1;
  t.equal(await lookups(() => 'one guess'), 6);
  clock.seconds = 2;
  t.equal(await lookups((number) => `later guess ${number}`), 1 + 50, 'and so each second');
});

t.test('of 600 tokens that exist, first seen at the same moment from one address, all pass', async (t) => {
  const { guard } = setup();
  const requests = Array.from({ length: 600 }, async (_, number) => {
    const admission = await guard.check(`token ${number}`, '192.0.2.1');
    await setImmediate();
    guard.decide(admission, `token ${number}`, true);
    return admission;
  });
  t.same(new Set((await Promise.all(requests)).map(({ retryAfter }) => retryAfter)), new Set([undefined]));
});

t.test('a request waits for slow ones from its address only so long, and then passes if its token exists', async (t) => {
  const guard = new FloodGuard({ requestsPerMinute: 60, unknownPerMinute: 1 }, () => 0, 1);
  await guard.check(undefined, '192.0.2.1');
  t.match(await guard.check('token', '192.0.2.1'), { countedBy: 'spare', retryAfter: 60 });
  t.match(await guard.check(undefined, '192.0.2.1'), { countedBy: 'address', retryAfter: 60 });
});

t.test('a token that was deleted counts for its address from then on', async (t) => {
  const { burst, request } = setup();
  await request('token', '192.0.2.1', true);
  t.equal(await request('token', '192.0.2.1', false), undefined);
  t.equal(await burst(100, 'token', '192.0.2.1', false), 29);
});

t.test('the addresses of one IPv6 /64 are one caller, the next /64 is another', async (t) => {
  const { burst, request } = setup();
  t.equal(await burst(30, 'guess', '2001:db8:0:1::1', false), 30);
  t.equal(await request('guess', '2001:db8:0:1:ffff:ffff:ffff:ffff', false), 2);
  t.equal(await request('guess', '2001:db8:0:2::1', false), undefined);
});

t.test('of more than 50,000 addresses the least recently seen is forgotten', async (t) => {
  const { request } = setup({ unknownPerMinute: 1 });
  await request('guess', 'first', false);
  t.equal(await request('guess', 'first', false), 60);
  for (let number = 1; number <= 49_999; number += 1) await request('guess', `address ${number}`, false);
  t.equal(await request('guess', 'first', false), 60, 'among 50,000 it is remembered');
  for (let number = 1; number <= 50_000; number += 1) await request('guess', `other address ${number}`, false);
  t.equal(await request('guess', 'first', false), undefined);
});

const db = await createTestDatabase(t);
const ada = { email: 'ada@example.com' };

t.test('a token in a hot loop is rejected by the process, without asking PostgreSQL', async (t) => {
  const { post } = await startTestServer(t, db.urlAs('invite_web'), { FLOOD_REQUESTS_PER_MINUTE: '1' });
  const { survey } = await createSurvey(db.store);
  const { token, secret } = await createToken(db.store, survey);
  t.equal((await post(ada, { secret })).status, 200);

  // PostgreSQL would now respond with unknown_token.
  await db.store.deleteTriggerToken(token);
  const rejected = await post(ada, { secret });
  t.match(rejectionOf(rejected), { status: 429, code: 'flood_protection' });
  t.equal(rejected.headers.get('retry-after'), String(rejected.body.error.retry_after_seconds));
  t.ok(Number(rejected.headers.get('retry-after')) >= 1);
});

t.test('guesses from an address end at the limit; a known token still passes from there', async (t) => {
  const { post } = await startTestServer(t, db.urlAs('invite_web'), { FLOOD_UNKNOWN_PER_MINUTE: '2' });
  const { survey } = await createSurvey(db.store);
  const { secret } = await createToken(db.store, survey);
  t.equal((await post(ada, { secret })).status, 200);
  t.equal(rejectionOf(await post(ada, { secret: 'guess-1' })).code, 'unknown_token');
  t.equal(rejectionOf(await post(ada, { secret: 'guess-2' })).code, 'unknown_token');
  t.equal(rejectionOf(await post(ada, { secret: 'guess-3' })).code, 'flood_protection');
  t.equal((await post(ada, { secret })).status, 200);
});

t.test('a token that this process has not seen passes from a flooded address, and a guess does not', async (t) => {
  const { post } = await startTestServer(t, db.urlAs('invite_web'), { FLOOD_UNKNOWN_PER_MINUTE: '1' });
  const { survey } = await createSurvey(db.store);
  const { secret } = await createToken(db.store, survey);
  t.equal(rejectionOf(await post(ada, { secret: 'guess-1' })).code, 'unknown_token');
  const guess = await post(ada, { secret: 'guess-2' });
  t.equal(rejectionOf(guess).code, 'flood_protection');
  t.ok(Number(guess.headers.get('retry-after')) >= 1);
  t.equal((await post(ada, { secret })).status, 200);
  const other = await createToken(db.store, survey);
  t.equal((await post({ ...ada, token: other.secret })).status, 200, 'in the body too');
});

t.test('of many tokens that exist, used at once after a restart, none is refused', async (t) => {
  const { post } = await startTestServer(t, db.urlAs('invite_web'), { FLOOD_UNKNOWN_PER_MINUTE: '1' });
  const { survey } = await createSurvey(db.store);
  const tokens = await Promise.all(Array.from({ length: 80 }, () => createToken(db.store, survey)));
  const answers = await Promise.all(
    tokens.map(({ secret }, number) => (number % 2 === 0 ? post(ada, { secret }) : post({ ...ada, token: secret }))),
  );
  t.same(new Set(answers.map(({ status }) => status)), new Set([200]));
});

for (const [what, body, options, code] of [
  ['without a secret', ada, {}, 'missing_token'],
  ['with a guess in an invalid body', { nope: 1 }, { secret: 'guess' }, 'missing_recipient'],
  ['with a guess in the body', { nope: 1, token: 'guess' }, {}, 'missing_recipient'],
  ['with a guess and a body that is no JSON', '{', { secret: 'guess', headers: JSON_TYPE }, 'invalid_json'],
  ['with a body that is no JSON', '{', { headers: JSON_TYPE }, 'invalid_json'],
  ['with a guess and a body that is too large', ' '.repeat(2000), { secret: 'guess', headers: JSON_TYPE }, 'body_too_large'],
  ['with a body that is too large', ' '.repeat(2000), { headers: JSON_TYPE }, 'body_too_large'],
] as const) {
  t.test(`requests ${what} count for their address`, async (t) => {
    const limits = { FLOOD_UNKNOWN_PER_MINUTE: '2', MAX_BODY_BYTES: '1024' };
    const { post } = await startTestServer(t, db.urlAs('invite_web'), limits);
    const { survey } = await createSurvey(db.store);
    const { secret } = await createToken(db.store, survey);
    const codes = [];
    for (let count = 1; count <= 3; count += 1) codes.push(rejectionOf(await post(body, options)).code);
    t.same(codes, [code, code, 'flood_protection']);
    t.equal((await post(ada, { secret })).status, 200, 'and a token that exists still passes');
  });
}

t.test('a server behind a proxy that it was not told of says so once', async (t) => {
  const lines: string[] = [];
  const log = createLog('warn', new Writable({ write: (chunk, _, done) => done(void lines.push(String(chunk))) }));
  const { post } = await startTestServer(t, db.urlAs('invite_web'), {}, log);
  await post(ada, {});
  t.same(lines, []);
  for (let count = 1; count <= 2; count += 1) await post(ada, { headers: { 'x-forwarded-for': '192.0.2.1' } });
  t.equal(lines.length, 1);
  t.match(lines[0], 'TRUST_PROXY');
  t.notMatch(lines[0], '192.0.2.1');
});

t.test('without a trusted proxy X-Forwarded-For buys no new count', async (t) => {
  const { post } = await startTestServer(t, db.urlAs('invite_web'), { FLOOD_UNKNOWN_PER_MINUTE: '1' });
  const guess = (forwarded: string) => post(ada, { secret: 'guess', headers: { 'x-forwarded-for': forwarded } });
  t.equal(rejectionOf(await guess('192.0.2.1')).code, 'unknown_token');
  t.equal(rejectionOf(await guess('192.0.2.2')).code, 'flood_protection');
});

t.test('with a trusted proxy the address is the last of X-Forwarded-For, whatever the client put before it', async (t) => {
  const { post } = await startTestServer(t, db.urlAs('invite_web'), { FLOOD_UNKNOWN_PER_MINUTE: '1', TRUST_PROXY: '1' });
  const guess = (forwarded: string) => post(ada, { secret: 'guess', headers: { 'x-forwarded-for': forwarded } });
  t.equal(rejectionOf(await guess('192.0.2.1')).code, 'unknown_token');
  t.equal(rejectionOf(await guess('198.51.100.7, 192.0.2.1')).code, 'flood_protection');
  t.equal(rejectionOf(await guess('192.0.2.1, 192.0.2.2')).code, 'unknown_token');
});

t.test('with two trusted proxies the address is the last but one', async (t) => {
  const { post } = await startTestServer(t, db.urlAs('invite_web'), { FLOOD_UNKNOWN_PER_MINUTE: '1', TRUST_PROXY: '2' });
  const guess = (forwarded: string) => post(ada, { secret: 'guess', headers: { 'x-forwarded-for': forwarded } });
  t.equal(rejectionOf(await guess('192.0.2.1, 10.0.0.1')).code, 'unknown_token');
  t.equal(rejectionOf(await guess('192.0.2.1, 10.0.0.2')).code, 'flood_protection');
  t.equal(rejectionOf(await guess('192.0.2.2, 10.0.0.1')).code, 'unknown_token');
});
