// Readers of events race with transactions that commit late or roll back, and with each other. No event is skipped, and none is read twice.
import t from 'tap';
import { openDatabase } from '../../src/database/pool.ts';
import { openSession, sqlstate } from '../fixtures/inspect.ts';
import { createSurvey, createTestDatabase, until } from '../fixtures/setup.ts';

const database = await createTestDatabase(t);
const { sql, store } = database;

async function createRecording() {
  const recording = await createSurvey(store, { state: 'draft' });
  await store.setWorkspaceEvents(recording.workspace, true);
  return recording;
}
const setState = (session: typeof sql, survey: string, state: 'active' | 'closed') =>
  session`update invite.surveys set state = ${state} where id = ${survey}`;
const publish = () => until('all is published', async () => (await store.publishEvents(1000)) === 0);
const read = async (session: typeof sql, consumer: string, maxEvents = 100) => {
  const rows = await session<{ position: string; survey_id: string; type: string }[]>`
    select position, survey_id, type from invite.read_events(${consumer}, max_events => ${maxEvents})`;
  return [...rows];
};

t.test('of interleaved committers, some of which roll back, a reader skips no event and reads none twice', async (t) => {
  const COMMITTERS = 200;
  const sessions = await Promise.all(Array.from({ length: 10 }, async () => (await openSession(database)).sql));
  const surveys: string[] = [];
  for (let index = 0; index < COMMITTERS; index += 1) surveys.push((await createRecording()).survey);
  const admin = database.connectAsAdmin();
  await admin`create table public.seen (position bigint primary key, survey_id text not null)`;
  await admin`grant select, insert on public.seen to public`;
  const expected: string[] = [];
  let isCommitting = true;

  const committing = Promise.all(
    sessions.map(async (session, mine) => {
      for (let index = mine; index < COMMITTERS; index += sessions.length) {
        const survey = surveys[index] ?? '';
        await session`begin`;
        await setState(session, survey, 'active');
        // Other transactions commit while this one takes this many steps.
        for (let step = 0; step < index % 7; step += 1) await session`select`;
        const isKept = index % 5 > 0;
        await session.unsafe(isKept ? 'commit' : 'rollback');
        if (isKept) expected.push(survey);
      }
    }),
  ).finally(() => {
    isCommitting = false;
  });
  const publishing = (async () => {
    while (isCommitting) await Promise.all([store.publishEvents(3), store.publishEvents(7)]);
    await publish();
  })();
  const { sql: reader } = await openSession(database);
  let isPublishing = true;
  publishing.finally(() => {
    isPublishing = false;
  });
  for (let round = 0; ; round += 1) {
    const isLast = !isPublishing;
    await reader`begin`;
    const events = await read(reader, 'warehouse', 9);
    for (const { position, survey_id } of events) await reader`insert into public.seen values (${position}, ${survey_id})`;
    // If the read is rolled back, its events are read again.
    await reader.unsafe(round % 4 === 3 ? 'rollback' : 'commit');
    if (isLast && events.length === 0) break;
  }
  await committing;
  const seen = await sql<{ survey_id: string }[]>`select survey_id from public.seen order by survey_id`;
  t.same(
    seen.map((row) => row.survey_id),
    expected.sort(),
  );
});

t.test('a second reader of a consumer waits for the first, and goes on where that one stopped', async (t) => {
  const recording = await createRecording();
  await read(sql, 'pair', 10_000);
  for (const state of ['active', 'closed'] as const) await setState(sql, recording.survey, state);
  await publish();
  const [first, second] = [await openSession(database), await openSession(database)];
  await first.sql`begin`;
  t.match(await read(first.sql, 'pair', 1), [{ type: 'survey.activated' }]);
  const waiting = read(second.sql, 'pair', 1);
  waiting.catch(() => {});
  await second.untilBlocked();
  await first.sql`commit`;
  t.match(await waiting, [{ type: 'survey.closed' }]);
  t.same(await read(sql, 'pair'), []);
});

t.test('in a repeatable read, the second fails instead of reading twice', async (t) => {
  const recording = await createRecording();
  await read(sql, 'strict', 10_000);
  await setState(sql, recording.survey, 'active');
  await publish();
  const { sql: session } = await openSession(database);
  await session`begin isolation level repeatable read`;
  await session`select from invite.event_progress`;
  t.equal((await read(sql, 'strict')).length, 1);
  t.equal(await sqlstate(read(session, 'strict')), '40001');
  await session`rollback`;
});

t.test('types, a consumer of its own, lag and replay', async (t) => {
  const recording = await createRecording();
  for (const state of ['active', 'closed', 'active'] as const) await setState(sql, recording.survey, state);
  await publish();
  const lagOf = async (name: string) => (await sql`select * from invite.event_consumer_lag where name = ${name}`)[0];
  const closed = async () =>
    (await sql`select survey_id from invite.read_events('closings', '{survey.closed}', 1000)`).filter(
      ({ survey_id }) => survey_id === recording.survey,
    ).length;
  t.equal(await closed(), 1);
  t.match(await lagOf('closings'), { behind: '0', oldest_unread_at: null, read_at: Date, lost: '0' });
  await setState(sql, recording.survey, 'closed');
  await publish();
  t.match(await lagOf('closings'), { behind: '1', oldest_unread_at: Date });
  t.equal(await closed(), 1);
  const [{ followed } = {}] = await sql`select invite.replay_events('closings') as followed`;
  t.equal((await lagOf('closings'))?.behind, followed);
  t.equal(await closed(), 2);
  await sql`select invite.replay_events('closings', now() + interval '1 day')`;
  t.equal(await closed(), 0);
  t.equal(await sqlstate(sql`select invite.replay_events('nobody')`), 'P0002');
  t.same(await sql`select invite.delete_event_consumer('closings') as deleted`, [{ deleted: true }]);
  t.equal(await lagOf('closings'), undefined);
});

t.test("the product's role reads, and a separate one may not", async (t) => {
  const admin = openDatabase(database.urlAs('invite_admin'), { applicationName: 'tests' });
  const web = openDatabase(database.urlAs('invite_web'), { applicationName: 'tests' });
  t.teardown(async () => {
    await admin.end();
    await web.end();
  });
  t.ok(Array.isArray(await read(admin, 'product', 5)));
  t.equal(await sqlstate(read(web, 'product', 5)), '42501');
});
