// The pages that set the sender of emails, over HTTP. Values are saved as typed, errors appear beside the field, and the preview shows the
// sender.
import t from 'tap';
import { startTestServer } from '../fixtures/http.ts';
import { createMember, visit } from '../fixtures/members.ts';
import { createSurvey, createTestDatabase, createToken } from '../fixtures/setup.ts';

const { store, urlAs } = await createTestDatabase(t);
const { url } = await startTestServer(t, urlAs('invite_web'), { SENDER_DOMAINS: 'fjord.example, mail.acme.example' });
const { workspace, survey } = await createSurvey(store);
const { token } = await createToken(store, survey);
const admin = await createMember(store, workspace, 'admin');
const OF_WORKSPACE = `/workspaces/${workspace}/sender`;
const OF_TOKEN = `/surveys/${survey}/api-trigger/${token}/sender`;
const PREVIEW = `/surveys/${survey}/api-trigger/${token}/preview`;
const unescaped = (html: string) => html.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)));
const text = async (path: string, fields?: Record<string, string>) =>
  unescaped(await (await visit(url, path, admin, fields)).text());

t.test('a sender is saved as it is typed, and shown again', async (t) => {
  const fields = {
    name: ' Fjord ',
    email: 'hello@fjord.example',
    postal_address: 'Storgata 1\r\n0155 Oslo\r\n',
    accent_color: '#b45309',
  };
  const saved = await visit(url, OF_WORKSPACE, admin, fields);
  t.equal(saved.headers.get('location'), `${OF_WORKSPACE}?done=settings_saved`);
  t.same(await store.console.workspaceSender(admin.session, workspace), {
    name: 'Fjord',
    email: 'hello@fjord.example',
    postal_address: 'Storgata 1\n0155 Oslo',
    accent_color: '#b45309',
  });
  const page = await text(OF_WORKSPACE);
  t.match(page, 'value="hello@fjord.example"');
  t.match(page, 'fjord.example or mail.acme.example', 'the domains that may be used are named');
  await visit(url, OF_TOKEN, admin, { name: 'Shop' });
  t.match(await store.console.findTriggerToken(admin.session, survey, token), { sender: { name: 'Shop' } });
});

t.test('what a color that is hard to read becomes is said beside it', async (t) => {
  const before = (await store.console.workspaceSender(admin.session, workspace)) as Record<string, string>;
  for (const [color, sentence] of [
    ['#FFD200', /Because #FFD200 is hard to read there, it is #[0-9a-f]{6} on a light background\. If empty/],
    ['#101010', /Because #101010 is hard to read there, it is #[0-9a-f]{6} on a dark one\./],
    ['#808080', /it is #[0-9a-f]{6} on a light background, and #[0-9a-f]{6} on a dark one\./],
  ] as const) {
    await visit(url, OF_WORKSPACE, admin, { ...before, accent_color: color });
    t.match(await text(OF_WORKSPACE), sentence, color);
  }
  await visit(url, OF_WORKSPACE, admin, before);
  t.same(await store.console.workspaceSender(admin.session, workspace), before);
});

t.test('what is wrong is said beside its field, and what was typed stays', async (t) => {
  for (const [field, value, message] of [
    ['email', 'hello@other.example', 'SENDER_DOMAINS'],
    ['email', 'hello', 'Enter a valid sender address'],
    ['reply_to', 'a, b', 'Enter a valid address for replies'],
    ['logo_url', 'http://fjord.example/a.png', 'starts with https://'],
    ['accent_color', 'red', 'six hexadecimal digits'],
    ['postal_address', 'x'.repeat(501), 'at most 500 characters'],
  ] as const) {
    for (const path of [OF_WORKSPACE, OF_TOKEN]) {
      const refused = await visit(url, path, admin, { name: 'Typed', [field]: value });
      t.equal(refused.status, 422);
      const page = unescaped(await refused.text());
      t.match(page, new RegExp(`<p class="error" id="${field}-error" role="alert">[^<]*${message}`), message);
      t.match(page, 'value="Typed"');
    }
  }
  t.match(await store.console.workspaceSender(admin.session, workspace), { name: 'Fjord' }, 'nothing was saved');
});

t.test("an address that isn't allowed any more is pointed out", async (t) => {
  const other = await startTestServer(t, urlAs('invite_web'));
  const page = await (await visit(other.url, OF_WORKSPACE, admin)).text();
  t.match(unescaped(page), "<strong>Emails don't come from hello@fjord.example:</strong>");
});

t.test("the preview shows the sender: the token's over the workspace's", async (t) => {
  const page = await text(PREVIEW);
  t.match(page, '<dd>Shop <hello@fjord.example></dd>');
  t.match(page, '0155 Oslo');
  t.match(page, 'bgcolor="#b45309"');
});

t.test('the preview is in the language that is chosen, with its translation', async (t) => {
  await store.setTokenTranslation(token, 'de', { subject: 'Ihre Meinung', message: 'Hallo {{recipient_name}}' });
  t.match(await text(`${PREVIEW}?language=de`), '<h1>Ihre Meinung</h1>');
  t.match(await text(`${PREVIEW}?language=de-AT`), 'Hallo Ada Lovelace');
  t.match(await text(`${PREVIEW}?language=ar`), '<html lang="ar" dir="rtl">');
  await store.setSurveyTranslation(survey, 'is', { title: 'Viðskiptavinakönnun' });
  await store.setTokenTranslation(token, 'is', { message: 'Hæ! {{survey_title}}' });
  t.match(await text(`${PREVIEW}?language=is`), 'Hæ! Viðskiptavinakönnun', "with the survey's translated title");
  const page = await text(`/surveys/${survey}/api-trigger/${token}`);
  t.match(page, '<option value="is">Icelandic</option>', 'a language that the service does not speak, too');
  t.match(await text(PREVIEW), '<h1>Acme: Customer survey</h1>');
  t.match(await text(`${PREVIEW}?language=%22%3E`), '<html lang="en" dir="ltr">');
});
