// Signing in over HTTP: the response reveals nothing about an address, a GET doesn't use up a link, and forms of other sites are rejected.
import t from 'tap';
import { csrfToken } from '../../src/console/session.ts';
import { deviceOf } from '../../src/console/sign-in/device.ts';
import { createLog } from '../../src/log.ts';
import { createKey } from '../../src/secret.ts';
import { startTestServer } from '../fixtures/http.ts';
import { ageSession, createMember, visit } from '../fixtures/members.ts';
import { createSurvey, createTestDatabase } from '../fixtures/setup.ts';

const { sql, store, urlAs } = await createTestDatabase(t);
const { url } = await startTestServer(t, urlAs('invite_web'));
const { workspace } = await createSurvey(store);
const owner = await createMember(store, workspace, 'owner', 'ada@example.com');

/** Creates a link for Ada and returns its key. */
async function createLink(): Promise<string> {
  const { key, hash } = createKey('home');
  await store.createSignInLink('ada@example.com', hash);
  return key;
}
const post = (path: string, body: Record<string, string>, headers: Record<string, string> = {}, base = url) =>
  fetch(base + path, { method: 'POST', body: new URLSearchParams(body), headers, redirect: 'manual' });

t.test('a known and an unknown address get the same response and leave the same record', async (t) => {
  const texts = [];
  for (const email of ['ada@example.com', 'nobody@example.com']) {
    const response = await post('/sign-in', { email });
    t.equal(response.status, 200);
    texts.push(await response.text());
    t.equal((await sql`select from invite.sign_in_links where email = ${email} and secret_hash is null`).length, 1);
  }
  t.equal(texts[0], texts[1]);
});

t.test("a GET doesn't use up a link; its POST signs in once, with a cookie that scripts can't read", async (t) => {
  const key = await createLink();
  for (let count = 0; count < 3; count += 1) t.equal((await fetch(`${url}/sign-in/${key}`)).status, 200);
  const response = await post(`/sign-in/${key}`, {});
  t.equal(response.status, 303);
  t.equal(response.headers.get('location'), '/');
  t.match(response.headers.get('set-cookie'), /^session=home0000[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=1209600$/);
  t.equal(response.headers.get('cache-control'), 'no-store');
  for (const again of [await post(`/sign-in/${key}`, {}), await fetch(`${url}/sign-in/${key}`)]) t.equal(again.status, 410);
  t.equal((await post('/sign-in/unknown', {})).status, 410);
});

t.test('under https the cookie is Secure and bound to the host', async (t) => {
  const secure = await startTestServer(t, urlAs('invite_web'), { PUBLIC_URL: 'https://survey.example' });
  const response = await post(`/sign-in/${await createLink()}`, {}, { origin: 'https://survey.example' }, secure.url);
  t.match(
    response.headers.get('set-cookie'),
    /^__Host-session=home0000[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=\d+; Secure$/,
  );
});

t.test('after signing in comes the page that was requested, never another site', async (t) => {
  const path = `/workspaces/${workspace}/members`;
  const sent = await visit(url, path);
  t.equal(sent.headers.get('location'), `/sign-in?next=${encodeURIComponent(path)}`);
  t.match(await (await fetch(`${url}/sign-in?next=${encodeURIComponent(path)}`)).text(), `value="${path}"`);
  for (const evil of ['//evil.example', '/\\evil.example', 'https://evil.example', 'javascript:alert(1)']) {
    t.notMatch(await (await fetch(`${url}/sign-in?next=${encodeURIComponent(evil)}`)).text(), 'evil');
    t.equal((await post('/sign-in', { email: 'next@example.com', next: evil })).status, 200);
  }
  const rows = await sql`select next_path from invite.sign_in_links where email = 'next@example.com' and next_path is not null`;
  t.equal(rows.length, 0);
});

t.test('nobody spoils the link of another person with a page that no header can name', async (t) => {
  await post('/sign-in', { email: 'ada@example.com', next: '/surveys/漢字' });
  const { key, hash } = createKey('home');
  const [row] = await sql`select id from invite.sign_in_links where email = 'ada@example.com' order by requested_at desc limit 1`;
  t.equal(await store.issueSignInLink(row?.id, hash), 'ada@example.com');
  const response = await post(`/sign-in/${key}`, {});
  t.match([response.status, response.headers.get('location')], [303, '/']);
});

t.test("a form from another site, or without the session's token, changes nothing", async (t) => {
  const path = `/workspaces/${workspace}/members`;
  const fields = { action: 'add', email: 'evil@example.com', role: 'owner' };
  const headers = { cookie: owner.headers.cookie };
  t.equal((await post(path, fields, headers)).status, 403);
  t.equal((await post(path, { ...fields, csrf: 'x'.repeat(43) }, headers)).status, 403);
  t.equal((await visit(url, path, owner, { ...fields, csrf: '' })).status, 403);
  const csrf = csrfToken(owner.key);
  t.equal((await post(path, { ...fields, csrf }, { ...headers, 'sec-fetch-site': 'cross-site' })).status, 403);
  t.equal((await post(path, { ...fields, csrf }, { ...headers, origin: 'https://evil.example' })).status, 403);
  t.equal((await post(`/sign-in/${await createLink()}`, {}, { 'sec-fetch-site': 'cross-site' })).status, 403);
  t.equal((await sql`select from invite.members where email = 'evil@example.com'`).length, 0);
});

t.test('the list of sessions names each device, and ends one or all others', async (t) => {
  const email = 'devices@example.com';
  await store.upsertMember(workspace, email, 'viewer');
  const signIn = async (agent: string) => {
    const { key, hash } = createKey('home');
    await store.createSignInLink(email, hash);
    const response = await post(`/sign-in/${key}`, {}, { 'user-agent': agent });
    return { key: /session=([\w-]{51})/.exec(response.headers.get('set-cookie') ?? '')?.[1] ?? '' };
  };
  const firefox = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:143.0) Gecko/20100101 Firefox/143.0';
  const mine = await signIn(firefox);
  const phone = await signIn(
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1',
  );
  const odd = await signIn('<script>alert(1)</script>');
  const list = async () => (await visit(url, '/sessions', mine)).text();
  const text = await list();
  t.match(text, /Firefox on Windows<span class="sub">127\.0\.0\.1<\/span><span class="sub"><strong>this session/);
  t.match(text, 'Safari on iPhone');
  t.match(text, 'Unknown browser');
  t.notMatch(text, 'alert(1)');
  t.notMatch(text, 'Gecko', 'nothing else of it is stored');
  const idOf = async (device: string | null) =>
    (await sql`select id from invite.sessions where email = ${email} and device is not distinct from ${device}`)[0]?.id as string;
  const end = { action: 'end', session: await idOf('Safari on iPhone') };
  for (const done of ['session_ended', 'session_ended_before'])
    t.equal((await visit(url, '/sessions', mine, end)).headers.get('location'), `/sessions?done=${done}`);
  t.match((await visit(url, `/workspaces/${workspace}`, phone)).headers.get('location'), '/sign-in?next=');
  t.equal((await visit(url, `/workspaces/${workspace}`, odd)).status, 200);
  t.equal(
    (await visit(url, '/sessions', mine, { action: 'others' })).headers.get('location'),
    '/sessions?done=other_sessions_ended',
  );
  t.match((await visit(url, `/workspaces/${workspace}`, odd)).headers.get('location'), '/sign-in?next=');
  t.equal((await visit(url, `/workspaces/${workspace}`, mine)).status, 200);
});

for (const [agent, device] of [
  [
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Safari/605.1.15',
    'Safari on macOS',
  ],
  ['Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36', 'Chrome on Linux'],
  [
    'Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36',
    'Chrome on ChromeOS',
  ],
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36 Edg/141.0.0.0',
    'Edge on Windows',
  ],
  [
    'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/28.0 Chrome/130.0.0.0 Mobile Safari/537.36',
    'Samsung Internet on Android',
  ],
  [
    'Mozilla/5.0 (iPad; CPU OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/141.0 Mobile/15E148 Safari/604.1',
    'Chrome on iPad',
  ],
  ['curl/8.5.0', undefined],
  [undefined, undefined],
] as const) {
  t.test(`a device is named roughly: ${device}`, async (t) => {
    t.equal(deviceOf(agent), device);
  });
}

t.test('an old session is asked for a new link, keeps what was typed, and goes on after it', async (t) => {
  const own = await createSurvey(store);
  const email = 'again@example.com';
  const before = await createMember(store, own.workspace, 'owner', email);
  const path = `/workspaces/${own.workspace}/members`;
  const typed = { action: 'add', email: 'new@example.com', role: 'viewer', 'a"<b>': 'x\r\ny' };
  const send = (
    member: { key: string },
    to: string,
    fields: Record<string, string>,
    site = 'same-origin',
    csrf = csrfToken(member.key),
  ) => post(to, { csrf, ...fields }, { cookie: `session=${member.key}`, 'sec-fetch-site': site });
  /** The hidden fields of the page's form to an address. */
  const fieldsOf = (text: string, action: string) => {
    const form = text.split('<form').find((part) => part.includes(`action="${action}"`)) ?? '';
    const plain = (value: string) => value.replace(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code)));
    return Object.fromEntries(
      [...form.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/g)].map(([, name = '', value = '']) => [
        plain(name),
        plain(value),
      ]),
    );
  };
  const members = async () => (await store.listMembers(own.workspace)).map((member) => member.email);

  await ageSession(sql, before.session, 16);
  const asked = await send(before, path, typed);
  t.equal(asked.status, 403);
  const page = await asked.text();
  t.match(page, 'Nothing has been done yet.');
  t.match(page, `email a new sign-in link to <b>${email}</b>`);
  const { csrf: _, ...asking } = fieldsOf(page, '/sign-in-again');
  t.match(asking, typed);
  t.same(await sql`select from invite.sign_in_links where email = ${email} and used_at is null`, [], 'no email unless asked for');
  const sent = await send(before, '/sign-in-again', asking);
  t.equal(sent.status, 200);
  t.match(sent.headers.get('set-cookie'), /^sign-in=[\w-]{43};/);
  const { csrf: __, ...kept } = fieldsOf(await sent.text(), path);
  t.same(kept, typed);
  t.match(
    await (await send(before, path, kept)).text(),
    'Nothing has been done yet.',
    'whoever goes on too early is asked again',
  );

  const [link] = await sql`select id, next_path from invite.sign_in_links where email = ${email} and used_at is null`;
  t.equal(link?.next_path, `${path}?done=signed_in_again`);
  const { key, hash } = createKey('home');
  await store.issueSignInLink(link?.id, hash);
  const signedIn = await post(`/sign-in/${key}`, {}, { cookie: `session=${before.key}` });
  t.equal(signedIn.headers.get('location'), link?.next_path);
  const after = { key: /session=([\w-]{51})/.exec(signedIn.headers.get('set-cookie') ?? '')?.[1] ?? '' };
  t.match(await (await visit(url, String(link?.next_path), after)).text(), 'signed in again');

  const stale = csrfToken(before.key);
  t.notMatch(
    await (await send(after, path, kept, 'none', stale)).text(),
    'Send it now',
    'unless the browser says that our page sent it',
  );
  const resumed = await send(after, path, kept, 'same-origin', stale);
  t.equal(resumed.status, 403);
  const { csrf: ___, ...ready } = fieldsOf(await resumed.text(), path);
  t.same(ready, typed);
  t.notOk((await members()).includes('new@example.com'));
  t.equal((await send(after, path, ready)).status, 303);
  t.ok((await members()).includes('new@example.com'));
});

t.test('a kept form never leads to another site', async (t) => {
  const member = await createMember(store, workspace, 'owner', 'kept@example.com');
  for (const path of ['https://evil.example/', '//evil.example', '/\\evil.example', 'javascript:alert(1)', '']) {
    const text = await (await visit(url, '/sign-in-again', member, { 'sign-in-again-path': path })).text();
    t.notMatch(text, 'evil', path);
    t.notMatch(text, 'alert(1)', path);
  }
  const paths =
    await sql`select next_path from invite.sign_in_links where email = 'kept@example.com' and requested_at > now() - interval '1 hour'`;
  t.ok(paths.every(({ next_path }) => next_path === null || next_path === '/?done=signed_in_again'));
});

t.test('signing out ends the session on the server', async (t) => {
  const member = await createMember(store, workspace, 'viewer', 'out@example.com');
  const response = await visit(url, '/sign-out', member, {});
  t.equal(response.status, 303);
  t.match(response.headers.get('set-cookie'), /^session=; .*Max-Age=0/);
  const signedOut = await (await fetch(url + response.headers.get('location'))).text();
  t.match(signedOut, '<h1>You&#39;re signed out</h1>');
  t.match(signedOut, 'href="/sign-in">Sign in again</a>');
  t.match((await visit(url, `/workspaces/${workspace}`, member)).headers.get('location'), '/sign-in?next=');
});

t.test("signing in ends the browser's previous session", async (t) => {
  const before = await createMember(store, workspace, 'viewer', 'before@example.com');
  t.equal((await post(`/sign-in/${await createLink()}`, {}, before.headers)).status, 303);
  t.equal(await store.console.authenticate(before.session), null);
  const member = await createMember(store, workspace, 'viewer', 'before@example.com');
  t.equal((await post('/sign-in/unknown', {}, member.headers)).status, 410);
  t.ok(await store.console.authenticate(member.session), 'an invalid link ends nothing');
});

t.test('a link opens without a warning in the browser that requested it, and with one in any other', async (t) => {
  const ask = async (cookie: string) => {
    const response = await post('/sign-in', { email: 'ada@example.com' }, { cookie });
    return /^(sign-in=[\w-]{43}); Path=\/; HttpOnly; SameSite=Lax; Max-Age=3600$/.exec(
      response.headers.get('set-cookie') ?? '',
    )?.[1];
  };
  const mine = (await ask('')) ?? '';
  t.equal(await ask(mine), mine, 'a browser that asks again stays the same');
  const { key, hash } = createKey('home');
  const [row] = await sql`select id from invite.sign_in_links where email = 'ada@example.com' order by requested_at desc limit 1`;
  t.equal(await store.issueSignInLink(row?.id, hash), 'ada@example.com');
  const show = async (cookie: string, link = key) => (await fetch(`${url}/sign-in/${link}`, { headers: { cookie } })).text();
  t.match(await show(mine), 'signed in as <b>ada@example.com</b>');
  t.notMatch(await show(mine), 'another browser');
  for (const cookie of ['', `sign-in=${createKey('home').key}`]) t.match(await show(cookie), 'requested in another browser');
  t.notMatch(await show('', await createLink()), 'another browser', 'an operator hands over a link');
  const signedIn = await post(`/sign-in/${key}`, {}, { cookie: mine });
  t.equal(signedIn.status, 303);
  t.match(
    signedIn.headers.getSetCookie(),
    [/^session=home0000[\w-]{43};/, /^sign-in=; .*Max-Age=0/],
    'the browser forgets that it asked',
  );
  t.equal((await post(`/sign-in/${await createLink()}`, {})).status, 303, 'a link works in another browser too');
});

t.test('the log says who has signed in, and from where', async (t) => {
  const lines: string[] = [];
  const logged = await startTestServer(
    t,
    urlAs('invite_web'),
    {},
    createLog('info', { write: (line: string) => lines.push(line) }),
  );
  const key = await createLink();
  t.equal((await post(`/sign-in/${key}`, {}, {}, logged.url)).status, 303);
  const request = lines.map((line) => JSON.parse(line)).find((line) => line.msg === 'request');
  t.match(request, { route: '/sign-in/:key', status: 303, signed_in: 'ada@example.com', client_address: /127\.0\.0\.1/ });
  t.notOk(lines.join('').includes(key));
});

t.test('requests for links do not use up the limit of links', async (t) => {
  const limited = await startTestServer(t, urlAs('invite_web'), { FLOOD_UNKNOWN_PER_MINUTE: '2' });
  const [first, second, third] = [await createLink(), await createLink(), await createLink()];
  for (const status of [200, 200, 429]) {
    t.equal((await post('/sign-in', { email: 'flood@example.com' }, {}, limited.url)).status, status);
  }
  const redeem = async (key: string | undefined) => (await post(`/sign-in/${key}`, {}, {}, limited.url)).status;
  t.equal(await redeem('malformed'), 429);
  t.strictSame([await redeem(third), await redeem(second), await redeem(first)], [303, 410, 429]);
});

t.test('attempts are limited by client address', async (t) => {
  const limited = await startTestServer(t, urlAs('invite_web'), { FLOOD_UNKNOWN_PER_MINUTE: '2' });
  const ask = async () => (await post('/sign-in', { email: 'many@example.com' }, {}, limited.url)).status;
  t.same([await ask(), await ask(), await ask()], [200, 200, 429]);
});

t.test('messages come from a closed list, never from a link', async (t) => {
  const text = async (query: string) => (await visit(url, `/workspaces/${workspace}?${query}`, owner)).text();
  t.match(
    await text('done=member_added'),
    '<div class="notice-line good" role="status" tabindex="-1" autofocus>Member added. We email them how to sign in, at most three times a day.</div>',
  );
  t.notMatch(await text('done=Call+0900'), /role="status"|Call 0900/);
});
