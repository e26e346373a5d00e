// The limits for a client address without a known token: public pages, responses without a link, and unsigned relay events. The limit for
// the forms of a workspace.
import t from 'tap';
import { startTestServer } from '../fixtures/http.ts';
import { createMember, type SignedInMember, visit } from '../fixtures/members.ts';
import { createBatch, createTestDatabase } from '../fixtures/setup.ts';

const { sql, store, urlAs } = await createTestDatabase(t);
const { survey, workspace, batch } = await createBatch(store, {
  recipients: [{ email: 'ada@example.com' }, { email: 'bob@example.com' }],
});
const tokens = (await sql`select link_token from test.invitations where batch_id = ${batch}`).map(
  (row) => row.link_token as string,
);
const start = (env: Record<string, string>) => startTestServer(t, urlAs('invite_web'), { TRUST_PROXY: '1', ...env });
const from = (address: string) => ({ headers: { 'x-forwarded-for': address } });

t.test('public pages share one limit by address, and say when to come back', async (t) => {
  const { url } = await start({ FLOOD_PAGES_PER_MINUTE: '1' });
  const paths = [`/s/${survey}`, `/s/${survey}/thanks`, `/u/${tokens[0]}`, '/u/nothing', '/sign-in', '/sign-in/nothing', '/'];
  for (const [index, path] of paths.entries()) {
    const address = from(`192.0.2.${index}`);
    t.not((await fetch(url + path, { ...address, redirect: 'manual' })).status, 429, path);
    const next = paths[(index + 1) % paths.length] ?? '';
    const limited = await fetch(url + next, address);
    t.equal(limited.status, 429, `${next} after ${path}`);
    t.ok(Number(limited.headers.get('retry-after')) >= 1);
    t.match(await limited.text(), 'Too many attempts');
    t.equal((await fetch(`${url}/u/${tokens[0]}`, { method: 'POST', ...address })).status, 429, 'forms too');
    t.equal((await fetch(`${url}/readyz`, address)).status, 200, 'the load balancer may share the address of a flood');
  }
});

t.test('members are not limited, and guesses at a session are', async (t) => {
  const { url } = await start({ FLOOD_PAGES_PER_MINUTE: '1' });
  const member = await createMember(store, workspace, 'viewer');
  const page = `/workspaces/${workspace}`;
  for (let count = 1; count <= 4; count += 1) t.equal((await visit(url, page, member)).status, 200);
  const guess = (number: number) =>
    fetch(url + page, { headers: { cookie: `session=home0000${String(number).padEnd(43, 'x')}` }, redirect: 'manual' });
  t.same([(await guess(1)).status, (await guess(2)).status], [303, 429]);
});

t.test('the forms of a workspace are limited, and those of another are not', async (t) => {
  const { url } = await start({ FLOOD_FORMS_PER_MINUTE: '2' });
  const test = await store.createTestWorkspace(workspace, undefined);
  const [first, second] = [
    await createMember(store, workspace, 'owner', 'a@example.com'),
    await createMember(store, workspace, 'owner', 'b@example.com'),
  ];
  const other = await createBatch(store);
  const owner = await createMember(store, other.workspace, 'owner', 'c@example.com');
  const submit = (of: string, member: SignedInMember, csrf = {}) =>
    visit(url, `/workspaces/${of}/do-not-email`, member, { action: 'add', email: 'x@example.com', ...csrf });
  t.equal((await submit(workspace, first, { csrf: 'forged' })).status, 403, 'one that nobody sent is not counted');
  t.equal((await submit(workspace, first)).status, 303);
  t.equal((await submit(test, second)).status, 303);
  for (const [of, member] of [
    [workspace, second],
    [test, first],
  ] as const) {
    const refused = await submit(of, member);
    t.equal(refused.status, 429);
    t.ok(Number(refused.headers.get('retry-after')) >= 1);
    t.match(await refused.text(), 'too many forms');
  }
  t.equal((await visit(url, `/workspaces/${workspace}`, first)).status, 200, 'pages are shown');
  t.equal((await submit(other.workspace, owner)).status, 303);
  t.equal((await visit(url, '/sign-out', first, {})).status, 303, 'and people can sign out');
});

t.test('responses without a link are limited by address, those with a link are not', async (t) => {
  const { url } = await start({ FLOOD_OPEN_RESPONSES_PER_MINUTE: '1' });
  const respond = async (address: string, fields: Record<string, string> = {}) => {
    const body = new URLSearchParams({ 'answer.score': '9', ...fields });
    return (await fetch(`${url}/s/${survey}`, { method: 'POST', body, redirect: 'manual', ...from(address) })).status;
  };
  t.equal(await respond('192.0.2.1'), 303);
  t.equal(await respond('192.0.2.1'), 429);
  t.equal(await respond('192.0.2.1', { invitation: tokens[0] ?? '' }), 303);
  t.equal(await respond('192.0.2.1', { invitation: tokens[1] ?? '' }), 303);
  t.equal(await respond('192.0.2.2'), 303);
});
