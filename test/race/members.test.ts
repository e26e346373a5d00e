// Races of members: two owners remove each other, one link is used twice at once, links are requested and a test clock is moved at once.
import t from 'tap';
import { createKey } from '../../src/secret.ts';
import { openSession } from '../fixtures/inspect.ts';
import { createMember } from '../fixtures/members.ts';
import { createSurvey, createTestDatabase } from '../fixtures/setup.ts';

const database = await createTestDatabase(t);
const { sql, store } = database;
const outcome = (query: PromiseLike<unknown>) =>
  Promise.resolve(query).then(
    () => 'done',
    (error: { code?: string; constraint_name?: string }) => error.constraint_name || error.code,
  );

for (const [what, call, loser] of [
  ['remove each other: the second is not a member any more', 'console.remove_member($1, $2, $3)', 'P0002'],
  ['make each other viewers: the second may no longer', "console.set_member_role($1, $2, $3, 'viewer')", 'members_min_role'],
] as const) {
  t.test(`two owners who ${what}, and one owner stays`, async (t) => {
    const { workspace } = await createSurvey(store);
    const ann = await createMember(store, workspace, 'owner', 'ann@example.com');
    const bob = await createMember(store, workspace, 'owner', 'bob@example.com');
    const [first, second] = [await openSession(database), await openSession(database)];
    await first.sql`begin`;
    await first.sql.unsafe(`select ${call}`, [ann.session, workspace, 'bob@example.com']);
    const changed = outcome(second.sql.unsafe(`select ${call}`, [bob.session, workspace, 'ann@example.com']).execute());
    await second.untilBlocked();
    await first.sql`commit`;
    t.equal(await changed, loser);
    const owners = await sql`select email from invite.members where workspace_id = ${workspace} and role = 'owner'`;
    t.same([...owners], [{ email: 'ann@example.com' }]);
  });
}

t.test('two owners who leave at once: the last one stays', async (t) => {
  const { workspace } = await createSurvey(store);
  const ann = await createMember(store, workspace, 'owner', 'ann@example.com');
  const bob = await createMember(store, workspace, 'owner', 'bob@example.com');
  const [first, second] = [await openSession(database), await openSession(database)];
  await first.sql`begin`;
  await first.sql`select console.remove_member(${ann.session}, ${workspace}, 'ann@example.com')`;
  const left = outcome(second.sql`select console.remove_member(${bob.session}, ${workspace}, 'bob@example.com')`);
  await second.untilBlocked();
  await first.sql`commit`;
  t.equal(await left, 'members_last_owner');
});

for (const [what, call] of [
  ['removed', (email: string) => `invite.remove_member($1, '${email}')`],
  ['made viewers', (email: string) => `invite.upsert_member($1, '${email}', 'viewer')`],
] as const) {
  t.test(`the last two owners are ${what} by two commands at once: one of them stays an owner`, async (t) => {
    const { workspace } = await createSurvey(store);
    await store.upsertMember(workspace, 'ann@example.com', 'owner');
    await store.upsertMember(workspace, 'bob@example.com', 'owner');
    const [first, second] = [await openSession(database), await openSession(database)];
    await first.sql`begin`;
    await first.sql.unsafe(`select ${call('bob@example.com')}`, [workspace]);
    const other = outcome(second.sql.unsafe(`select ${call('ann@example.com')}`, [workspace]).execute());
    await second.untilBlocked();
    await first.sql`commit`;
    t.equal(await other, 'members_last_owner');
    const owners = await sql`select email from invite.members where workspace_id = ${workspace} and role = 'owner'`;
    t.same([...owners], [{ email: 'ann@example.com' }]);
  });
}

t.test('an owner is removed while another takes the role over: neither waits in vain', async (t) => {
  const { workspace } = await createSurvey(store);
  await store.upsertMember(workspace, 'ann@example.com', 'owner');
  await store.upsertMember(workspace, 'bob@example.com', 'editor');
  const [first, second] = [await openSession(database), await openSession(database)];
  await first.sql`begin`;
  await first.sql`select invite.upsert_member(${workspace}, 'bob@example.com', 'owner')`;
  t.equal(await outcome(second.sql`select invite.remove_member(${workspace}, 'ann@example.com')`), 'members_last_owner');
  await first.sql`commit`;
  t.equal(await outcome(second.sql`select invite.remove_member(${workspace}, 'ann@example.com')`), 'done');
});

t.test('of two uses of a link at once, one signs in', async (t) => {
  const { workspace } = await createSurvey(store);
  await store.upsertMember(workspace, 'ada@example.com', 'owner');
  const { hash } = createKey('home');
  await store.createSignInLink('ada@example.com', hash);
  const [first, second] = [await openSession(database), await openSession(database)];
  await first.sql`begin`;
  const [member] = await first.sql`select email from console.sign_in(${hash}, ${createKey('home').hash})`;
  const other = second.sql`select email from console.sign_in(${hash}, ${createKey('home').hash})`.execute();
  await second.untilBlocked();
  await first.sql`commit`;
  t.equal(member?.email, 'ada@example.com');
  t.equal((await other)[0]?.email, null);
});

t.test('requests for links at once do not pass the limit together', async (t) => {
  for (let count = 0; count < 4; count += 1) await store.console.requestSignInLink('eve@example.com', undefined);
  const [first, second] = [await openSession(database), await openSession(database)];
  await first.sql`begin`;
  await first.sql`select console.request_sign_in_link('eve@example.com')`;
  const asked = second.sql`select console.request_sign_in_link('Eve@example.com')`.execute();
  await second.untilBlocked();
  await first.sql`commit`;
  await asked;
  t.equal((await sql`select from invite.sign_in_links where email = 'eve@example.com'`).length, 5);
});

t.test('two members who move a test clock at once: it moves once', async (t) => {
  const { workspace } = await createSurvey(store);
  const ann = await createMember(store, workspace, 'editor', 'ann@example.com');
  const bob = await createMember(store, workspace, 'editor', 'bob@example.com');
  const test = await store.createTestWorkspace(workspace, undefined);
  const [first, second] = [await openSession(database), await openSession(database)];
  const move = `
    select console.advance_test_clock($1, $2, (select test_now from invite.workspaces where id = $2), "by" => '1 day') as moves`;
  await first.sql`begin`;
  t.same([...(await first.sql.unsafe(move, [ann.session, test]))], [{ moves: true }]);
  const later = second.sql.unsafe(move, [bob.session, test]).execute();
  await second.untilBlocked();
  await first.sql`commit`;
  t.same([...(await later)], [{ moves: false }]);
  t.equal((await sql`select from invite.test_advances where workspace_id = ${test}`).length, 1);
});
