// A workspace's home and key go with it: what has them is found in whichever database the workspace is, and only there.
import t from 'tap';
import { unsubscribeToken } from '../../src/mail/links.ts';
import { idsOf, invitationsOf, sqlstate } from '../fixtures/inspect.ts';
import { createBatch, createSurvey, createTestDatabase, createToken, createWorker } from '../fixtures/setup.ts';
import { createTestToken } from '../fixtures/test-workspaces.ts';
import { acceptTrigger } from '../fixtures/trigger.ts';

const { sql, store } = await createTestDatabase(t);
const cell = await store.home();

/** A survey with one invitation, and its links. */
async function createLink() {
  const fixture = await createBatch(store);
  const [row] = await invitationsOf(sql, fixture.survey);
  const link = String(row?.link_token);
  return { ...fixture, link, unsubscribing: unsubscribeToken(link), home: await store.homeOf(fixture.workspace) };
}
const pageOf = async (survey: string, token: string) =>
  (await sql`select link from invite.survey_page(${survey}, ${token})`)[0]?.link;

t.test('each workspace gets a home of its own, however many are made at once', async (t) => {
  await sql`insert into invite.workspaces (id, name) select 'many' || n, 'Acme' from generate_series(1, 20000) as n`;
  const rows = await sql<{ home: string }[]>`select home from invite.workspaces where id like 'many%'`;
  t.equal(new Set(rows.map(({ home }) => home)).size, 20_000);
  t.ok(rows.every(({ home }) => home.startsWith(cell) && /^[a-z0-9]{8}$/.test(home) && !home.endsWith('0000')));
  await sql`delete from invite.workspaces where id like 'many%'`;
  for (const home of ['abcd0000', 'testabcd', 'abcdef1', 'abcdef123', 'ABCD1234', 'abcd-123', null])
    t.match(
      await sqlstate(sql`insert into invite.workspaces (name, home) values ('Acme', ${home})`),
      /^2350[25]|23514$/,
      `${home}`,
    );
  const { workspace } = await createSurvey(store);
  const home = await store.homeOf(workspace);
  t.equal(await sqlstate(sql`insert into invite.workspaces (name, home) values ('Acme', ${home})`), '23505');
});

t.test('a test workspace has a home and a key of its own', async (t) => {
  const { workspace } = await createSurvey(store);
  const test = await store.createTestWorkspace(workspace, undefined);
  const rows = await sql`select home, encode(link_key, 'hex') as key from invite.workspaces where id in (${workspace}, ${test})`;
  t.equal(new Set(rows.map(({ home }) => home)).size, 2);
  t.equal(new Set(rows.map(({ key }) => key)).size, 2);
  const [survey] = await sql<{ id: string }[]>`select id from invite.surveys where workspace_id = ${test}`;
  const { secret } = await createTestToken(store, survey?.id ?? '');
  t.ok(secret.startsWith(`sit_test_${await store.homeOf(test)}`));
});

t.test('links work in any database that has the workspace: its key and home decide, not those of the database', async (t) => {
  const { survey, hash, link, unsubscribing, home } = await createLink();
  t.equal(link.slice(0, 8), home);
  t.equal(unsubscribing.slice(0, 8), home);
  await sql`update invite.settings set home = 'zz99'`;
  t.teardown(() => sql`update invite.settings set home = ${cell}`);
  t.equal(await pageOf(survey, link), 'open');
  t.match(await store.unsubscribePage(unsubscribing), { email: 'ada@example.com' });
  t.match(await acceptTrigger(store, hash, { recipients: [{ email: 'bob@example.com' }] }, 1000), { outcome: 'accepted' });
  const { workspace } = await createSurvey(store);
  t.match(await store.homeOf(workspace), /^zz99/, 'new ones have its name');
  const [claimed] = await store.claimInvitations(await idsOf(sql, survey), await createWorker(store));
  t.equal(claimed?.linkToken, link);
});

t.test('a link is good for its own workspace only: no other home, key or invitation', async (t) => {
  const [own, other] = [await createLink(), await createLink()];
  t.equal(await pageOf(own.survey, own.link), 'open');
  const { home: unused } = (await sql`select invite.new_home() as home`)[0] ?? {};
  for (const home of [other.home, unused, `${cell}0000`, 'test0001', own.home.toUpperCase(), '________'])
    for (const [token, find] of [
      [`${home}${own.link.slice(8)}`, async (token: string) => (await pageOf(own.survey, token)) === 'open'],
      [`${home}${own.unsubscribing.slice(8)}`, async (token: string) => (await store.unsubscribePage(token)) !== null],
    ] as const)
      t.equal(await find(token), false, token);
  // Somebody who had both keys: the invitation of another workspace, with its own secret, under this home.
  const [forged] = await sql<{ token: string }[]>`
    select invite.link_text(i.id, i.secret, w) as token
    from invite.invitations as i, invite.workspaces as w
    where i.survey_id = ${other.survey} and w.id = ${own.workspace}`;
  t.equal(forged?.token.slice(0, 8), own.home);
  for (const { survey } of [own, other]) t.equal(await pageOf(survey, forged?.token ?? ''), 'unknown');
  t.equal((await sql`select from invite.find_link(${forged?.token ?? ''})`).length, 0);
});

t.test('the same id is hidden differently in each workspace', async (t) => {
  const rows = await sql`
    select distinct substr(invite.link_text(1, '00000000-0000-0000-0000-000000000000', w), 9, 11) as hidden from invite.workspaces as w`;
  const [{ count }] = (await sql`select count(*)::integer as count from invite.workspaces`) as unknown as [{ count: number }];
  t.ok(count > 3);
  t.equal(rows.length, count);
});

t.test('a cursor is good for its workspace only', async (t) => {
  const [own, other] = await Promise.all(
    [1, 2].map(async () => {
      const { workspace, survey } = await createSurvey(store);
      await store.setWorkspaceEvents(workspace, true);
      const { hash } = await createToken(store, survey, { allowReading: true });
      return { hash, home: await store.homeOf(workspace) };
    }),
  );
  if (!own || !other) throw new Error('no tokens');
  const first = await store.tokenEvents(own.hash, undefined, 10);
  const next = typeof first === 'object' ? first.next : '';
  t.equal(next.slice(0, 8), own.home);
  t.equal(typeof (await store.tokenEvents(own.hash, next, 10)), 'object');
  t.equal(await store.tokenEvents(other.hash, next, 10), 'unknown_cursor');
  t.equal(await store.tokenEvents(other.hash, `${other.home}${next.slice(8)}`, 10), 'unknown_cursor');
});

t.test('an unknown home costs one look-up by key, as an unknown id does', async (t) => {
  await sql`analyze invite.workspaces`;
  for (const [statement, index] of [
    [`select w.* from invite.workspaces as w where w.home = 'abcd1234'`, 'workspaces_home_key'],
    [`select i from invite.invitations as i where i.id = 7 and i.workspace_id = 'x'`, 'invitations_pkey'],
  ] as const) {
    const plan = (await sql.unsafe(`explain ${statement}`)).map((row) => row['QUERY PLAN']).join('\n');
    t.match(plan, index);
  }
});
