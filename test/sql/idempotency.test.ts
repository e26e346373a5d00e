// Idempotency keys in accept_triggers: the replay, its 24 hours, its order among the rejections, and the pruning of keys. Simultaneous
// requests are tested in test/race.
import { createHash, randomUUID } from 'node:crypto';
import t from 'tap';
import { constraint, invitationsOf, jobsOf } from '../fixtures/inspect.ts';
import { createSurvey, createTestDatabase, createToken } from '../fixtures/setup.ts';

const { sql, store } = await createTestDatabase(t);
const ada = sql.json([{ email: 'ada@example.com' }]);
const sha256 = (text: string) => createHash('sha256').update(text).digest();
const START = '2030-01-01 10:00:00Z';

interface Accept {
  at?: string;
  key?: string | null;
  payload?: string;
  perHour?: number;
  inSeconds?: number;
}

/** Makes a request with a key at a given time. */
const accept = async (
  hash: Buffer,
  { at = START, key = 'order-1', payload = 'payload', perHour = 10_000, inSeconds = 0 }: Accept = {},
) => {
  const [row] = await sql`
    select * from test.accept_trigger(
      ${hash}, ${ada}, at => ${at}, recipients_per_hour => ${perHour}, send_in_seconds => ${inSeconds},
      idempotency_key => ${key}, payload_hash => ${sha256(payload)})`;
  return { ...row } as { outcome: string; batch_id: string; scheduled_at: Date; status: string; replayed: boolean | null };
};

const setup = async (cooldownSeconds = 60) => {
  const fixture = await createSurvey(store);
  return { ...fixture, ...(await createToken(store, fixture.survey, { cooldownSeconds })) };
};
const keysOf = (token: string) => sql`select * from invite.idempotency_keys where trigger_token_id = ${token} order by key`;

const REPLAYED = { replayed: true, suppressed: null };

t.test('a repeated request inside the cooldown gets the same batch, and changes nothing', async (t) => {
  const { survey, token, hash } = await setup();
  const first = await accept(hash, { inSeconds: 3600 });
  t.match(first, { outcome: 'accepted', status: 'scheduled', replayed: false });
  const everything = async () => ({
    tokens: await sql`select t.*, t.xmin::text as version from invite.trigger_tokens as t where survey_id = ${survey}`,
    invitations: await invitationsOf(sql, survey),
    keys: await keysOf(token),
    jobs: await jobsOf(sql, survey),
  });
  const before = await everything();
  t.strictSame(await accept(hash, { at: '2030-01-01 10:00:30Z', inSeconds: 3600 }), { ...first, ...REPLAYED });
  t.strictSame(await accept(hash, { at: '2030-01-01 15:00:00Z', inSeconds: 3600, perHour: 0 }), { ...first, ...REPLAYED });
  t.strictSame(await everything(), before);
  t.equal(before.invitations.length, 1);
});

t.test('the same key with another payload is rejected, whatever the cooldown', async (t) => {
  const { token, hash } = await setup();
  await accept(hash);
  for (const at of ['2030-01-01 10:00:30Z', '2030-01-01 10:05:00Z']) {
    const refused = await accept(hash, { at, payload: 'another' });
    t.match(refused, { outcome: 'idempotency_key_reused', batch_id: null, status: null, replayed: null });
  }
  t.equal((await keysOf(token)).length, 1);
  t.match(await accept(hash, { at: '2030-01-01 10:05:00Z' }), { outcome: 'accepted', replayed: true });
});

t.test('another key, or none, is another request', async (t) => {
  const { token, hash } = await setup();
  const first = await accept(hash);
  t.equal((await accept(hash, { key: 'order-2', at: '2030-01-01 10:00:30Z' })).outcome, 'cooldown');
  t.equal((await accept(hash, { key: null, at: '2030-01-01 10:00:30Z' })).outcome, 'cooldown');
  const second = await accept(hash, { key: 'order-2', at: '2030-01-01 10:01:00Z' });
  const third = await accept(hash, { key: null, at: '2030-01-01 10:02:00Z' });
  t.match([second, third], [{ replayed: false }, { replayed: false }]);
  t.equal(new Set([first, second, third].map((answer) => answer.batch_id)).size, 3);
  t.strictSame(
    (await keysOf(token)).map((row) => row.key),
    ['order-1', 'order-2'],
    'without a key nothing is kept',
  );
});

t.test('a key is of its token: another token of the same survey has its own', async (t) => {
  const { survey, hash } = await setup();
  const other = await createToken(store, survey);
  const [first, second] = [await accept(hash), await accept(other.hash, { payload: 'another' })];
  t.match(second, { outcome: 'accepted', replayed: false });
  t.not(first.batch_id, second.batch_id);
});

t.test('a key holds for 24 hours, and can then be used again, pruned or not', async (t) => {
  const { token, hash } = await setup();
  const first = await accept(hash);
  t.match(await accept(hash, { at: '2030-01-02 09:59:59Z' }), { batch_id: first.batch_id, replayed: true });
  const second = await accept(hash, { at: '2030-01-02 10:00:00Z', payload: 'another' });
  t.match(second, { outcome: 'accepted', replayed: false });
  t.not(second.batch_id, first.batch_id);
  t.equal((await keysOf(token)).length, 1);
  t.match(await accept(hash, { at: '2030-01-03 09:59:59Z', payload: 'another' }), { batch_id: second.batch_id, replayed: true });
});

t.test('a replay is the batch as it was accepted, though the defaults of the token have changed', async (t) => {
  const { token, hash } = await setup();
  const first = await accept(hash);
  await store.updateTriggerToken(token, { defaultSubject: 'After', defaultReminders: [9], cooldownSeconds: 600 });
  t.strictSame(await accept(hash, { at: '2030-01-01 10:05:00Z' }), { ...first, ...REPLAYED });
});

t.test(
  'a replay gets the batch of the first request though it would now be rejected; only a deleted token is unknown',
  async (t) => {
    const { workspace, survey, token, hash } = await setup();
    const first = await accept(hash);
    await sql`select invite.set_survey_disabled(${survey}, true)`;
    await store.upsertWorkspace({ id: workspace, plan: 'free' });
    await store.setWorkspaceSuspended(workspace, true);
    t.strictSame(await accept(hash), { ...first, ...REPLAYED, hold_reason: 'workspace_suspended' });
    t.equal((await accept(hash, { key: 'new' })).outcome, 'workspace_disabled');
    t.equal((await accept(hash, { payload: 'another' })).outcome, 'idempotency_key_reused');
    await store.deleteTriggerToken(token);
    t.equal((await accept(hash)).outcome, 'unknown_token');
  },
);

t.test('a rejected request stores no key: the same key is accepted later', async (t) => {
  const { survey, token, hash } = await setup();
  await sql`select invite.set_survey_disabled(${survey}, true)`;
  t.equal((await accept(hash)).outcome, 'survey_disabled');
  await sql`select invite.set_survey_disabled(${survey}, false)`;
  t.equal((await accept(hash, { perHour: 0 })).outcome, 'flood_protection');
  await accept(hash, { key: 'other' });
  t.equal((await accept(hash, { at: '2030-01-01 10:00:30Z' })).outcome, 'cooldown');
  t.strictSame(
    (await keysOf(token)).map((row) => row.key),
    ['other'],
  );
  t.match(await accept(hash, { at: '2030-01-01 10:01:00Z', payload: 'another' }), { outcome: 'accepted', replayed: false });
});

t.test('expired keys are pruned in bounded steps, oldest first; a full step queues the next', async (t) => {
  await sql`delete from invite.audit_log`;
  await sql`delete from invite.idempotency_keys`;
  const { token, hash } = await setup(0);
  for (const [key, at] of [
    ['a', '2030-01-01 10:00:00Z'],
    ['b', '2030-01-01 10:00:01Z'],
    ['c', '2030-01-01 10:00:02Z'],
  ] as const)
    await accept(hash, { key, at });
  const pruned = async (rows: number, at: string) =>
    (await sql`select invite.prune_expired('idempotency_keys', ${at}, ${rows}, 0) as pruned`)[0]?.pruned;
  const jobs = () => sql`select from graphile_worker.jobs where task_identifier = 'prune_expired'`;
  t.equal(await pruned(10, '2030-01-02 09:59:59.999Z'), 0);
  t.equal(await pruned(10, '2030-01-02 10:00:00Z'), 1);
  t.equal((await jobs()).length, 0);
  t.equal(await pruned(1, '2030-01-03 10:00:00Z'), 1);
  t.equal((await jobs()).length, 1);
  t.strictSame(
    (await keysOf(token)).map((row) => row.key),
    ['c'],
  );
  t.equal(await store.pruneExpired('idempotency_keys'), 0, 'by the clock');
});

t.test('the table holds what a key is', async (t) => {
  const { token, hash } = await setup();
  const { batch_id } = await accept(hash);
  const change = (column: string, value: string | Buffer) =>
    constraint(sql`update invite.idempotency_keys set ${sql(column)} = ${value} where batch_id = ${batch_id}`);
  t.equal(await change('key', ''), 'idempotency_keys_key_length');
  t.equal(await change('key', 'x'.repeat(256)), 'idempotency_keys_key_length');
  t.equal(await change('payload_hash', Buffer.alloc(31)), 'idempotency_keys_payload_hash_sha256');
  t.equal(await change('batch_id', randomUUID()), 'idempotency_keys_batch_fkey');
  t.equal((await keysOf(token)).length, 1);
});
