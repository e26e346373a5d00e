// The security headers of every kind of response.
import t from 'tap';
import { startTestServer } from '../fixtures/http.ts';
import { createMember, visit } from '../fixtures/members.ts';
import { createSurvey, createTestDatabase } from '../fixtures/setup.ts';

const { store, urlAs } = await createTestDatabase(t);
const { survey, workspace } = await createSurvey(store);
const member = await createMember(store, workspace, 'admin');
const { url } = await startTestServer(t, urlAs('invite_web'));

const EVERY = {
  'x-content-type-options': 'nosniff',
  'cross-origin-opener-policy': 'same-origin',
};
const NOT_EMBEDDED = { ...EVERY, 'x-frame-options': 'DENY', 'cross-origin-resource-policy': 'same-origin' };
const DATA = { ...NOT_EMBEDDED, 'content-security-policy': "default-src 'none'; frame-ancestors 'none'" };

for (const [path, type, headers] of [
  ['/healthz', 'application/json', DATA],
  ['/readyz', 'application/json', DATA],
  ['/openapi.json', 'application/json', DATA],
  ['/api/invitation-trigger', 'application/json', DATA],
  ['/api/none', 'application/json', DATA],
  [`/workspaces/${workspace}/audit.csv`, 'text/csv; charset=utf-8', DATA],
  [`/surveys/${survey}/results.csv`, 'text/csv; charset=utf-8', DATA],
  [`/surveys/${survey}/results`, 'text/html; charset=utf-8', NOT_EMBEDDED],
  [`/s/${survey}`, 'text/html; charset=utf-8', NOT_EMBEDDED],
  ['/none', 'text/html; charset=utf-8', NOT_EMBEDDED],
  ['/assets/console.css', 'text/css; charset=utf-8', EVERY],
  ['/assets/inter.woff2', 'font/woff2', EVERY],
] as const) {
  t.test(`${path} has the headers of ${type}`, async (t) => {
    const response = await visit(url, path, member);
    t.match(Object.fromEntries(response.headers), { 'content-type': type, ...headers });
    t.equal(response.headers.has('strict-transport-security'), false, 'without https');
  });
}

t.test('under https every answer keeps browsers there', async (t) => {
  const https = await startTestServer(t, urlAs('invite_web'), { PUBLIC_URL: 'https://survey.example' });
  for (const path of ['/healthz', '/none', '/assets/style.css', `/s/${survey}`]) {
    t.equal((await fetch(https.url + path)).headers.get('strict-transport-security'), 'max-age=31536000', path);
  }
});

t.test('readyz says nothing of relays', async (t) => {
  t.same(Object.keys((await (await fetch(`${url}/readyz`)).json()) as object), ['ok', 'database', 'schema_version', 'sending']);
});
