// The pages of test workspaces over HTTP: creating one, its banner and times, moving its clock, its outbox, and its tokens.
import t from 'tap';
import { CONSOLE_ROUTES } from '../../src/console/routes.ts';
import { startTestServer } from '../fixtures/http.ts';
import { createMember, visit } from '../fixtures/members.ts';
import { createBatch, createTestDatabase, until } from '../fixtures/setup.ts';
import { createTestEmail, createTestToken, startCountingWorker } from '../fixtures/test-workspaces.ts';
import { createWebhook } from '../fixtures/webhooks.ts';

const { sql, store, url: databaseUrl, urlAs } = await createTestDatabase(t);
const { url, post } = await startTestServer(t, urlAs('invite_web'));
const NAME = 'Größe & Söhne <b>GmbH</b>';
const { workspace, survey } = await createBatch(store, { recipients: [{ email: 'real@example.com' }] });
await store.upsertWorkspace({ id: workspace, name: NAME });
const owner = await createMember(store, workspace, 'owner');
const editor = await createMember(store, workspace, 'editor');
const viewer = await createMember(store, workspace, 'viewer');
const ESCAPED = 'Größe &#38; Söhne &#60;b&#62;GmbH&#60;/b&#62;';

const read = async (path: string, member = editor) => (await visit(url, path, member)).text();
/** Sends a form, and reads the page that it leads to. */
async function send(path: string, fields: Record<string, string>, member = editor) {
  const response = await visit(url, path, member, fields);
  const to = response.headers.get('location') ?? path;
  return { status: response.status, to, text: response.status === 303 ? await read(to, member) : await response.text() };
}

/** Creates a test workspace by its form. */
async function create() {
  const { to, text } = await send(`/workspaces/${workspace}/test-workspaces`, {}, owner);
  const [, id = ''] = /^\/workspaces\/([^/]+)\/clock/.exec(to) ?? [];
  const [{ id: tested } = { id: '' }] = await sql`select id from invite.surveys where workspace_id = ${id}`;
  return { id, tested: tested as string, text, path: `/workspaces/${id}/clock` };
}
const clockOf = async (id: string): Promise<Date> =>
  (await sql`select test_now from invite.workspaces where id = ${id}`)[0]?.test_now;
/** What the page's hidden field says. */
const seen = async (path: string) => /name="now" value="([^"]+)"/.exec(await read(path))?.[1] ?? '';
const moved = (path: string) =>
  until('the clock has moved', async () => {
    const text = await read(path);
    return text.includes('data-reload') ? undefined : text;
  });
/** Moves a clock, and reads what happened. */
async function move(path: string, fields: Record<string, string>): Promise<string> {
  await send(path, { now: await seen(path), ...fields });
  return moved(path);
}

const first = await create();

t.test('a new one is said to be a test, and has the surveys of its real one', async (t) => {
  t.equal(first.id, `${workspace}-test`);
  t.match(first.text, 'Test workspace created, with copies of your surveys, settings and members.');
  t.match(first.text, 'Nothing happens by itself.');
  t.match(await read(`/workspaces/${first.id}`), 'Customer survey');
  const settings = await read(`/workspaces/${workspace}/settings`, owner);
  t.match(settings, `<a href="/workspaces/${first.id}">${ESCAPED} (test)</a>`);
  t.notMatch(await read(`/workspaces/${first.id}/settings`, owner), 'Create a test workspace', 'a test has no tests');
  t.match(await read(`/workspaces/${workspace}/audit`, owner), 'Test workspace created');
});

t.test('its banner is on each of its pages, and on none of a real workspace', async (t) => {
  const { token } = await createTestToken(store, first.tested);
  const email = await createTestEmail(sql, store, first.tested, { email: 'never@sim.invalid', subject: 'Hi' });
  const [{ invitation } = { invitation: '' }] = await sql`
    select id::text as invitation from invite.invitations where survey_id = ${first.tested}`;
  const webhook = (await createWebhook(store, first.id, 'https://x.example/')).id;
  const [{ response } = { response: '' }] = await sql`
    insert into invite.responses (survey_id, submitted_at, answers) values (${first.tested}, now(), '{}') returning id::text as response`;
  const values: Record<string, string> = {
    workspace: first.id,
    survey: first.tested,
    token,
    invitation,
    response,
    webhook,
    email: email.id,
  };
  const query: Record<string, string> = {
    '/workspaces/:workspace/members/remove': '?email=viewer@example.com',
    '/workspaces/:workspace/do-not-email/remove': '?email=x@sim.invalid',
    '/surveys/:survey/languages': '?language=de',
    '/surveys/:survey/api-trigger/:token/translations': '?language=de',
  };
  await store.suppressEmail(first.id, 'x@sim.invalid');
  const patterns = CONSOLE_ROUTES.filter(
    ([method, path]) =>
      method === 'GET' &&
      path.startsWith('/') &&
      path.includes(':') &&
      !/^\/sign|\.csv|\.json|:token\/preview|:email\/preview|:survey\/page$|^\/notifications\/|:workspace\/invite$|:upload\/email/.test(
        path,
      ),
  ).map(([, path]) => path);
  t.ok(patterns.length > 30);
  const clock = (await clockOf(first.id)).toUTCString().replace(/ 0/, ' ').slice(0, -13);
  for (const pattern of patterns) {
    const path = pattern.replaceAll(/:(\w+)/g, (_, name: string) => values[name] ?? '') + (query[pattern] ?? '');
    const text = await read(path, owner);
    t.equal(text.split(`role="note">Test workspace of ${ESCAPED}. Its clock says <strong>`).length, 2, path);
    t.match(text, clock.replace(/^(\w+), (\d+) (\w+) (\d+)/, '$1, $2 $3 $4'), path);
    t.equal(text.includes('>Move its clock</a>'), !path.endsWith('/clock'), path);
  }
  t.match(await read(`/surveys/${first.tested}/results`, viewer), 'Test workspace of');
  t.notMatch(await read(`/surveys/${first.tested}/results`, viewer), `/workspaces/${first.id}/clock`, 'viewers may not move it');
  for (const path of [`/workspaces/${workspace}`, `/surveys/${survey}/invitations`, `/workspaces/${workspace}/settings`])
    t.notMatch(await read(path, owner), 'Test workspace of', path);
});

t.test('without a worker the page says that the clock will move, and a second click moves nothing', async (t) => {
  const { id, path, tested } = await create();
  const { secret } = await createTestToken(store, tested);
  const people = ['responds-9', 'bounces', 'never'].map((name) => ({ email: `${name}@sim.invalid` }));
  t.equal((await post({ emails: people, reminders: [3] }, { secret })).status, 200);
  t.match(await read(path), 'Something next happens now.');
  const now = await seen(path);
  const asked = await send(path, { by: 'day', now });
  t.match(asked.text, 'The clock will be moved.');
  t.match(asked.text, /role="status" data-reload>A worker moves the clock to \w+, \d+ \w+ \d{4}, \d\d:\d\d UTC/);
  t.notMatch(asked.text, 'name="by"', 'it has no form meanwhile');
  t.match((await send(path, { by: 'week', now })).text, 'The clock has moved since you opened the page.');
  t.equal((await sql`select from invite.test_advances where workspace_id = ${id}`).length, 1);

  const { sent } = await startCountingWorker(t, databaseUrl);
  const text = await moved(path);
  t.equal((await clockOf(id)).getTime(), Date.parse(now) + 86_400_000);
  t.match(text, /<dt>Invitation sent<\/dt><dd>3<\/dd>/);
  t.match(text, /<dt>Not delivered: hard bounce<\/dt><dd>1<\/dd>/);
  const rows = [...text.matchAll(/data-label="What">([^<]+)<\/td><td class="text" data-label="Who"><a [^>]+>(.*?)<\/a>/g)].map(
    ([, what, who]) => [what, who],
  );
  t.strictSame(
    rows.map(([what]) => what),
    [...Array(3).fill('Invitation sent'), 'Delivered', 'Delivered', 'Not delivered: hard bounce', 'Response received'],
  );
  t.strictSame(rows.at(-1), ['Response received', 'responds-9@<wbr>sim.invalid']);
  t.match((await send(path, { by: 'week', now })).text, 'The clock has moved since you opened the page.', 'nor an old page');

  // To the next thing, then to a time.
  t.match(await move(path, { by: 'next' }), /<dt>Reminder sent<\/dt><dd>1<\/dd>/, 'who responds or bounces gets none');
  await move(path, { by: 'next' });
  t.match(await move(path, { by: 'days', days: '20' }), 'Nothing was due in this time.');
  const until = new Date((await clockOf(id)).getTime() + 3600_000).toISOString().slice(0, 16);
  await move(path, { by: 'until', until });
  t.equal((await clockOf(id)).getTime(), Date.parse(`${until}Z`));

  // Times of its pages count from its clock.
  t.match(await read(`/surveys/${tested}/invitations`), /title="23 days ago"/);
  t.match(await read(`/workspaces/${id}`), '>50%<', 'the response rate of what was sent three days ago by its clock');
  t.match(await read(`/workspaces/${id}`), new RegExp(`data-now="${(await clockOf(id)).toISOString()}"`));
  t.strictSame(sent, ['real@example.com'], 'nothing of it is sent');
});

t.test('what is wrong stands at its field', async (t) => {
  const { path, id } = first;
  const now = await seen(path);
  for (const [fields, error] of [
    [{ by: 'days', days: '' }, 'Enter a number of days from 1 to 400.'],
    [{ by: 'days', days: '0' }, 'Enter a number of days from 1 to 400.'],
    [{ by: 'days', days: '401' }, 'Enter a number of days from 1 to 400.'],
    [{ by: 'days', days: '1.5' }, 'Enter a number of days from 1 to 400.'],
    [{ by: 'until', until: '' }, 'Enter a date and a time.'],
    [{ by: 'until', until: '2027-02-30T10:00' }, 'Enter a date and a time.'],
    [{ by: 'until', until: '2020-01-01T10:00' }, 'The clock of a test workspace never goes back.'],
    [{ by: 'until', until: '2999-01-01T10:00' }, 'The clock of a test workspace moves by at most 400 days at a time.'],
  ] as const) {
    const { status, text } = await send(path, { ...fields, now });
    t.equal(status, 422, JSON.stringify(fields));
    t.match(text, `<p class="error" id="${fields.by}-error" role="alert">${error}</p>`);
  }
  t.equal((await sql`select from invite.test_advances where workspace_id = ${id}`).length, 0);
});

t.test('the outbox shows each email as it would have left, by pages and by address, and nothing of other tests', async (t) => {
  const { id, tested } = await create();
  const people = Array.from({ length: 60 }, (_, n) => ({ email: `never+${n}@sim.invalid`, subject: `Email ${n} <script>` }));
  for (const person of people) await createTestEmail(sql, store, tested, person);
  const path = `/workspaces/${id}/outbox`;
  const addresses = (text: string) => [...text.matchAll(/<th scope="row"><a href="([^"]+)">([^<]+)/g)].map(([, , who]) => who);
  const newest = await read(path);
  t.equal(addresses(newest).length, 50);
  t.match(newest, 'Email 59 &#60;script&#62;');
  const [, older = ''] = /href="(\?before=\d+)">Older emails/.exec(newest) ?? [];
  t.equal(addresses(await read(`${path}${older}`)).length, 10);
  t.equal(addresses(await read(`${path}?search=NEVER%2B7@sim.invalid`)).length, 1);
  t.match(await read(`${path}?search=never`), 'No emails to this address');
  const [, one = ''] = /<th scope="row"><a href="([^"]+)">/.exec(newest) ?? [];
  const email = await visit(url, one, editor);
  const shown = await email.text();
  t.match(email.headers.get('content-security-policy'), "frame-src 'self'");
  t.match(shown, /<dt>Message-ID<\/dt><dd><code>&#60;1+@example.org&#62;/);
  t.match(shown, '<dt>Replies to</dt><dd>help@example.org');
  t.match(shown, `href="https://i.example/s/${tested}?invitation=x"`);
  t.match(shown, new RegExp(`<iframe [^>]*sandbox="" src="${one}/preview"`));
  const preview = await visit(url, `${one}/preview`, editor);
  t.match(preview.headers.get('content-security-policy'), 'sandbox');
  t.match(await preview.text(), /<iframe title="Email as HTML" sandbox="" srcdoc="[^"]*Please answer/);
  const elsewhere = one.replace(id, first.id);
  t.equal((await visit(url, elsewhere, editor)).status, 404, 'an email of another test workspace');
});

t.test('tokens of a test workspace have test secrets, and invite simulated people', async (t) => {
  const make = async (of: string) => (await send(`/surveys/${of}/api-trigger/new`, { name: 'Token', cooldownSeconds: '0' })).text;
  const page = await make(first.tested);
  const [, secret = ''] = />(sit_[\w-]+)</.exec(page) ?? [];
  t.match(secret, /^sit_test_/);
  t.match(page, 'For tests only.');
  t.match(page, 'responds-9@sim.invalid');
  t.notMatch(page, 'ada@example.com');
  t.equal((await post({ email: 'responds-9@sim.invalid' }, { secret })).status, 200);
  t.match(await read(`/surveys/${first.tested}/api-trigger/new`), /value="0" id="cooldownSeconds"/);

  const real = await make(survey);
  t.match(/>(sit_[\w-]+)</.exec(real)?.[1], /^sit_(?!test_)/);
  t.notMatch(real, /sim\.invalid|For tests only/);
  t.match(real, 'ada@example.com');
});

t.test('no test email leaves a test workspace', async (t) => {
  const { token } = await createTestToken(store, first.tested);
  const { status, text } = await send(`/surveys/${first.tested}/test-invitation`, { token, kind: 'invitation' });
  t.equal(status, 422);
  t.match(text, 'Nothing of a test workspace is sent.');
  t.notMatch(await read(`/surveys/${first.tested}/api-trigger/${token}`), '/test-invitation');
  t.match(await read(`/surveys/${survey}/invitations`), '/test-invitation', 'a real one has them');
});

t.test('lists show tests after their real workspace, and mark them', async (t) => {
  const other = await store.upsertWorkspace({ name: 'Zebra' });
  const alpha = await store.upsertWorkspace({ name: 'Alpha' });
  for (const id of [other, alpha]) await store.upsertMember(id, owner.email, 'viewer');
  // Renamed by someone, it still stands with its real one.
  await store.upsertWorkspace({ id: first.id, name: 'AAA' });
  const text = await read('/', owner);
  const rows = [
    ...text.matchAll(/<th scope="row"><a href="\/workspaces\/([^"]+)">[^<]+<\/a>( <span class="tag">test<\/span>)?/g),
  ];
  t.strictSame(
    rows.map(([, id, tag]) => [id, tag !== undefined]),
    [
      [alpha, false],
      [workspace, false],
      [first.id, true],
      [`${workspace}-test-2`, true],
      [`${workspace}-test-3`, true],
      [other, false],
    ],
  );
  t.equal((await visit(url, '/', editor)).headers.get('location'), `/workspaces/${workspace}`, 'the only real one is home');
});

t.test('a sixth is refused with a sentence', async (t) => {
  for (let number = 4; number <= 5; number += 1) await create();
  const { status, text } = await send(`/workspaces/${workspace}/test-workspaces`, {}, owner);
  t.equal(status, 422);
  t.match(text, 'A workspace has at most five test workspaces, and a test workspace has none.');
});

t.test('the pages of the real workspace count nothing of its tests', async (t) => {
  const text = await read(`/workspaces/${workspace}`, owner);
  t.match(text, /href="\/surveys\/[^"]+\/results">0<\/a>/, 'no response');
  t.match(text, '>1 sent<');
  t.notMatch(await read(`/workspaces/${workspace}/recipients`), 'sim.invalid');
});
