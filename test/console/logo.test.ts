// A logo over HTTP: uploaded on the page Sender, refused in plain words at its field, shown for a year under an address of its own, and nobody
// else's to replace.
import { request } from 'node:http';
import t from 'tap';
import { csrfToken } from '../../src/console/session.ts';
import { unsubscribeToken } from '../../src/mail/links.ts';
import { MAX_LOGO_BYTES } from '../../src/uploads/logo.ts';
import { startTestServer } from '../fixtures/http.ts';
import { createMember, type SignedInMember, visit } from '../fixtures/members.ts';
import { jpeg, png, pngOf } from '../fixtures/pictures.ts';
import { createBatch, createSurvey, createTestDatabase, createToken } from '../fixtures/setup.ts';

const { sql, store, urlAs } = await createTestDatabase(t);
const { url } = await startTestServer(t, urlAs('invite_web'), { FLOOD_PAGES_PER_MINUTE: '100' });

async function createOwner() {
  const { workspace, survey } = await createSurvey(store);
  const owner = await createMember(store, workspace, 'owner', `o@${workspace}.example`);
  return { workspace, survey, owner, path: `/workspaces/${workspace}/sender` };
}

/** @param bytes Undefined: no file is chosen. */
async function upload(path: string, { key }: SignedInMember, bytes?: Buffer, name = 'logo.png') {
  const body = new FormData();
  body.set('csrf', csrfToken(key));
  body.set('action', 'upload');
  body.set('logo', new Blob(bytes === undefined ? [] : [bytes]), bytes === undefined ? '' : name);
  const answer = await fetch(url + path, { method: 'POST', redirect: 'manual', body, headers: { cookie: `session=${key}` } });
  return { status: answer.status, location: answer.headers.get('location'), text: await answer.text() };
}

const shownIn = (page: string) => /<img class="logo" [^>]*>/.exec(page)?.[0] ?? 'none';
/** The preview has the email in an attribute. */
const unescaped = (text: string) => text.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)));
const addressIn = (page: string) => /src="[^"]*?(\/logo\/[^"]+)"/.exec(shownIn(page))?.[1] ?? 'none';
const logoUrlOf = async ({ workspace, owner }: { workspace: string; owner: SignedInMember }) =>
  (await store.console.workspaceSender(owner.session, workspace))?.logo_url;

t.test('an uploaded logo is shown where people see the brand, and its address may be kept for a year', async (t) => {
  const place = await createOwner();
  await store.setWorkspaceSender(place.workspace, { logo_alt: 'Fjord "Outdoor"' });
  const picture = png(480, 160);
  t.match(await upload(place.path, place.owner, picture), { status: 303, location: `${place.path}?done=settings_saved` });
  const page = await (await visit(url, place.path, place.owner)).text();
  const address = addressIn(page);
  t.match(address, /^\/logo\/[a-z0-9]{8}[0-9a-f]{32}-480x160\.png$/);
  t.notMatch(page, 'name="logo_url" value="https', 'an address elsewhere is not asked for beside it');
  t.equal(await logoUrlOf(place), address);

  for (const method of ['GET', 'HEAD']) {
    const served = await fetch(url + address, { method });
    t.equal(served.status, 200);
    t.match(Object.fromEntries(served.headers), {
      'content-type': 'image/png',
      'content-length': String(picture.length),
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'",
    });
    t.notOk(served.headers.has('cross-origin-resource-policy'), 'web mail shows it, too');
    t.ok(Buffer.from(await served.arrayBuffer()).equals(method === 'GET' ? picture : Buffer.alloc(0)));
  }
  const survey = await (await fetch(`${url}/s/${place.survey}`)).text();
  t.equal(shownIn(survey), `<img class="logo" src="${address}" alt="Fjord &#34;Outdoor&#34;" width="120" height="40">`);
  t.match(survey, '· Acme</title>', 'the title still says the name');
  const { token } = await createToken(store, place.survey);
  const preview = await visit(url, `/surveys/${place.survey}/api-trigger/${token}/preview`, place.owner);
  t.match(preview.headers.get('content-security-policy'), "img-src 'self' https:");
  t.equal(addressIn(unescaped(await preview.text())), address, 'and the preview of an email');

  // The next logo has another address. The first one stays for the emails that show it.
  await upload(place.path, place.owner, jpeg(300, 100), 'LOGO.JPG');
  const next = String(await logoUrlOf(place));
  t.match(next, /-300x100\.jpg$/);
  t.equal((await fetch(url + next)).headers.get('content-type'), 'image/jpeg');
  t.equal((await fetch(url + address)).status, 200);
  const removed = await visit(url, place.path, place.owner, { logo_url: '' });
  t.equal(removed.status, 303);
  t.equal(await logoUrlOf(place), undefined);
  t.equal(shownIn(await (await fetch(`${url}/s/${place.survey}`)).text()), 'none');
  const audit = await sql`
    select actor, detail from invite.audit_log where workspace_id = ${place.workspace} and action = 'sender_changed' order by id desc limit 3`;
  t.same(
    audit.map(({ actor, detail }) => [actor, detail]),
    Array(3).fill([place.owner.email, { changed: ['logo_url'] }]),
  );
});

t.test('the page to unsubscribe shows it, and a logo elsewhere is shown in emails alone', async (t) => {
  const { workspace, survey } = await createBatch(store);
  const [{ link_token } = {}] = await sql`select link_token from test.invitations where survey_id = ${survey}`;
  const pages = [`/u/${unsubscribeToken(String(link_token))}`, `/s/${survey}?invitation=${link_token}`];
  const owner = await createMember(store, workspace, 'owner', `o@${workspace}.example`);
  await upload(`/workspaces/${workspace}/sender`, owner, png(100, 100));
  for (const page of pages) t.match(shownIn(await (await fetch(url + page)).text()), 'alt="Acme" width="40" height="40"', page);
  await store.setWorkspaceSender(workspace, { logo_url: 'https://fjord.example/logo.png' });
  for (const page of pages) t.notMatch(await (await fetch(url + page)).text(), 'fjord.example', page);
});

t.test("a token's own logo is in its emails, and survey pages keep the workspace's", async (t) => {
  const { workspace, survey, owner } = await createOwner();
  const { token } = await createToken(store, survey);
  const editor = await createMember(store, workspace, 'editor', `e@${workspace}.example`);
  const path = `/surveys/${survey}/api-trigger/${token}/sender`;
  t.equal((await upload(path, editor, png(64, 64))).status, 303);
  const preview = await (await visit(url, `/surveys/${survey}/api-trigger/${token}/preview`, owner)).text();
  t.match(addressIn(unescaped(preview)), '-64x64.png');
  t.equal(shownIn(await (await fetch(`${url}/s/${survey}`)).text()), 'none');
});

t.test('each refusal is said at the field, and changes nothing', async (t) => {
  const place = await createOwner();
  const good = png(240, 80);
  const cases = [
    [undefined, 422, 'Choose a picture.'],
    [Buffer.alloc(0), 422, 'This file is empty.'],
    [Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), 422, 'This file is no PNG or JPEG, whatever its name says.'],
    [good.subarray(0, 100), 422, 'This picture is damaged or incomplete.'],
    [Buffer.concat([good, Buffer.from('<html>')]), 422, 'This file has more in it than one picture.'],
    [png(15, 40), 422, 'This picture has 15 × 40 pixels. Each side must have 16 to 2,000.'],
    [jpeg(65_535, 65_535), 422, 'This picture has 65,535 × 65,535 pixels.'],
    [pngOf(MAX_LOGO_BYTES + 1), 413, 'This file has more than 200 KB.'],
  ] as const;
  for (const [bytes, status, sentence] of cases) {
    const answer = await upload(place.path, place.owner, bytes);
    t.equal(answer.status, status, sentence);
    t.match(answer.text, `<p class="error" id="logo-error" role="alert">${sentence}`);
    t.match(answer.text, '<title>Error: ');
  }
  t.equal(await logoUrlOf(place), undefined);
  t.equal((await sql`select from invite.logos where workspace_id = ${place.workspace}`).length, 0);
  for (const logo_url of ['/logo/x.png', '/logo/../s/x', '//evil.example/a.png', `/logo/ab12z9y8${'0'.repeat(32)}-16x16.svg`])
    t.match(
      await (await visit(url, place.path, place.owner, { logo_url })).text(),
      'id="logo_url-error" role="alert">A logo&#39;s address starts with https://',
    );
  t.equal((await upload(place.path, place.owner, pngOf(MAX_LOGO_BYTES))).status, 303, '200 KB are taken');
});

t.test('a file that is too large is refused before it is read whole', async (t) => {
  const { path, owner } = await createOwner();
  const boundary = 'x'.repeat(30);
  const part = (name: string, value: string) =>
    `--${boundary}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
  const { status, sent } = await new Promise<{ status: number | undefined; sent: number }>((resolve, reject) => {
    const headers = { cookie: `session=${owner.key}`, 'content-type': `multipart/form-data; boundary=${boundary}` };
    const outgoing = request(url + path, { method: 'POST', headers });
    let sent = 0;
    outgoing.on('error', reject);
    outgoing.on('response', (response) => {
      response.resume();
      outgoing.destroy();
      resolve({ status: response.statusCode, sent });
    });
    outgoing.write(part('csrf', csrfToken(owner.key)) + part('action', 'upload'));
    outgoing.write(`--${boundary}\r\ncontent-disposition: form-data; name="logo"; filename="a.png"\r\n\r\n`);
    // The request never ends by itself.
    const more = () => {
      if (outgoing.destroyed) return;
      sent += 32_768;
      outgoing.write(Buffer.alloc(32_768, 0x89), () => setImmediate(more));
    };
    more();
  });
  t.equal(status, 413);
  t.ok(sent < 16 * 1024 * 1024, `${sent} bytes were sent`);
});

t.test('only members who may change the sender change it', async (t) => {
  const [place, other] = [await createOwner(), await createOwner()];
  await upload(place.path, place.owner, png(32, 32));
  const before = await logoUrlOf(place);
  t.equal((await upload(place.path, other.owner, png(33, 33))).status, 404, 'not those of another workspace');
  for (const [role, status] of [
    ['editor', 403],
    ['viewer', 403],
  ] as const) {
    const member = await createMember(store, place.workspace, role, `${role}@${place.workspace}.example`);
    t.equal((await upload(place.path, member, png(34, 34))).status, status, role);
  }
  const signedOut = await fetch(url + place.path, { method: 'POST', redirect: 'manual', body: new FormData() });
  t.equal(signedOut.headers.get('location'), '/sign-in');
  t.equal(await logoUrlOf(place), before);
  t.equal(await logoUrlOf(other), undefined);
  const home = await store.homeOf(other.workspace);
  t.equal((await fetch(`${url}/logo/${home}${before?.slice(14)}`)).status, 404, "it isn't under the home of another one");
});

t.test('what is no address of a logo is 404, and only that counts towards the limit', async (t) => {
  const place = await createOwner();
  await upload(place.path, place.owner, png(32, 32));
  const address = String(await logoUrlOf(place));
  for (const path of [
    address.replace('.png', '.jpg'),
    address.replace('32x32', '33x33'),
    address.slice(0, -4),
    `${address}/`.replace('/logo/', '/logo/x'),
    '/logo/',
    '/logo/%00',
    `/logo/${'a'.repeat(3000)}`,
  ]) {
    const answer = await fetch(url + path);
    t.equal(answer.status, 404, path.slice(0, 80));
    t.not(answer.headers.get('cache-control'), 'public, max-age=31536000, immutable');
  }
  // Another server has nothing in memory yet.
  const strict = await startTestServer(t, urlAs('invite_web'), { FLOOD_PAGES_PER_MINUTE: '2' });
  for (let count = 0; count < 5; count += 1) t.equal((await fetch(strict.url + address)).status, 200);
  const unknown = address.replace('32x32', '33x33');
  const statuses = [];
  for (let count = 0; count < 4; count += 1) statuses.push((await fetch(strict.url + unknown)).status);
  t.equal(statuses.at(-1), 429);
  t.equal((await fetch(strict.url + address)).status, 200, 'what is in memory is still shown');
});
