// Two people who translate into the same language, or word it, at the same time, over HTTP: nobody's text is lost, and none is overwritten unseen.
import t, { type Test } from 'tap';
import { csrfToken } from '../../src/console/session.ts';
import { LANGUAGES } from '../../src/languages/languages.ts';
import { ownValue } from '../../src/text.ts';
import { startTestServer } from '../fixtures/http.ts';
import { createMember, visit } from '../fixtures/members.ts';
import { createSurvey, createTestDatabase, createToken } from '../fixtures/setup.ts';

const { sql, store, urlAs } = await createTestDatabase(t);
const { url } = await startTestServer(t, urlAs('invite_web'));

const decoded = (html: string) => html.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)));

type Fields = Record<string, string>;

/** The fields of the page's form for texts, as a browser sends them. */
function fieldsOf(page: string): Fields {
  const form = /<h2 id="texts">.*?<\/form>/s.exec(page)?.[0] ?? '';
  const texts = [...form.matchAll(/<input type="text" value="([^"]*)" id="[^"]*" name="([^"]*)"/g)].map(([, value, name]) => [
    name,
    value,
  ]);
  const areas = [...form.matchAll(/<textarea [^>]*name="([^"]*)"[^>]*>\n([^<]*)</g)].map(([, name, value]) => [name, value]);
  const saw = /name="saw" value="([^"]*)"/.exec(form)?.[1];
  return Object.fromEntries(
    [...texts, ...areas, ['saw', saw]].map(([name, value]) => [decoded(name ?? ''), decoded(value ?? '')]),
  );
}

type Kind = 'survey' | 'token' | 'workspace';

/** A survey and a token that two people translate in a workspace whose words they change, and what each of them does on the page of one of these. */
async function open(kind: Kind) {
  const fixture = await createSurvey(store);
  const { workspace, survey } = fixture;
  await store.upsertSurvey({
    ...{ workspaceId: workspace, id: survey, title: 'Your order', thanks: 'Thank you' },
    questions: [
      { id: 'how', type: 'score', label: 'How was it?' },
      { id: 'where', type: 'choice', label: 'Where?', choices: ['Shop', 'Web'] },
    ],
  });
  const { token } = await createToken(store, survey, {
    defaultSubject: 'A question',
    defaultMessage: 'Hello\n\n{{survey_link}}',
  });
  const ada = await createMember(store, workspace, 'admin', `ada-${survey}@example.com`);
  const bo = await createMember(store, workspace, 'admin', `bo-${survey}@example.com`);
  const path = {
    survey: `/surveys/${survey}/languages`,
    token: `/surveys/${survey}/api-trigger/${token}/translations`,
    workspace: `/workspaces/${workspace}/wording`,
  }[kind];
  const page = async (who: typeof ada) => (await visit(url, `${path}?language=sv`, who)).text();
  return {
    ...fixture,
    ...{ token, ada, bo, page },
    path,
    fields: async (who: typeof ada) => fieldsOf(await page(who)),
    post: (who: typeof ada, fields: Fields) => visit(url, path, who, { action: 'translate', language: 'sv', ...fields }),
    async save(t: Test, who: typeof ada, fields: Fields) {
      const saved = await visit(url, path, who, { action: 'translate', language: 'sv', ...fields });
      t.equal(saved.status, 303);
    },
  };
}

/** Two texts of each page: one that both translate, and one that the other translates alone. */
const TEXTS = {
  survey: ['title', 'label.how'],
  token: ['subject', 'message'],
  workspace: ['text.submit', 'text.optional'],
} as const;
/** Own words need the placeholders of ours. */
const isPlain = (name: string) => !ownValue(LANGUAGES.sv, name.slice('text.'.length))?.includes('{');

for (const kind of ['survey', 'token', 'workspace'] as const) {
  const [both, own] = TEXTS[kind];

  t.test(`of a ${kind}, two save different texts from forms that they opened at once: both stay`, async (t) => {
    const { ada, bo, fields, save, page } = await open(kind);
    const [one, other] = [await fields(ada), await fields(bo)];
    await save(t, ada, { ...one, [both]: 'Adas' });
    await save(t, bo, { ...other, [own]: 'Bos' });
    t.match(fieldsOf(await page(ada)), { [both]: 'Adas', [own]: 'Bos' });
    const late = await fields(ada);
    await save(t, bo, { ...(await fields(bo)), [both]: '' });
    await save(t, ada, { ...late, [own]: 'Adas' });
    t.match(fieldsOf(await page(ada)), { [both]: '', [own]: 'Adas' }, 'what one removes stays removed');
  });

  t.test(`of a ${kind}, the second to save the same text sees both, and replaces the first only after that`, async (t) => {
    const { ada, bo, fields, post, save, page } = await open(kind);
    const [one, other] = [await fields(ada), await fields(bo)];
    await save(t, ada, { ...one, [both]: 'Adas “egen” & mer', [own]: 'Adas' });
    const refused = await post(bo, { ...other, [both]: 'Bos' });
    t.equal(refused.status, 422);
    const shown = await refused.text();
    t.match(decoded(shown), `id="${both}-error" role="alert">Somebody else has changed this text since you opened it.`);
    t.match(decoded(shown), `id="${both}-theirs"><p>Theirs: <span class="text" lang="sv" dir="ltr">Adas “egen” & mer</span>`);
    t.notMatch(shown, `id="${own}-error"`);
    t.match(fieldsOf(shown), { [both]: 'Bos', [own]: 'Adas' }, 'what was typed, and what others saved of the rest');
    t.match(fieldsOf(await page(bo)), { [both]: 'Adas “egen” & mer' }, 'nothing is saved yet');
    await save(t, bo, fieldsOf(shown));
    t.match(fieldsOf(await page(ada)), { [both]: 'Bos', [own]: 'Adas' });
  });

  t.test(`of a ${kind}, who removes a text is said to the second, and the same text twice is no conflict`, async (t) => {
    const { ada, bo, fields, post, save } = await open(kind);
    await save(t, ada, { ...(await fields(ada)), [both]: 'Text', [own]: 'Text' });
    const [one, other] = [await fields(ada), await fields(bo)];
    await save(t, ada, { ...one, [both]: '', [own]: 'Samma' });
    const refused = await post(bo, { ...other, [both]: 'Annan', [own]: 'Samma' });
    const shown = await refused.text();
    t.match(shown, `id="${both}-theirs"><p>Theirs: <span class="dim">none</span>`);
    t.notMatch(shown, `id="${own}-error"`);
  });

  t.test(`of a ${kind}, ten who save another text each at the same moment lose none`, async (t) => {
    const { ada, bo, fields, save, page } = await open(kind);
    const form = await fields(ada);
    const names = Object.keys(form)
      .filter((name) => name !== 'saw' && isPlain(name))
      .slice(0, 12);
    t.ok(names.length >= 6);
    await Promise.all(names.map((name, index) => save(t, index % 2 === 0 ? ada : bo, { ...form, [name]: `Text ${index}` })));
    const texts = fieldsOf(await page(ada));
    t.match(texts, Object.fromEntries(names.map((name, index) => [name, `Text ${index}`])));
  });

  t.test(`of a ${kind}, a file is refused where others changed the text after its preview`, async (t) => {
    const { ada, bo, path, fields, post, save } = await open(kind);
    const body = new FormData();
    for (const [name, value] of Object.entries({ csrf: csrfToken(bo.key), action: 'import', language: 'sv' }))
      body.set(name, value);
    const lines = [both, own].map((name) => `${name.replace(/^text\./, '')},Ur filen\n`);
    body.set('file', new Blob(['name,text\n', ...lines]), 'sv.csv');
    const preview = await fetch(url + path, { method: 'POST', body, headers: { cookie: `session=${bo.key}` } });
    const shown = decoded(await preview.text());
    await save(t, ada, { ...(await fields(ada)), [both]: 'Adas' });
    const taken = /name="taken" value="(\{.*?\})"><input/.exec(shown)?.[1] ?? '';
    const saw = /name="saw" value="(\{.*?\})"/.exec(shown)?.[1] ?? '';
    const refused = await post(bo, { action: 'take', taken, saw });
    t.equal(refused.status, 422);
    const page = await refused.text();
    t.match(page, `id="${both}-theirs"><p>Theirs: <span class="text" lang="sv" dir="ltr">Adas`);
    t.match(fieldsOf(page), { [both]: 'Ur filen', [own]: 'Ur filen' });
  });
}

t.test(
  'a choice that another editor adds and translates while a form is open keeps its translation, and one that is renamed too',
  async (t) => {
    const { ada, bo, workspace, survey, fields, save, page } = await open('survey');
    const form = await fields(ada);
    const ask = (...choices: string[]) =>
      store.upsertSurvey({
        ...{ workspaceId: workspace, id: survey },
        questions: [
          { id: 'how', type: 'score', label: 'How was it?' },
          { id: 'where', type: 'choice', label: 'Where?', choices },
        ],
      });
    await ask('Shop', 'Web', 'Phone');
    const later = await fields(bo);
    const [shop, , phone] = Object.keys(later).filter((name) => name.startsWith('choice-'));
    await save(t, bo, { ...later, [phone ?? '']: 'Telefon' });
    await ask('Boutique', 'Web', 'Phone');
    await save(t, ada, { ...form, title: 'Din beställning', [shop ?? '']: 'Butik' });
    t.match(fieldsOf(await page(ada)), { title: 'Din beställning', [phone ?? '']: 'Telefon', [shop ?? '']: 'Butik' });
  },
);

t.test('a text that others change is no longer said to fit by somebody who saw the one before', async (t) => {
  const { ada, bo, workspace, survey, fields, save, page } = await open('survey');
  await save(t, ada, { ...(await fields(ada)), title: 'Ett', thanks: 'Tack' });
  const early = await fields(bo);
  await store.upsertSurvey({ workspaceId: workspace, id: survey, title: 'Two', thanks: 'Thanks!' });
  const form = await fields(ada);
  // From the original before, so that it is marked.
  await save(t, bo, { ...early, title: 'Två' });
  await save(t, ada, { ...form, 'fits.title': 'yes', 'fits.thanks': 'yes' });
  const shown = await page(ada);
  t.match(shown, 'id="title-before"');
  t.notMatch(shown, 'id="thanks-before"');
});

t.test('who opened the words before others chose the other form of address leaves theirs, and may choose it', async (t) => {
  const { workspace, ada, bo } = await open('workspace');
  const path = `/workspaces/${workspace}/wording`;
  const address = async () => (await sql`select informal from invite.wordings where workspace_id = ${workspace}`)[0]?.informal;
  const save = async (who: typeof ada, fields: Fields) =>
    t.equal((await visit(url, path, who, { action: 'save', language: 'de', ...fields })).status, 303);
  const shown = await (await visit(url, `${path}?language=de`, ada)).text();
  t.match(shown, 'name="was_informal" value="no"');
  await save(bo, { informal: 'yes', was_informal: 'no' });
  await save(ada, { informal: 'no', was_informal: 'no', 'text.submit': 'Los' });
  t.equal(await address(), true);
  await save(ada, { informal: 'no', was_informal: 'yes' });
  t.equal(await address(), false);
});
