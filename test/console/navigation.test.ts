// Follows all links from the home page as an owner. Every page is reached, no link is broken, and each page says where it is and links
// back.
import t from 'tap';
import { CONSOLE_ROUTES } from '../../src/console/routes.ts';
import { startTestServer } from '../fixtures/http.ts';
import { createMember, visit } from '../fixtures/members.ts';
import { createBatch, createTestDatabase } from '../fixtures/setup.ts';
import { createTestEmail } from '../fixtures/test-workspaces.ts';
import { createUpload, line } from '../fixtures/uploads.ts';
import { createWebhook } from '../fixtures/webhooks.ts';

const { store, sql, urlAs } = await createTestDatabase(t);
const { url } = await startTestServer(t, urlAs('invite_web'));
const { workspace, survey, token } = await createBatch(store, {
  recipients: [{ email: 'ada@example.com', name: 'Ada' }, { email: 'bob@example.com' }],
});
await store.submitResponse(
  survey,
  { score: 9 },
  (await sql`select link_token from test.invitations order by id limit 1`)[0]?.link_token,
);
await sql`select invite.upload_token(${survey})`;
await createUpload(store, survey, [line(1, 'cy@example.com'), line(2, undefined)]);
const owner = await createMember(store, workspace, 'owner');
await store.upsertMember(workspace, 'vic@example.com', 'viewer');
await store.setTokenTranslation(token, 'de', { subject: 'Wie war es?' });
await sql`select invite.set_survey_translation(${survey}, 'de', '{"title": "Umfrage"}')`;
await sql`select invite.set_wording(${workspace}, 'de', '{"submit": "Los"}')`;
await createWebhook(store, workspace, 'https://app.example.com/hook');
await sql`insert into invite.suppressions (workspace_id, email, reason) values (${workspace}, 'never@example.com', 'manual')`;

const test = await store.createTestWorkspace(workspace, undefined);
const [{ id: tested } = { id: '' }] = await sql`select id from invite.surveys where workspace_id = ${test}`;
await createTestEmail(sql, store, tested, { email: 'never@sim.invalid', subject: 'How was it?' });

interface Found {
  readonly path: string;
  readonly from: string;
  readonly status: number;
  readonly text: string;
}

/** Follows each link once. */
async function crawl(): Promise<Found[]> {
  const found: Found[] = [];
  const seen = new Set<string>();
  const open: [path: string, from: string][] = [
    [`/workspaces/${workspace}`, 'home'],
    ['/', 'the address bar'],
  ];
  for (let next = open.shift(); next !== undefined; next = open.shift()) {
    const [path, from] = next;
    if (seen.has(path)) continue;
    seen.add(path);
    const response = await visit(url, path, owner);
    const text = await response.text();
    found.push({ path, from, status: response.status, text });
    for (const [, href = ''] of text.matchAll(/<(?:a|iframe|link|script)\b[^>]*? (?:href|src)="([^"]*)"/g)) {
      const to = new URL(href.replaceAll('&#38;', '&').replaceAll('&amp;', '&'), url + path);
      if (to.origin === url) open.push([to.pathname + to.search, path]);
    }
  }
  return found;
}

const found = await crawl();
// The page of recipients, which the editor shows in a frame, is none of the console's.
const pages = found.filter(
  ({ path, text }) => /^\/(workspaces|surveys)\//.test(path) && !/\/page(\?|$)/.test(path) && text.includes('<main'),
);

t.test('browsers get the icon', async (t) => {
  const icon = await visit(url, '/favicon.ico');
  t.equal(icon.status, 200);
  t.match(Object.fromEntries(icon.headers), {
    'content-type': 'image/svg+xml; charset=utf-8',
    'cache-control': 'public, no-cache',
  });
  t.match(await icon.text(), /^<svg /);
});

t.test('no link is broken', async (t) => {
  for (const { path, from, status } of found) t.ok(status === 200 || status === 303, `${status} ${path}, linked from ${from}`);
});

t.test('every page is reached', async (t) => {
  for (const [method, pattern] of CONSOLE_ROUTES) {
    if (method !== 'GET' || /^\/(sign|notifications)/.test(pattern)) continue;
    const fits = new RegExp(`^${pattern.replaceAll('.', '\\.').replaceAll(/:\w+/g, '[^/?]+')}(\\?|$)`);
    t.ok(
      found.some(({ path }) => fits.test(path)),
      pattern,
    );
  }
});

t.test('each page has one h1, a title that begins with its name, and a link back', async (t) => {
  t.ok(pages.length > 15);
  for (const { path, text } of pages) {
    t.equal(text.match(/<h1\b/g)?.length, 1, `one h1: ${path}`);
    const here = (/aria-current="page">([^<]+)<\/li>/.exec(text) ?? /<h1>([^<]+)/.exec(text))?.[1];
    t.match(text, `<title>${here} · `, path);
    t.match(text, /<nav aria-label="Workspace"><a href="\/workspaces\//, `a way back: ${path}`);
  }
});

t.test('different pages have different titles', async (t) => {
  const titles = new Map<string, string>();
  for (const { path, text } of pages) {
    const title = /<title>([^<]*)/.exec(text)?.[1] ?? '';
    const page = path.replace(/\?.*/, '');
    if (page.includes('/invitations')) continue;
    t.equal(titles.get(title) ?? page, page, title);
    titles.set(title, page);
  }
});

t.test('the counts on the home page link to their lists', async (t) => {
  const home = pages[0]?.text ?? '';
  t.match(home, new RegExp(`<a class="status \\w+" href="/surveys/${survey}/invitations\\?status=\\w+">1 \\w+</a>`));
  t.match(home, `href="/surveys/${survey}/results">1</a>`);
});

t.test('the tab API trigger and a token link to the test email', async (t) => {
  for (const path of [`/surveys/${survey}/api-trigger`, `/surveys/${survey}/api-trigger/${token}`]) {
    t.match(pages.find((page) => page.path === path)?.text, `href="/surveys/${survey}/test-invitation"`);
  }
});

t.test('the page of sessions leads back to the only workspace', async (t) => {
  t.match(found.find(({ path }) => path === '/sessions')?.text, `href="/workspaces/${workspace}/recipients"`);
});
