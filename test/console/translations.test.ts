// The pages that translate a survey and a token's texts, over HTTP. Each text is beside its original, is saved, and is shown again.
import { createHash } from 'node:crypto';
import t from 'tap';
import { csrfToken } from '../../src/console/session.ts';
import { outdatedLanguages } from '../../src/console/translations/survey-texts.ts';
import type { Question, SurveySettings } from '../../src/database/store.ts';
import { LANGUAGES } from '../../src/languages/languages.ts';
import { startTestServer } from '../fixtures/http.ts';
import { createMember, visit } from '../fixtures/members.ts';
import { createSurvey, createTestDatabase, createToken } from '../fixtures/setup.ts';

const { sql, store, urlAs } = await createTestDatabase(t);
const { url } = await startTestServer(t, urlAs('invite_web'));
const { workspace, survey } = await createSurvey(store);
const { token } = await createToken(store, survey, { defaultReminderSubject: 'Still time' });
const editor = await createMember(store, workspace, 'editor');
const OF_SURVEY = `/surveys/${survey}/languages`;
const OF_TOKEN = `/surveys/${survey}/api-trigger/${token}/translations`;
const decoded = (html: string) => html.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)));
const text = async (path: string) => decoded(await (await visit(url, path, editor)).text());
/** The field of a choice that began with these words. */
const field = (choice: string, question = 'where') =>
  `choice-${createHash('md5').update(choice).digest('hex').slice(0, 8)}.${question}`;
const settings = () => store.console.surveySettings(editor.session, survey);

t.test('a choice that is called as what every object has is untranslated at first', async (t) => {
  const fixture = await createSurvey(store);
  const member = await createMember(store, fixture.workspace, 'editor');
  const questions = [{ id: 'where', type: 'choice', label: 'Where?', choices: ['constructor', '__proto__', 'Shop'] }];
  await store.upsertSurvey({ workspaceId: fixture.workspace, id: fixture.survey, questions });
  await store.setSurveyTranslation(fixture.survey, 'de', { questions: { where: { choices: { Shop: 'Laden' } } } });
  const page = await visit(url, `/surveys/${fixture.survey}/languages?language=de`, member);
  t.equal(page.status, 200);
  const values = [...(await page.text()).matchAll(/value="([^"]*)" id="choice-\w+\.where"/g)].map(([, value]) => value);
  t.same(values, ['', '', 'Laden']);
});

t.test(
  'what has changed since the translation is found without reading choices, of which there can be thousands in each language',
  async (t) => {
    const withChoices = (label: string): Question => ({
      ...{ id: 'where', type: 'choice', label },
      get choices(): string[] {
        return t.fail('choices were read') ? [] : [];
      },
    });
    const now = { title: 'Survey', thanks: null, questions: [withChoices('Where?')] };
    const then = { title: 'Survey', thanks: null, questions: [withChoices('Where was it?')] };
    const translations = { de: { title: 'Umfrage', questions: { where: { label: 'Wo?' } } }, fr: { title: 'Sondage' } };
    const found = outdatedLanguages({
      ...now,
      translations,
      translatedFrom: { de: then, fr: then },
    } as unknown as SurveySettings);
    t.strictSame(found, [['de', 1]]);
  },
);

t.test('a survey is translated text by text, and texts of questions that are gone stay', async (t) => {
  const questions = [
    { id: 'where', type: 'choice', label: 'Where?', choices: ['Shop', 'Web'] },
    { id: 'a.b:c', type: 'score', label: 'How?', min_label: 'Bad' },
  ];
  await store.upsertSurvey({ workspaceId: workspace, id: survey, questions, thanks: 'Thanks!' });
  await store.setSurveyTranslation(survey, 'de', { questions: { gone: { label: 'Weg' } } });
  const page = await text(`${OF_SURVEY}?language=de`);
  for (const original of ['Customer survey', 'Thanks!', 'Where?', 'Shop', 'Web', 'How?', 'Bad'])
    t.ok(page.includes(` lang="en" dir="ltr">${original}</p>`), original);
  t.match(page, /<input type="text" value="" id="label\.where" name="label\.where"[^>]* lang="de" dir="ltr"/);
  const fields = {
    title: 'Umfrage',
    thanks: 'Danke!\r\nBis bald',
    'label.where': 'Wo?',
    [field('Shop')]: 'Laden',
    'min_label.a.b:c': 'Schlecht',
  };
  const saved = await visit(url, OF_SURVEY, editor, { action: 'translate', language: 'de', ...fields });
  t.equal(saved.headers.get('location'), `${OF_SURVEY}?language=de&done=translation_saved`);
  t.same((await settings()).translations, {
    de: {
      title: 'Umfrage',
      thanks: 'Danke!\nBis bald',
      questions: {
        gone: { label: 'Weg' },
        where: { label: 'Wo?', choices: { Shop: 'Laden' } },
        'a.b:c': { min_label: 'Schlecht' },
      },
    },
  });
  const again = await text(`${OF_SURVEY}?language=de`);
  t.match(again, 'value="Laden"');
  t.match(again, '<a href="?language=de" aria-current="true">German</a>');
  t.match(await text(`/surveys/${survey}/settings`), 'Written in English, and translated into German.');
  const emptied = Object.fromEntries(Object.keys(fields).map((name) => [name, '']));
  await visit(url, OF_SURVEY, editor, { action: 'translate', language: 'de', ...emptied });
  t.same((await settings()).translations, { de: { questions: { gone: { label: 'Weg' } } } });
});

t.test(
  'a text that changed after it was translated is marked, beside what it was, until the translation is saved again',
  async (t) => {
    const fixture = await createSurvey(store);
    const someone = await createMember(store, fixture.workspace, 'editor', 'marked@example.com');
    const path = `/surveys/${fixture.survey}`;
    const see = async (page: string) =>
      (await (await visit(url, path + page, someone)).text()).replace(/&#(\d+);/g, (_, code) =>
        String.fromCharCode(Number(code)),
      );
    const ask = (label: string, choices: string[]) =>
      store.upsertSurvey({
        workspaceId: fixture.workspace,
        id: fixture.survey,
        questions: [
          { id: 'how', type: 'score', label, min_label: 'Bad' },
          { id: 'where', type: 'choice', label: 'Where?', choices },
        ],
      });
    await ask('How was it?', ['Shop', 'Web']);
    const german = { 'label.how': 'Wie war es?', 'min_label.how': 'Schlecht', [field('Shop')]: 'Laden' };
    const translate = (overrides = {}) =>
      visit(url, `${path}/languages`, someone, { action: 'translate', language: 'de', ...german, ...overrides });
    await translate();
    t.notMatch(await see('/languages?language=de'), /original has changed/);
    t.notMatch(await see('/questions'), 'Update the translation');

    await ask('How was your order?', ['Boutique', 'Web']);
    const page = await see('/languages?language=de');
    t.match(
      page,
      /id="label\.how-before"><p>The original has changed. It read: <span class="text" lang="en" dir="ltr">How was it\?/,
    );
    t.equal(
      page.match(/original has changed/g)?.length,
      2,
      'a renamed choice too; what is the same is not marked, nor what has no translation',
    );
    t.match(page.replace(/<[^>]+>/g, ' '), /German\s+2\s+2\s/, 'missing: Where?, Web; outdated: How was it?, Shop');
    t.match(await see('/questions'), /2 texts changed since the translation into German\..*Update the translation/s);
    t.match(await see('/settings'), '2 texts changed since the translation into German.');
    t.match((await store.findSurvey(fixture.survey))?.translations, {
      de: { questions: { how: { label: 'Wie war es?' } } },
    });

    await translate({ 'label.how': 'Wie war Ihre Bestellung?', [`fits.${field('Shop')}`]: 'yes' });
    t.notMatch(await see('/languages?language=de'), /original has changed/);
    await store.setSurveyTranslation(fixture.survey, 'de', null);
    t.match(await store.console.surveySettings(someone.session, fixture.survey), { translations: null, translatedFrom: null });
  },
);

t.test('saving one text leaves the marks of the others; a person says which still fits', async (t) => {
  const fixture = await createSurvey(store);
  await store.upsertMember(fixture.workspace, editor.email, 'editor');
  const path = `/surveys/${fixture.survey}/languages`;
  const ask = (one: string, other: string) =>
    store.upsertSurvey({
      ...{ workspaceId: fixture.workspace, id: fixture.survey, title: one, thanks: other },
      questions: ['a', 'b'].map((id) => ({ id, type: 'score', label: id === 'a' ? one : other, min_label: other })),
    });
  const marked = async () => [...(await text(`${path}?language=sv`)).matchAll(/id="([^"]*)-before"/g)].map(([, name]) => name);
  const swedish = { title: 'T', thanks: 'H', 'label.a': 'A', 'min_label.a': 'M', 'label.b': 'B', 'min_label.b': 'N' };
  const save = (more = {}) => visit(url, path, editor, { action: 'translate', language: 'sv', ...swedish, ...more });
  await ask('One', 'Two');
  await save();
  t.same(await marked(), []);
  await ask('One?', 'Two?');
  t.same(await marked(), Object.keys(swedish));
  await save({ 'label.a': 'Ett?' });
  t.same(await marked(), ['title', 'thanks', 'min_label.a', 'label.b', 'min_label.b']);
  await save({ 'label.a': 'Ett?', 'fits.title': 'yes', 'fits.min_label.b': 'yes' });
  t.same(await marked(), ['thanks', 'min_label.a', 'label.b']);
  t.match(await text(`${path}?language=sv`), 'It read: <span class="text" lang="en" dir="ltr">Two</span>');
  await ask('One', 'Two');
  t.same(
    await marked(),
    ['title', 'label.a', 'min_label.b'],
    'what says again what it said when it was translated is not outdated',
  );
});

t.test('a renamed choice keeps its translation, marked, until somebody looks at it', async (t) => {
  const fixture = await createSurvey(store);
  await store.upsertMember(fixture.workspace, editor.email, 'editor');
  const path = `/surveys/${fixture.survey}/languages`;
  const ask = (...choices: string[]) =>
    store.upsertSurvey({
      workspaceId: fixture.workspace,
      id: fixture.survey,
      questions: [{ id: 'w.x', type: 'choice', label: 'Where?', choices }],
    });
  const choices = async () =>
    (await store.console.surveySettings(editor.session, fixture.survey)).translations?.sv?.questions?.['w.x']?.choices ?? {};
  await ask('Shop', 'Web', '__proto__');
  const swedish = { [field('Shop', 'w.x')]: 'Butik', [field('Web', 'w.x')]: 'Nätet', [field('__proto__', 'w.x')]: 'Annat' };
  await visit(url, path, editor, { action: 'translate', language: 'sv', ...swedish });
  await ask('Boutique', 'Web', 'constructor');
  t.same(await choices(), { Boutique: 'Butik', Web: 'Nätet', constructor: 'Annat' });
  await ask('Store', 'Web', 'constructor');
  const marked = async () => (await text(`${path}?language=sv`)).match(/(?<=It read: <span[^>]*>)[^<]*/g);
  t.same(await marked(), ['Shop', '__proto__'], 'renamed twice, it was translated as the first');
  await visit(url, path, editor, { action: 'translate', language: 'sv', ...swedish, [field('Shop', 'w.x')]: 'Affär' });
  t.same(await marked(), ['__proto__'], 'the other mark stays');
  await visit(url, path, editor, {
    action: 'translate',
    language: 'sv',
    ...swedish,
    [field('Shop', 'w.x')]: 'Affär',
    [`fits.${field('__proto__', 'w.x')}`]: 'yes',
  });
  t.same(await marked(), null);
  await ask('Web', 'Store', 'constructor');
  t.same(await choices(), { Store: 'Affär', Web: 'Nätet', constructor: 'Annat' }, 'choices that change places are not renamed');
  await ask('Web', 'App', 'Store', 'constructor');
  t.same(await choices(), { Store: 'Affär', Web: 'Nätet', constructor: 'Annat' }, 'nor are new ones');
});

t.test(
  'a translation that is saved while another editor moves, renames and deletes choices stays with its choices',
  async (t) => {
    const fixture = await createSurvey(store);
    await store.upsertMember(fixture.workspace, editor.email, 'editor');
    const path = `/surveys/${fixture.survey}/languages`;
    const ask = (...choices: string[]) =>
      store.upsertSurvey({
        ...{ workspaceId: fixture.workspace, id: fixture.survey },
        questions: [{ id: 'where', type: 'choice', label: 'Where?', choices }],
      });
    await ask('Shop', 'Web', 'Fair', 'Phone');
    const names = [...(await text(`${path}?language=sv`)).matchAll(/name="(choice-[^"]+)"/g)].map(([, name]) => name ?? '');
    await ask('Phone', 'Web', 'Fair');
    await ask('Telephone', 'Web');
    const typed = Object.fromEntries(names.map((name, index) => [name, ['Butik', 'Nätet', 'Mässa', 'Telefon'][index] ?? '']));
    await visit(url, path, editor, { action: 'translate', language: 'sv', ...typed });
    const saved = (await store.console.surveySettings(editor.session, fixture.survey)).translations?.sv?.questions?.where
      ?.choices;
    t.same(saved, { Telephone: 'Telefon', Web: 'Nätet' });
  },
);

/** The digests in a page's form, as a browser sends them. */
const sawOf = (page: string): string => /name="saw" value="(\{.*?\})">/.exec(decoded(page))?.[1] ?? 'none';

t.test(
  'a text that another editor changes between the loading and the saving of its translation is marked, also if it is said to fit',
  async (t) => {
    const fixture = await createSurvey(store);
    await store.upsertMember(fixture.workspace, editor.email, 'editor');
    const { token: own } = await createToken(store, fixture.survey, { defaultSubject: 'Grüße?' });
    const path = `/surveys/${fixture.survey}/languages`;
    const email = `/surveys/${fixture.survey}/api-trigger/${own}/translations`;
    const ask = (title: string, ...choices: string[]) =>
      store.upsertSurvey({
        ...{ workspaceId: fixture.workspace, id: fixture.survey, title, thanks: 'Tack “så” \u{1F600}' },
        questions: [
          { id: 'a', type: 'score', label: title, min_label: 'Bad' },
          { id: 'where', type: 'choice', label: 'Where?', choices },
        ],
      });
    const marked = async (of = path) =>
      [...(await text(`${of}?language=sv`)).matchAll(/id="([^"]*)-before"/g)].map(([, name]) => name);
    const swedish = {
      title: 'T',
      thanks: 'Tack',
      'label.a': 'A',
      'min_label.a': 'M',
      [field('Shop')]: 'Butik',
      [field('Web')]: 'Nät',
    };
    const save = (page: string, more = {}) =>
      visit(url, path, editor, { action: 'translate', language: 'sv', saw: sawOf(page), ...swedish, ...more });
    const saveEmail = (page: string, more = {}) =>
      visit(url, email, editor, { action: 'translate', language: 'sv', saw: sawOf(page), subject: 'Hej', message: 'M', ...more });

    await ask('One', 'Shop', 'Web');
    const [form, emailForm] = [await text(`${path}?language=sv`), await text(`${email}?language=sv`)];
    await ask('Two', 'Boutique', 'Web');
    await store.updateTriggerToken(own, { defaultSubject: 'Two' });
    await save(form);
    await saveEmail(emailForm);
    t.same(await marked(), ['title', 'label.a', field('Shop')], 'those that were changed, and no others');
    t.same(await marked(email), ['subject']);
    for (const page of [await text(`${path}?language=sv`), await text(`${email}?language=sv`)])
      t.match(page, 'The original was changed while this was translated.');

    const fits = { 'fits.title': 'yes', 'fits.label.a': 'yes', [`fits.${field('Shop')}`]: 'yes' };
    const late = await text(`${path}?language=sv`);
    await ask('Three', 'Boutique', 'Web');
    await save(late, fits);
    t.same(await marked(), ['title', 'label.a'], 'it fits what was seen, which the choice still is');
    await save(await text(`${path}?language=sv`), fits);
    t.same(await marked(), []);
    await saveEmail(await text(`${email}?language=sv`), { 'fits.subject': 'yes' });
    t.same(await marked(email), []);

    const again = await text(`${email}?language=sv`);
    await store.updateTriggerToken(own, { defaultSubject: 'Three' });
    const refused = await saveEmail(again, { subject: 'Hej {{nam}}' });
    await saveEmail(await refused.text(), { subject: 'Hej!' });
    t.same(await marked(email), ['subject'], 'a form that was refused still knows what was seen');
  },
);

t.test('what is missing is counted, and without a text what will be said stands in its place', async (t) => {
  const fixture = await createSurvey(store);
  await store.upsertMember(fixture.workspace, editor.email, 'editor');
  const path = `/surveys/${fixture.survey}/languages`;
  const questions = [
    { id: 'a', type: 'score', label: LANGUAGES.en.recommend, min_label: '0 %' },
    { id: 'b', type: 'choice', label: 'Where?', choices: ['Shop', 'Yes', '10–20 €'] },
  ];
  await store.upsertSurvey({ workspaceId: fixture.workspace, id: fixture.survey, questions });
  await store.setSurveyTranslation(fixture.survey, 'sv', { questions: { b: { choices: { Shop: 'Butik' } } } });
  const page = await text(`${path}?language=sv`);
  t.match(page.replace(/<[^>]+>/g, ' '), /Swedish\s+1\s+0\s/, 'Where?; the service says the others, or they are figures');
  t.match(page, `name="label.a" lang="sv" dir="ltr" maxlength="1000" autocomplete="off" placeholder="${LANGUAGES.sv.recommend}"`);
  t.match(page, /name="label.b"[^>]* placeholder="Where\?"/);
  t.equal((await visit(url, `${path}?language=no%20tag`, editor)).status, 422);
  t.equal((await visit(url, `${path}?language=german`, editor)).status, 422, 'the name of a language is no tag');
  t.match(await text(`${path}?language=HE`), /<h2 id="texts">Hebrew[\s\S]* lang="he" dir="rtl"/);
});

t.test('a translation goes out as CSV and comes back, with what it changes shown first', async (t) => {
  const fixture = await createSurvey(store);
  await store.upsertMember(fixture.workspace, editor.email, 'editor');
  const { token: own } = await createToken(store, fixture.survey);
  const path = `/surveys/${fixture.survey}/languages`;
  const questions = [{ id: 'b.c', type: 'choice', label: 'Where?', choices: ['Shop', 'Web, "app"; -1'] }];
  await store.upsertSurvey({ workspaceId: fixture.workspace, id: fixture.survey, questions });
  await store.setSurveyTranslation(fixture.survey, 'sv', { title: 'Enkät', questions: { gone: { label: 'Borta' } } });
  const upload = async (to: string, csv: string) => {
    const body = new FormData();
    for (const [name, value] of Object.entries({ csrf: csrfToken(editor.key), action: 'import', language: 'sv' }))
      body.set(name, value);
    body.set('file', new Blob([csv]), 'sv.csv');
    const answer = await fetch(url + to, { method: 'POST', body, headers: { cookie: `session=${editor.key}` } });
    return (await answer.text()).replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)));
  };
  const csv = await (await visit(url, `${path}.csv?language=sv`, editor)).text();
  t.match(csv, '"choice.b.c.Web, ""app""; \'-1"');
  t.match(await upload(path, csv), 'The file changes nothing');
  // The choices have changed places since.
  await store.upsertSurvey({
    workspaceId: fixture.workspace,
    id: fixture.survey,
    questions: [{ ...questions[0], choices: questions[0]?.choices.toReversed() }],
  });
  const filled = csv.replace(/("choice\.b\.c\.Shop","[^"]*",)/, '$1"Butik"').replace('"Enkät"', `"${'x'.repeat(300)}"`);
  const shown = await upload(path, filled);
  t.match(shown, 'The file changes 1 text');
  t.match(shown, 'At most 255 characters.');
  const taken = /name="taken" value="(\{.*?\})"><input/.exec(shown)?.[1] ?? '';
  await visit(url, path, editor, { action: 'take', language: 'sv', taken });
  t.same((await store.console.surveySettings(editor.session, fixture.survey)).translations, {
    sv: { title: 'Enkät', questions: { gone: { label: 'Borta' }, 'b.c': { choices: { Shop: 'Butik' } } } },
  });
  t.notMatch(await text(`${path}?language=sv`), '-before"');

  await store.setSurveyTranslation(fixture.survey, 'sv', null);
  const old = (await (await visit(url, `${path}.csv?language=sv`, editor)).text()).replaceAll('"Where?",', '"Where? ","Var?"');
  await store.upsertSurvey({ workspaceId: fixture.workspace, id: fixture.survey, title: 'New' });
  const stale = await upload(path, old.replace('"Customer survey",', '"Customer survey","Kundenkät"'));
  await visit(url, path, editor, {
    ...{ action: 'take', language: 'sv', saw: sawOf(stale) },
    taken: /name="taken" value="(\{.*?\})"><input/.exec(stale)?.[1] ?? '',
  });
  t.same(
    [...(await text(`${path}?language=sv`)).matchAll(/id="([^"]*)-before"/g)].map(([, name]) => name),
    ['title'],
    'a file is of the originals that it has; one that has another space is the same',
  );
  const email = `/surveys/${fixture.survey}/api-trigger/${own}/translations`;
  t.match(await (await visit(url, `${email}.csv?language=sv`, editor)).text(), '"message"');
  const preview = await upload(email, 'name,text\nsubject,Hej {{recipient_nam}}\nmessage,"Hej!\n\n{{survey_link}}"\n');
  t.match(preview, "{{recipient_nam}} isn't a variable.");
  await visit(url, email, editor, {
    action: 'take',
    language: 'sv',
    taken: /name="taken" value="(\{.*?\})"><input/.exec(preview)?.[1] ?? '',
  });
  t.same((await store.console.findTriggerToken(editor.session, fixture.survey, own))?.translations, {
    sv: { message: 'Hej!\n\n{{survey_link}}' },
  });
});

t.test('a misspelt variable is refused at its field', async (t) => {
  const refused = await visit(url, OF_TOKEN, editor, { language: 'sv', subject: 'Hej {{recipient_nam}}!', message: 'Hej' });
  t.equal(refused.status, 422);
  const page = (await refused.text()).replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)));
  t.match(page, /id="subject-error" role="alert">\{\{recipient_nam\}\} isn't a variable\./);
  t.notMatch(page, 'id="message-error"');
  t.match(page, 'value="Hej {{recipient_nam}}!"');
});

t.test('the language of a survey is changed, and is no language to translate into', async (t) => {
  await visit(url, OF_SURVEY, editor, { action: 'original', original: 'nb' });
  t.equal((await settings()).language, 'nb');
  t.notMatch(/id="language-list">[\s\S]*?<\/datalist>/.exec(await text(OF_SURVEY))?.[0] ?? 'none', 'value="nb"');
  await visit(url, OF_SURVEY, editor, { action: 'original', original: 'he' });
  t.equal((await settings()).language, 'he', 'any language');
  t.equal((await visit(url, OF_SURVEY, editor, { action: 'original', original: 'german' })).status, 422);
  await visit(url, OF_SURVEY, editor, { action: 'original', original: 'en' });
});

t.test('what is refused is said, and what was typed stays', async (t) => {
  for (const [path, fields] of [
    [OF_SURVEY, { action: 'translate', title: 'x'.repeat(256) }],
    [OF_TOKEN, { subject: 'x'.repeat(256) }],
    [OF_TOKEN, { message: '{{survey_link}}'.repeat(4000) }],
  ] as const) {
    const refused = await visit(url, path, editor, { language: 'fr', ...fields });
    t.equal(refused.status, 422, path);
    const page = await refused.text();
    t.match(page, 'role="alert"');
    t.ok(page.includes(Object.values(fields).at(-1)?.slice(0, 100) ?? '?'));
  }
});

t.test("a token's texts are translated, and an empty one is its original again", async (t) => {
  const page = await text(`${OF_TOKEN}?language=ar`);
  t.match(page, ' lang="en" dir="ltr">Still time</p>');
  t.match(page, /<textarea rows="9"[^>]* lang="ar" dir="rtl"/);
  t.match(page, 'The original has none.');
  await visit(url, OF_TOKEN, editor, { language: 'pt_br', subject: 'Assunto', message: 'Olá\r\n\r\n{{survey_link}}' });
  const translations = async () => (await store.console.findTriggerToken(editor.session, survey, token))?.translations;
  t.same(await translations(), { 'pt-BR': { subject: 'Assunto', message: 'Olá\n\n{{survey_link}}' } });
  t.match(await text(`${OF_TOKEN}?language=pt-BR`), 'value="Assunto"');
  await visit(url, OF_TOKEN, editor, { language: 'pt-BR', subject: 'Assunto', message: '' });
  t.same(await translations(), { 'pt-BR': { subject: 'Assunto' } });
});

t.test('who changed a language or a translation, and which, is in the audit log in words', async (t) => {
  const fixture = await createSurvey(store);
  const { token: other } = await createToken(store, fixture.survey, { name: 'Orders' });
  const languages = `/surveys/${fixture.survey}/languages`;
  await store.upsertMember(fixture.workspace, editor.email, 'editor');
  const owner = await createMember(store, fixture.workspace, 'owner');
  await visit(url, languages, editor, { action: 'original', original: 'nb' });
  await visit(url, languages, editor, { action: 'original', original: 'nb' });
  await visit(url, languages, editor, { action: 'translate', language: 'de', title: 'Umfrage' });
  await visit(url, languages, editor, { action: 'translate', language: 'de', title: 'Umfrage' });
  await visit(url, `/surveys/${fixture.survey}/api-trigger/${other}/translations`, editor, {
    language: 'pt-BR',
    subject: 'Assunto',
  });
  await sql`update invite.surveys set language = 'en', translations = '{"fr": {"title": "Enquête"}}' where id = ${fixture.survey}`;
  const page = (await (await visit(url, `/workspaces/${fixture.workspace}/audit`, owner)).text())
    .replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ');
  const { email } = editor;
  for (const entry of [
    `Survey changed Customer survey changed: language · language: Norwegian Bokmål ${email}`,
    `Survey changed Customer survey changed: translations · translations: German ${email}`,
    `changed: translations · translations: Brazilian Portuguese ${email}`,
    'changed: language, translations · language: English · translations: German, French Command line',
  ])
    t.equal(page.split(entry).length, 2, entry);
});

t.test('a language that only has the form of one is shown as it is', async (t) => {
  await sql`update invite.surveys set translations = '{"de-1901-1901": {"title": "?"}}' where id = ${survey}`;
  t.match(await text(OF_SURVEY), '<a href="?language=de-1901-1901">de-1901-1901</a>');
});

t.test('the preview shows the survey in the language that is chosen, and the test email can be sent in it', async (t) => {
  const { workspace: own, survey: shown } = await createSurvey(store);
  await createToken(store, shown);
  await store.upsertMember(own, editor.email, 'editor');
  await store.upsertSurvey({
    workspaceId: own,
    id: shown,
    thanks: 'Thanks!',
    questions: [{ id: 'a', type: 'text', label: 'Why?' }],
  });
  const arabic = { title: 'رأيك', thanks: 'شكرًا', questions: { a: { label: 'لماذا؟' } } };
  await store.setSurveyTranslation(shown, 'ar', arabic);
  await store.setSurveyTranslation(shown, 'is', {
    title: 'Viðskiptavinakönnun',
    thanks: 'Takk',
    questions: { a: { label: 'Hvers vegna?' } },
  });
  const frame = (language: string) => text(`/surveys/${shown}/page?of=published&language=${language}`);
  const preview = (language: string) => text(`/surveys/${shown}/preview?language=${language}`);
  const rtl = await frame('ar-EG');
  t.match(rtl, '<html lang="ar" dir="rtl"');
  t.match(rtl, '<h1>رأيك</h1>');
  t.match(await frame('ar-EG&view=answered'), '<p class="text" dir="auto">شكرًا</p>');
  t.match(rtl, 'لماذا؟');
  t.match(rtl, LANGUAGES.ar.submit);
  t.match(await frame('de'), '<h1>Customer survey</h1>');
  t.match(await preview('de'), `src="/surveys/${shown}/page?of=published&language=de"`);
  t.match(await preview('de'), '<option value="de" selected>German</option>');
  t.match(await frame('is'), '<span lang="is" dir="ltr">Viðskiptavinakönnun</span>');
  t.match(await preview('%22%3E'), '<option value="en" selected>English</option>');

  const form = await text(`/surveys/${shown}/test-invitation`);
  t.match(form, '<option value="en" selected>English</option>');
  t.match(form, '<option value="is">Icelandic</option>');
  const [token] = /(?<=<option value=")[-0-9a-f]{36}/.exec(form) ?? [''];
  await visit(url, `/surveys/${shown}/test-invitation`, editor, { token, language: 'is' });
  t.match(await text(`/surveys/${shown}/test-invitation`), 'invitation, Icelandic');
});
