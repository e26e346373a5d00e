// The server and its database: the server starts without a database and says so, notices when the database is there, and stops without
// losing a request.
import { randomBytes } from 'node:crypto';
import t, { type Test } from 'tap';
import { migrate, SCHEMA_VERSION } from '../../src/database/migrate.ts';
import { openDatabase } from '../../src/database/pool.ts';
import { clusterUrl, databaseUrl } from '../fixtures/cluster.ts';
import { rejectionOf, startTestServer } from '../fixtures/http.ts';
import { createSurvey, createTestDatabase, createToken, until } from '../fixtures/setup.ts';

const ada = { email: 'ada@example.com' };
const get = async (url: string) => {
  const response = await fetch(url);
  return { status: response.status, headers: response.headers, body: (await response.json()) as object };
};

/** Checks the responses of a server that can't use its database. */
async function notReady(t: Test, { url, post }: Awaited<ReturnType<typeof startTestServer>>, why: string) {
  const reply = await post(ada, { secret: 'any' });
  t.strictSame(rejectionOf(reply), { status: 503, code: 'not_ready', fields: [] }, why);
  t.ok(Number(reply.headers.get('retry-after')) >= 1, why);
  t.equal(reply.headers.get('retry-after'), String(reply.body.error.retry_after_seconds), why);
  const ready = await get(`${url}/readyz`);
  t.equal(ready.status, 503, why);
  t.ok(Number(ready.headers.get('retry-after')) >= 1, why);
  t.match(ready.body, { ok: false, database: 'not_ready' }, why);
  t.strictSame(Object.keys(ready.body), ['ok', 'database', 'message'], 'and nothing about the relay');
  t.match(await get(`${url}/healthz`), { status: 200, body: { ok: true } }, why);
}

t.test('a server that started without its database answers 503, and 200 once it is created and migrated', async (t) => {
  const cluster = await clusterUrl();
  const name = `invite_test_${randomBytes(6).toString('hex')}`;
  const url = databaseUrl(cluster, name, 'invite_owner');
  const admin = openDatabase(cluster, { applicationName: 'tests', transactions: true });
  t.teardown(async () => {
    await admin.unsafe(`drop database if exists ${name} with (force)`);
    await admin.end();
  });
  const server = await startTestServer(t, url);
  await notReady(t, server, 'no database');

  await admin.unsafe(`create database ${name} owner invite_owner`);
  await notReady(t, server, 'no schema');
  const page = await fetch(`${server.url}/s/survey`);
  t.equal(page.status, 503);
  t.match(await page.text(), 'Temporarily unavailable');

  await migrate(url);
  t.match(await get(`${server.url}/readyz`), {
    status: 200,
    body: { ok: true, database: 'ready', schema_version: SCHEMA_VERSION },
  });
  t.equal(rejectionOf(await server.post(ada, { secret: 'any' })).code, 'unknown_token');
});

t.test('a server that nothing listens for answers 503', async (t) => {
  // Port 1 is reserved (tcpmux): nobody listens there.
  await notReady(t, await startTestServer(t, 'postgres://nobody:secret-password@127.0.0.1:1/none'), 'no server');
});

t.test('readyz says whether sending is paused for everyone', async (t) => {
  const { url, store } = await createTestDatabase(t);
  const { workspace, survey } = await createSurvey(store);
  const sending = async () => ((await get(`${(await startTestServer(t, url)).url}/readyz`)).body as { sending?: string }).sending;
  t.equal(await sending(), 'active');
  await store.setWorkspacePaused(workspace, true);
  await store.setSurveyPaused(survey, true);
  t.equal(await sending(), 'active', 'not by a pause of a workspace or a survey');
  await store.setSendingPaused(true);
  t.equal(await sending(), 'paused');
});

t.test('a schema older than the code is 503 until it is migrated', async (t) => {
  const { url, sql, store } = await createTestDatabase(t);
  const { survey } = await createSurvey(store);
  const { secret } = await createToken(store, survey);
  const server = await startTestServer(t, url);
  const [row] = await sql`delete from invite.migrations where version = ${SCHEMA_VERSION} returning version, name`;
  await notReady(t, server, 'older');
  await sql`insert into invite.migrations (version, name) values (${row?.version}, ${row?.name})`;
  t.equal((await server.post(ada, { secret })).status, 200);
});

t.test('a schema newer than the code is used', async (t) => {
  const { url, sql } = await createTestDatabase(t);
  await sql`insert into invite.migrations (version, name) values (${SCHEMA_VERSION + 1}, 'newer')`;
  const server = await startTestServer(t, url);
  t.match(await get(`${server.url}/readyz`), { status: 200, body: { schema_version: SCHEMA_VERSION + 1 } });
});

t.test('a database that is read-only, as a standby is, is 503 and named, until it takes writes', async (t) => {
  const { url, sql, connectAsAdmin } = await createTestDatabase(t);
  const admin = connectAsAdmin();
  const [row] = await sql`select current_database() as name`;
  await admin.unsafe(`alter database ${row?.name} set default_transaction_read_only = on`);
  const server = await startTestServer(t, url);
  t.match(await get(`${server.url}/readyz`), { status: 503, body: { ok: false, database: 'read_only' } });
  t.strictSame(rejectionOf(await server.post(ada, { secret: 'any' })), { status: 503, code: 'not_ready', fields: [] });

  await admin.unsafe(`set default_transaction_read_only = off`);
  await admin.unsafe(`alter database ${row?.name} reset default_transaction_read_only`);
  await admin`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and application_name like 'invitation-trigger%'`;
  await until('the server is ready', async () => (await get(`${server.url}/readyz`)).status === 200);
});

t.test('a server whose connections are cut answers again without a restart', async (t) => {
  const { sql, store, urlAs } = await createTestDatabase(t);
  const { survey } = await createSurvey(store);
  const { secret } = await createToken(store, survey);
  const { post } = await startTestServer(t, urlAs('invite_web'));
  t.equal((await post(ada, { secret })).status, 200);

  const admin = openDatabase(await clusterUrl(), { applicationName: 'tests' });
  t.teardown(() => admin.end());
  const database = (await sql`select current_database() as name`)[0]?.name as string;
  const cut = await admin`
    select pg_terminate_backend(pid) from pg_stat_activity where datname = ${database} and usename = 'invite_web_test'`;
  t.ok(cut.length >= 1, 'there was a connection to cut');
  await until('the server answers 200 again, and nothing but 503 until then', async () => {
    const { status } = await post(ada, { secret });
    if (status !== 200) t.equal(status, 503);
    return status === 200;
  });
});

t.test('a function that a migration has yet to make is 503, not 500', async (t) => {
  const { url, sql } = await createTestDatabase(t);
  const server = await startTestServer(t, url);
  await sql`alter function invite.accept_triggers rename to accept_triggers_later`;
  t.strictSame(rejectionOf(await server.post(ada, { secret: 'any' })), { status: 503, code: 'not_ready', fields: [] });
});

t.test('a server that is to stop says so on readyz, and answers requests once more on each connection', async (t) => {
  const { store, url } = await createTestDatabase(t);
  const { survey } = await createSurvey(store);
  const { secret } = await createToken(store, survey);
  const { url: address, post, drain } = await startTestServer(t, url);
  t.equal((await get(`${address}/readyz`)).headers.get('connection'), 'keep-alive');
  drain();
  t.match(await get(`${address}/readyz`), { status: 503, body: { ok: false } });
  t.match(await get(`${address}/healthz`), { status: 200, body: { ok: true } });
  const reply = await post(ada, { secret });
  t.equal(reply.status, 200);
  t.equal(reply.headers.get('connection'), 'close');
});

t.test('closing lets a request under way finish, and takes no more', async (t) => {
  const { sql, store, url, connect } = await createTestDatabase(t);
  const { workspace, survey } = await createSurvey(store);
  const { secret } = await createToken(store, survey);
  const { post, close, url: address } = await startTestServer(t, url);
  const other = connect();
  let underWay: ReturnType<typeof post> | undefined;
  let closed: Promise<void> | undefined;
  await other.begin(async (transaction) => {
    await transaction`select pg_advisory_xact_lock(hashtextextended('invite.quota/' || ${workspace}, 0))`;
    underWay = post(ada, { secret });
    await until('the request waits for the lock', async () => {
      const [row] = await sql`
        select from pg_stat_activity where datname = current_database() and cardinality(pg_blocking_pids(pid)) > 0`;
      return row;
    });
    closed = close();
    await until('there are no more connections', () =>
      fetch(`${address}/healthz`).then(
        () => false,
        () => true,
      ),
    );
  });
  t.equal((await underWay)?.status, 200);
  const finished = performance.now();
  await closed;
  t.ok(performance.now() - finished < 12_000, 'a connection that the client keeps open is not waited for');
});

t.test('a server with another name than its database accepts nothing', async (t) => {
  const { sql, urlAs } = await createTestDatabase(t);
  const [row] = await sql<{ home: string }[]>`select invite.home() as home`;
  const other = await startTestServer(t, urlAs('invite_web'), { HOME_ID: row?.home === 'zz99' ? 'zz98' : 'zz99' });
  t.equal((await fetch(`${other.url}/readyz`)).status, 503);
  t.equal((await other.post({ email: 'ada@example.com' }, { secret: 'sit_x' })).status, 503);
  const numbered = await startTestServer(t, urlAs('invite_web'), { CELL_NUMBER: '7' });
  t.equal((await fetch(`${numbered.url}/readyz`)).status, 503);
  const own = await startTestServer(t, urlAs('invite_web'), { HOME_ID: row?.home ?? '', CELL_NUMBER: '0' });
  t.equal((await fetch(`${own.url}/readyz`)).status, 200);
});
