// One member's slow pages leave a connection to the others: each member's requests are taken in turn.
import t from 'tap';
import { createSerializer } from '../../src/console/serializer.ts';
import { startTestServer } from '../fixtures/http.ts';
import { createMember, visit } from '../fixtures/members.ts';
import { createSurvey, createTestDatabase, until } from '../fixtures/setup.ts';

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

t.test("while one member's pages hang in the database, another member's come", async (t) => {
  const database = await createTestDatabase(t);
  const { store, sql } = database;
  const { url } = await startTestServer(t, database.urlAs('invite_web'));
  const { workspace } = await createSurvey(store);
  const ada = await createMember(store, workspace, 'owner', 'ada@example.com');
  const bob = await createMember(store, workspace, 'viewer', 'bob@example.com');
  const waiting = async () =>
    (await sql`select from pg_locks where relation = 'invite.audit_log'::regclass and not granted`).length;

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
