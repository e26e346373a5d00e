// Compression and caching: assets have the hash of their content in the address, and large pages are compressed. A page that another site
// opens is never compressed.
import { once } from 'node:events';
import { type IncomingHttpHeaders, request } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import t from 'tap';
import { csrfToken, isCsrfToken } from '../../src/console/session.ts';
import { createKey } from '../../src/secret.ts';
import { startTestServer } from '../fixtures/http.ts';
import { createMember } from '../fixtures/members.ts';
import { createBatch, createTestDatabase } from '../fixtures/setup.ts';

const { store, urlAs } = await createTestDatabase(t);
const { url } = await startTestServer(t, urlAs('invite_web'));
const recipients = Array.from({ length: 50 }, (_, index) => ({ email: `p${index}@example.com` }));
const { workspace, survey } = await createBatch(store, { recipients });
const owner = await createMember(store, workspace, 'owner');
const page = `/surveys/${survey}/invitations`;

/** Returns the response without decompressing it, which fetch would do. */
async function get(path: string, headers: Record<string, string>): Promise<{ headers: IncomingHttpHeaders; body: Buffer }> {
  const sent = request(url + path, { headers: { ...owner.headers, ...headers } }).end();
  const [response] = await once(sent, 'response');
  return { headers: response.headers, body: Buffer.concat(await response.toArray()) };
}

t.test('a large page is compressed for who takes gzip, from our pages or the address bar', async (t) => {
  const plain = await get(page, {});
  t.equal(plain.headers['content-encoding'], undefined);
  for (const site of ['same-origin', 'none', '']) {
    const headers = { 'accept-encoding': 'gzip, br', ...(site && { 'sec-fetch-site': site }) };
    const { headers: answered, body } = await get(page, headers);
    t.match(answered, { 'content-encoding': 'gzip', vary: 'accept-encoding', 'content-length': String(body.length) });
    t.equal(gunzipSync(body).length, plain.body.length);
    t.ok(body.length * 4 < plain.body.length, `${body.length} of ${plain.body.length} bytes`);
  }
});

t.test('a page stays as it is if another site opens it, if gzip is refused, if it is small, and if it is an error', async (t) => {
  for (const [path, headers] of [
    [page, { 'accept-encoding': 'gzip', 'sec-fetch-site': 'cross-site' }],
    [page, { 'accept-encoding': 'gzip', 'sec-fetch-site': 'same-site' }],
    [page, { 'accept-encoding': 'gzip;q=0, br' }],
    ['/sign-in', { 'accept-encoding': 'gzip' }],
    ['/healthz', { 'accept-encoding': 'gzip' }],
    // Refusing a request must cost little.
    [`${page}/nothing`, { 'accept-encoding': 'gzip' }],
  ] as const) {
    const { headers: answered, body } = await get(path, headers);
    t.equal(answered['content-encoding'], undefined, `${path} ${JSON.stringify(headers)}`);
    t.match(String(body), /^[<{]/);
  }
});

t.test("a form's token is another one on each page, and each is accepted, for its session alone", async (t) => {
  const tokens = await Promise.all(
    [1, 2].map(async () => /name="csrf" value="([^"]+)"/.exec(String((await get(page, {})).body))?.[1]),
  );
  t.not(tokens[0], tokens[1]);
  for (const token of tokens) t.ok(isCsrfToken(token ?? null, owner.key));
  t.notOk(isCsrfToken(csrfToken(createKey('home').key), owner.key));
});

t.test('an asset may be kept forever under the hash of its content, and comes compressed', async (t) => {
  const html = String((await get(page, {})).body);
  const paths = [...html.matchAll(/(?:href|src)="(\/assets\/[^"]+)"/g)].map(([, path = '']) => path);
  t.ok(paths.length >= 2);
  for (const path of paths) {
    const plain = await get(path, {});
    t.equal(plain.headers['cache-control'], 'public, max-age=31536000, immutable', path);
    const [br, gzip] = await Promise.all(['gzip, br', 'gzip'].map((accept) => get(path, { 'accept-encoding': accept })));
    // A font is compressed already.
    const isFont = path.endsWith('.woff2');
    t.equal(br?.headers['content-encoding'], isFont ? undefined : 'br');
    t.equal(gzip?.headers['content-encoding'], isFont ? undefined : 'gzip');
    t.same(isFont ? br?.body : brotliDecompressSync(br?.body ?? ''), plain.body);
    t.same(isFont ? gzip?.body : gunzipSync(gzip?.body ?? ''), plain.body);
    const other = await get(path.replace(/\.[\w-]{12}\./, '.otherversion.'), {});
    t.equal(other.headers['cache-control'], 'public, no-cache', 'of another version, as during a deployment');
    t.same(other.body, plain.body);
  }
  t.equal((await get('/assets/console.ts', {})).headers['content-type'], 'text/html; charset=utf-8', 'and nothing else');
});
