// What a workspace is answered, by pages, searches, cursors, exports and the HTTP API, and what is read for it: the same with and without
// 10,000 invitations of another workspace that has its addresses, names, metadata, suppressions, responses and events.
import t, { type Test } from 'tap';
import { openDatabase } from '../../src/database/pool.ts';
import { createHistory, read } from '../fixtures/history.ts';
import { createSurvey, createTestDatabase, createToken, type TestDatabase } from '../fixtures/setup.ts';
import { listStatements, type Statement } from '../fixtures/statements.ts';
import { acceptTrigger } from '../fixtures/trigger.ts';

/** So many that the others' rows add no level to an index. */
const OWN = 60_000;
const FOREIGN = 10_000;

/** The statements that the web server's role may run and that change nothing. */
async function listReadings({ sql }: TestDatabase): Promise<Statement[]> {
  const stable = new Set(
    (
      await sql<{ name: string }[]>`
        select n.nspname || '.' || p.proname as name
        from pg_proc as p
        join pg_namespace as n on n.oid = p.pronamespace
        where n.nspname in ('invite', 'console') and p.provolatile <> 'v' and has_function_privilege('invite_web', p.oid, 'execute')`
    ).map(({ name }) => name),
  );
  // These are about all workspaces together, for the operator.
  const ofAll =
    /queue_metrics|relay_conditions|count_(broken|paused|failing|events)|cell_state|published_to|schema_version|cell_number|invite\.home/;
  return (await listStatements(sql)).filter(({ sql }) => {
    const [, name = ''] = /\b((?:invite|console)\.\w+)\(/.exec(sql) ?? [];
    return stable.has(name) && !ofAll.test(name) && !/from invite\.\w+ where/.test(sql);
  });
}

/** Pages of a survey with few responses and of one without, each after a response that isn't theirs. The later one is another workspace's, once that has some. */
async function listForeignPages(t: Test, { sql }: TestDatabase): Promise<Statement[]> {
  const surveys = await sql<{ id: string; answered: string | null }[]>`
    (select s.id, min(r.id) as answered from invite.surveys as s join invite.responses as r on r.survey_id = s.id
     where s.workspace_id = 'large' group by s.id having count(*) > 2 order by count(*), s.id limit 1)
    union all
    (select s.id, null from invite.surveys as s
     where s.workspace_id = 'large' and not exists (select from invite.responses as r where r.survey_id = s.id) order by s.id limit 1)`;
  t.equal(surveys.length, 2);
  await sql`delete from invite.responses where id = ${surveys[0]?.answered ?? 0}`;
  const [row = {}] = await sql`
    select (select max(id) from invite.responses where survey_id = 's2001') as foreign, max(id) + ${FOREIGN / 2}::integer as later from invite.responses`;
  const [page] = (await listStatements(sql)).filter(({ name }) => name === 'results');
  const ids = {
    'beyond all': '9000000000000000000',
    deleted: surveys[0]?.answered,
    foreign: row.foreign,
    'foreign, later': row.later,
  };
  return surveys.flatMap(({ id: survey }) =>
    Object.entries(ids).map(([name, id]) => ({
      room: 'page' as const,
      name: `results, ${name}`,
      sql: page?.sql.replace("'s1')", `'${survey}', before_id => ${id})`) ?? '',
    })),
  );
}

/** Ids and positions are numbered by their first appearance. */
function numbered(rows: unknown): string {
  const seen = new Map<unknown, number>();
  return JSON.stringify(rows, (key, value) => {
    if (!/(^|_)id$|Id$|^next$|position$/.test(key) || value === null) return value;
    if (!seen.has(value)) seen.set(value, seen.size);
    return seen.get(value);
  });
}

/** Statistics that autovacuum gathers in one of two databases would change plans there, and so what is read. */
const stopAutovacuum = ({ connectAsAdmin }: TestDatabase) =>
  connectAsAdmin().unsafe(`
    do $$
    declare
      t regclass;
    begin
      for t in select c.oid from pg_class as c where c.relnamespace = 'invite'::regnamespace and c.relkind = 'r' loop
        execute format('alter table %s set (autovacuum_enabled = off)', t);
      end loop;
    end
    $$`);

/** What a worker does within a minute. */
async function settle({ sql, store, connectAsAdmin }: TestDatabase, folds: boolean) {
  for (let run = 0; run < 40; run += 1) await store.indexRecipients();
  await sql`select invite.publish_events(100000)`;
  if (folds) await sql`select invite.fold_result_counts()`;
  // Without new statistics: the planner would read more of these, in every workspace.
  await connectAsAdmin().unsafe('vacuum');
}

async function addForeign(t: Test, { sql, store, connectAsAdmin }: TestDatabase) {
  const { workspace, survey } = await createSurvey(store);
  await store.setWorkspaceEvents(workspace, true);
  const { hash } = await createToken(store, survey);
  const people = await sql<{ email: string; name: string }[]>`
    select distinct on (lower(email)) email, name from invite.invitations where workspace_id = 'large' order by lower(email), id desc limit ${FOREIGN}`;
  for (let at = 0; at < people.length; at += 1000) {
    const recipients = people.slice(at, at + 1000).map((person) => ({ ...person, metadata: { region: 'region1' } }));
    t.equal((await acceptTrigger(store, hash, { recipients }, 1_000_000)).outcome, 'accepted');
  }
  await sql`
    update invite.messages set status = 'sent', not_before = null, sweep_at = null, sent_at = now()
    where survey_id = ${survey} and invitation_id % 3 > 0`;
  await sql`
    insert into invite.suppressions (workspace_id, email, reason)
    select ${workspace}, a.email, 'manual' from invite.addresses as a where a.workspace_id = ${workspace} and a.invitation_id % 7 = 0`;
  await sql`
    insert into invite.invitation_outcomes (invitation_id, outcome, survey_id, at)
    select id, 'delivered', survey_id, now() from invite.invitations where survey_id = ${survey}`;
  await sql`
    insert into invite.responses (survey_id, invitation_id, answers, metadata, submitted_at)
    select survey_id, id, '{"score": 9}', '{"region": "region1"}', now() from invite.invitations where survey_id = ${survey} and id % 5 > 0`;
  // One after the other, as they come: each writes its own changes of counts.
  await connectAsAdmin().unsafe(`
    do $$
    declare
      i record;
    begin
      for i in select id, survey_id from invite.invitations where survey_id = '${survey}' and id % 5 = 0 loop
        insert into invite.responses (survey_id, invitation_id, answers, metadata, submitted_at)
        values (i.survey_id, i.id, '{"score": 9}', '{"region": "region1"}', now());
      end loop;
    end
    $$`);
}

/** Runs statements as the web server and as the owner of a database. */
function createReader(t: Test, { urlAs, connect }: TestDatabase) {
  const web = openDatabase(urlAs('invite_web'), { max: 1, applicationName: 'tests' });
  t.teardown(() => web.end());
  const owner = connect();
  return async (statement: Statement) => {
    const rows = await web.unsafe(statement.sql.replace('select console.', 'select * from console.'));
    return { answer: numbered(rows), buffers: (await read(owner, statement, 'generic')).buffers };
  };
}

t.test('no answer differs, and hardly more is read', async (t) => {
  const alone = await createTestDatabase(t);
  await stopAutovacuum(alone);
  await createHistory(alone.connectAsAdmin(), OWN);
  await settle(alone, true);
  const readings = [...(await listReadings(alone)), ...(await listForeignPages(t, alone))];
  const shared = await createTestDatabase(t, alone.url);
  await addForeign(t, shared);
  // What the others' responses change isn't added up yet.
  await settle(shared, false);
  t.ok(readings.length > 60, `${readings.length} statements`);
  const [readAlone, readShared] = [createReader(t, alone), createReader(t, shared)];
  // Of each statement, one right after the other: the answers of some depend on the time.
  for (const statement of readings) {
    const [own, both] = [await readAlone(statement), await readShared(statement)];
    t.equal(both.answer, own.answer, statement.sql);
    // It looks up the newest response to each of the 2,000 surveys, in an index that the others' responses make a level deeper.
    const deeper = statement.name === 'responses of a workspace' ? 2100 : 0;
    // Other tests' databases can empty PostgreSQL's caches of the catalog meanwhile, which are then read again, once.
    const most = 1.1 * own.buffers + 10 + deeper;
    const buffers = both.buffers <= most ? both.buffers : (await readShared(statement)).buffers;
    t.ok(buffers <= most, `${buffers} pages instead of ${own.buffers}: ${statement.sql}`);
  }
});
