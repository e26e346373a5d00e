// reserve_quota, through accept_triggers: the recipients of a workspace per rolling hour, exact for concurrent callers.
import t, { type Test } from 'tap';
import { openDatabase } from '../../src/database/pool.ts';
import { invitationsOf, openSession } from '../fixtures/inspect.ts';
import { createSurvey, createTestDatabase, createToken } from '../fixtures/setup.ts';

const database = await createTestDatabase(t);
const { sql, store } = database;
const people = (count: number) => Array.from({ length: count }, (_, index) => ({ email: `person${index}@example.com` }));

/** A request at a given time. */
const acceptAt = async (hash: Buffer, at: string, recipientsPerHour: number, recipients: object[]) => {
  const [row] = await sql`
    select * from test.accept_trigger(${hash}, ${sql.json(recipients as never)}, at => ${at}, recipients_per_hour => ${recipientsPerHour})`;
  return row as { outcome: string; retry_after_seconds: number | null };
};

/** Sends requests many times at once, through a pool of ten connections; the outcomes. */
async function acceptAtOnce(t: Test, hashes: Buffer[], recipientsPerHour: number, recipients: object[]) {
  const pool = openDatabase(database.url, { max: 10, applicationName: 'tests' });
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

t.test('the volume limit is taken up to its last recipient and not beyond it', async (t) => {
  const { survey } = await createSurvey(store);
  const { hash } = await createToken(store, survey);
  const take = async (count: number) => (await acceptAt(hash, '2030-01-01 10:00:00Z', 100, people(count))).outcome;
  t.equal(await take(99), 'accepted');
  t.equal(await take(2), 'flood_protection');
  t.equal(await take(1), 'accepted', 'the refused request took nothing');
  t.equal(await take(1), 'flood_protection');
});

t.test('retry_after_seconds of the volume limit is when the request fits, to the second', async (t) => {
  const { survey } = await createSurvey(store);
  const { hash } = await createToken(store, survey);
  const take = (at: string, count: number) => acceptAt(hash, at, 100, people(count));
  await take('2030-01-01 10:00:30Z', 40);
  await take('2030-01-01 10:20:00Z', 40);
  t.match(await take('2030-01-01 10:40:15Z', 30), { outcome: 'flood_protection', retry_after_seconds: 20 * 60 + 45 });
  t.match(await take('2030-01-01 10:40:15Z', 61), { outcome: 'flood_protection', retry_after_seconds: 40 * 60 + 45 });
  t.match(await take('2030-01-01 11:00:59Z', 30), { outcome: 'flood_protection', retry_after_seconds: 1 });
  t.match(await take('2030-01-01 11:00:59.5Z', 30), { outcome: 'flood_protection', retry_after_seconds: 1 });
  t.match(await take('2030-01-01 11:01:00Z', 60), { outcome: 'accepted', retry_after_seconds: null });
});

t.test('no sixty minutes see more than the volume limit', async (t) => {
  const { survey } = await createSurvey(store);
  const { hash } = await createToken(store, survey);
  const take = async (at: string) => (await acceptAt(hash, at, 100, people(100))).outcome;
  t.equal(await take('2030-01-01 10:00:59Z'), 'accepted');
  t.equal(await take('2030-01-01 11:00:58Z'), 'flood_protection');
  t.equal(await take('2030-01-01 11:01:00Z'), 'accepted');
});

t.test('minutes that have left the window are deleted', async (t) => {
  const { workspace, survey } = await createSurvey(store);
  const { hash } = await createToken(store, survey);
  await acceptAt(hash, '2030-01-01 10:00:00Z', 100, people(1));
  await acceptAt(hash, '2030-01-01 11:00:00Z', 100, people(1));
  const minutes = () => sql`select minute from invite.workspace_quotas where workspace_id = ${workspace} order by minute`;
  t.equal((await minutes()).length, 2);
  await acceptAt(hash, '2030-01-01 11:01:00Z', 100, people(1));
  t.strictSame(
    (await minutes()).map((row) => row.minute.toISOString()),
    ['2030-01-01T11:00:00.000Z', '2030-01-01T11:01:00.000Z'],
  );
});

t.test('the volume of one workspace is not taken by another', async (t) => {
  for (let workspace = 0; workspace < 2; workspace += 1) {
    const { survey } = await createSurvey(store);
    const { hash } = await createToken(store, survey);
    t.equal((await acceptAt(hash, '2030-01-01 10:00:00Z', 100, people(100))).outcome, 'accepted');
  }
});

t.test('a token of the same workspace waits for an open taking of volume, and is then refused', async (t) => {
  const { survey } = await createSurvey(store);
  const [one, other] = [await createToken(store, survey), await createToken(store, survey)];
  const [first, second] = [await openSession(database), await openSession(database)];
  const sixty = sql.json(people(60));
  await first.sql`begin`;
  await first.sql`
    select test.accept_trigger(${one.hash}, ${sixty}, at => '2030-01-01 10:00:59Z', recipients_per_hour => 100)`;
  // In another minute: the two share no row.
  const answer = second.sql`
    select outcome from test.accept_trigger(${other.hash}, ${sixty}, at => '2030-01-01 10:01:00Z', recipients_per_hour => 100)`.execute();
  await second.untilBlocked();
  await first.sql`commit`;
  t.equal((await answer)[0]?.outcome, 'flood_protection');
});

t.test('two tokens of a workspace together never exceed its volume, however many callers there are', async (t) => {
  const { survey } = await createSurvey(store);
  const [one, other] = [await createToken(store, survey), await createToken(store, survey)];
  const hashes = Array.from({ length: 30 }, (_, index) => (index % 2 === 0 ? one.hash : other.hash));
  const outcomes = await acceptAtOnce(t, hashes, 100, people(10));
  t.equal(outcomes.filter((outcome) => outcome === 'accepted').length, 10);
  t.equal((await invitationsOf(sql, survey)).length, 100);
});

t.test('a request of more recipients than the limit is refused even when nothing was taken yet', async (t) => {
  const { survey } = await createSurvey(store);
  const { hash } = await createToken(store, survey);
  t.match(await acceptAt(hash, '2030-01-01 10:00:00Z', 9, people(10)), {
    outcome: 'flood_protection',
    retry_after_seconds: 3600,
  });
});
