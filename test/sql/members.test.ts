// Sessions and roles in SQL: how long a link and a session last, what each role may do, and what the audit log records about it.
import { randomUUID } from 'node:crypto';
import t from 'tap';
import { RECENT_SIGN_IN_MINUTES, SIGN_IN_MINUTES } from '../../src/database/sessions.ts';
import { createKey, createSecret } from '../../src/secret.ts';
import { constraint, sqlstate } from '../fixtures/inspect.ts';
import { ageSession, createMember, openSession } from '../fixtures/members.ts';
import { createSurvey, createTestDatabase, createToken } from '../fixtures/setup.ts';
import { acceptTrigger } from '../fixtures/trigger.ts';
import { createWebhook, SEALED } from '../fixtures/webhooks.ts';

const { sql, store } = await createTestDatabase(t);
const value = async (query: PromiseLike<readonly Record<string, unknown>[]>) => Object.values((await query)[0] ?? {})[0];
const { workspace } = await createSurvey(store);
await store.upsertMember(workspace, 'ada@example.com', 'owner');

t.test('an address gets five links an hour, then one every three minutes, or at once when the last was used', async (t) => {
  const count = () => value(sql`select count(*)::integer from graphile_worker.jobs where task_identifier = 'send_sign_in_link'`);
  const ask = (time: string) => sql`select console.request_sign_in_link('Bob@example.com', at => ${`2030-01-01 ${time}Z`})`;
  for (const time of ['10:00:00', '10:00:10', '10:00:20', '10:00:30', '10:00:40']) await ask(time);
  t.equal(await count(), 5);
  for (const time of ['10:00:50', '10:03:39']) await ask(time);
  t.equal(await count(), 5, 'the fifth is on its way');
  for (const time of ['10:03:40', '10:06:39']) await ask(time);
  t.equal(await count(), 6, 'anyone who goes on asking keeps nobody out');
  await sql`update invite.sign_in_links set used_at = now() where email = 'bob@example.com'`;
  await ask('10:06:39');
  t.equal(await count(), 7);
  for (const time of ['11:06:38', '11:06:39']) await ask(time);
  t.equal(await count(), 9, 'within an hour there were no five');
});

t.test('a job for a sign-in link has the id of its row and no secret', async (t) => {
  await sql`delete from graphile_worker._private_jobs`;
  await store.console.requestSignInLink('carl@example.com', undefined);
  const [row] = await sql`select payload from graphile_worker._private_jobs`;
  t.same(Object.keys(row?.payload), ['link_id']);
});

t.test('a link is issued for a member only, and not an hour late', async (t) => {
  const issue = async (email: string, at: string) => {
    const [row] = await sql`
      insert into invite.sign_in_links (email, requested_at) values (${email}, '2030-01-01 10:00Z') returning id`;
    return value(sql`select invite.issue_sign_in_link(${row?.id}, ${createKey('home').hash}, ${at})`);
  };
  t.equal(await issue('ada@example.com', '2030-01-01 10:59Z'), 'ada@example.com');
  t.equal(await issue('ada@example.com', '2030-01-01 11:00Z'), null);
  t.equal(await issue('nobody@example.com', '2030-01-01 10:01Z'), null);
  t.equal(await value(sql`select invite.issue_sign_in_link(${randomUUID()}, ${createKey('home').hash})`), null);
});

t.test('a link signs in once, within the minutes that emails and pages state', async (t) => {
  const link = createKey('home').hash;
  const at = (time: string) => `2030-01-01 ${time}Z`;
  const [last, expired] = [`10:${SIGN_IN_MINUTES - 1}:59`, `10:${SIGN_IN_MINUTES}`];
  const signIn = (hash: Buffer, time: string) =>
    value(sql`select email from console.sign_in(${hash}, ${createKey('home').hash}, at => ${at(time)})`);
  await sql`select invite.create_sign_in_link('Ada@example.com', ${link}, ${at('10:00')})`;
  const shown = (time: string) => value(sql`select email from console.find_sign_in_link(${link}, at => ${at(time)})`);
  t.equal(await shown(last), 'ada@example.com');
  t.equal(await shown(expired), null);
  t.equal(await signIn(link, expired), null);
  t.equal(await signIn(link, last), 'ada@example.com');
  t.equal(await signIn(link, last), null);
  t.equal(await sqlstate(store.createSignInLink('nobody@example.com', createKey('home').hash)), 'P0002');
});

t.test("signing in spends the person's other links, those that are still to be emailed too, and nobody else's", async (t) => {
  const [used, other, foreign] = [createKey('home').hash, createKey('home').hash, createKey('home').hash];
  await store.upsertMember(workspace, 'eve@example.com', 'viewer');
  for (const hash of [used, other]) await store.createSignInLink('ada@example.com', hash);
  await store.createSignInLink('eve@example.com', foreign);
  const [requested] = await sql`
    insert into invite.sign_in_links (email, requested_at) values ('ada@example.com', now()) returning id`;
  t.ok(await store.console.signIn(used, createKey('home').hash, '192.0.2.1'));
  t.equal(await store.console.signIn(other, createKey('home').hash, '192.0.2.1'), null);
  t.equal(await store.console.findSignInLink(other, undefined), null);
  t.equal(await store.issueSignInLink(requested?.id, createKey('home').hash), null, 'no email with a spent link');
  t.match(await store.console.findSignInLink(foreign, undefined), { email: 'eve@example.com' });
});

t.test('a sign-in is in the audit log of each workspace and in the list of sessions, with its address', async (t) => {
  const [one, two] = [await createSurvey(store), await createSurvey(store)];
  for (const { workspace } of [one, two]) await store.upsertMember(workspace, 'both@example.com', 'owner');
  const { session } = await createMember(store, one.workspace, 'owner', 'both@example.com');
  for (const { workspace } of [one, two]) {
    const [entry] = await store.console.listAuditEntries(session, workspace, undefined, 1);
    t.match(entry, {
      action: 'signed_in',
      actor: 'both@example.com',
      subject: 'both@example.com',
      detail: { address: '192.0.2.1' },
    });
  }
  t.match(await store.listSessions('Both@example.com'), [
    { client_address: '192.0.2.1', signed_in_at: Date, last_used_at: Date },
  ]);
  await sql`update invite.sessions set seen_at = now() - interval '2 days' where email = 'both@example.com'`;
  t.strictSame([...(await store.listSessions('both@example.com'))], [], 'an ended session is not listed');
});

t.test('a person who leaves the last workspace is signed out; one who leaves another stays', async (t) => {
  const [one, two] = [await createSurvey(store), await createSurvey(store)];
  const email = 'leaving@example.com';
  await createMember(store, one.workspace, 'viewer', email);
  const { session } = await createMember(store, two.workspace, 'viewer', email);
  const link = createKey('home').hash;
  await store.createSignInLink(email, link);
  await store.removeMember(one.workspace, email);
  t.equal((await store.listSessions(email)).length, 2);
  await sql`delete from invite.surveys where workspace_id = ${two.workspace}`;
  await sql`delete from invite.workspaces where id = ${two.workspace}`;
  t.equal((await sql`select from invite.sessions where email = ${email}`).length, 0, 'with the workspace the member goes');
  t.equal(await store.console.authenticate(session), null);
  t.equal(await store.console.signIn(link, createKey('home').hash, '192.0.2.1'), null);
});

t.test('a session ends two days after it was used, fourteen after it began, or when it is ended', async (t) => {
  const { session } = await createMember(store, workspace, 'viewer');
  const start = async (created: string) =>
    sql`update invite.sessions set created_at = ${created}, seen_at = ${created} where secret_hash = ${session}`;
  const email = (at: string) => value(sql`select (console.authenticate(${session}, at => ${at})).email`);
  await start('2030-01-01Z');
  t.equal(await email('2030-01-03Z'), null);
  t.equal(await email('2030-01-02 23:59Z'), 'viewer@example.com');
  for (let day = 4; day <= 14; day += 1) await email(`2030-01-${String(day).padStart(2, '0')} 12:00Z`);
  t.equal(await email('2030-01-14 23:59Z'), 'viewer@example.com', 'each use has put the idle end off');
  t.equal(await email('2030-01-15Z'), null);
  await sql`select test.prune_expired(at => '2030-01-15Z')`;
  t.equal((await sql`select from invite.sessions where secret_hash = ${session}`).length, 0);
  const again = await createMember(store, workspace, 'viewer');
  t.ok(await store.console.authenticate(again.session));
  t.equal(await store.endSessions('Viewer@example.com'), 1);
  t.equal(await store.console.authenticate(again.session), null);
});

t.test('one session ends, or all but the one that asks; those of other people never do', async (t) => {
  const email = 'many@example.com';
  const mine = await createMember(store, workspace, 'viewer', email);
  const [one, two, three] = [await openSession(store, email), await openSession(store, email), await openSession(store, email)];
  const other = await createMember(store, workspace, 'viewer', 'neighbor@example.com');
  const idOf = async ({ session }: { session: Buffer }) =>
    (await sql`select id from invite.sessions where secret_hash = ${session}`)[0]?.id as string;
  const open = async () => {
    const found = [];
    for (const [name, { session }] of Object.entries({ mine, one, two, three, other }))
      if ((await store.console.authenticate(session)) !== null) found.push(name);
    return found;
  };
  t.ok(await store.console.endSession(mine.session, await idOf(one)));
  t.same(await open(), ['mine', 'two', 'three', 'other']);
  t.notOk(await store.console.endSession(mine.session, randomUUID()), 'there is none');
  t.notOk(await store.console.endSession(mine.session, await idOf(other)), "another person's");
  t.notOk(await store.console.endSession(createKey('home').hash, await idOf(mine)), 'nobody asks');
  t.notOk(await store.endSession('neighbor@example.com', await idOf(two)));
  t.same(await open(), ['mine', 'two', 'three', 'other']);
  t.ok(await store.endSession('Many@Example.com', await idOf(two)), 'a command');
  const link = createKey('home').hash;
  await store.createSignInLink(email, link);
  t.equal(await store.console.endOtherSessions(createKey('home').hash), 0);
  t.equal(await store.console.endOtherSessions(mine.session), 1);
  t.same(await open(), ['mine', 'other']);
  t.equal(await store.console.signIn(link, createKey('home').hash, '192.0.2.1'), null, 'unused links end with them');
});

t.test(
  'deleting a survey, making a secret and changing members need a sign-in of the last minutes, after the role',
  async (t) => {
    const { workspace, survey } = await createSurvey(store);
    const owner = await createMember(store, workspace, 'owner', 'recent@example.com');
    const viewer = await createMember(store, workspace, 'viewer', 'watching@example.com');
    await store.upsertMember(workspace, 'else@example.com', 'viewer');
    const webhook = await createWebhook(store, workspace, 'https://x.example/');
    const { hash, hint } = createSecret('aaaa0001');
    const { console } = store;
    const acts: Record<string, (session: Buffer) => PromiseLike<unknown>> = {
      token: (session) =>
        console.createTriggerToken(session, survey, {
          ...{ id: randomUUID(), name: 'Token', cooldownSeconds: 0 },
          ...{ secretHash: hash, secretHint: hint },
        }),
      webhook: (session) =>
        console.createWebhook(session, workspace, randomUUID(), { url: 'https://y.example/', secret: SEALED }),
      rotation: (session) => console.changeWebhook(session, workspace, webhook.id, 'rotate', { secret: SEALED }),
      adding: (session) => console.addMember(session, workspace, 'new@example.com', 'viewer'),
      role: (session) => console.setMemberRole(session, workspace, 'else@example.com', 'editor'),
      removal: (session) => console.removeMember(session, workspace, 'else@example.com'),
      deletion: (session) => console.deleteSurvey(session, survey),
    };
    const state = async () => ({
      members: await store.listMembers(workspace),
      webhooks: [...(await sql`select id, secret from invite.webhook_endpoints where workspace_id = ${workspace}`)],
      tokens: [...(await sql`select id from invite.trigger_tokens where survey_id = ${survey}`)],
      surveys: [...(await sql`select id from invite.surveys where workspace_id = ${workspace} and deletion_started_at is null`)],
    });
    const before = await state();
    await ageSession(sql, owner.session, RECENT_SIGN_IN_MINUTES + 0.02);
    await ageSession(sql, viewer.session, RECENT_SIGN_IN_MINUTES + 0.02);
    for (const [name, act] of Object.entries(acts)) {
      t.equal(await constraint(act(owner.session)), 'sessions_recent_sign_in', name);
      t.equal(await constraint(act(viewer.session)), 'members_min_role', name);
    }
    t.same(await state(), before);
    for (const action of ['test', 'pause', 'resume'] as const)
      t.equal(await constraint(console.changeWebhook(owner.session, workspace, webhook.id, action)), 'none', action);
    await ageSession(sql, owner.session, RECENT_SIGN_IN_MINUTES - 0.5);
    for (const [name, act] of Object.entries(acts)) t.equal(await constraint(act(owner.session)), 'none', name);
  },
);

t.test('a path to go on to is one of our paths', async (t) => {
  const ask = (path: string) => constraint(store.console.requestSignInLink(`${randomUUID()}@example.com`, path));
  for (const path of ['/', '/workspaces/a?b=c']) t.equal(await ask(path), 'none', path);
  for (const path of ['//evil.example', '/\\evil.example', 'https://evil.example', '/a b', '']) {
    t.equal(await ask(path), 'sign_in_links_next_own', path);
  }
});

t.test('a role is asked for at each call: who loses it loses it at once', async (t) => {
  const { session } = await createMember(store, workspace, 'admin');
  t.ok((await store.console.listMembers(session, workspace)).length > 1);
  await store.upsertMember(workspace, 'admin@example.com', 'editor');
  t.equal(await sqlstate(store.console.listMembers(session, workspace)), 'IT403');
  await store.removeMember(workspace, 'admin@example.com');
  t.equal(await sqlstate(store.console.listMembers(session, workspace)), 'P0002');
  t.equal(await sqlstate(store.console.listMembers(createKey('home').hash, workspace)), 'P0002');
});

t.test('an admin leaves owners alone, and the last owner stays', async (t) => {
  const { workspace } = await createSurvey(store);
  const owner = await createMember(store, workspace, 'owner');
  const admin = await createMember(store, workspace, 'admin');
  const change = (who: { session: Buffer }, email: string, role: 'owner' | 'admin' | 'viewer' | null) =>
    role === null
      ? store.console.removeMember(who.session, workspace, email)
      : store.console.setMemberRole(who.session, workspace, email, role);
  t.equal(await sqlstate(change(admin, 'owner@example.com', 'viewer')), 'IT403');
  t.equal(await sqlstate(change(admin, 'owner@example.com', null)), 'IT403');
  t.equal(await sqlstate(change(admin, 'admin@example.com', 'owner')), 'IT403');
  t.equal(await constraint(change(owner, 'owner@example.com', null)), 'members_last_owner');
  t.equal(await constraint(change(owner, 'Owner@example.com', 'admin')), 'members_last_owner');
  t.equal(await constraint(change(owner, 'admin@example.com', 'owner')), 'none');
  t.equal(await constraint(change(owner, 'owner@example.com', null)), 'none', 'there is another one now');
});

t.test(
  'no command takes the last owner away; a workspace is set up in any order, and an owner replaced by adding first',
  async (t) => {
    const { workspace } = await createSurvey(store);
    const set = (email: string, role: string) => constraint(store.upsertMember(workspace, email, role));
    const remove = (email: string) => constraint(store.removeMember(workspace, email));
    t.equal(await set('editor@example.com', 'editor'), 'none', 'there is no owner yet');
    t.equal(await remove('editor@example.com'), 'none');
    t.equal(await set('ann@example.com', 'owner'), 'none');
    for (const role of ['admin', 'editor', 'viewer']) t.equal(await set('Ann@example.com', role), 'members_last_owner', role);
    t.equal(await remove('Ann@example.com'), 'members_last_owner');
    t.equal(await set('ann@example.com', 'owner'), 'none', 'what changes nothing is no error');
    t.equal(await set('bob@example.com', 'owner'), 'none');
    t.equal(await remove('ann@example.com'), 'none');
    t.equal(await remove('bob@example.com'), 'members_last_owner');
    t.equal(await sqlstate(store.removeMember(workspace, 'nobody@example.com')), 'P0002');
    await sql`delete from invite.surveys where workspace_id = ${workspace}`;
    await sql`delete from invite.workspaces where id = ${workspace}`;
    t.same(await store.listMembers(workspace), [], 'with its workspace an owner goes');
  },
);

t.test('a change of somebody who was removed meanwhile brings nobody back', async (t) => {
  const { workspace } = await createSurvey(store);
  const owner = await createMember(store, workspace, 'owner');
  await store.console.addMember(owner.session, workspace, 'eve@example.com', 'viewer');
  await store.console.addMember(owner.session, workspace, 'eve@example.com', 'viewer');
  t.equal(await sqlstate(store.console.addMember(owner.session, workspace, 'eve@example.com', 'editor')), '23514');
  await store.console.removeMember(owner.session, workspace, 'eve@example.com');
  t.equal(await sqlstate(store.console.setMemberRole(owner.session, workspace, 'eve@example.com', 'editor')), 'P0002');
  t.same((await store.listMembers(workspace)).length, 1);
});

t.test('a test workspace has the members of its workspace, from both ends of their time', async (t) => {
  const { workspace } = await createSurvey(store);
  const owner = await createMember(store, workspace, 'owner');
  const tests = [await store.createTestWorkspace(workspace, undefined), await store.createTestWorkspace(workspace, undefined)];
  const rolesOf = async (email: string) =>
    (await sql`select workspace_id, role from invite.members where email = ${email}`).map(({ role }) => role).join();
  await store.console.addMember(owner.session, workspace, 'Mia@example.com', 'viewer');
  t.equal(await rolesOf('mia@example.com'), 'viewer,viewer,viewer');
  await store.console.setMemberRole(owner.session, workspace, 'mia@example.com', 'admin');
  t.equal(await rolesOf('mia@example.com'), 'admin,admin,admin');
  for (const test of tests) {
    t.equal(await constraint(store.console.addMember(owner.session, test, 'zoe@example.com', 'viewer')), 'members_of_test');
    t.equal(await constraint(store.console.removeMember(owner.session, test, 'mia@example.com')), 'members_of_test');
    t.equal(await constraint(store.upsertMember(test, 'zoe@example.com', 'viewer')), 'members_of_test');
  }
  await store.console.removeMember(owner.session, workspace, 'mia@example.com');
  t.equal(await rolesOf('mia@example.com'), '');
  t.equal(await rolesOf('zoe@example.com'), '', 'and nobody was told of it');
  t.same(await sql`select from graphile_worker._private_jobs where payload ->> 'email' = 'zoe@example.com'`, []);
});

t.test('the audit log has who did what to members and tokens, and no secret', async (t) => {
  const { workspace, survey } = await createSurvey(store);
  const owner = await createMember(store, workspace, 'owner');
  await store.console.addMember(owner.session, workspace, 'Eve@example.com', 'viewer');
  await store.console.setMemberRole(owner.session, workspace, 'eve@example.com', 'viewer');
  await store.console.setMemberRole(owner.session, workspace, 'eve@example.com', 'editor');
  await store.console.removeMember(owner.session, workspace, 'eve@example.com');
  const { token, secret } = await createToken(store, survey, { name: 'Shop' });
  await store.updateTriggerToken(token, { cooldownSeconds: 5 });
  await store.deleteTriggerToken(token);
  const entries = await store.console.listAuditEntries(owner.session, workspace, undefined, 50);
  t.match(
    entries.map(({ action, subject, actor }) => `${action} ${subject} ${actor}`),
    [
      'token_deleted Shop cli',
      'token_changed Shop cli',
      'token_created Shop cli',
      'member_removed eve@example.com owner@example.com',
      'member_changed eve@example.com owner@example.com',
      'member_added eve@example.com owner@example.com',
      'signed_in owner@example.com owner@example.com',
      'sign_in_link_created owner@example.com cli',
      'member_added owner@example.com cli',
      'survey_created Customer survey cli',
    ],
  );
  t.equal(entries.length, 10, 'what changes nothing is not in it');
  t.match(entries[1]?.detail, { changed: ['cooldown_seconds'], hint: secret.slice(-4) });
  t.notOk(JSON.stringify(entries).includes(secret));
  t.equal(
    (await store.console.listAuditEntries(owner.session, workspace, entries[4]?.id, 50)).length,
    5,
    'a page ends before an id',
  );
});

t.test('counts of a survey are bounded, and a viewer gets none', async (t) => {
  const { workspace, survey } = await createSurvey(store);
  const { hash } = await createToken(store, survey);
  const recipients = Array.from({ length: 5 }, (_, index) => ({ email: `p${index}@example.com` }));
  await acceptTrigger(store, hash, { recipients }, 10_000);
  const owner = await createMember(store, workspace, 'owner');
  const viewer = await createMember(store, workspace, 'viewer');
  t.match(await store.console.listSurveys(owner.session, workspace), [{ surveyId: survey, unsent: { queued: 5 }, sent: 0 }]);
  t.match(await store.console.listSurveys(viewer.session, workspace), [{ surveyId: survey, unsent: null }]);
  const [row] = await sql`select * from console.surveys(${owner.session}, ${workspace}, max_unsent => 3)`;
  t.match(row, { unsent: { queued: 3 } });
});
