// The hourly quota in accept_triggers: the recipients of a workspace in a rolling hour, exact for concurrent callers.
import t, { type Test } from 'tap';
import { openDatabase } from '../../src/database/pool.ts';
import { invitationsOf, openSession } from '../fixtures/inspect.ts';
import { createSurvey, createTestDatabase, createToken } from '../fixtures/setup.ts';

const database = await createTestDatabase(t);
const { sql, store } = database;
const people = (count: number) => Array.from({ length: count }, (_, index) => ({ email: `person${index}@example.com` }));

/** Makes a request at a given time. */
const acceptAt = async (hash: Buffer, at: string, recipientsPerHour: number, recipients: object[]) => {
  const [row] = await sql`
    select * from test.accept_trigger(${hash}, ${sql.json(recipients as never)}, at => ${at}, recipients_per_hour => ${recipientsPerHour})`;
  return row as { outcome: string; retry_after_seconds: number | null };
};

/** Makes one request per hash at once, through a pool of ten connections. Returns the outcomes. */
async function acceptAtOnce(t: Test, hashes: Buffer[], recipientsPerHour: number, recipients: object[]) {
  // There is no lock timeout, because the requests wait for each other.
  const pool = openDatabase(database.url, { max: 10, applicationName: 'tests', transactions: true });
  t.teardown(() => pool.end());
  const answers = await Promise.all(
    hashes.map(
      (hash) => pool`
      select outcome from test.accept_trigger(
        ${hash}, ${sql.json(recipients as never)}, recipients_per_hour => ${recipientsPerHour})`,
    ),
  );
  return answers.map(([row]) => row?.outcome as string);
}

t.test('the quota is used up to its last recipient and not beyond it', async (t) => {
  const { survey } = await createSurvey(store);
  const { hash } = await createToken(store, survey);
  const take = async (count: number) => (await acceptAt(hash, '2030-01-01 10:00:00Z', 100, people(count))).outcome;
  t.equal(await take(99), 'accepted');
  t.equal(await take(2), 'flood_protection');
  t.equal(await take(1), 'accepted', 'the rejected request used nothing');
  t.equal(await take(1), 'flood_protection');
});

t.test('retry_after_seconds of the quota is when the request fits, to the second', async (t) => {
  const { survey } = await createSurvey(store);
  const { hash } = await createToken(store, survey);
  const take = (at: string, count: number) => acceptAt(hash, at, 100, people(count));
  await take('2030-01-01 10:00:30Z', 40);
  await take('2030-01-01 10:20:00Z', 40);
  t.match(await take('2030-01-01 10:40:15Z', 30), { outcome: 'flood_protection', retry_after_seconds: 20 * 60 + 15 });
  t.match(await take('2030-01-01 10:40:15Z', 61), { outcome: 'flood_protection', retry_after_seconds: 39 * 60 + 45 });
  t.match(await take('2030-01-01 11:00:29Z', 30), { outcome: 'flood_protection', retry_after_seconds: 1 });
  t.match(await take('2030-01-01 11:00:29.5Z', 30), { outcome: 'flood_protection', retry_after_seconds: 1 });
  t.match(await take('2030-01-01 11:00:30Z', 60), { outcome: 'accepted', retry_after_seconds: null });
});

t.test('no sixty minutes see more than the quota', async (t) => {
  const { survey } = await createSurvey(store);
  const { hash } = await createToken(store, survey);
  const take = async (at: string) => (await acceptAt(hash, at, 100, people(100))).outcome;
  t.equal(await take('2030-01-01 10:00:59Z'), 'accepted');
  t.equal(await take('2030-01-01 11:00:58.999Z'), 'flood_protection');
  t.equal(await take('2030-01-01 11:00:59Z'), 'accepted');
});

t.test('a part of what a batch has used is not given back before the whole batch leaves the window', async (t) => {
  const { survey } = await createSurvey(store);
  const { hash } = await createToken(store, survey);
  const take = (at: string, count: number) => acceptAt(hash, at, 100, people(count));
  await take('2030-01-01 10:00:00Z', 60);
  await take('2030-01-01 10:10:00Z', 40);
  t.match(await take('2030-01-01 10:30:00Z', 60), { outcome: 'flood_protection', retry_after_seconds: 30 * 60 });
  t.match(await take('2030-01-01 10:30:00Z', 61), { outcome: 'flood_protection', retry_after_seconds: 40 * 60 });
  t.match(await take('2030-01-01 11:00:00Z', 61), { outcome: 'flood_protection', retry_after_seconds: 10 * 60 });
  t.match(await take('2030-01-01 11:00:00Z', 60), { outcome: 'accepted' });
});

t.test('batches that are deleted count no more, and those that are left count as before', async (t) => {
  const { survey } = await createSurvey(store);
  const { hash } = await createToken(store, survey);
  const take = (at: string, count: number) => acceptAt(hash, at, 100, people(count));
  await take('2030-01-01 09:00:00Z', 90);
  await take('2030-01-01 10:00:00Z', 30);
  await take('2030-01-01 10:10:00Z', 50);
  const forget = async (before: string) => {
    await sql`
      delete from invite.invitations as i using invite.batches as b
      where b.id = i.batch_id and b.survey_id = ${survey} and b.accepted_at < ${before}`;
    await sql`delete from invite.batches where survey_id = ${survey} and accepted_at < ${before}`;
  };
  await forget('2030-01-01 09:30:00Z');
  t.match(await take('2030-01-01 10:20:00Z', 21), { outcome: 'flood_protection', retry_after_seconds: 40 * 60 });
  await forget('2030-01-01 10:05:00Z');
  t.match(await take('2030-01-01 10:20:00Z', 51), { outcome: 'flood_protection', retry_after_seconds: 50 * 60 });
  t.match(await take('2030-01-01 10:20:00Z', 50), { outcome: 'accepted' });
  await forget('2040-01-01');
  t.match(await take('2030-01-01 10:30:00Z', 100), { outcome: 'accepted' });
});

t.test('after the clock was set back a workspace waits for an hour at most', async (t) => {
  const { survey } = await createSurvey(store);
  const { hash } = await createToken(store, survey);
  const take = (at: string, count: number) => acceptAt(hash, at, 100, people(count));
  await take('2030-01-04 10:00:00Z', 80);
  t.match(await take('2030-01-04 09:59:00Z', 30), { outcome: 'flood_protection', retry_after_seconds: 3600 });
  t.match(await take('2030-01-04 09:59:00Z', 20), { outcome: 'accepted' });
  t.match(await take('2030-01-01 10:00:00Z', 60), { outcome: 'accepted' }, 'it counts as of another time');
  t.match(await take('2030-01-01 10:00:01Z', 60), { outcome: 'flood_protection', retry_after_seconds: 3599 });
});

t.test(
  'requests of a workspace in one call: what fits is taken in their order, and what others keep from fitting is asked again',
  async (t) => {
    const { workspace, survey } = await createSurvey(store);
    const hashes = await Promise.all([1, 2, 3, 4].map(async () => (await createToken(store, survey)).hash));
    const calls = [60, 50, 200, 10].map((count, index) => ({
      secretHash: hashes[index] ?? Buffer.alloc(0),
      request: { recipients: people(count) },
    }));
    const results = await store.acceptTriggers(calls, 100);
    t.strictSame(
      results.map((result) => result?.outcome),
      ['accepted', undefined, 'flood_protection', undefined],
    );
    const again = await store.acceptTriggers([calls[1], calls[3]] as typeof calls, 100);
    t.strictSame(
      again.map((result) => result?.outcome),
      ['flood_protection', undefined],
    );
    t.equal((await store.acceptTriggers(calls.slice(3), 100))[0]?.outcome, 'accepted');
    const totals =
      await sql`select workspace_total as total from invite.batches where workspace_id = ${workspace} order by accepted_at`;
    t.strictSame(
      totals.map(({ total }) => Number(total)),
      [60, 70],
    );
  },
);

t.test('the quota of one workspace is not used by another', async (t) => {
  for (let workspace = 0; workspace < 2; workspace += 1) {
    const { survey } = await createSurvey(store);
    const { hash } = await createToken(store, survey);
    t.equal((await acceptAt(hash, '2030-01-01 10:00:00Z', 100, people(100))).outcome, 'accepted');
  }
});

t.test('a token of the same workspace waits for an open reservation of quota, and is then rejected', async (t) => {
  const { survey } = await createSurvey(store);
  const [one, other] = [await createToken(store, survey), await createToken(store, survey)];
  const [first, second] = [await openSession(database), await openSession(database)];
  const sixty = sql.json(people(60));
  await first.sql`begin`;
  await first.sql`
    select test.accept_trigger(${one.hash}, ${sixty}, at => '2030-01-01 10:00:59Z', recipients_per_hour => 100)`;
  // This request is in another minute than the first, so the two share no row.
  const answer = second.sql`
    select outcome from test.accept_trigger(${other.hash}, ${sixty}, at => '2030-01-01 10:01:00Z', recipients_per_hour => 100)`.execute();
  await second.untilBlocked();
  await first.sql`commit`;
  t.equal((await answer)[0]?.outcome, 'flood_protection');
});

t.test('two tokens of a workspace together never exceed its quota, however many callers there are', async (t) => {
  const { survey } = await createSurvey(store);
  const [one, other] = [await createToken(store, survey), await createToken(store, survey)];
  const hashes = Array.from({ length: 30 }, (_, index) => (index % 2 === 0 ? one.hash : other.hash));
  const outcomes = await acceptAtOnce(t, hashes, 100, people(10));
  t.equal(outcomes.filter((outcome) => outcome === 'accepted').length, 10);
  t.equal((await invitationsOf(sql, survey)).length, 100);
});

t.test('a request of more recipients than the limit is rejected even when nothing was used yet', async (t) => {
  const { survey } = await createSurvey(store);
  const { hash } = await createToken(store, survey);
  t.match(await acceptAt(hash, '2030-01-01 10:00:00Z', 9, people(10)), {
    outcome: 'flood_protection',
    retry_after_seconds: 3600,
  });
});

t.test('batches from SQL that have no total yet are added up once a call, however many requests it has', async (t) => {
  const { workspace, survey } = await createSurvey(store);
  const tokens = await Promise.all(Array.from({ length: 16 }, () => createToken(store, survey)));
  await sql`
    insert into invite.batches (id, workspace_id, survey_id, trigger_token_id, subject, message, recipients, scheduled_at, accepted_at)
    select gen_random_uuid(), ${workspace}, ${survey}, ${tokens[0]?.token ?? ''}, 'S', 'M', 1, now(), now() from generate_series(1, 2000)`;
  const requests = tokens.map(({ hash }) => ({ secret_hash: `\\x${hash.toString('hex')}`, recipients: people(1) }));
  const connection = database.connect();
  const count = async () => {
    const [row] = await connection`
      select (idx_tup_fetch + seq_tup_read)::integer as number from pg_stat_xact_user_tables where relid = 'invite.batches'::regclass`;
    return row?.number as number;
  };
  for (const [limit, outcomes, most] of [
    [100_000, 16, 4000],
    [500, 0, 1500],
  ] as const) {
    await connection`begin`;
    const before = await count();
    const rows = await connection`select * from invite.accept_triggers(${sql.json(requests as never)}, ${limit})`;
    t.equal(rows.filter(({ outcome }) => outcome === 'accepted').length, outcomes);
    const read = (await count()) - before;
    t.ok(read <= most, `${read} batches were read`);
    await connection`rollback`;
  }
});
