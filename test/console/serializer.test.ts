// One member's slow pages leave a connection for other members, and one workspace's slow pages leave one for other workspaces.
import type { Request } from 'polka';
import t from 'tap';
import { authenticate, type ConsoleContext } from '../../src/console/page.ts';
import { createAdmission, createSerializer } from '../../src/console/serializer.ts';
import { presentAsker } from '../../src/database/turns.ts';
import { createKey } from '../../src/secret.ts';
import { startTestServer } from '../fixtures/http.ts';
import { waitersFor } from '../fixtures/inspect.ts';
import { createMember, type SignedInMember, visit } from '../fixtures/members.ts';
import { createBatch, createSurvey, createTestDatabase, until } from '../fixtures/setup.ts';

t.test('calls of one key run one after another, those of another at once, and a failed one holds up none', async (t) => {
  const serialize = createSerializer();
  const { promise, resolve } = Promise.withResolvers<void>();
  const order: string[] = [];
  const first = serialize('ada', async () => {
    await promise;
    order.push('first');
    throw new Error('failed');
  });
  const second = serialize('ada', () => order.push('second'));
  await serialize('bob', () => order.push('bob'));
  resolve();
  await t.rejects(first, { message: 'failed' });
  await second;
  t.strictSame(order, ['bob', 'first', 'second']);
});

t.test('more than twenty that wait are rejected, until there is room again', async (t) => {
  const serialize = createSerializer();
  const { promise, resolve } = Promise.withResolvers<void>();
  const calls = Array.from({ length: 21 }, () => serialize('ada', () => promise));
  await t.rejects(
    serialize('ada', () => promise),
    { code: 'flood_protection' },
  );
  resolve();
  await Promise.all(calls);
  t.equal(await serialize('ada', () => 'again'), 'again');
});

t.test('twenty-one requests of one session run beside each other, and one more is refused without being looked at', async (t) => {
  const admit = createAdmission();
  const { promise, resolve } = Promise.withResolvers<void>();
  let asked = 0;
  const ask = () => {
    asked += 1;
    return promise;
  };
  const calls = Array.from({ length: 21 }, () => admit('one', ask));
  await t.rejects(admit('one', ask), { code: 'flood_protection' });
  t.equal(asked, 21);
  t.equal(await admit('other', () => 'at once'), 'at once');
  resolve();
  await Promise.all(calls);
  await t.rejects(
    admit('one', () => Promise.reject(new Error('failed'))),
    { message: 'failed' },
  );
  t.equal(await admit('one', () => 'again'), 'again');
});

t.test('sessions take turns to be looked up, and one whose browser has gone is not', async (t) => {
  const asked: [group: string, isGone: boolean][] = [];
  const context = {
    https: false,
    pageLimit: { take: () => {}, giveBack: () => {} },
    authenticate: async () => {
      const { group, isGone } = presentAsker();
      asked.push([group, isGone()]);
      return null;
    },
  } as unknown as ConsoleContext;
  const look = (cookie: string, method = 'GET') =>
    authenticate(context, { method, headers: { cookie }, params: {}, socket: { destroyed: true } } as unknown as Request);
  const [one, other] = [createKey('home'), createKey('home')];
  await look(`session=${one.key}`);
  await look(`session=${one.key}`, 'POST');
  await look(`session=${other.key}`);
  t.strictSame(asked, [
    [one.hash.toString('base64'), true],
    [one.hash.toString('base64'), false],
    [other.hash.toString('base64'), true],
  ]);
});

t.test("while one member's pages hang in the database, another member's come", async (t) => {
  const database = await createTestDatabase(t);
  const { store, sql } = database;
  const { url } = await startTestServer(t, database.urlAs('invite_web'));
  const { workspace } = await createSurvey(store);
  const ada = await createMember(store, workspace, 'owner', 'ada@example.com');
  const bob = await createMember(store, workspace, 'viewer', 'bob@example.com');
  const waiting = () => waitersFor(sql, 'invite.audit_log');

  const session = database.connect();
  const { asked: pages } = await session.begin(async (transaction) => {
    await transaction`lock table invite.audit_log in access exclusive mode`;
    const asked = Array.from({ length: 5 }, () => visit(url, `/workspaces/${workspace}/audit`, ada));
    await until('a page hangs', async () => (await waiting()) > 0);
    t.equal((await visit(url, `/workspaces/${workspace}`, bob)).status, 200);
    t.ok((await waiting()) <= 1, 'the others are not in the database yet');
    return { asked };
  });
  for (const page of pages) await (await page).text();
});

t.test(
  "while the pages of one workspace's members hang in the database, another workspace's come; what nobody waits for is not computed",
  async (t) => {
    const database = await createTestDatabase(t);
    const { store, sql } = database;
    const { url } = await startTestServer(t, database.urlAs('invite_web'));
    const busy = await createSurvey(store);
    const test = await store.createTestWorkspace(busy.workspace, undefined);
    const [{ id: tested } = {}] = await sql`select id from invite.surveys where workspace_id = ${test}`;
    const members: SignedInMember[] = [];
    for (let index = 0; index < 20; index += 1)
      members.push(await createMember(store, busy.workspace, 'owner', `${index}@example.com`));
    // A survey with a request: the first steps of one without would ask for its responses.
    const quiet = await createBatch(store);
    const bob = await createMember(store, quiet.workspace, 'editor', 'bob@other.example');
    const waiting = () => waitersFor(sql, 'invite.responses');

    // Each page asks at least once for the role of its member. The sequence counts these calls.
    await sql`create sequence invite.asked`;
    await sql.unsafe(`do $$ begin
      execute replace(pg_get_functiondef('console.require_role'::regproc), E'\nbegin\n', E'\nbegin\n  perform nextval(''invite.asked'');\n');
    end $$`);
    const session = database.connect();
    const leave = new AbortController();
    const { asked } = await session.begin(async (transaction) => {
      await transaction`lock table invite.responses in access exclusive mode`;
      const asked = members.flatMap((member, index) =>
        [1, 2].map(() =>
          fetch(`${url}/surveys/${index % 2 === 0 ? busy.survey : tested}/results`, {
            headers: { cookie: `session=${member.key}` },
            signal: leave.signal,
          }).catch(() => undefined),
        ),
      );
      await until('the pages hang', async () => (await waiting()) >= 1);
      for (const path of [`/workspaces/${quiet.workspace}/members`, `/surveys/${quiet.survey}/api-trigger`, '/sessions'])
        t.equal((await visit(url, path, bob)).status, path.endsWith('members') ? 403 : 200, path);
      t.ok((await waiting()) <= 2, 'half of the places, for the workspace and its test workspace; one, if it was slow before');
      leave.abort();
      return { asked };
    });
    t.same(await Promise.all(asked), Array(40).fill(undefined));
    // This page comes after the forty requests that were aborted.
    t.equal((await visit(url, `/surveys/${busy.survey}/results`, members[0])).status, 200);
    const [row] = await sql`select last_value::integer as asked from invite.asked`;
    t.ok(row?.asked < 40, `${row?.asked} calls for 40 pages that nobody waits for, and those that came`);
  },
);
