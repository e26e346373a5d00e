// Callers in a hot loop are refused for a moment without asking the database; nobody else is.
import { t } from 'tap';
import { createCooldowns } from '../../src/trigger/cooldowns.ts';
import { startTestServer } from '../fixtures/http.ts';
import { createSurvey, createTestDatabase, createToken } from '../fixtures/setup.ts';

const cooldown = (retryAfterSeconds: number) => ({ outcome: 'cooldown', retryAfterSeconds }) as const;

/** A clock that is moved by hand, and a token that the database has refused so many times. */
function createHot(times: number, retryAfterSeconds = 60) {
  const clock = { now: 1_000_000 };
  const cooldowns = createCooldowns(() => clock.now);
  const refuse = () => cooldowns.learn('token', cooldown(retryAfterSeconds));
  for (let time = 0; time < times; time += 1) refuse();
  return { clock, cooldowns, refuse };
}

t.test('the fifth refusal in a row is repeated, for a tenth of a second', (t) => {
  t.equal(createHot(4).cooldowns.find('token'), undefined);
  const { cooldowns, clock, refuse } = createHot(5);
  t.strictSame(cooldowns.find('token'), cooldown(60));
  t.equal(cooldowns.find('another'), undefined);
  clock.now += 99;
  t.strictSame(cooldowns.find('token'), cooldown(60));
  clock.now += 1;
  t.equal(cooldowns.find('token'), undefined, 'the database is asked again');
  refuse();
  t.ok(cooldowns.find('token'), 'and is hot as before');
  t.end();
});

t.test('a token is not hot whose refusals are a second apart', (t) => {
  const { cooldowns, clock, refuse } = createHot(4);
  clock.now += 1000;
  refuse();
  t.equal(cooldowns.find('token'), undefined);
  t.end();
});

t.test('a refusal is not repeated whose cooldown may be over in a moment', (t) => {
  t.equal(createHot(5, 1).cooldowns.find('token'), undefined);
  t.ok(createHot(5, 2).cooldowns.find('token'));
  t.end();
});

t.test('any other answer ends it', (t) => {
  const { cooldowns } = createHot(5);
  cooldowns.learn('token', { outcome: 'survey_disabled', retryAfterSeconds: null });
  t.equal(cooldowns.find('token'), undefined);
  t.end();
});

t.test('what it remembers is bounded', (t) => {
  const { cooldowns } = createHot(5);
  for (let token = 0; token < 10_000; token += 1) cooldowns.learn(String(token), cooldown(60));
  t.equal(cooldowns.find('token'), undefined, 'forgotten: the database is asked');
  t.end();
});

t.test('a replay is answered while the token is hot, and so is a payload that is wrong', async (t) => {
  const { store, urlAs } = await createTestDatabase(t);
  const { url } = await startTestServer(t, urlAs('invite_http'));
  const { survey } = await createSurvey(store);
  const { secret } = await createToken(store, survey, { cooldownSeconds: 3600 });
  const post = async (body: object, headers: Record<string, string> = {}) => {
    const response = await fetch(`${url}/api/invitation-trigger`, {
      method: 'POST',
      headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
    return {
      status: response.status,
      replayed: response.headers.get('idempotency-replayed'),
      retry: response.headers.get('retry-after'),
    };
  };
  const key = { 'idempotency-key': 'order-1' };
  t.match(await post({ email: 'ada@example.com' }, key), { status: 200, replayed: null });
  for (let time = 0; time < 10; time += 1) {
    const refused = await post({ email: 'ada@example.com' });
    t.match(refused, { status: 429 });
    t.ok(Number(refused.retry) > 3590);
  }
  t.match(await post({ email: 'ada@example.com' }, key), { status: 200, replayed: 'true' });
  t.match(await post({ email: 'nobody' }), { status: 400 });
});
