// Rejected requests of a known token are counted by code and written every few seconds. The counts contain no value of a request.
import t from 'tap';
import type { RejectionCount } from '../../src/database/store.ts';
import { ApiError } from '../../src/errors.ts';
import { createSecret, hashSecret } from '../../src/secret.ts';
import { Cells } from '../../src/trigger/cells.ts';
import { createRejectionCounter, detailOf } from '../../src/trigger/rejections.ts';
import { ErrorList } from '../../src/trigger/validation-errors.ts';
import { startTestServer } from '../fixtures/http.ts';
import { createSurvey, createTestDatabase, createToken, silent, until } from '../fixtures/setup.ts';

const { sql, store, urlAs, connect } = await createTestDatabase(t);

/** Returns the records of a token: the code, the count, and the last detail. */
const recorded = async (token: string) =>
  (
    await sql`
      select code, rejected, last_detail from invite.rejections where trigger_token_id = ${token} order by code`
  ).map(({ code, rejected, last_detail }) => [code, rejected, last_detail]);

t.test(
  'what the endpoint rejects a known token is recorded when the server stops, by code, with the rule that was broken',
  async (t) => {
    const { post, close } = await startTestServer(t, urlAs('invite_web'));
    const flooded = await startTestServer(t, urlAs('invite_web'), { FLOOD_REQUESTS_PER_MINUTE: '1' });
    const { survey } = await createSurvey(store);
    const { secret, token } = await createToken(store, survey, { cooldownSeconds: 60 });
    const ada = { email: 'ada@example.com' };
    const holder = connect();
    await holder`begin`;
    await holder`lock table invite.rejections`;
    t.equal((await post(ada, { secret })).status, 200);
    await post(ada, { secret });
    await post(ada, { query: `?token=${secret}` });
    await post({ emails: ['ada@example.com', { email: 'no address' }] }, { secret });
    await post({ ...ada, send_in_second: 5 }, { secret });
    await post({ ...ada, metadata: 7, token: secret });
    await post({ ...ada, reminder_days: 400 }, { secret });
    await post('{', { secret, headers: { 'content-type': 'application/json' } });
    await flooded.post(ada, { secret });
    t.equal((await flooded.post(ada, { secret })).status, 429);
    await holder`rollback`;
    await Promise.all([close(), flooded.close()]);
    const rows = await recorded(token);
    for (const row of rows.slice(0, 2)) t.match(row[2], /^The last request came [1-9]\d* seconds? too early\.$/);
    t.strictSame(rows, [
      ['cooldown', 3, rows[0]?.[2]],
      ['flood_protection', 1, rows[1]?.[2]],
      ['invalid_field', 2, 'reminder_days must be a whole number from 0 to 365'],
      ['invalid_json', 1, 'The body is not valid JSON (at position 1).'],
      ['invalid_recipient', 1, "emails[].email isn't a valid email address: it has no @"],
      ['unknown_field', 1, "one of the names isn't a field of this request; did you mean send_in_seconds?"],
    ]);
  },
);

t.test('a deleted token is recorded too, a secret that was never one is not, and neither is what has no secret', async (t) => {
  const { post, close } = await startTestServer(t, urlAs('invite_web'));
  const { survey } = await createSurvey(store);
  const { secret, token } = await createToken(store, survey);
  await store.deleteTriggerToken(token);
  const [before] = await sql`select count(*) from invite.rejections`;
  await post({ email: 'ada@example.com' }, { secret });
  await post({ email: 'ada@example.com' }, { secret: createSecret('home0001').secret });
  await post({ email: 'ada@example.com' });
  await close();
  t.strictSame(await recorded(token), [['unknown_token', 1, null]]);
  t.equal(Number((await sql`select count(*) from invite.rejections`)[0]?.count), Number(before?.count) + 1);
});

const cooldown = new ApiError('cooldown', 'The token is cooling down.', { retryAfterSeconds: 3 });
const [one, other] = [hashSecret('one'), hashSecret('other')];

/** Creates a counter that writes to a list. Its first writes fail with these errors. */
function createCounted(errors: Error[], flushAfter = 60_000) {
  const written: RejectionCount[][] = [];
  const counter = createRejectionCounter(
    {
      recordRejections: (async (counts: readonly RejectionCount[]) => {
        const error = errors.shift();
        if (error) throw error;
        written.push([...counts]);
      }) as never,
    },
    silent,
    flushAfter,
  );
  return { counter, written };
}
const away = () => Object.assign(new Error('away'), { code: 'ECONNREFUSED' });

t.test('counts are written by themselves, once for all requests of a secret and code', async (t) => {
  const { counter, written } = createCounted([], 1);
  for (let count = 0; count < 1000; count += 1) counter.count(one, cooldown);
  counter.count(other, cooldown);
  // The timer is unref'd. The wait below keeps the process running.
  await until('the counts are written', () => written.length === 1);
  t.match(written, [[{ secret_hash: `\\x${one.toString('hex')}`, code: 'cooldown', rejected: 1000 }, { rejected: 1 }]]);
  await counter.flush();
  t.equal(written.length, 1, 'without counts the database is left alone');
});

t.test('while the database is away counts are kept, and added to those that come', async (t) => {
  const { counter, written } = createCounted([away(), away()]);
  counter.count(one, cooldown);
  await counter.flush();
  counter.count(one, cooldown);
  await counter.flush();
  t.same(written, []);
  await counter.flush();
  t.match(written, [[{ rejected: 2, code: 'cooldown' }]]);
});

t.test('what the database will never take is not tried for ever', async (t) => {
  const { counter, written } = createCounted([Object.assign(new Error('no'), { code: '23514' })]);
  counter.count(one, cooldown);
  await counter.flush();
  await counter.flush();
  t.same(written, []);
});

t.test('counts are written by database; of those that may be invented one at a time, and the others later', async (t) => {
  const cells = new Cells();
  const written: string[][] = [];
  const store = {
    recordRejections: (async (counts: readonly RejectionCount[]) => {
      written.push(counts.map(({ secret_hash }) => Buffer.from(secret_hash.slice(2), 'hex').toString('latin1', 0, 8)));
    }) as never,
  };
  const counter = createRejectionCounter(store, silent, 60_000, cells);
  const hashIn = (home: string) => createSecret(home).hash;
  for (const home of ['one10001', 'two20001']) cells.add(hashIn(home));
  for (const home of ['new30001', 'one10001', 'new40001', 'one10002', 'two20001', 'new30002'])
    counter.count(hashIn(home), cooldown);
  await counter.flush();
  t.strictSame(written.splice(0).sort(), [['new30001', 'new30002'], ['one10001', 'one10002'], ['two20001']]);
  await counter.flush();
  t.strictSame(written, [['new40001']]);
});

t.test('no more than 2,000 secrets and codes are held', async (t) => {
  const { counter, written } = createCounted([away()]);
  const flood = () => {
    for (let count = 0; count < 1500; count += 1) counter.count(hashSecret(String(count)), cooldown);
    for (let count = 0; count < 1500; count += 1) counter.count(hashSecret(`x${count}`), cooldown);
  };
  flood();
  await counter.flush();
  flood();
  await counter.close();
  t.equal(written[0]?.length, 2000);
  t.equal(written[0]?.[0]?.rejected, 2);
});

t.test('a detail has no word of the caller', async (t) => {
  const detail = (field: string) =>
    detailOf(
      new ApiError('invalid_field', `${field} is wrong.`, { details: [{ code: 'invalid_field', field, message: 'is wrong' }] }),
    );
  t.equal(detail('subject'), 'subject is wrong');
  t.equal(detail('emails[12]'), 'emails[] is wrong');
  t.equal(detail('emails[3].metadata'), 'emails[].metadata is wrong');
  t.equal(detail('emails[3].metadata.ada@example.com'), 'emails[].metadata is wrong');
  t.equal(detail('Idempotency-Key'), 'Idempotency-Key is wrong');
  for (const field of ['ada@example.com', 'sit_secret', 'constructor', '']) t.equal(detail(field), 'a field is wrong', field);
  t.equal(detail('emails[3].ada@example.com'), 'emails[].… is wrong');
});

t.test('of several errors, the detail is of the first with the code of the answer', async (t) => {
  const errors = new ErrorList();
  errors.add('unsupported_timing', 'send_at', 'is late');
  errors.add('invalid_field', 'subject', 'is long');
  t.equal(detailOf(errors.toApiError() as ApiError), 'subject is long');
});
