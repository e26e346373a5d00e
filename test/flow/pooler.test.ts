// serve behind PgBouncer in transaction mode, skipped where PgBouncer isn't installed. Commands that need a session refuse.
import t from 'tap';
import { startTestServer } from '../fixtures/http.ts';
import { createMember, visit } from '../fixtures/members.ts';
import { hasPgBouncer, startPgBouncer } from '../fixtures/pgbouncer.ts';
import { run } from '../fixtures/program.ts';
import { createSurvey, createTestDatabase, createToken, until } from '../fixtures/setup.ts';

const readyz = async (url: string) => (await fetch(`${url}/readyz`)).status;
const REQUESTS = 200;

t.test('serve behind PgBouncer', { skip: !hasPgBouncer && 'PgBouncer is not installed' }, async (t) => {
  const { sql, store, urlAs, connectAsAdmin } = await createTestDatabase(t);
  const { workspace, survey } = await createSurvey(store);
  const { secret } = await createToken(store, survey);
  const member = await createMember(store, workspace, 'owner');
  const bouncer = await startPgBouncer(urlAs('invite_web'), 3);
  t.teardown(bouncer.close);
  const pooled = `${bouncer.url}?prepare=false`;

  await t.test('a plain address is not ready: PgBouncer refuses its timeouts', async (t) => {
    const { url } = await startTestServer(t, bouncer.url);
    t.equal(await readyz(url), 503);
  });

  await t.test('a role without timeouts is not ready', async (t) => {
    const admin = connectAsAdmin();
    const [row] = await sql`select current_database() as name`;
    const { url } = await startTestServer(t, pooled);
    t.equal(await readyz(url), 503);
    for (const [name, value] of [
      ['statement_timeout', '15s'],
      ['lock_timeout', '500ms'],
      ['idle_in_transaction_session_timeout', '30s'],
    ]) {
      await admin.unsafe(`alter role invite_web_test in database ${row?.name} set ${name} = '${value}'`);
    }
    await admin`select pg_terminate_backend(pid) from pg_stat_activity where usename = 'invite_web_test' and datname = current_database()`;
  });

  await t.test('two servers accept all requests, and show pages', async (t) => {
    const servers = [await startTestServer(t, pooled), await startTestServer(t, pooled)];
    // PgBouncer notices that its connections were cut only when it uses them.
    for (const { url } of servers) await until('it is ready', async () => (await readyz(url)) === 200);
    const refused: number[] = [];
    /** On a busy machine, a request may get 503 and be sent again. */
    const accept = (index: number) =>
      until('the request is accepted', async () => {
        const reply = await servers[index % 2]?.post({ email: `person${index}@example.com` }, { secret });
        if (reply?.status !== 200 && reply?.status !== 503) refused.push(reply?.status ?? 0);
        return reply?.status === 200;
      });
    await Promise.all(Array.from({ length: REQUESTS }, (_, index) => accept(index)));
    t.same(refused, []);
    const paths = ['surveys', 'members', 'audit'].map((path) => `/workspaces/${workspace}/${path}`);
    const pages = await Promise.all(
      Array.from({ length: 30 }, (_, index) => visit(servers[index % 2]?.url ?? '', paths[index % 2] ?? '', member)),
    );
    t.notOk(pages.some(({ status }) => status >= 500));
    const [row] = await sql`select count(distinct email)::integer as count from invite.invitations`;
    t.equal(row?.count, REQUESTS);
    const [held] = await sql`
      select count(*)::integer as count from pg_stat_activity
      where usename = 'invite_web_test' and datname = current_database()`;
    t.ok(held?.count <= 3, 'over three connections');
  });
});

t.test('what needs a session says so behind a pooler', async (t) => {
  const { url } = await createTestDatabase(t);
  for (const command of ['migrate', 'start', 'work']) {
    const { code, stderr } = await run({ DATABASE_URL: `${url}?prepare=false`, RELAY: 'mailpit', METRICS_PORT: '0' }, command);
    t.equal(code, 6, command);
    t.match(stderr, 'Only serve can run behind a pooler', command);
  }
});
