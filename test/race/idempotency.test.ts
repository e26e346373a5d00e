// Simultaneous requests with one idempotency key, and a request that races with the pruning of its expired key. They are interleaved by
// hand.
import { createHash } from 'node:crypto';
import t from 'tap';
import { openDatabase } from '../../src/database/pool.ts';
import { invitationsOf, openSession } from '../fixtures/inspect.ts';
import { createSurvey, createTestDatabase, createToken, until } from '../fixtures/setup.ts';

const database = await createTestDatabase(t);
const { sql, store } = database;
const ada = sql.json([{ email: 'ada@example.com' }]);
const sha256 = (text: string) => createHash('sha256').update(text).digest();

const setup = async (cooldownSeconds = 60) => {
  const fixture = await createSurvey(store);
  return { ...fixture, ...(await createToken(store, fixture.survey, { cooldownSeconds })) };
};

const callWith = (session: typeof sql, hash: Buffer, payload = 'payload') =>
  session`
    select outcome, batch_id, replayed
    from test.accept_trigger(${hash}, ${ada}, idempotency_key => 'order-1', payload_hash => ${sha256(payload)})`;

for (const cooldown of [0, 60]) {
  t.test(
    `of two requests at once with one key the second waits and is the first's replay (cooldown ${cooldown} s)`,
    async (t) => {
      const { survey, hash } = await setup(cooldown);
      const [first, second, third] = [await openSession(database), await openSession(database), await openSession(database)];
      await first.sql`begin`;
      const [accepted] = await callWith(first.sql, hash);
      const replay = callWith(second.sql, hash).execute();
      await second.untilBlocked();
      const reused = callWith(third.sql, hash, 'another').execute();
      await third.untilBlocked();
      await first.sql`commit`;
      t.match((await replay)[0], { outcome: 'accepted', batch_id: accepted?.batch_id, replayed: true });
      t.match((await reused)[0], { outcome: 'idempotency_key_reused' });
      t.equal((await invitationsOf(sql, survey)).length, 1);
    },
  );
}

t.test('if the first of two requests with one key is rolled back, the second is accepted', async (t) => {
  const { survey, hash } = await setup();
  const [first, second] = [await openSession(database), await openSession(database)];
  await first.sql`begin`;
  await callWith(first.sql, hash);
  const answer = callWith(second.sql, hash).execute();
  await second.untilBlocked();
  await first.sql`rollback`;
  t.match((await answer)[0], { outcome: 'accepted', replayed: false });
  t.equal((await invitationsOf(sql, survey)).length, 1);
});

t.test('of 20 callers at once with one key and a cooldown all get one batch', async (t) => {
  const { survey, token, hash } = await setup(60);
  // There is no lock timeout. Otherwise the first caller would give up before the last has come.
  const pool = openDatabase(database.url, { max: 10, applicationName: 'tests', transactions: true });
  t.teardown(() => pool.end());
  // All ten connections wait for the token before the first of them continues.
  const holder = await openSession(database);
  await holder.sql`begin`;
  await holder.sql`select from invite.trigger_tokens where id = ${token} for update`;
  const calls = Promise.all(Array.from({ length: 20 }, () => callWith(pool, hash)));
  await until('ten callers wait', async () => {
    const [row] = await sql`
      select count(*)::integer as waiting from pg_stat_activity
      where datname = current_database() and cardinality(pg_blocking_pids(pid)) > 0`;
    return row?.waiting === 10;
  });
  await holder.sql`commit`;
  const answers = (await calls).map(([row]) => row);
  t.ok(answers.every((answer) => answer?.outcome === 'accepted'));
  t.equal(new Set(answers.map((answer) => answer?.batch_id)).size, 1);
  t.equal(answers.filter((answer) => !answer?.replayed).length, 1);
  t.equal((await invitationsOf(sql, survey)).length, 1);
});

t.test('a replay waits for nobody: not for the token, which another request holds', async (t) => {
  const { token, hash } = await setup();
  const [first] = await callWith(sql, hash);
  const [holder, caller] = [await openSession(database), await openSession(database)];
  await holder.sql`begin`;
  await holder.sql`select from invite.trigger_tokens where id = ${token} for update`;
  await caller.sql`set lock_timeout = '1s'`;
  const [replay] = await callWith(caller.sql, hash);
  t.strictSame({ ...replay }, { ...first, replayed: true });
  await holder.sql`rollback`;
});

/** Creates a token whose key order-1 has just expired at NEXT_DAY. There is no other key. */
async function createExpired() {
  await sql`delete from invite.idempotency_keys`;
  const fixture = await setup();
  await callAt(sql, fixture.hash, '2030-01-01 10:00:00Z');
  const createdAt = async () => {
    const rows = await sql`select created_at from invite.idempotency_keys where trigger_token_id = ${fixture.token}`;
    return rows.map((row) => row.created_at);
  };
  return { ...fixture, createdAt };
}
const NEXT_DAY = '2030-01-02 10:00:00Z';
const callAt = (session: typeof sql, hash: Buffer, at = NEXT_DAY) =>
  session`
    select outcome, replayed from test.accept_trigger(
      ${hash}, ${ada}, at => ${at}, idempotency_key => 'order-1', payload_hash => ${sha256('payload')})`;
const prune = (session: typeof sql) => session`select invite.prune_expired('idempotency_keys', ${NEXT_DAY}) as pruned`;

t.test('a pruning skips the expired key that a request is just using again', async (t) => {
  const { hash, createdAt } = await createExpired();
  const [caller, pruner] = [await openSession(database), await openSession(database)];
  await caller.sql`begin`;
  await callAt(caller.sql, hash);
  await pruner.sql`set lock_timeout = '1s'`;
  t.equal((await prune(pruner.sql))[0]?.pruned, 0);
  await caller.sql`commit`;
  t.strictSame(await createdAt(), [new Date(NEXT_DAY)]);
});

t.test('a request that uses an expired key again waits for its pruning, and stores it again', async (t) => {
  const { hash, createdAt } = await createExpired();
  const [pruner, caller] = [await openSession(database), await openSession(database)];
  await pruner.sql`begin`;
  t.equal((await prune(pruner.sql))[0]?.pruned, 1);
  const answer = callAt(caller.sql, hash).execute();
  await caller.untilBlocked();
  await pruner.sql`commit`;
  t.match((await answer)[0], { outcome: 'accepted', replayed: false });
  t.strictSame(await createdAt(), [new Date(NEXT_DAY)]);
});
