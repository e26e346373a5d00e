// A database with another country's language and defaults: the service reads, writes, responds and sends exactly as with the usual ones,
// directly and through PgBouncer.
import postgres from 'postgres';
import t, { type Test } from 'tap';
import { createLog } from '../../src/log.ts';
import type { MessageSender } from '../../src/relay/relay.ts';
import { startWorker } from '../../src/worker/worker.ts';
import { startTestServer } from '../fixtures/http.ts';
import { createMember, visit } from '../fixtures/members.ts';
import { createOddDatabase, WRONG } from '../fixtures/odd-database.ts';
import { hasPgBouncer } from '../fixtures/pgbouncer.ts';
import { run } from '../fixtures/program.ts';
import { createSurvey, createTestDatabase, createToken, silent, until } from '../fixtures/setup.ts';

const database = await createOddDatabase(t);
const { store, url, urlAs } = database;

/** A connection of the product, with the database's own settings. */
const product = postgres(url, { max: 1, onnotice: () => {} });
t.teardown(() => product.end());

/** Lets a server of this address accept requests, a worker send them, and a member and a customer look at all. */
async function useService(t: Test, serverUrl: string) {
  const sent: string[] = [];
  const relay: MessageSender = {
    maxBatch: 10,
    send: async (batch) => batch.map(({ to }) => ({ kind: 'accepted', messageId: `m-${sent.push(to.email)}` })),
    close: async () => {},
  };
  const render = { publicUrl: 'https://i.example', from: { name: 'Surveys', email: 'surveys@example.org' } };
  const worker = startWorker({
    ...{ databaseUrl: url, databasePool: 2, concurrency: 2, log: silent },
    delivery: { sender: relay, render, concurrency: 5 },
  });
  t.teardown(() => worker.stop());
  await worker.started;
  const server = await startTestServer(t, serverUrl);
  await until('it is ready', async () => (await fetch(`${server.url}/readyz`)).status === 200);

  const { workspace, survey } = await createSurvey(store);
  await store.setWorkspaceEvents(workspace, true);
  const { token, secret } = await createToken(store, survey, { allowReading: true });
  const sendAt = new Date(Math.ceil(Date.now() / 1000) * 1000 + 86_400_000).toISOString();
  for (let index = 0; index < 50; index += 1) {
    const reply = await server.post({ email: `p${index}@example.com`, metadata: { index } }, { secret });
    t.equal(reply.status, 200);
    const due = Date.parse(`${reply.body.batch.scheduled_at}Z`);
    t.ok(Math.abs(due - Date.now()) < 120_000, `${reply.body.batch.scheduled_at} is now, in UTC`);
  }
  const later = await server.post({ email: 'later@example.com', send_at: sendAt }, { secret });
  t.equal(Date.parse(`${later.body.batch.scheduled_at}Z`), Date.parse(sendAt));

  t.match(await product`show datestyle`, [{ DateStyle: 'SQL, DMY' }], 'the product has the odd settings');
  await product`select invite.trigger(${token}, '["product@example.com"]', send_at => '02/01/2031 09:00:00 UTC')`.then(
    () => t.fail('over a year from now'),
    ({ constraint_name: code }) => t.equal(code, 'unsupported_timing'),
  );
  await product`set default_transaction_isolation = 'read committed'`;
  await product`select invite.trigger(${token}, '["product@example.com"]')`;
  await product`select starts_with('product', 'p')`;

  await until('all is sent', () => sent.length >= 51);
  t.equal(new Set(sent).size, 51);
  t.equal(sent.length, 51);

  await until('all events are published', async () => {
    const [row] = await database.sql`
      select count(*)::integer as number from invite.events where type = 'invitation.sent' and workspace_id = ${workspace}`;
    return row?.number === 51;
  });
  const bounds = await database.sql`
    select pg_get_expr(c.relpartbound, c.oid) as bound, c.relname as name
    from pg_class as c join pg_inherits as h on h.inhrelid = c.oid where h.inhparent = 'invite.events'::regclass`;
  for (const { bound, name } of bounds) {
    const day = String(name)
      .slice(-8)
      .replace(/(....)(..)(..)/, '$1-$2-$3');
    t.match(bound, `FROM ('${day} 00:00:00+00')`, name);
  }
  t.ok(bounds.length > 0);
  const events = await fetch(`${server.url}/api/events`, { headers: { authorization: `Bearer ${secret}` } });
  t.equal(events.status, 200);
  const { events: list } = (await events.json()) as { events: { timestamp: string }[] };
  t.ok(list.length > 50);
  for (const { timestamp } of list) t.match(timestamp, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  const read = await product`select at from invite.read_events('product', max_events => 1000)`;
  t.ok(read.length > 50);

  const owner = await createMember(store, workspace, 'owner');
  for (const path of ['', '/recipients', '/audit', '/webhooks', '/sending'])
    t.equal((await visit(server.url, `/workspaces/${workspace}${path}`, owner)).status, 200, path);
  for (const path of ['/invitations', '/batches', '/results', '/api-trigger', '/results.csv'])
    t.equal((await visit(server.url, `/surveys/${survey}${path}`, owner)).status, 200, path);
}

/** The name of the product's own connection. */
const PRODUCT = 'postgres.js';

t.test('each request is answered as accepted, with its time in UTC, and emailed once; pages and events are right', async (t) => {
  await useService(t, urlAs('invite_web'));
  t.strictSame(await database.caught(), [PRODUCT], 'the service runs no function of the product');
});

t.test('a pooler’s role that lacks a setting is not ready, and the log says which', async (t) => {
  const lines: string[] = [];
  const log = createLog('info', { write: (line) => lines.push(line) });
  const server = await startTestServer(t, `${urlAs('invite_web')}?prepare=false`, {}, log);
  t.equal((await fetch(`${server.url}/readyz`)).status, 503);
  const { secret } = await createToken(store, (await createSurvey(store)).survey);
  t.equal((await server.post({ email: 'ada@example.com' }, { secret })).status, 503);
  const { stdout } = await run({ DATABASE_URL: `${urlAs('invite_web')}?prepare=false`, RELAY: 'mailpit' }, 'check');
  t.match(stdout, /FAULT database +behind the pooler, the role invite_web_test lacks the settings .*lock_timeout/);
  t.match(
    stdout,
    /note +database +behind the pooler, the role invite_web_test also looks up functions in app, public\n +Set its search_path:/,
  );
  for (const setting of ['statement_timeout', 'lock_timeout', ...Object.keys(WRONG)])
    t.match(lines.join(''), new RegExp(`lacks the settings [^:]*${setting}`));
  t.ok((await database.caught()).length > 0);
});

t.test('so it is through PgBouncer', { skip: !hasPgBouncer && 'PgBouncer is not installed' }, async (t) => {
  const pooled = await database.behindPgBouncer(t);
  await useService(t, pooled);
  t.strictSame(await database.caught(), [PRODUCT]);
  const { stdout } = await run({ DATABASE_URL: pooled, RELAY: 'mailpit' }, 'check');
  t.notMatch(stdout, 'also looks up functions');
});

t.test('what fails after the commit says that the request was accepted, and never that nothing was queued', async (t) => {
  const own = await createTestDatabase(t);
  const server = await startTestServer(t, own.urlAs('invite_web'));
  const { secret } = await createToken(own.store, (await createSurvey(own.store)).survey);
  // The server can't convert this value to a time.
  await own.sql.unsafe(`do $$ begin
    execute replace(pg_get_functiondef('invite.accept_triggers'::regproc), 'select * from unnest(v_results)',
      'select (jsonb_populate_record(r, ''{"scheduled_at": "infinity"}'')).* from unnest(v_results) as r');
  end $$`);
  const reply = await server.post({ email: 'ada@example.com' }, { secret });
  const [batch] = await own.sql`select id from invite.batches`;
  t.match(reply, { status: 500, body: { error: { code: 'internal_error' } } });
  t.equal(reply.body.message, `Something went wrong on our side, but the request was accepted: its batch is ${batch?.id}.`);
  await own.sql`alter table invite.batches add constraint batches_none check (false) not valid`;
  const unsure = await server.post({ email: 'ada@example.com' }, { secret });
  t.match(unsure.body.message, /may have been queued: repeat it with the same Idempotency-Key/);
});
