// The main task with the separate roles: the server as invite_web, the worker as invite_owner, and management as invite_admin.
import t from 'tap';
import { migrate } from '../../src/database/migrate.ts';
import { openDatabase } from '../../src/database/pool.ts';
import { createStore } from '../../src/database/store.ts';
import type { OutgoingMessage } from '../../src/relay/relay.ts';
import { startServer } from '../../src/server.ts';
import { startWorker } from '../../src/worker/worker.ts';
import { ROLE_PASSWORD } from '../fixtures/cluster.ts';
import { createLogin } from '../fixtures/logins.ts';
import { createEmptyDatabase, run } from '../fixtures/program.ts';
import { createSurvey, createTestDatabase, createToken, silent, testConfig, until } from '../fixtures/setup.ts';

t.test('each process does its part of the main job with its role alone', async (t) => {
  const database = await createTestDatabase(t);
  const consoleSql = openDatabase(database.urlAs('invite_admin'), { applicationName: 'tests' });
  const console = createStore(consoleSql);
  const { survey } = await createSurvey(console);
  const { secret } = await createToken(console, survey);

  const emails: OutgoingMessage[] = [];
  const server = await startServer(testConfig(), database.urlAs('invite_web'), silent);
  const worker = startWorker({
    databaseUrl: database.url,
    databasePool: 2,
    concurrency: 2,
    delivery: {
      sender: {
        maxBatch: 1,
        send: async (batch) => {
          emails.push(...batch);
          return batch.map(() => ({ kind: 'accepted' }));
        },
        close: async () => {},
      },
      render: { publicUrl: server.url, from: { name: '', email: 'surveys@example.com' } },
      concurrency: 2,
    },
    log: silent,
  });
  t.teardown(async () => {
    await server.close();
    await worker.stop();
    await consoleSql.end();
  });

  const accepted = await fetch(`${server.url}/api/invitation-trigger`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'ada@example.com', metadata: { order_id: 'A-1' } }),
  });
  t.equal(accepted.status, 200);
  const email = await until('the email is sent', () => emails[0]);
  const link = new URL(/http\S+invitation=\S+/.exec(email.text)?.[0] ?? '');

  t.equal((await fetch(link)).status, 200);
  const form = new URLSearchParams({ invitation: link.searchParams.get('invitation') ?? '', 'answer.score': '10' });
  t.equal((await fetch(link, { method: 'POST', body: form })).status, 200, 'redirected to the thanks');
  t.equal((await fetch(/http\S+\/u\/\S+/.exec(email.text)?.[0] ?? '', { method: 'POST' })).status, 200, 'unsubscribed');

  const [result] = await console.listResults(survey, 10);
  t.match(result, { answers: { score: 10 }, attribution: 'invitation', email: 'ada@example.com', metadata: { order_id: 'A-1' } });
});

t.test('a worker with a login of its own leaves nothing that the next migrate fails at', async (t) => {
  const database = await createTestDatabase(t);
  const admin = database.connectAsAdmin();
  const working = openDatabase(await createLogin(t, database, 'invite_owner'), { applicationName: 'tests' });
  t.teardown(() => working.end());
  await createSurvey(database.store);
  for (const weeks of [0, 1, 2]) await working`select invite.prepare_event_partition(now() + ${weeks} * interval '1 week')`;
  const owners = await database.sql`
    select distinct pg_get_userbyid(c.relowner) as owner from pg_class as c where c.relname like 'events%' and c.relnamespace = 'invite'::regnamespace`;
  t.match(owners, [{ owner: 'invite_owner' }]);
  // This gives migrate something to do.
  await database.sql`update invite.definitions set digest = '' where file like '%grants.sql'`;
  await t.resolves(migrate(database.url));

  const check = async () => (await run({ DATABASE_URL: database.url, RELAY: 'mailpit' }, 'check')).stdout;
  t.notMatch(await check(), /not everything belongs/);
  await admin`create table invite.events_19991231 (like invite.events)`;
  t.match(
    await check(),
    /FAULT database +not everything belongs to invite_owner, as the schema invite does: events_19991231\n +Run `sql\/hand_over.sql`/,
  );
  await database.sql`update invite.definitions set digest = '' where file like '%grants.sql'`;
  const { code, stderr } = await run({ DATABASE_URL: database.url, RELAY: 'mailpit' }, 'migrate');
  t.match(
    stderr,
    /^The role invite_owner owns the schema invite, but may not do this \(.*events_19991231\): run `sql\/hand_over.sql`/,
  );
  t.equal(code, 6);
  for (const what of ['function invite.home()', 'type invite.member_role', 'table graphile_worker.migrations']) {
    await admin.unsafe(`alter ${what} owner to current_user`);
  }
  t.match(await check(), /as the schema invite does: events_19991231, home\(\), member_role, migrations\n/);
});

t.test('whichever member of the owner migrates, all belongs to the owner', async (t) => {
  const database = await createTestDatabase(t);
  const url = await createLogin(t, database, 'invite_owner');
  await database.sql`drop function invite.home()`;
  await database.sql`drop schema graphile_worker cascade`;
  await database.connectAsAdmin().unsafe(`grant create on database ${new URL(url).pathname.slice(1)} to invite_owner`);
  await migrate(url);
  const owners = await database.sql`
    select distinct pg_get_userbyid(o.owner) as owner from (
      select proowner as owner, pronamespace as schema from pg_proc union all select relowner, relnamespace from pg_class
    ) as o
    where o.schema::regnamespace::text in ('invite', 'console', 'graphile_worker')`;
  t.strictSame(
    owners.map(({ owner }) => owner),
    ['invite_owner'],
  );
});

t.test("a role that may not migrate is told why, in PostgreSQL's words, and what to do", async (t) => {
  const database = await createTestDatabase(t);
  const url = await createLogin(t, database, 'invite_web');
  const login = new URL(url).username;
  for (const words of [['migrate'], ['migrate', '--plan']]) {
    const { code, stderr } = await run({ DATABASE_URL: url }, ...words);
    t.equal(
      stderr,
      `The role ${login} may not migrate (permission denied to set role "invite_owner"): use invite_owner, which owns the schema invite, or a role ` +
        'that was granted it. See Database roles in docs/operations.md.\n',
    );
    t.equal(code, 6);
  }
  const empty = new URL(await createEmptyDatabase(t));
  empty.username = login;
  empty.password = ROLE_PASSWORD;
  const { stderr } = await run({ DATABASE_URL: empty.href }, 'migrate');
  t.match(stderr, /^The role \w+ may not create the schemas \(permission denied for database \w+\): run `sql\/roles.sql`/);
});
