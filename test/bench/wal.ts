// Measures what PostgreSQL writes ahead beside a history of 2,000,000 invitations of 200 surveys in 50 workspaces, each with a batch of its own
// and an id as the service makes it: of one-recipient requests and of emails, just after a checkpoint, when each page is written whole at its
// first change, and later. By pg_walinspect, which also says how much of it is whole pages.
import type { Sql } from '../../src/database/pool.ts';
import type { Bench, Database } from './harness.ts';
import { VOLUME } from './harness.ts';
import type { Result } from './result.ts';

const INVITATIONS = 2_000_000;
const SURVEYS = 200;
const WORKSPACES = 50;
/** Requests after a checkpoint, in steps. */
const STEPS = [300, 1_500, 6_000];
const EMAILS = 3_000;
/** As many as a job has. */
const CHUNK = 100;
const DISK_REQUESTS = 10_000;
const LARGE_REQUESTS = 10;
const RECIPIENTS = 1_000;
const WORKER = '00000000-0000-4000-8000-000000000001';
const TABLES = ['batches', 'invitations', 'messages', 'addresses'];

export async function wal(bench: Bench): Promise<Result[]> {
  const database = await bench.database('wal');
  const { sql } = database;
  await sql.unsafe('create extension if not exists pg_walinspect');
  // So that what is measured is still there when a checkpoint comes in between.
  await sql.unsafe(`alter system set wal_keep_size = '2GB'`);
  await createHistory(database, INVITATIONS * bench.scale);
  const series: Result['series'][number][] = [];
  // The embedded PostgreSQL is built without lz4.
  const [known] = await sql<
    { lz4: boolean }[]
  >`select 'lz4' = any (enumvals) as lz4 from pg_settings where name = 'wal_compression'`;
  for (const compression of ['off', known?.lz4 ? 'lz4' : 'pglz']) {
    await sql.unsafe(`alter system set wal_compression = ${compression}`);
    await sql`select pg_reload_conf()`;
    const say = (name: string, values: Written) => {
      const title = compression === 'off' ? name : `${name}, wal_compression = ${compression}`;
      series.push({ name: title, unit: 'bytes', values: [values.all] });
      if (compression === 'off') series.push({ name: `${name}, without whole pages`, unit: 'bytes', values: [values.records] });
    };
    await sql`checkpoint`;
    let from = 1;
    for (const count of STEPS) {
      say(
        `a request, the ${from}st to ${from + count - 1}th after a checkpoint`,
        await measure(sql, count, () => acceptAll(database, count)),
      );
      from += count;
    }
    for (const [what, reminds] of [
      ['an email', false],
      ['an email that gets a reminder', true],
    ] as const) {
      const due = await sql<{ id: string }[]>`
        select m.invitation_id as id
        from invite.messages as m
        join invite.invitations as i on i.id = m.invitation_id
        join invite.batches as b on b.id = i.batch_id
        where m.status = 'queued' and m.number = 0 and (cardinality(b.reminders) > 0) = ${reminds} order by m.invitation_id limit ${EMAILS}`;
      await sql`checkpoint`;
      say(`${what}, claimed and settled after a checkpoint`, await measure(sql, due.length, () => deliverAll(database, due)));
    }
    const reminders = await sql<{ id: string }[]>`
      select invitation_id as id from invite.messages where status = 'queued' and number > 0 order by not_before limit ${EMAILS}`;
    await sql`checkpoint`;
    say(
      'a reminder in the order of due times, after a checkpoint',
      await measure(sql, reminders.length, () => deliverAll(database, reminders)),
    );
  }
  await sql.unsafe('alter system reset wal_compression');
  await sql.unsafe('alter system reset wal_keep_size');
  await sql`select pg_reload_conf()`;
  return [
    {
      part: 'wal',
      title: `What is written ahead beside ${(INVITATIONS * bench.scale).toLocaleString('en')} invitations`,
      used: `requests with one recipient to ${SURVEYS} surveys of ${WORKSPACES} workspaces; emails in jobs of ${CHUNK}`,
      series,
    },
    await disk(bench),
  ];
}

/** The newest invitations have a reminder that is still to come. */
async function createHistory({ sql }: Database, invitations: number): Promise<void> {
  await sql.begin(async (transaction) => {
    await transaction.unsafe(`
      set local session_replication_role = replica;
      insert into invite.workspaces (name) select 'Workspace ' || n from generate_series(1, ${WORKSPACES}) as n;
      insert into invite.surveys (workspace_id, title, state)
      select w.id, 'Survey ' || n, 'active'
      from (select id, row_number() over () as place from invite.workspaces) as w
      join generate_series(1, ${SURVEYS}) as n on n % ${WORKSPACES} + 1 = w.place;
      insert into invite.trigger_tokens (survey_id, name, secret_hash, secret_hint, cooldown_seconds, default_reminders)
      select s.id, 'Token', 'home0001' || sha256(('secret' || row_number() over ())::bytea), '', 0, case when row_number() over () % 2 = 0 then array[7] else '{}' end::smallint[]
      from invite.surveys as s;
      create temp table invited on commit drop as
      select
        n as id, invite.uuidv7(now() - (${invitations} - n) * interval '1 minute') as batch_id, now() - (${invitations} - n) * interval '1 minute' as at,
        t.workspace_id, t.survey_id, t.id as token_id, 'person' || abs(hashint8(n)) % ${invitations} || '@example.com' as email,
        n as total
      from generate_series(1, ${invitations}::bigint) as n
      join (
        select k.id, k.survey_id, s.workspace_id, row_number() over () - 1 as place
        from invite.trigger_tokens as k
        join invite.surveys as s on s.id = k.survey_id
      ) as t on t.place = n % ${SURVEYS};
      insert into invite.batches (
        id, workspace_id, survey_id, trigger_token_id, subject, message, reminders, recipients, workspace_total, scheduled_at, accepted_at)
      select d.batch_id, d.workspace_id, d.survey_id, d.token_id, t.default_subject, t.default_message, '{7}', 1, d.total, d.at, d.at
      from invited as d
      join invite.trigger_tokens as t on t.id = d.token_id
      order by d.id;
      insert into invite.invitations (id, batch_id, workspace_id, survey_id, email, name) overriding system value
      select d.id, d.batch_id, d.workspace_id, d.survey_id, d.email, 'Ada Lovelace' from invited as d order by d.id;
      select setval(pg_get_serial_sequence('invite.invitations', 'id'), ${invitations});
      insert into invite.messages (invitation_id, number, survey_id, status, is_last, due_at, sent_at, attempts, relay_message_id)
      select d.id, 0, d.survey_id, 'sent', d.id <= ${invitations - EMAILS * 4}, d.at, d.at, 1, '<' || d.batch_id || '@relay.example.com>'
      from invited as d order by d.id;
      insert into invite.messages (invitation_id, number, survey_id, due_at, not_before, sweep_at)
      select d.id, 1, d.survey_id, d.at + interval '7 days', d.at + interval '7 days', d.at + interval '7 days'
      from invited as d where d.id > ${invitations - EMAILS * 4} order by d.id;
      insert into invite.addresses (workspace_id, email, invitation_id) select d.workspace_id, d.email, d.id from invited as d order by d.id`);
  });
  await sql`insert into invite.workers (id, hostname, pid) values (${WORKER}, 'host', 1)`;
  await sql.unsafe('vacuum analyze');
}

interface Written {
  /** Bytes for each. */
  readonly all: number;
  /** Of these, without the pages that are written whole after a checkpoint. */
  readonly records: number;
}

async function measure(sql: Sql, count: number, run: () => Promise<void>): Promise<Written> {
  const position = async () => (await sql<{ at: string }[]>`select pg_current_wal_insert_lsn()::text as at`)[0]?.at ?? '';
  const start = await position();
  await run();
  const end = await position();
  const [row] = await sql<{ all: number; records: number }[]>`
    select sum(combined_size)::float8 as all, sum(record_size)::float8 as records
    from pg_get_wal_stats(${start}::pg_lsn, pg_current_wal_flush_lsn())
    where ${end} <> ''`;
  return { all: (row?.all ?? 0) / count, records: (row?.records ?? 0) / count };
}

const randomAddress = () => `person${Math.floor(Math.random() * INVITATIONS)}@example.com`;

async function acceptAll({ sql }: Database, count: number): Promise<void> {
  for (let done = 0; done < count; done += 1) {
    await sql`
      select from invite.accept_triggers(
        jsonb_build_array(jsonb_build_object(
          'secret_hash', 'home0001' || sha256(${`secret${1 + Math.floor(Math.random() * SURVEYS)}`}::text::bytea),
          'recipients', jsonb_build_array(jsonb_build_object('email', ${randomAddress()}::text, 'name', 'Ada Lovelace')))),
        ${VOLUME}, defer => true)`;
  }
}

async function deliverAll({ sql }: Database, due: readonly { id: string }[]): Promise<void> {
  for (let done = 0; done < due.length; done += CHUNK) {
    const ids = due.slice(done, done + CHUNK).map(({ id }) => id);
    const claimed = await sql<{ id: string; claim_id: string }[]>`
      select id::text, claim_id from invite.claim_invitations(${ids}::bigint[], ${WORKER}, now() + interval '1 year')`;
    const results = claimed.map((row) => ({
      ...row,
      outcome: 'accepted',
      relay_message_id: `<${row.claim_id}@relay.example.com>`,
    }));
    await sql`select from invite.settle_invitations(${JSON.stringify(results)}::text::jsonb)`;
  }
}

/** In a database without history. */
async function disk(bench: Bench): Promise<Result> {
  const database = await bench.database('disk');
  const { sql, store } = database;
  const workspaceId = await store.upsertWorkspace({ name: 'Bench' });
  const surveyId = await store.upsertSurvey({ workspaceId, title: 'Bench', state: 'active' });
  await sql`insert into invite.trigger_tokens (survey_id, name, secret_hash, secret_hint, cooldown_seconds)
    values (${surveyId}, 'bench', 'home0001' || sha256('secret1'), '', 0)`;
  const size = async () =>
    (
      await sql<{ bytes: number }[]>`
        select sum(pg_total_relation_size(c.oid))::float8 as bytes from pg_class as c
        where c.relnamespace = 'invite'::regnamespace and c.relname in ${sql(TABLES)}`
    )[0]?.bytes ?? 0;
  const accept = (recipients: number) => sql`
    select from invite.accept_triggers(
      jsonb_build_array(jsonb_build_object('secret_hash', 'home0001' || sha256('secret1'), 'recipients', (
        select jsonb_agg(jsonb_build_object('email', 'person' || n || '.' || ${recipients}::integer || '@example.com', 'name', 'Ada Lovelace'))
        from generate_series(1, ${recipients}::integer) as n))),
      ${VOLUME}, defer => true)`;
  const requests = DISK_REQUESTS * Math.min(bench.scale, 1);
  const before = await size();
  for (let done = 0; done < requests; done += 1) await accept(1);
  const between = await size();
  for (let done = 0; done < LARGE_REQUESTS; done += 1) await accept(RECIPIENTS);
  const after = await size();
  return {
    part: 'disk',
    title: 'What accepted requests take on disk',
    used: `${requests} requests with one recipient, ${LARGE_REQUESTS} with ${RECIPIENTS}`,
    series: [
      { name: 'a request with one recipient', unit: 'bytes', values: [(between - before) / requests] },
      { name: 'each recipient of a large request', unit: 'bytes', values: [(after - between) / (LARGE_REQUESTS * RECIPIENTS)] },
    ],
  };
}
