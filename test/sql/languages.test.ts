// The language of recipients, and translations. Both are checked when they are set. Accepting, claiming and showing use the nearest
// translation.
import t from 'tap';
import { constraintMessage } from '../../src/constraint-messages.ts';
import { canonicalTag, LANGUAGE_TAGS, LANGUAGES, nearestTag } from '../../src/languages/languages.ts';
import { parsePayload } from '../../src/trigger/payload.ts';
import { constraint, idsOf, sqlstate } from '../fixtures/inspect.ts';
import { createMember } from '../fixtures/members.ts';
import { createSurvey, createTestDatabase, createToken, createWorker } from '../fixtures/setup.ts';
import { acceptTrigger } from '../fixtures/trigger.ts';

const { sql, store } = await createTestDatabase(t);
const worker = await createWorker(store);
const TEXTS = { de: { subject: 'Betreff', message: 'Hallo' }, 'pt-BR': { subject: 'Assunto' } };

async function translated() {
  const fixture = await createSurvey(store);
  const token = await createToken(store, fixture.survey);
  for (const [language, texts] of Object.entries(TEXTS)) await store.setTokenTranslation(token.token, language, texts);
  return { ...fixture, ...token };
}

t.test('the nearest translation is that of the recipient, then of the request; the original if it is nearer', async (t) => {
  const nearest = async (tags: string[], language: string | null, request: string | null, own = 'en') => {
    const texts = Object.fromEntries(tags.map((tag) => [tag, { title: tag }]));
    const [row] = await sql`select invite.nearest_translation(${sql.json(texts)}, ${language}, ${request}, ${own}) as found`;
    t.equal(row?.found?.title, row?.found?.language);
    return row?.found?.language ?? null;
  };
  t.equal(await nearest(['de', 'fr'], 'de', 'fr'), 'de');
  t.equal(await nearest(['de', 'fr'], 'de-AT', 'fr'), 'de');
  t.equal(await nearest(['de', 'de-AT'], 'de-at', null), 'de-AT');
  t.equal(await nearest(['pt', 'pt-BR'], 'pt-BR-x-a', null), 'pt-BR');
  t.equal(await nearest(['pt-PT', 'pt'], 'pt-AO', null), 'pt-PT');
  t.equal(await nearest(['es'], 'ca', null), 'es', 'what readers also read');
  t.equal(await nearest(['pt-BR'], 'pt-PT', null), 'pt-BR', 'another region before another language');
  t.equal(await nearest(['nb'], 'no', null), 'nb');
  t.equal(await nearest(['nb'], 'nn-NO', null), 'nb');
  t.equal(await nearest(['fr'], 'sv', 'fr'), 'fr', "the request's if there is none for the recipient");
  t.equal(await nearest(['de'], 'en', 'de'), null, 'the original is what the recipient reads');
  t.equal(await nearest(['de'], 'en-US', 'de'), null);
  t.equal(await nearest(['en-GB'], 'en-GB', null), 'en-GB');
  t.equal(await nearest(['en-GB'], 'en-US', null), null, 'the original before another region');
  t.equal(await nearest(['zh', 'zh-Hans', 'zh-Hant'], 'zh-TW', null), 'zh-Hant', 'the script that is read there');
  t.equal(await nearest(['zh-Hant'], 'zh-HK', null, 'zh'), 'zh-Hant');
  t.equal(await nearest(['zh-Hant'], 'zh-SG', null, 'zh'), null);
  t.equal(await nearest(['de-CH'], 'de-CH', null, 'de'), 'de-CH');
  t.equal(await nearest(['zh-TW'], 'zh-Hant', null, 'zh-CN'), 'zh-TW');
  t.equal(await nearest(['sr-Cyrl', 'sr-Latn-RS'], 'sr-Latn', null), 'sr-Latn-RS');
  t.equal(await nearest(['sr-Cyrl'], 'sr-Latn', null), 'sr-Cyrl', 'but the language before none');
  t.equal(await nearest(['nb', 'nn'], 'nn-NO', null), 'nn');
  t.equal(await nearest(['ar'], 'ar-EG', null), 'ar');
  t.equal(await nearest(['de'], null, null), null);
  t.equal(await nearest(['de'], 'fr', null), null);
});

t.test(
  'a survey is translated when each text of its page is, but for those that the service says in every language and numbers',
  async (t) => {
    const isTranslated = async (questions: object[], thanks: string | null, translation: object | null) =>
      (
        await sql`select invite.is_translated(${sql.json(questions as never)}, ${thanks}, null, ${sql.json(translation as never)}) as is`
      )[0]?.is;
    const [{ questions } = {}] = await sql`select questions from invite.surveys where id = ${(await createSurvey(store)).survey}`;
    t.equal(await isTranslated(questions, null, null), true, 'a new one');
    t.equal(await isTranslated(questions, 'Thanks', null), false);
    t.equal(await isTranslated(questions, 'Thanks', { thanks: 'Danke' }), true);
    t.equal(await isTranslated(questions, '100 %', null), true);
    const { recommend, leastLikely, mostLikely, mainReason } = LANGUAGES.en;
    t.same(
      questions.flatMap((question: Record<string, string>) =>
        [question.label, question.min_label, question.max_label].filter(Boolean),
      ),
      [recommend, leastLikely, mostLikely, mainReason],
    );
    const age = { id: 'age', type: 'choice', label: 'Age?', choices: ['18–25', '> 25', 'x'] };
    const texts = (extra: object) => ({ questions: { age: { label: 'Alter?', ...extra } } });
    t.equal(await isTranslated([age], null, texts({ choices: { x: 'y' } })), true);
    t.equal(await isTranslated([age], null, texts({})), false);
    t.equal(await isTranslated([...questions, age], null, texts({ choices: { x: 'y' } })), true);
    t.equal(await isTranslated([age], null, { questions: { age: { choices: { x: 'y' } } } }), false);
    t.equal(await isTranslated([], null, null), true);
  },
);

t.test('a mixed batch is claimed with the language and translation of each recipient', async (t) => {
  const { survey, hash } = await translated();
  const recipients = [
    { email: 'a@example.com', language: 'de-AT' },
    { email: 'b@example.com' },
    { email: 'c@example.com', language: 'en' },
    { email: 'd@example.com', language: 'sv' },
  ];
  await acceptTrigger(store, hash, { recipients, language: 'pt-BR' }, 10_000);
  await store.setSurveyTranslation(survey, 'de', { title: 'Kundenumfrage' });
  const claimed = await store.claimInvitations(await idsOf(sql, survey), worker);
  t.same(
    claimed.map((invitation) => [
      invitation.language,
      invitation.requestLanguage,
      invitation.translation?.language ?? null,
      invitation.surveyTitle,
      invitation.pageTranslation?.title,
    ]),
    [
      ['de-AT', 'pt-BR', 'de', 'Customer survey', 'Kundenumfrage'],
      [null, 'pt-BR', 'pt-BR', 'Customer survey', 'Customer survey'],
      ['en', 'pt-BR', null, 'Customer survey', 'Customer survey'],
      ['sv', 'pt-BR', 'pt-BR', 'Customer survey', 'Customer survey'],
    ],
  );
  t.same(claimed[0]?.translation, { language: 'de', subject: 'Betreff', message: 'Hallo' });
  t.match(claimed, [{ surveyLanguage: 'en', messageLanguage: null }]);
});

t.test("a request's own texts are not translated, and are in its language", async (t) => {
  const { survey, hash, token } = await translated();
  const recipients = [{ email: 'a@example.com', language: 'de' }];
  await acceptTrigger(store, hash, { recipients, subject: 'Ciao', language: 'it' }, 10_000);
  await acceptTrigger(store, hash, { recipients, message: 'Ciao', language: 'it' }, 10_000);
  await acceptTrigger(store, hash, { recipients, message: 'Ciao', subject: 'Ciao' }, 10_000);
  await store.setTokenTranslation(token, 'de', { subject: 'Später' });
  const claimed = await store.claimInvitations(await idsOf(sql, survey), worker);
  t.same(
    claimed.map(({ translation, messageLanguage }) => [translation, messageLanguage]),
    [
      [{ language: 'de', message: 'Hallo' }, null],
      [{ language: 'de', subject: 'Betreff' }, 'it'],
      [{ language: 'de' }, null],
    ],
    'as they were when the request was accepted',
  );
});

t.test("a token's translation changes text by text, and what is empty goes", async (t) => {
  const { token, workspace } = await translated();
  await store.setTokenTranslation(token, 'de', { subject: 'Neu', message: '' });
  await store.setTokenTranslation(token, 'pt-BR', { subject: '' });
  t.same((await store.findTriggerToken(token))?.translations, { de: { subject: 'Neu' } });
  await store.setTokenTranslation(token, 'de', { subject: '' });
  t.equal((await store.findTriggerToken(token))?.translations, null);
  t.equal(await sqlstate(store.setTokenTranslation('00000000-0000-0000-0000-000000000000', 'de', {})), 'P0002');
  const owner = await createMember(store, workspace, 'owner');
  const entries = await store.console.listAuditEntries(owner.session, workspace, undefined, 50);
  const entry = entries.find(({ action }) => action === 'token_changed');
  t.match(entry, { action: 'token_changed', detail: { changed: ['translations'], translations: ['de'] } });
});

t.test('languages without end are refused: batches copy those of a token, and claims read those of a survey', async (t) => {
  const { token, survey } = await translated();
  const tags = Array.from({ length: 26 }, (_, index) => `x${String.fromCharCode(97 + index)}`);
  const fill = async (set: (tag: string) => PromiseLike<unknown>) => {
    for (const tag of tags) {
      const rule = await constraint(set(tag));
      if (rule !== 'none') return rule;
    }
    return 'none';
  };
  t.equal(
    await fill((tag) => store.setTokenTranslation(token, tag, { message: 'x'.repeat(60_000) })),
    'trigger_tokens_translations_size',
  );
  await sql`
    update invite.surveys
    set translated_from = jsonb_build_object('de', jsonb_build_object('title', repeat('x', 4000000))), translations = '{}'
    where id = ${survey}`;
  const questions = Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`q${index}`, { label: 'x'.repeat(1000) }]));
  t.equal(await fill((tag) => store.setSurveyTranslation(survey, tag, { questions })), 'surveys_translations_size');
});

t.test('what has a wrong form is rejected with its place', async (t) => {
  const { token, survey } = await translated();
  const place = (query: PromiseLike<unknown>) =>
    Promise.resolve(query).then(
      () => 'none',
      (error) => /at (.*)\.$/.exec(constraintMessage(error) ?? '')?.[1] ?? String(error),
    );
  for (const [language, texts, expected] of [
    ['german!', { subject: 'a' }, 'german!.subject'],
    ['de', { subject: 'a\nb' }, 'de.subject'],
    ['de', { subject: 7 }, 'de.subject'],
    ['de', { message: 'x'.repeat(65_537) }, 'de.message'],
    ['de', { recipient_word: 'a\nb' }, 'de.recipient_word'],
    ['de', { greeting_without_name: 'Hallo {{recipient_name}}' }, 'de.greeting_without_name'],
    ['de', { subject_without_name: 'x'.repeat(256) }, 'de.subject_without_name'],
    ['de', { title: 'a' }, 'de.title'],
  ] as const)
    t.equal(await place(store.setTokenTranslation(token, language, texts as never)), expected, expected);
  for (const [translation, expected] of [
    [[], 'de'],
    [{ title: '' }, 'de.title'],
    [{ titel: 'a' }, 'de.titel'],
    [{ thanks: 'x'.repeat(2001) }, 'de.thanks'],
    [{ questions: [] }, 'de.questions'],
    [{ questions: { score: { label: 'a\nb' } } }, 'de.questions.score.label'],
    [{ questions: { score: 'a' } }, 'de.questions.score'],
    [{ questions: { score: { min_label: 'x'.repeat(101) } } }, 'de.questions.score.min_label'],
    [{ questions: { color: { choices: ['a'] } } }, 'de.questions.color.choices'],
    [{ questions: { color: { choices: { Red: 7 } } } }, 'de.questions.color.choices'],
  ] as const)
    t.equal(await place(store.setSurveyTranslation(survey, 'de', translation)), expected, expected);
  t.equal(await constraint(store.setSurveyLanguage(survey, 'german!')), 'surveys_language_tag');
  t.equal(await constraint(sql`update invite.surveys set translations = '7' where id = ${survey}`), 'surveys_translations_form');
  t.equal(await constraint(store.updateTriggerToken(token, { translations: {} } as never)), 'trigger_tokens_unknown_setting');
});

t.test('a page has the language of the recipient, of the address, or of the survey, and the translation that fits', async (t) => {
  const { survey, hash } = await translated();
  await acceptTrigger(
    store,
    hash,
    { recipients: [{ email: 'a@example.com', language: 'de' }, { email: 'b@example.com' }] },
    10_000,
  );
  const links = await sql`select link_token from test.invitations where survey_id = ${survey} order by id`;
  await store.setSurveyLanguage(survey, 'fr');
  await store.setSurveyTranslation(survey, 'de', { title: 'Umfrage', questions: { score: { label: 'Wie?' } } });
  const page = (token?: string, language?: string) => store.surveyPage(survey, token, undefined, language);
  t.match(await page(links[0]?.link_token), {
    language: 'de',
    surveyLanguage: 'fr',
    translation: { language: 'de', title: 'Umfrage', questions: { score: { label: 'Wie?' } } },
  });
  t.match(await page(links[0]?.link_token, 'es'), { language: 'es' }, 'what is chosen comes first');
  t.match(await page(links[1]?.link_token), { language: null, translation: null });
  t.match(await page(undefined, 'de-CH'), { language: 'de-CH', translation: { title: 'Umfrage' } });
  t.match(await page(), { language: null, requestLanguage: null, surveyLanguage: 'fr', translation: null });
  await store.setSurveyTranslation(survey, 'de', null);
  t.match(await page(undefined, 'de'), { translation: null });
  t.equal((await store.findSurvey(survey))?.translations, null);
});

t.test('SQL invites in the language of each recipient, too', async (t) => {
  const { survey, token } = await translated();
  const recipients = [{ email: 'a@example.com', language: 'de_AT' }, { email: 'b@example.com', language: '?' }, 'c@example.com'];
  await sql`select invite.trigger(${token}, ${sql.json(recipients as never)}, language => 'pt-BR')`;
  const claimed = await store.claimInvitations(await idsOf(sql, survey), worker);
  t.same(
    claimed.map(({ language, requestLanguage, translation }) => [language, requestLanguage, translation?.language]),
    [
      ['de-AT', 'pt-BR', 'de'],
      [null, 'pt-BR', 'pt-BR'],
      [null, 'pt-BR', 'pt-BR'],
    ],
  );
});

/** Tags in all forms, most of them of languages and regions that exist. */
const MANY_TAGS = (() => {
  let state = 7;
  /** The same at each run. */
  const pick = (values: readonly string[]): string => {
    state = (state * 48_271) % 2_147_483_647;
    return values[state % values.length] ?? '';
  };
  const languages =
    'de en fr es pt it nl nb no nn sv da fi pl cs ja zh ko tr ar he iw fa ur ps sd ku ckb az uz pa ks sr sh bs hr ca gl eu af br rm gsw lb arz apc ary cy id in fil tl deu fra xx den german'.split(
      ' ',
    );
  const scripts = ['', '', '', '', 'Latn', 'Cyrl', 'Arab', 'Hans', 'Hant', 'Hebr'];
  const regions = [
    '',
    '',
    'DE',
    'AT',
    'CH',
    'LI',
    'US',
    'GB',
    'AU',
    'MX',
    'AR',
    'ES',
    'PT',
    'BR',
    'AO',
    'CA',
    'TW',
    'HK',
    'CN',
    'PK',
    'IR',
    'AF',
    'ME',
    'RS',
    'EG',
    'MA',
    '419',
    'ZZ',
  ];
  const ends = ['', '', '', '', '', '-1996', '-x-own', '-u-nu-latn', '-', '-toolongsubtag', '-a'];
  const tags = Array.from({ length: 500 }, () => {
    const tag = [pick(languages), pick(scripts), pick(regions)].filter(Boolean).join('-') + pick(ends);
    return pick([tag, tag.toLowerCase(), tag.toUpperCase(), tag.replaceAll('-', '_')]);
  });
  return [...new Set(tags)];
})();

t.test(
  `HTTP and SQL choose the same of all our languages for ${MANY_TAGS.length} tags, and TypeScript says the same`,
  async (t) => {
    const { survey, hash, token } = await translated();
    for (const language of LANGUAGE_TAGS) await store.setTokenTranslation(token, language, { subject: language });
    for (const language of ['he', 'sr', 'sr-Latn', 'az-Arab', 'en-GB', 'pa-Arab'])
      await store.setTokenTranslation(token, language, { subject: language });
    const offered = [...LANGUAGE_TAGS, 'he', 'sr', 'sr-Latn', 'az-Arab', 'en-GB', 'pa-Arab'];
    const recipients = MANY_TAGS.map((language, index) => ({ email: `r${index}@example.com`, language }));
    const parsed = parsePayload(
      { emails: recipients },
      { maxRecipients: 1000, maxMetadataBytes: 1000, maxMessageBytes: 1000 },
      new Date(),
      () => true,
    );
    await acceptTrigger(store, hash, { recipients: parsed.recipients }, 10_000);
    await sql`select invite.trigger(${token}, ${sql.json(recipients as never)})`;
    const claimed = await store.claimInvitations(await idsOf(sql, survey), worker);
    t.equal(claimed.length, 2 * MANY_TAGS.length);
    const chosen = claimed.map(({ language, translation }) => [language, translation?.language ?? 'en']);
    const [http, fromSql] = [chosen.slice(0, MANY_TAGS.length), chosen.slice(MANY_TAGS.length)];
    const different = MANY_TAGS.flatMap((tag, index) => {
      const canonical = canonicalTag(tag);
      const expected = (canonical && nearestTag(canonical, offered)) ?? 'en';
      return http[index]?.[1] === expected && fromSql[index]?.[1] === expected
        ? []
        : [[tag, expected, http[index], fromSql[index]]];
    });
    t.same(different, []);
    t.ok(new Set(http.map(([, tag]) => tag)).size > 20, 'many languages were chosen');
  },
);
