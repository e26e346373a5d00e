// Upgrades without an outage: the current version serves and sends while the database is migrated to a made-up next version. Migrate is killed,
// other transactions hold locks, and the plan is checked.
import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { appendFileSync, cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer } from 'node:net';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import t, { type Test } from 'tap';
import { planInWords } from '../../src/commands/start.ts';
import { migrate, planMigration, SCHEMA_VERSION } from '../../src/database/migrate.ts';
import { planStatement } from '../../src/database/migration-plan.ts';
import { patient } from '../../src/database/store.ts';
import { createLog } from '../../src/log.ts';
import type { MessageSender } from '../../src/relay/relay.ts';
import { startWorker } from '../../src/worker/worker.ts';
import { adopt } from '../fixtures/child.ts';
import { startTestServer } from '../fixtures/http.ts';
import { createLogin } from '../fixtures/logins.ts';
import { createMember, visit } from '../fixtures/members.ts';
import { createSurvey, createTestDatabase, createToken, silent, until } from '../fixtures/setup.ts';

const SQL = new URL('../../sql/', import.meta.url).pathname;
const NEXT = String(SCHEMA_VERSION + 1).padStart(4, '0');
const VALUE = String(SCHEMA_VERSION + 2).padStart(4, '0');
const INDEX = String(SCHEMA_VERSION + 3).padStart(4, '0');

/** However many kills there are, the load goes on. */
const UNLIMITED = Object.fromEntries(
  ['REQUESTS_PER_MINUTE', 'UNKNOWN_PER_MINUTE', 'PAGES_PER_MINUTE', 'RECIPIENTS_PER_HOUR'].map((name) => [
    `FLOOD_${name}`,
    '1000000',
  ]),
);
/** How often migrate is killed. Before a release, 20. */
const KILLS = Number(process.env.UPGRADE_KILLS ?? 2);

/**
 * Returns the SQL of a next version: a column, a value of an enum, an index; a parameter more of what the server calls, and another one of what
 * only SQL calls; a view that PostgreSQL can't replace; and changes to a trigger and to a type of the pages.
 */
function nextVersion(t: Test): URL {
  const folder = join(t.testdir({}), 'sql/');
  cpSync(SQL, folder, { recursive: true });
  const write = (path: string, text: string) => writeFileSync(join(folder, path), text);
  const change = (path: string, from: string | RegExp, to: string) => {
    const text = readFileSync(join(folder, path), 'utf8');
    const changed = text.replace(from, to);
    if (changed === text) throw new Error(`${path} has no ${from}`);
    write(path, changed);
  };
  write(`migrations/${NEXT}_note.sql`, `alter table invite.batches add column note text not null default 'none';`);
  write(
    `migrations/${VALUE}_next.separate.sql`,
    `-- What uses it is applied later.\nalter type invite.unsent_reason add value if not exists 'next';`,
  );
  write(
    `migrations/${INDEX}_note.separate.sql`,
    '-- Built while batches are written.\ncreate index concurrently if not exists batches_note_idx\n  on invite.batches (note);',
  );
  const accept = 'functions/trigger/accept_triggers.sql';
  change(accept, 'test boolean default false\n)', 'test boolean default false, note text default null\n)');
  change(accept, /comment on function invite\.accept_triggers\([^)]*\)/, 'comment on function invite.accept_triggers');
  change(accept, 'invite.check_triggers(', "invite.check_triggers('next', ");
  const check = 'functions/trigger/check_triggers.sql';
  change(check, 'check_triggers(requests jsonb,', 'check_triggers(note text, requests jsonb,');
  change(check, 'comment on function invite.check_triggers(jsonb,', 'comment on function invite.check_triggers(text, jsonb,');
  change('functions/trigger/trigger.sql', 'invite.check_triggers(', "invite.check_triggers('next', ");
  change('views/workspace_overview.sql', 'select\n  w.id', "select\n  'next'::invite.unsent_reason as version, w.id");
  change('triggers/surveys.sql', "'Checks the form of the questions, and", "'Checks the form of the questions again, and");
  change('console/surveys.sql', 'create type console.survey as (\n', 'create type console.survey as (\n  version text,\n');
  change('console/surveys.sql', '  select\n', "  select 'next',\n");
  return pathToFileURL(folder);
}

/** Migrates in a process of its own, which is killed when it has sent that many bytes. Returns whether it was. */
async function migrateAndKill(url: string, root: URL, bytes: number): Promise<boolean> {
  let sent = 0;
  const target = new URL(url);
  const proxy = createServer((client) => {
    const server = connect(Number(target.port || 5432), target.hostname);
    client.on('data', (data) => {
      sent += data.length;
      if (sent > bytes) child.kill('SIGKILL');
      else server.write(data);
    });
    server.on('data', (data) => client.write(data));
    for (const [one, other] of [
      [client, server],
      [server, client],
    ] as const)
      one.on('error', () => {}).on('close', () => other.destroy());
  }).listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const address = new URL(url);
  address.hostname = '127.0.0.1';
  address.port = String((proxy.address() as AddressInfo).port);
  const program = `
    import { migrate } from ${JSON.stringify(new URL('../../src/database/migrate.ts', import.meta.url).href)};
    await migrate(${JSON.stringify(address.href)}, {}, new URL(${JSON.stringify(root.href)}));`;
  const child = adopt(
    spawn(process.execPath, ['--input-type=module', '--eval', program], { stdio: ['ignore', 'ignore', 'inherit'] }),
  );
  const [code] = await once(child, 'exit');
  proxy.close();
  if (code !== 0 && code !== null) throw new Error(`migrate ended with ${code}`);
  return code === null;
}

t.test('while a next version is migrated to, the present one serves every request and sends every email', async (t) => {
  const database = await createTestDatabase(t);
  const { sql, store, connect } = database;
  const url = await createLogin(t, database, 'invite_owner', { statement_timeout: '10ms', lock_timeout: '1h' });
  const root = nextVersion(t);
  const sent: string[] = [];
  const sender: MessageSender = {
    maxBatch: 1,
    async send(messages) {
      sent.push(...messages.map(({ id }) => id));
      return messages.map(() => ({ kind: 'accepted' }));
    },
    close: async () => {},
  };
  const render = { publicUrl: 'https://i.example', from: { name: 'Surveys', email: 'surveys@example.org' } };
  const delivery = { sender, render, concurrency: 5, relay: { name: 'upgrade', rate: undefined } };
  const worker = startWorker({
    databaseUrl: await createLogin(t, database, 'invite_owner'),
    databasePool: 2,
    concurrency: 2,
    delivery,
    log: silent,
  });
  t.teardown(() => worker.stop());
  const faults: string[] = [];
  const log = createLog('error', { write: (line) => void faults.push(line) });
  const server = await startTestServer(t, await createLogin(t, database, 'invite_web'), UNLIMITED, log);
  const { workspace, survey } = await createSurvey(store);
  const { secret } = await createToken(store, survey);
  const owner = await createMember(store, workspace, 'owner');
  await worker.started;

  let upgrading = true;
  const statuses: Record<string, number> = {};
  const count = (what: string, status: number) => {
    const key = `${what} ${status}`;
    statuses[key] = (statuses[key] ?? 0) + 1;
  };
  const load = Array.from({ length: 4 }, async (_, lane) => {
    const round = async (): Promise<void> => {
      count('request', (await server.post({ email: `p${lane}@example.com` }, { secret })).status);
      count('surveys', (await visit(server.url, `/workspaces/${workspace}`, owner)).status);
      count('survey', (await fetch(`${server.url}/s/${survey}`)).status);
      if (upgrading) return round();
    };
    await round();
  });
  await until('each page was shown before', () => (statuses['surveys 200'] ?? 0) >= 8);

  /** What there is of the next version: of each of its two transactions all or nothing. */
  const state = async () => {
    const [row] = await sql`
      select
        invite.schema_version() as version,
        exists (select from pg_attribute where attrelid = 'invite.batches'::regclass and attname = 'note') as column,
        (
          select array_agg(p.pronargs::integer order by p.proname) from pg_proc as p where p.proname in ('accept_triggers', 'check_triggers')
        ) as parameters,
        (select attname::text from pg_attribute where attrelid = 'invite.workspace_overview'::regclass and attnum = 1) as view,
        (select attname::text from pg_attribute where attrelid = 'console.survey'::regclass and attnum = 1) as page`;
    return { ...row };
  };
  const present = await state();
  const half = { ...present, version: Number(NEXT), column: true };
  const next = { version: Number(INDEX), column: true, parameters: [7, 5], view: 'version', page: 'version' };
  await connect().begin(async (report) => {
    // As one statement without parameters, so that it keeps no snapshot: the index would wait for that.
    await report.unsafe('select from invite.workspace_overview');
    for (let kill = 0; kill < KILLS; kill += 1) {
      const bytes = randomInt(300_000);
      const killed = await migrateAndKill(url, root, bytes);
      const now = JSON.stringify(await state());
      t.ok(
        [present, half].map((state) => JSON.stringify(state)).includes(now),
        `killed: ${killed}, after ${bytes} bytes: ${now}`,
      );
    }
  });
  for (let kill = 0; kill < KILLS; kill += 1) {
    const bytes = randomInt(300_000);
    if (!(await migrateAndKill(url, root, bytes))) t.strictSame(await state(), next);
    const now = JSON.stringify(await state());
    t.ok([present, half, next].map((state) => JSON.stringify(state)).includes(now), `after ${bytes} bytes: ${now}`);
  }
  await migrate(url, {}, root);
  upgrading = false;
  await Promise.all(load);
  t.strictSame(await state(), next);

  // The current version's statements run on the next version's schema.
  for (const path of ['', '/members', '/audit']) {
    count('after', (await visit(server.url, `/workspaces/${workspace}${path}`, owner)).status);
  }
  count('after', (await server.post({ email: 'after@example.com' }, { secret })).status);
  const answer = new URLSearchParams({ 'answer.score': '9' });
  count('response', (await fetch(`${server.url}/s/${survey}`, { method: 'POST', body: answer, redirect: 'manual' })).status);

  t.strictSame(faults, []);
  t.strictSame(Object.keys(statuses).sort(), ['after 200', 'request 200', 'response 303', 'survey 200', 'surveys 200']);
  const accepted = (statuses['request 200'] ?? 0) + 1;
  t.comment(`${accepted} requests, ${statuses['surveys 200']} pages, none lost`);
  await until('everything is sent', async () => {
    const [row] = await sql`select count(*)::integer as sent from test.invitations where status = 'sent'`;
    return row?.sent === accepted;
  });
  t.equal(new Set(sent).size, accepted);
  t.equal(sent.length, accepted);
  const [row] = await sql`
    select (select version from invite.workspace_overview) as version,
      (select indisvalid from pg_index where indexrelid = 'invite.batches_note_idx'::regclass) as valid`;
  t.strictSame({ ...row }, { version: 'next', valid: true });
  t.strictSame(await migrate(url, {}, root), [], 'and there is nothing left to do');
});

t.test('a call that runs while a migrate replaces what it calls is tried again', async (t) => {
  const { connect, sql } = await createTestDatabase(t);
  await sql`create function invite.inner_one() returns integer language sql as 'select 1'`;
  await sql`create function invite.outer_one() returns integer language plpgsql as 'begin perform pg_advisory_xact_lock(1); return invite.inner_one(); end'`;
  const calls = patient({ outer: async () => (await sql`select invite.outer_one() as value`)[0]?.value });
  let called: Promise<number> | undefined;
  await connect().begin(async (transaction) => {
    await transaction`select pg_advisory_xact_lock(1)`;
    called = calls.outer();
    await until('it waits', async () => {
      const rows =
        await transaction`select from pg_locks where locktype = 'advisory' and not granted and database = (select oid from pg_database where datname = current_database())`;
      return rows.length > 0;
    });
    await transaction`drop function invite.inner_one()`;
    await transaction`create function invite.inner_one(note text) returns integer language sql as 'select 2'`;
    await transaction`create or replace function invite.outer_one() returns integer language sql as $$ select invite.inner_one('next') $$`;
  });
  t.equal(await called, 2);
});

t.test('with nothing to do, a migrate waits for no report and touches nothing', async (t) => {
  const { url, sql, connect } = await createTestDatabase(t);
  const touched = async () => {
    const rows = await sql`
      select c.oid, c.xmin from pg_class as c where c.relnamespace = 'invite'::regnamespace
      union all select p.oid, p.xmin from pg_proc as p where p.pronamespace in ('invite'::regnamespace, 'console'::regnamespace)
      union all select t.oid, t.xmin from pg_trigger as t
      order by 1`;
    return JSON.stringify(rows);
  };
  await migrate(url);
  const before = await touched();
  await connect().begin(async (report) => {
    await report`lock table invite.surveys, invite.batches, invite.plans, invite.workspaces in row exclusive mode`;
    await report`select from invite.batch_overview, invite.survey_overview`;
    t.strictSame(await migrate(url), []);
  });
  t.equal(await touched(), before);
});

t.test('a migrate that meets a report lets the product go on, and finishes when the report has', async (t) => {
  const { url, sql, store, connect, connectAsAdmin } = await createTestDatabase(t);
  const admin = connectAsAdmin();
  const { survey } = await createSurvey(store);
  const root = nextVersion(t);
  let migrated: Promise<string[]> | undefined;
  await connect().begin(async (report) => {
    await report`select from invite.batches`;
    migrated = migrate(url, {}, root);
    const waits = () => admin`
      select from pg_stat_activity
      where datname = current_database() and application_name = 'invitation-trigger migrate' and wait_event_type = 'Lock'`;
    for (const time of ['first', 'second']) {
      await until(`it waits for the ${time} time`, async () => (await waits()).length > 0);
      await until('and has given up', async () => (await waits()).length === 0);
    }
    await sql`update invite.surveys set title = 'Changed meanwhile' where id = ${survey}`;
    await sql`select from invite.batches`;
  });
  t.equal((await migrated)?.length, 3);
});

t.test('an index whose build was interrupted is built again', async (t) => {
  const { url, sql } = await createTestDatabase(t);
  const root = nextVersion(t);
  await migrate(url, {}, root);
  await sql`delete from invite.migrations where version = ${Number(INDEX)}`;
  await sql`drop index invite.batches_note_idx`;
  await createSurvey((await createTestDatabase(t)).store);
  // The two rows are equal, so the unique index can't be built and stays behind as invalid.
  await sql`create table invite.twice as select 'x' as note from generate_series(1, 2)`;
  await t.rejects(sql.unsafe('create unique index concurrently batches_note_idx on invite.twice (note)'), { code: '23505' });
  t.strictSame(await migrate(url, {}, root), [`${INDEX}_note.separate`]);
  const [row] =
    await sql`select indrelid::regclass::text as table, indisvalid as valid from pg_index where indexrelid = 'invite.batches_note_idx'::regclass`;
  t.strictSame({ ...row }, { table: 'invite.batches', valid: true });
});

t.test('the plan names each statement with its lock, and the definitions that have changed, and changes nothing', async (t) => {
  const { url, sql } = await createTestDatabase(t);
  const root = nextVersion(t);
  // Drops that nobody should write, to see them in the plan.
  const next = (path: string) => new URL(path, root);
  appendFileSync(
    next(`migrations/${NEXT}_note.sql`),
    '\ndrop function invite.next_open(int4multirange, datemultirange, text, timestamptz);',
  );
  for (const path of ['console/surveys.sql', 'views/unsent_causes.sql']) rmSync(next(path));
  const triggers = readFileSync(next('triggers/surveys.sql'), 'utf8');
  writeFileSync(
    next('triggers/surveys.sql'),
    triggers.replace('create or replace trigger _500_rules', 'create or replace trigger _500_renamed'),
  );
  const plan = await planMigration(url, root);
  t.match(plan, {
    current: SCHEMA_VERSION,
    target: Number(INDEX),
    transactions: 2,
    migrations: [
      {
        name: `${NEXT}_note`,
        separate: false,
        statements: [
          { lock: { mode: 'access exclusive', table: 'invite.batches' }, blocks: 'reads and writes', removes: false },
          { statement: 'drop function invite.next_open(int4multirange, datemultirange, text, timestamptz)', removes: true },
        ],
      },
      { name: `${VALUE}_next.separate`, separate: true, statements: [{ lock: null, blocks: 'nothing' }] },
      {
        name: `${INDEX}_note.separate`,
        separate: true,
        statements: [{ lock: { mode: 'share update exclusive' }, blocks: 'nothing' }],
      },
    ],
    drops: [
      { kind: 'function', name: /^invite\.accept_triggers\(/, replaced: true },
      { kind: 'function', name: 'invite.check_triggers(jsonb,integer[],integer,timestamp with time zone)', replaced: true },
      { kind: 'trigger', name: '_500_rules on invite.surveys', replaced: false },
      { kind: 'view', name: 'invite.unsent_causes', replaced: false },
      { kind: 'function', name: /^console\.surveys\(/, replaced: false },
    ],
  });
  t.strictSame(
    plan.definitions.map(({ name }) => name),
    [
      'functions/trigger/check_triggers.sql',
      'functions/trigger/accept_triggers.sql',
      'functions/trigger/trigger.sql',
      'triggers/surveys.sql',
      'views/workspace_overview.sql',
    ],
  );
  t.equal((await sql`select from pg_attribute where attrelid = 'invite.batches'::regclass and attname = 'note'`).length, 0);
  const words = planInWords(plan);
  for (const line of [
    '0002_note:',
    '    access exclusive: reads and writes of invite.batches wait',
    '    nobody waits; processes that still use it fail',
    '0004_note.separate, by itself:',
    'Dropped, because this version has none such:',
    '  function invite.check_triggers(jsonb,integer[],integer,timestamp with time zone): another of this name takes its place',
    '  trigger _500_rules on invite.surveys',
    '  view invite.unsent_causes: calls of it fail afterwards',
    'Nothing was done. migrate does this in 2 transactions, waits for a lock for half a second, and tries again later.',
  ]) {
    t.ok(words.split('\n').includes(line.replace('0002', NEXT).replace('0004', INDEX)), line);
  }
});

t.test('the locks in the plan are those that PostgreSQL takes', async (t) => {
  const { connect } = await createTestDatabase(t);
  const sql = connect();
  await sql`create table invite.some (id integer primary key, name text)`;
  await sql`create view invite.shown as select id from invite.some`;
  await sql`create function invite.tg_none() returns trigger language plpgsql as 'begin return null; end'`;
  for (const statement of [
    'alter table invite.some add column more text',
    'alter table invite.some add constraint positive check (id > 0) not valid',
    'alter table only invite.some alter column name set not null',
    'create index some_name_idx on invite.some (name)',
    'create unique index some_name_key on invite.some (name)',
    'create trigger _none after insert on invite.some execute function invite.tg_none()',
    'create or replace view invite.shown as select id, 1 as one from invite.some',
    'drop view invite.shown',
    'drop table invite.some cascade',
    "comment on column invite.some.name is 'x'",
    "comment on table invite.some is 'x'",
    "update invite.some set name = 'x'",
    'insert into invite.some values (1)',
    'delete from invite.some',
    "comment on function invite.tg_none() is 'x'",
    'create or replace function invite.other() returns integer language sql as $$ select 1 $$',
  ]) {
    const { lock } = planStatement(statement);
    const held: string[] = [];
    await sql
      .begin(async (transaction) => {
        const names = ['some', 'shown'];
        const before =
          await transaction`select oid, relname from pg_class where relnamespace = 'invite'::regnamespace and relname in ${transaction(names)}`;
        await transaction.unsafe(statement);
        const rows =
          await transaction`select relation::bigint as oid, mode from pg_locks where pid = pg_backend_pid() and locktype = 'relation'`;
        for (const { oid, relname } of before) {
          for (const { mode } of rows.filter((row) => Number(row.oid) === oid)) held.push(`${mode} invite.${relname}`);
        }
        throw new Error('roll back');
      })
      .catch((error: Error) => {
        if (error.message !== 'roll back') throw error;
      });
    if (lock === null) t.strictSame(held, [], statement);
    else {
      const mode = `${lock.mode.replace(/(^| )(\w)/g, (_, _space, letter) => letter.toUpperCase())}Lock`;
      t.ok(held.includes(`${mode} ${lock.table}`), `${statement}: ${held}`);
    }
  }
});
