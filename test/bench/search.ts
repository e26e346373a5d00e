// Measures the search of the console beside 2,000,000 invitations of 1,200,000 people and 1,000,000 responses in one workspace, and of 2,000 in another
// with some of the same addresses; and what PostgreSQL writes ahead for what finds them. BENCH_SCALE makes them more.
import { readFileSync } from 'node:fs';
import { createMember } from '../fixtures/members.ts';
import { type Bench, createTrigger, type Database, VOLUME } from './harness.ts';
import { percentile, type Result } from './result.ts';

const INVITATIONS = 2_000_000;
const RESPONSES = 1_000_000;
const QUERIES = 200;
const NEW = 20_000;
/** As many as a page has of each group. */
const ROWS = 10;

export async function search(bench: Bench): Promise<Result[]> {
  const database = await bench.database('search');
  const { store, sql } = database;
  const trigger = await createTrigger(database);
  const small = await createTrigger(database);
  const { session } = await createMember(store, trigger.workspaceId, 'owner');
  const invitations = INVITATIONS * bench.scale;
  await createHistory(database, trigger, invitations, RESPONSES * bench.scale);
  await createNeighbor(database, trigger, small);
  const began = performance.now();
  await indexAll(database);
  const indexed = (performance.now() - began) / 1000;
  await sql.unsafe('vacuum analyze');
  const size = await sizes(database);

  await createMember(store, small.workspaceId, 'owner');
  const texts = await questions(database, trigger.workspaceId);
  const smalls = Object.entries(await questions(database, small.workspaceId)).map(
    ([kind, words]) => [`${kind}, in a small workspace`, words] as const,
  );
  const one = await sql.reserve();
  const [{ pid = 0 } = {}] = await one<{ pid: number }[]>`select pg_backend_pid() as pid`;
  const run = async (workspaceId: string, words: readonly string[]) => {
    const times: number[] = [];
    const cpu: number[] = [];
    for (const text of words) {
      const before = cpuOf(pid);
      const from = performance.now();
      await one`select * from console.search(${session}, ${workspaceId}, ${text}, ${ROWS}::integer)`;
      times.push(performance.now() - from);
      cpu.push(cpuOf(pid) - before);
    }
    return { times, cpu };
  };
  const series: Result['series'][number][] = [];
  const all = { times: [] as number[], cpu: [] as number[] };
  const say = (name: string, values: number[]) => ({
    name: `${name}: median, 95th percentile, slowest`,
    unit: 'ms' as const,
    values: [percentile(values, 0.5), percentile(values, 0.95), Math.max(...values)],
  });
  for (const [workspaceId, kind, words] of [
    ...Object.entries(texts).map(([kind, words]) => [trigger.workspaceId, kind, words] as const),
    ...smalls.map(([kind, words]) => [small.workspaceId, kind, words] as const),
  ]) {
    await run(workspaceId, words);
    const { times, cpu } = await run(workspaceId, words);
    series.push(say(kind, times), say(`${kind}, of the processor`, cpu));
    if (workspaceId !== trigger.workspaceId) continue;
    all.times.push(...times);
    all.cpu.push(...cpu);
  }
  series.unshift(say('all', all.times), say('all, of the processor', all.cpu));
  one.release();
  const written = await measureIndexing(database, trigger);
  return [
    {
      part: 'search',
      title: `The search beside ${invitations.toLocaleString('en')} invitations in one workspace of two`,
      used: `${all.times.length} texts, each for the second time; indexed in ${indexed.toFixed(0)} s`,
      series,
    },
    {
      part: 'search-wal',
      title: 'What finds an invitation, on disk and in the write-ahead log',
      used: `${NEW} invitations after a checkpoint, as they came in steps`,
      series: [
        { name: 'persons, on disk', unit: 'bytes', values: [(size.persons ?? 0) / invitations] },
        { name: 'values of the metadata, on disk', unit: 'bytes', values: [(size.search_terms ?? 0) / invitations] },
        { name: 'a comment, on disk', unit: 'bytes', values: [(size.comments ?? 0) / (invitations / 4)] },
        { name: 'written ahead by index_recipients, just after a checkpoint', unit: 'bytes', values: [written.all] },
        { name: 'without whole pages', unit: 'bytes', values: [written.records] },
      ],
    },
  ];
}

/** Milliseconds of the processor that PostgreSQL's process has had, in steps of ten. Linux only: elsewhere 0. */
function cpuOf(pid: number): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
    return (Number(fields[11]) + Number(fields[12])) * 10;
  } catch {
    return 0;
  }
}

type Trigger = Awaited<ReturnType<typeof createTrigger>>;

/** Names of syllables, so that there are as many as people have; addresses in the usual forms; every second response has a comment. */
async function createHistory(
  { sql }: Database,
  { workspaceId, surveyId }: Trigger,
  invitations: number,
  responses: number,
): Promise<void> {
  const [token] = await sql`select id from invite.trigger_tokens where survey_id = ${surveyId}`;
  const text = (value: unknown) => `'${value}'`;
  await sql.begin((one) =>
    one.unsafe(`
      set local session_replication_role = replica;
      set local work_mem = '128MB';
      set local jit = off;
      insert into invite.surveys (id, workspace_id, title, state) select 'survey-' || n, ${text(workspaceId)}, 'Survey of shop ' || n, 'active' from generate_series(1, 199) as n;
      create temp table people on commit drop as
      select
        n, initcap(f.name) as first, initcap(l.name) as last,
        case h.v % 4
          when 0 then f.name || '.' || l.name || '@' || d.name
          when 1 then left(f.name, 1) || l.name || h.v % 100 || '@' || d.name
          when 2 then l.name || h.v % 1000 || '@' || d.name
          else f.name || '_' || l.name || '@' || l.name || '.example'
        end as email
      from generate_series(1, ${invitations}) as n
      cross join lateral (select abs(hashint8(n)) as v, abs(hashint8(n + 1000000000)) as w) as h
      cross join lateral (select (array['ada','amara','anna','ben','carlos','chinedu','clara','david','elena','emma','erik','fatima','george','hana','ines','ivan','james','jana','jonas','julia','kofi','lars','leila','liam','lucia','maria','mark','mei','mia','miguel','nadia','nina','noah','olga','oliver','omar','paul','petra','priya','rosa','sara','sofia','sven','tariq','tom','uma','vera','viktor','yara','zoe'])[1 + h.v % 50] as name) as f
      cross join lateral (select concat(
        (array['ha','ko','mar','len','sor','ba','dri','fel','gun','jo','kra','lo','mi','ner','oka','pet','ri','sto','tan','vas','wil','zam'])[1 + h.w % 22],
        (array['ri','len','for','dan','son','ber','ka','mo','ne','ti','la','ver','go','sa'])[1 + h.w / 22 % 14],
        (array['son','sen','ski','man','er','ez','ova','ini','berg','dal','wood','ton','es','oglu'])[1 + h.w / 308 % 14],
        (array['','','','s','a','ie'])[1 + h.w / 4312 % 6]) as name) as l
      cross join lateral (select (array['gmail.com','outlook.com','yahoo.com','web.de','company.example','mail.example'])[1 + h.w % 6] as name) as d;
      insert into invite.batches (id, workspace_id, survey_id, trigger_token_id, subject, message, recipients, workspace_total, scheduled_at, accepted_at, metadata)
      select invite.uuidv7(p.at), ${text(workspaceId)}, case when n % 200 = 0 then ${text(surveyId)} else 'survey-' || n % 200 end, ${text(token?.id)}, 'Subject', 'Message', 20, n * 20, p.at, p.at,
        jsonb_build_object('campaign', 'c' || n / 1000)
      from generate_series(1, ${invitations} / 20) as n
      cross join lateral (select now() - (${invitations} / 20 - n) * interval '5 minutes' as at) as p;
      create temp table batch on commit drop as select b.id, b.survey_id, b.workspace_total, b.accepted_at from invite.batches as b where b.workspace_id = ${text(workspaceId)};
      create index on batch (workspace_total);
      analyze batch;
      insert into invite.invitations (batch_id, workspace_id, survey_id, email, name, metadata)
      select b.id, ${text(workspaceId)}, b.survey_id, p.email, p.first || ' ' || p.last, jsonb_build_object('order_id', 'A-' || 100000 + p.n, 'country', (array['DE','FR','DK','NO','US'])[1 + p.n % 5])
      from people as p
      join batch as b on b.workspace_total = (p.n + 19) / 20 * 20
      order by p.n;
      insert into invite.messages (invitation_id, survey_id, status, due_at, sent_at) select i.id, i.survey_id, 'sent', now(), now() from invite.invitations as i;
      insert into invite.addresses (workspace_id, email, invitation_id) select i.workspace_id, lower(i.email), i.id from invite.invitations as i;
      insert into invite.responses (survey_id, invitation_id, answers, metadata, submitted_at)
      select i.survey_id, i.id, jsonb_build_object('score', i.id % 11) || case when i.id % 4 = 0 then jsonb_build_object('comment', c.text) else '{}' end, i.metadata, now() - (${invitations} - i.id) * interval '10 seconds'
      from invite.invitations as i
      cross join lateral (
        select string_agg((array['the','delivery','was','late','and','parcel','damaged','great','service','friendly','staff','price','too','high','quality','good','refund','never','arrived','broken','color','wrong','size','thanks','fast','shipping','again','would','buy','support','answer','slow','website','easy','order','missing','part','box','returned','happy','not','very','but','with','from','for','it','my','have','when'])[1 + abs(hashint8(i.id * 40 + w)) % 50], ' ')
          || case when i.id % 1000 = 0 then ' forklift' || i.id % 7 else '' end as text
        from generate_series(1, 8 + i.id::integer % 17) as w
      ) as c
      where i.id % 2 = 0
      limit ${responses};
    `),
  );
  await sql.unsafe('vacuum analyze');
}

/** A small workspace, of which half of the people are in the large one too. */
async function createNeighbor({ sql }: Database, large: Trigger, { workspaceId, surveyId }: Trigger): Promise<void> {
  await sql`
    with batch as (
      insert into invite.batches (id, workspace_id, survey_id, trigger_token_id, subject, message, recipients, workspace_total, scheduled_at, accepted_at)
      select invite.uuidv7(now()), ${workspaceId}, ${surveyId}, k.id, 'Subject', 'Message', 2000, 2000, now(), now()
      from invite.trigger_tokens as k where k.survey_id = ${surveyId} returning id
    ), invited as (
      insert into invite.invitations (batch_id, workspace_id, survey_id, email, name, metadata)
      select b.id, ${workspaceId}, ${surveyId}, case when i.id % 2 = 0 then 'own.' else '' end || i.email, i.name, i.metadata
      from batch as b
      cross join lateral (select x.* from invite.invitations as x where x.workspace_id = ${large.workspaceId} order by x.id limit 2000) as i
      returning *
    ), message as (
      insert into invite.messages (invitation_id, survey_id, status, due_at, sent_at) select i.id, i.survey_id, 'sent', now(), now() from invited as i
    ), address as (
      insert into invite.addresses (workspace_id, email, invitation_id) select i.workspace_id, lower(i.email), i.id from invited as i
    )
    insert into invite.responses (survey_id, invitation_id, answers, submitted_at)
    select i.survey_id, i.id, jsonb_build_object('comment', 'late delivery of parcel ' || i.id), now() from invited as i where i.id % 2 = 0`;
}

/** All at once, with the indexes made at the end. */
async function indexAll({ sql }: Database): Promise<void> {
  const indexes = await sql<{ name: string; definition: string }[]>`
    select c.oid::regclass::text as name, pg_get_indexdef(c.oid) as definition from pg_class as c where c.oid in ('invite.persons_keys_idx'::regclass, 'invite.comments_keys_idx'::regclass)`;
  for (const { name } of indexes) await sql.unsafe(`drop index ${name}`);
  await sql.unsafe(`
    insert into invite.search_terms (term, invitation_id)
    select t.term, i.id
    from invite.invitations as i
    join invite.batches as b on b.id = i.batch_id
    cross join lateral unnest(invite.terms_of(i.workspace_id, coalesce(b.metadata, '{}') || coalesce(i.metadata, '{}'))) as t (term)`);
  await sql.unsafe(`
    insert into invite.persons (workspace_id, email, name)
    select distinct on (i.workspace_id, lower(i.email)) i.workspace_id, lower(i.email), invite.person_name(i.name)
    from invite.invitations as i
    order by i.workspace_id, lower(i.email), i.id desc`);
  await sql.unsafe(
    `select invite.add_comments(array(select r.id from invite.responses as r where r.answers ? 'comment' order by r.id))`,
  );
  for (const { definition } of indexes) await sql.unsafe(definition);
  await sql.unsafe(
    `update invite.search_progress set indexed_to = n.id from (select max(i.id) as id from invite.invitations as i) as n`,
  );
  await sql.unsafe(`
    update invite.queue_progress set read_from = n.id + 1, open_to = null, open_transactions = '{}'
    from (select max(i.id) as id from invite.invitations as i) as n where queue = 'invitations'`);
}

async function sizes({ sql }: Database): Promise<Record<string, number>> {
  const rows = await sql<{ name: string; bytes: number }[]>`
    select c.relname as name, pg_total_relation_size(c.oid)::float8 as bytes from pg_class as c
    where c.relnamespace = 'invite'::regnamespace and c.relname in ('persons', 'search_terms', 'comments')`;
  return Object.fromEntries(rows.map(({ name, bytes }) => [name, bytes]));
}

/** What people enter: of existing people and orders, spread over all, and what finds nothing. */
async function questions({ sql }: Database, workspaceId: string): Promise<Record<string, string[]>> {
  const rows = await sql<{ email: string; name: string; order: string }[]>`
    select i.email, i.name, i.metadata ->> 'order_id' as order
    from generate_series(1, ${QUERIES / 5}::integer) as n
    join invite.invitations as i on i.id = n * (select max(x.id) / ${QUERIES / 5}::integer - 1 from invite.invitations as x)
    where i.workspace_id = ${workspaceId}`;
  const middle = (text: string, length: number) => text.slice(2, 2 + length);
  return {
    'a whole name but its end': rows.map(({ name }) => name.slice(0, -2)),
    'part of an address': rows.map(({ email }) => middle(email, 7)),
    'three letters of an address': rows.map(({ email }) => middle(email, 3)),
    'an order': rows.map(({ order }, index) => (index % 4 === 0 ? `${order}x` : order)),
    'words of a comment': rows.map(
      (_, index) => ['late delivery', 'forklift3', 'refund never arr', 'purple', 'forklift', 'broken box'][index % 6] as string,
    ),
    nobody: rows.map(({ name }, index) => `${name.slice(0, 4)} xq${index}z`),
  };
}

/** Bytes of the write-ahead log for each new invitation of a new person. The requests themselves aren't in them. */
async function measureIndexing({ sql }: Database, { hash }: Trigger): Promise<{ all: number; records: number }> {
  await sql.unsafe('create extension if not exists pg_walinspect');
  await sql`checkpoint`;
  const bytes = { all: 0, records: 0 };
  const position = async () => (await sql<{ at: string }[]>`select pg_current_wal_insert_lsn()::text as at`)[0]?.at ?? '';
  for (let done = 0; done < NEW; done += 1000) {
    await sql`
      select from generate_series(1, 10) as n
      cross join lateral invite.accept_triggers(jsonb_build_array(jsonb_build_object('secret_hash', ${hash}::bytea, 'recipients', (
        select jsonb_agg(jsonb_build_object(
          'email', d.digest || '@example.com', 'name', initcap(left(d.digest, 5)) || ' ' || initcap(right(d.digest, 7)), 'metadata', jsonb_build_object('order_id', 'B-' || d.digest)))
        from generate_series(1, 100) as r
        cross join lateral (select translate(left(md5((${done}::integer + n * 100 + r)::text), 14), '0123456789', 'ghijklmnop') as digest) as d))), ${VOLUME}, defer => true)`;
    const before = await position();
    for (let count = -1, idle = 0; idle < 2; idle = count === 0 ? idle + 1 : 0)
      count = (await sql<{ count: number }[]>`select invite.index_recipients() as count`)[0]?.count ?? 0;
    const after = await position();
    const [row] = await sql<{ all: number; records: number }[]>`
      select sum(combined_size)::float8 as all, sum(record_size)::float8 as records
      from pg_get_wal_stats(${before}::pg_lsn, pg_current_wal_flush_lsn()) where ${after} <> ''`;
    bytes.all += row?.all ?? 0;
    bytes.records += row?.records ?? 0;
  }
  return { all: bytes.all / NEW, records: bytes.records / NEW };
}
