// A server whose database is a router works whole, and one cell's trouble is only that cell's. Skipped where PL/Proxy isn't installed.
import t, { type Test } from 'tap';
import { constraintMessage, forbiddenMessage } from '../../src/constraint-messages.ts';
import { errorCode, openDatabase } from '../../src/database/pool.ts';
import { createStore, patient } from '../../src/database/store.ts';
import { surveyLink, unsubscribeLink } from '../../src/mail/links.ts';
import { createKey, createSecret } from '../../src/secret.ts';
import { startTestServer } from '../fixtures/http.ts';
import { createMember, visit } from '../fixtures/members.ts';
import { run } from '../fixtures/program.ts';
import { createCell, createRouter, missingPlproxy, type TestCell } from '../fixtures/router.ts';
import { createSurvey, createToken, until } from '../fixtures/setup.ts';
import { acceptTrigger } from '../fixtures/trigger.ts';

/** What one cell has: a workspace whose survey everyone may answer, a token that reads, a member, and a person with a link. */
async function fill(cell: TestCell) {
  const { store, sql } = cell;
  const { workspace, survey } = await createSurvey(store);
  await store.setWorkspaceEvents(workspace, true);
  await sql`update invite.surveys set open_responses = true where id = ${survey}`;
  const token = await createToken(store, survey, { allowReading: true });
  const owner = await createMember(store, workspace, 'owner', `owner-${cell.home}@example.com`);
  const viewer = await createMember(store, workspace, 'viewer', `viewer-${cell.home}@example.com`);
  await acceptTrigger(store, token.hash, { recipients: [{ email: `ada-${cell.home}@example.com` }] }, 10_000);
  const [invitation] = await sql`select id, link_token from test.invitations where survey_id = ${survey}`;
  const count = async (): Promise<number> => (await sql`select from invite.batches where survey_id = ${survey}`).length;
  return {
    cell,
    workspace,
    survey,
    ...token,
    owner,
    viewer,
    invitation: String(invitation?.id),
    link: String(invitation?.link_token),
    count,
  };
}

t.test('a server behind a router', { skip: missingPlproxy }, async (t) => {
  const [one, other] = await Promise.all([createCell(t, 'aaaa', 1), createCell(t, 'bbbb', 2)]);
  const router = await createRouter(t, [one, other]);
  const [first, second] = [await fill(one), await fill(other)];
  const server = await startTestServer(t, router.url);
  const readyz = async () => (await fetch(`${server.url}/readyz`)).status;
  await until('it is ready', async () => (await readyz()) === 200);
  const sql = openDatabase(router.url, { applicationName: 'tests' });
  t.teardown(() => sql.end({ timeout: 1 }));
  const store = patient(createStore(sql));

  await t.test('each request is accepted in the cell of its token', async (t) => {
    const before = [await first.count(), await second.count()];
    const replies = await Promise.all(
      Array.from({ length: 60 }, (_, index) =>
        server.post({ email: `p${index}@example.com` }, { secret: (index % 3 === 0 ? second : first).secret }),
      ),
    );
    t.same([...new Set(replies.map(({ status }) => status))], [200]);
    t.same([await first.count(), await second.count()], [(before[0] ?? 0) + 40, (before[1] ?? 0) + 20]);
    await until('jobs of both are queued', async () => {
      const jobs = await Promise.all(
        [one, other].map(({ sql }) => sql`select from graphile_worker.jobs where task_identifier = 'send_invitations'`),
      );
      return jobs.every(({ length }) => length > 0);
    });
  });

  await t.test('an unknown secret is unknown, whatever its home', async (t) => {
    for (const home of ['aaaa0000', 'bbbbzzzz', 'zzzz0000', 'test1234']) {
      const { status, body } = await server.post({ email: 'a@example.com' }, { secret: createSecret(home).secret });
      t.same([status, body.error.code], [400, 'unknown_token'], home);
    }
  });

  await t.test('links lead to the page of their cell, and open surveys are found', async (t) => {
    for (const { survey, link, cell } of [first, second]) {
      const page = await fetch(surveyLink(`${server.url}/s/${survey}`, link));
      t.equal(page.status, 200);
      t.equal((await fetch(`${server.url}/s/${survey}`)).status, 200, 'without a link');
      t.equal((await fetch(unsubscribeLink(server.url, link))).status, 200);
      t.match(await (await fetch(unsubscribeLink(server.url, link), { method: 'POST' })).text(), 'won’t send');
      t.equal((await cell.sql`select from invite.suppressions where email = ${`ada-${cell.home}@example.com`}`).length, 1);
      const submit = (fields: Record<string, string>) =>
        fetch(`${server.url}/s/${survey}`, { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual' });
      t.equal((await submit({ invitation: link, 'answer.score': '9' })).status, 303);
      t.equal((await submit({ 'answer.score': '8' })).status, 303);
      t.equal((await cell.sql`select from invite.responses where survey_id = ${survey}`).length, 2);
    }
    t.equal((await fetch(`${server.url}/s/nothing`)).status, 404);
    for (const home of ['aaaa0000', 'zzzz0000']) {
      const gone = first.link.replace(/^.{8}/, home);
      t.equal((await fetch(unsubscribeLink(server.url, gone))).status, 404, home);
    }
    t.match(first.link, /^aaaa/);
  });

  await t.test('a member signs in and sees the pages of the cell', async (t) => {
    for (const { workspace, owner, survey } of [first, second]) {
      for (const path of [`/workspaces/${workspace}`, `/workspaces/${workspace}/members`, `/surveys/${survey}/results`]) {
        t.equal((await visit(server.url, path, owner)).status, 200, path);
      }
      t.equal(
        (await visit(server.url, `/workspaces/${(workspace === first.workspace ? second : first).workspace}`, owner)).status,
        404,
      );
    }
  });

  await t.test('a member signs in by a link, and makes a token that works', async (t) => {
    for (const { cell, owner, survey, count } of [first, second]) {
      const link = createKey(cell.home);
      await cell.store.createSignInLink(owner.email, link.hash);
      const response = await fetch(`${server.url}/sign-in/${link.key}`, { method: 'POST', redirect: 'manual' });
      t.equal(response.status, 303);
      const [, key = ''] = /session=([\w-]+)/.exec(response.headers.get('set-cookie') ?? '') ?? [];
      const path = `/surveys/${survey}/api-trigger/new`;
      const form = await (await visit(server.url, path, { key })).text();
      const token = /name="token" value="([^"]+)"/.exec(form)?.[1] ?? '';
      const page = await visit(server.url, path, { key }, { token, name: 'By the form', cooldownSeconds: '0' });
      const secret = /sit_[a-z0-9]{8}[\w-]{43}/.exec(await page.text())?.[0] ?? '';
      t.match(secret, `sit_${cell.home}`);
      const before = await count();
      t.equal((await server.post({ email: 'by-form@example.com' }, { secret })).status, 200);
      t.equal(await count(), before + 1);
    }
  });

  await t.test('an error says what it says without a router', async (t) => {
    const { owner, viewer, workspace, survey } = second;
    const messages = async (call: (calls: typeof store) => PromiseLike<unknown>) => {
      const thrown = await Promise.all(
        [store, other.store].map((calls) =>
          call(calls).then(
            () => undefined,
            (error) => error,
          ),
        ),
      );
      return thrown.map((error) => ({
        code: errorCode(error),
        sentence: errorCode(error) === 'IT403' ? forbiddenMessage(error) : constraintMessage(error),
      }));
    };
    for (const [what, call] of [
      ['a check of a table', (calls) => calls.console.updateWorkspace(owner.session, workspace, 'x'.repeat(300))],
      ['a role', (calls) => calls.console.updateWorkspace(viewer.session, workspace, 'Other')],
      ['a rule', (calls) => calls.console.removeMember(owner.session, workspace, owner.email)],
      ['an unknown survey', (calls) => calls.console.surveyFrame(owner.session, `${survey}x`, 'viewer')],
    ] as [string, (calls: typeof store) => PromiseLike<unknown>][]) {
      const [routed, direct] = await messages(call);
      t.ok(direct?.code, what);
      t.same(routed, direct, what);
    }
  });

  await t.test('events are read by cursor, and a waiting reader wakes', async (t) => {
    for (const { cell, secret } of [first, second]) {
      const read = (query: string) =>
        fetch(`${server.url}/api/events${query}`, { headers: { authorization: `Bearer ${secret}` } }).then((reply) =>
          reply.json(),
        );
      const publish = () => until('all is published', async () => (await cell.store.publishEvents(1000)) === 0);
      await publish();
      const page = (await read('?limit=1000')) as { events: unknown[]; next: string };
      t.ok(page.events.length > 0);
      t.match(page.next, new RegExp(`^${cell.home}`));
      const waiting = read(`?after=${page.next}&wait=30`);
      await server.post({ email: 'later@example.com' }, { secret });
      await publish();
      t.ok(((await waiting) as { events: unknown[] }).events.length > 0);
    }
  });

  await t.test("a relay's reports go to the cell that they name, or to all", async (t) => {
    const at = new Date().toISOString();
    const recorded = ({ sql }: TestCell) =>
      sql`select event_id from invite.relay_events order by 1`.then((rows) => rows.map((row) => row.event_id));
    await store.recordRelayEvents('resend', [
      { event_id: '1', type: 'delivered', occurred_at: at, home: first.link.slice(0, 8), invitation_id: first.invitation },
      { event_id: '2', type: 'delivered', occurred_at: at, home: second.link.slice(0, 8), invitation_id: second.invitation },
      { event_id: '3', type: 'delivered', occurred_at: at, relay_message_id: 'of another' },
    ]);
    t.same(await recorded(one), ['1', '3']);
    t.same(await recorded(other), ['2', '3']);
  });

  await t.test('while a workspace moves its calls are to be tried again, and then go to its new cell', async (t) => {
    const moving = await startTestServer(t, router.url);
    const home = first.link.slice(0, 8);
    await router.sql`insert into invite_router.moved (home, cell, is_moving) values (${home}, 'bbbb', true)`;
    const reply = await moving.post({ email: 'moving@example.com' }, { secret: first.secret });
    t.equal(reply.status, 503);
    t.ok(Number(reply.headers.get('retry-after')) <= 10);
    t.equal((await fetch(unsubscribeLink(moving.url, first.link))).status, 503);
    t.equal((await moving.post({ email: 'still@example.com' }, { secret: second.secret })).status, 200);
    t.equal((await fetch(`${moving.url}/readyz`)).status, 200);
    await router.sql`update invite_router.moved set is_moving = false`;
    t.equal((await fetch(unsubscribeLink(moving.url, first.link))).status, 404, 'nothing was copied there');
    const mixed = await Promise.all([first, second].map(({ secret }) => moving.post({ email: 'mixed@example.com' }, { secret })));
    t.same(
      mixed.map(({ status }) => status),
      [400, 200],
    );
    await router.sql`delete from invite_router.moved`;
    t.equal((await fetch(unsubscribeLink(moving.url, first.link))).status, 200);
  });

  /** What works while a cell is down or hangs: all of the other cell, and signing in. */
  async function othersAreServed(t: Test) {
    const replies = await Promise.all(
      Array.from({ length: 20 }, () => server.post({ email: 'o@example.com' }, { secret: second.secret })),
    );
    t.same([...new Set(replies.map(({ status }) => status))], [200]);
    t.equal(await readyz(), 200);
    t.equal((await fetch(surveyLink(`${server.url}/s/${second.survey}`, second.link))).status, 200);
    t.equal((await visit(server.url, `/workspaces/${second.workspace}`, second.owner)).status, 200);
    t.equal((await fetch(`${server.url}/api/events`, { headers: { authorization: `Bearer ${second.secret}` } })).status, 200);
    const email = `sign-in-${Math.random()}@example.com`;
    const answer = await fetch(`${server.url}/sign-in`, { method: 'POST', body: new URLSearchParams({ email }) });
    t.equal(answer.status, 200);
    t.equal((await other.sql`select from invite.sign_in_links where email = ${email}`).length, 1);
  }
  const refused = async (t: Test) => {
    const reply = await server.post({ email: 'down@example.com' }, { secret: first.secret });
    t.equal(reply.status, 503);
    t.ok(Number(reply.headers.get('retry-after')) <= 10);
  };
  const served = () =>
    until(
      'it is served again',
      async () => (await server.post({ email: 'up@example.com' }, { secret: first.secret })).status === 200,
    );

  await t.test('a cell that is down fails its own requests only', async (t) => {
    one.proxy.redirect('postgres://127.0.0.1:1/nothing');
    await refused(t);
    t.equal((await fetch(unsubscribeLink(server.url, first.link))).status, 503);
    await othersAreServed(t);
    await refused(t);
    const { stdout } = await run({ DATABASE_URL: router.admin }, 'cell', 'list');
    t.match(stdout, /aaaa +down/);
    t.match(stdout, /bbbb +up/);
    one.proxy.redirect(one.urlAs('invite_web'));
    await served();
  });

  await t.test('a cell that hangs takes no connection of another', async (t) => {
    one.proxy.freeze();
    const hanging = Array.from({ length: 30 }, (_, index) =>
      index % 2 === 0
        ? fetch(unsubscribeLink(server.url, first.link)).then(({ status }) => status)
        : server.post({ email: 'hangs@example.com' }, { secret: first.secret }).then(({ status }) => status),
    );
    const pages = Array.from({ length: 10 }, () =>
      visit(server.url, `/workspaces/${first.workspace}`, first.owner).then(({ status }) => status),
    );
    await othersAreServed(t);
    t.same([...new Set(await Promise.all([...hanging, ...pages]))], [503]);
    one.proxy.heal();
    one.proxy.cut();
    await served();
  });

  await t.test("the web server's role sees no password, and calls no helper", async (t) => {
    const mappings = await sql`select umoptions::text as options from pg_user_mappings`;
    t.equal(mappings.length, 2);
    t.same(
      mappings.filter(({ options }) => options !== null),
      [],
    );
    for (const statement of [
      'select * from invite_router.cells',
      `select * from invite_router.cell_state('aaaa')`,
      `select invite_router.of_token('aaaa0000')`,
      `select * from invite_router.invite_survey_page('invite_cell_aaaa', 's', null, null, null, null, null)`,
    ])
      t.equal(await sql.unsafe(statement).then(() => '', errorCode), '42501', statement);
  });

  await t.test('a router is renewed while a server uses it', async (t) => {
    const admin = one.connectAsAdmin();
    await admin.unsafe(`create function invite.brand_new(home text) returns text language sql as 'select home'`);
    await admin.unsafe('grant execute on function invite.brand_new to invite_web');
    const renewed = await run({ DATABASE_URL: router.admin }, 'cell', 'router', '--from', one.url);
    t.match(renewed.stdout, 'functions of this cell now');
    const replies = await Promise.all(
      [first, second].map(({ secret }) => server.post({ email: 'renewed@example.com' }, { secret })),
    );
    t.same(
      replies.map(({ status }) => status),
      [200, 200],
    );
    t.equal((await visit(server.url, `/workspaces/${first.workspace}`, first.owner)).status, 200);
    t.equal((await sql`select invite.brand_new('aaaa0000') as home`)[0]?.home, 'aaaa0000');
    await t.rejects(sql`select invite.brand_new('bbbb0000')`, { code: '42883' });
  });

  await t.test('the commands show each cell, and no password', async (t) => {
    const list = await run({ DATABASE_URL: router.admin }, 'cell', 'list', '--json');
    t.match(JSON.parse(list.stdout), [
      { cell: 'aaaa', state: 'up', workspaces: 1 },
      { cell: 'bbbb', state: 'up', workspaces: 1 },
    ]);
    const again = await run({ DATABASE_URL: router.admin }, 'cell', 'router', '--from', one.url);
    t.match(again.stdout, 'already');
    const added = await run(
      { DATABASE_URL: router.admin, PGPASSWORD: 'test' },
      'cell',
      'add',
      one.proxy.url.replace(/:test@/, '@'),
    );
    t.match(added.stdout, 'Cell aaaa');
    await served();
    for (const { stdout, stderr } of [list, again, added]) t.notMatch(stdout + stderr, /test@|password/);
    const [cell] = await router.sql`select srvoptions::text as options from pg_foreign_server limit 1`;
    t.notMatch(cell?.options, /password/);
    const wrong = await run({ DATABASE_URL: one.url }, 'cell', 'list');
    t.match([wrong.code, wrong.stderr], [6, /is no router/]);
    t.match((await run({ DATABASE_URL: router.admin }, 'migrate')).stderr, 'is a router');
    t.match((await run({ DATABASE_URL: one.url }, 'cell', 'router', '--from', other.url)).stderr, 'is a cell');
  });
});
