// A workspace's own words in the database: what is accepted, outdated marks, when a language is spoken, the key, the audit log, isolation.
import t from 'tap';
import { constraintMessage, wordingErrors } from '../../src/constraint-messages.ts';
import { en } from '../../src/languages/en.ts';
import { LANGUAGES, nearestTag, OWN_NAMES, type Wording } from '../../src/languages/languages.ts';
import { sqlstate } from '../fixtures/inspect.ts';
import { createSurvey, createTestDatabase } from '../fixtures/setup.ts';

const { sql, store } = await createTestDatabase(t);
const keyOf = async (workspace: string) =>
  (await sql<{ wording: string | null }[]>`select wording from invite.workspaces where id = ${workspace}`)[0]?.wording ?? null;
const wordingOf = async (workspace: string) => (await store.findWording((await keyOf(workspace)) ?? '')) as Wording | null;
const lineOf = async (workspace: string, language: string, name: string) =>
  (await store.listWordingLines(workspace, language)).find((line) => line.name === name);
const thrown = (promise: PromiseLike<unknown>) =>
  Promise.resolve(promise).then(
    () => t.fail('nothing was thrown'),
    (error: unknown) => error,
  );
const ALL = Object.fromEntries(OWN_NAMES.map((name) => [name, `§ ${en[name]}`]));

t.test('migrate has stored what the service says, and what it says informally', async (t) => {
  const rows = await sql`select name, text, informal from invite.service_words where language = 'de'`;
  t.equal(rows.length, OWN_NAMES.length);
  t.equal(rows.find(({ name }) => name === 'submit')?.text, LANGUAGES.de.submit);
  t.match(rows.find(({ name }) => name === 'emailReason')?.informal, 'Du erhältst');
  t.equal(rows.find(({ name }) => name === 'submit')?.informal, null);
});

t.test('words are set, kept, changed and removed by name', async (t) => {
  const { workspace } = await createSurvey(store);
  t.equal(await keyOf(workspace), null);
  await store.setWording(workspace, 'de', { submit: 'Los', greeting: 'Servus,' });
  const first = await keyOf(workspace);
  t.same(await wordingOf(workspace), { de: { informal: false, words: { submit: 'Los', greeting: 'Servus,' } } });
  await store.setWording(workspace, 'de', { submit: 'Weg damit' });
  t.same((await wordingOf(workspace))?.de?.words, { submit: 'Weg damit', greeting: 'Servus,' });
  t.not(await keyOf(workspace), first, 'other words have another key');
  await store.setWording(workspace, 'de', { submit: 'Los' });
  t.equal(await keyOf(workspace), first, 'the same words have the same key');
  await store.setWording(workspace, 'de', { submit: '', greeting: '' });
  t.equal(await keyOf(workspace), null);
  t.same(await sql`select from invite.wordings where workspace_id = ${workspace}`, []);
  t.equal(await sqlstate(store.setWording('none', 'de', {})), 'P0002');
});

t.test('a wrong text is refused with each of its errors, and nothing is stored', async (t) => {
  const { workspace } = await createSurvey(store);
  const errors = wordingErrors(
    await thrown(
      store.setWording(workspace, 'de', {
        submit: 'Los',
        emailReason: 'Weil Sie Kunde sind.',
        unsubscribeLine: 'Weg: {link} {link} {email}',
        thanks: `a\nb`,
        greeting: 'x'.repeat(1001),
        reminderSubject: `{subject}${'x'.repeat(250)}`,
        noAnswer: 'nein \u202e danke',
        notFound: 'Fehler',
        'a"b': 'x',
        defaultMessage: 'Hallo {{recipient_name}}',
      }),
    ),
  );
  t.same(errors && Object.keys(errors), [
    ...[
      'a"b',
      'defaultMessage',
      'emailReason',
      'greeting',
      'noAnswer',
      'notFound',
      'reminderSubject',
      'thanks',
      'unsubscribeLine',
    ],
  ]);
  t.match(errors?.emailReason, '{workspace}');
  t.match(errors?.defaultMessage, '{{recipient_name}} {{survey_link}} {{survey_title}} {{workspace_name}}');
  t.equal(await keyOf(workspace), null);
  t.match(
    constraintMessage(await thrown(store.setWording(workspace, 'de', { emailReason: 'x' }))),
    /^emailReason: Use each .*{workspace}\.$/,
  );
  for (const words of ['[]', '7', '{"submit": 7}', '{"submit": {}}'])
    t.ok(wordingErrors(await thrown(sql`select invite.set_wording(${workspace}, 'de', ${words}::text::jsonb)`)), words);
  t.match(constraintMessage(await thrown(store.setWording(workspace, 'no tag', { submit: 'x' }))), 'tag');
  t.match(constraintMessage(await thrown(store.setWording(workspace, 'sv', {}, true))), 'one form');
  const lines = 'Hallo {{recipient_name}},\n\n{{workspace_name}} {{survey_title}} {{survey_link}}';
  await store.setWording(workspace, 'de', { defaultMessage: lines });
  t.match(await wordingOf(workspace), { de: { words: { defaultMessage: lines } } }, 'a message has lines');
});

t.test('a text is outdated once ours changes, until it is given again', async (t) => {
  const { workspace } = await createSurvey(store);
  await store.setWording(workspace, 'de', { submit: 'Los', optional: '(frei)' });
  t.match(await lineOf(workspace, 'de', 'submit'), {
    service_text: LANGUAGES.de.submit,
    own_text: 'Los',
    original_text: LANGUAGES.de.submit,
  });
  const outdated = async () => (await store.listWordingLanguages(workspace))[0]?.outdated;
  t.equal(await outdated(), 0);
  await sql`update invite.service_words set text = 'Senden' where language = 'de' and name in ('submit', 'optional')`;
  t.teardown(() => sql`update invite.service_words set text = ${LANGUAGES.de.submit} where language = 'de' and name = 'submit'`);
  t.equal(await outdated(), 2);
  await store.setWording(workspace, 'de', { optional: '(wie du magst)' });
  t.equal(await outdated(), 1, 'only what is given counts as checked');
  t.match(await lineOf(workspace, 'de', 'submit'), { service_text: 'Senden', original_text: LANGUAGES.de.submit });
  await store.setWording(workspace, 'de', { submit: 'Los' });
  t.equal(await outdated(), 0);
  await sql`update invite.service_words set text = ${LANGUAGES.de.optional} where language = 'de' and name = 'optional'`;
});

t.test('a language that we do not have is spoken once it is complete, and stays so when we add a text', async (t) => {
  const { workspace } = await createSurvey(store);
  const { submit, ...most } = ALL;
  await store.setWording(workspace, 'ur', most);
  const state = async () => (await store.listWordingLanguages(workspace))[0];
  t.match(await state(), { base: null, spoken: false, missing: 1, own: OWN_NAMES.length - 1 });
  t.equal(await keyOf(workspace), null);
  await store.setWording(workspace, 'ur', { submit: submit as string });
  t.match(await state(), { spoken: true, missing: 0 });
  t.equal(Object.keys((await wordingOf(workspace))?.ur?.words ?? {}).length, OWN_NAMES.length);
  await sql`insert into invite.service_words (language, name, text) values ('en', 'newText', 'New')`;
  await store.setWording(workspace, 'ur', { submit: 'بھیجیں' });
  t.match(await state(), { spoken: true, missing: 1 });
  await sql`delete from invite.service_words where name = 'newText'`;
  await store.setWording(workspace, 'ur', { submit: '' });
  t.match(await state(), { spoken: false, missing: 1 });
});

t.test('a language that the service learns is spoken as it is', async (t) => {
  const { workspace } = await createSurvey(store);
  await store.setWording(workspace, 'cy', { submit: 'Anfon' });
  t.equal(await keyOf(workspace), null);
  const [{ words } = { words: {} }] = await sql`
    select jsonb_object_agg(language, texts) as words
    from (select language, jsonb_object_agg(name, jsonb_build_array(text, informal)) as texts from invite.service_words group by language) as l`;
  await sql`select invite.renew_service_words(${sql.json({ ...words, cy: words.en } as never)})`;
  t.match(await wordingOf(workspace), { cy: { words: { submit: 'Anfon' } } });
  await sql`select invite.renew_service_words(${sql.json(words as never)})`;
  t.equal((await sql`select from invite.service_words where language = 'cy'`).length, 0);
});

t.test('the language under another one is found as the service finds it', async (t) => {
  const tags = Object.keys(LANGUAGES);
  for (const tag of [
    'de',
    'de-AT',
    'de-CH',
    'gsw',
    'ca',
    'pt-AO',
    'zh-HK',
    'zh',
    'sr',
    'en-GB',
    'nn',
    'no',
    'es-MX',
    'he',
    'x-klingon',
    'zz',
  ]) {
    const nearest = nearestTag(tag, tags);
    const expected = nearest?.split('-')[0] === tag.split('-')[0] ? nearest : null;
    t.equal((await sql`select invite.wording_base(${tag}) as base`)[0]?.base, expected, tag);
  }
});

t.test('informal is a setting of its own', async (t) => {
  const { workspace } = await createSurvey(store);
  await store.setWording(workspace, 'de', {}, true);
  t.same(await wordingOf(workspace), { de: { informal: true, words: {} } });
  t.match(await lineOf(workspace, 'de', 'emailReason'), { service_text: /^Du /, own_text: null });
  await store.setWording(workspace, 'de', { submit: 'Los' });
  t.equal((await wordingOf(workspace))?.de?.informal, true, 'left out, it stays');
  await store.setWording(workspace, 'de', { submit: '' }, false);
  t.equal(await keyOf(workspace), null);
});

t.test('the audit log says which texts were changed, and not what they say', async (t) => {
  const { workspace } = await createSurvey(store);
  await store.setWording(workspace, 'de', { submit: 'Geheim', greeting: 'Servus,' }, true);
  await store.setWording(workspace, 'de', { submit: 'Geheim' });
  const entries =
    await sql`select actor, subject, detail from invite.audit_log where workspace_id = ${workspace} and action = 'wording_changed'`;
  t.same([...entries], [{ actor: 'cli', subject: 'de', detail: { changed: ['greeting', 'submit'], informal: true } }]);
});

t.test('a workspace has its own words, and its test workspace a copy; deleted, nothing is left', async (t) => {
  const [one, other] = [await createSurvey(store), await createSurvey(store)];
  await store.setWording(one.workspace, 'de', { submit: 'Eins' });
  await store.setWording(other.workspace, 'de', { submit: 'Eins' });
  t.not(await keyOf(one.workspace), await keyOf(other.workspace), 'a key says whose words they are');
  const copy = await store.createTestWorkspace(one.workspace, undefined);
  t.same(await wordingOf(copy), await wordingOf(one.workspace));
  await store.setWording(copy, 'de', { submit: 'Zwei' });
  t.equal((await wordingOf(one.workspace))?.de?.words.submit, 'Eins');
  t.equal(await store.findWording('none'), null);
  while ((await store.deleteWorkspace(copy)).more);
  t.same(await sql`select from invite.wordings where workspace_id = ${copy}`, []);
});

t.test('a workspace words a bounded number of languages', async (t) => {
  const { workspace } = await createSurvey(store);
  await sql`insert into invite.wordings (workspace_id, language, words, spoken) select ${workspace}, 'de-x-a' || n, '{"submit": "x"}', true from generate_series(1, 50) as n`;
  t.match(constraintMessage(await thrown(store.setWording(workspace, 'de', { submit: 'x' }))), '50');
});
