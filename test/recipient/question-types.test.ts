// Several choices, yes or no, and stars, the whole way: checked when they are asked, answered on the page, counted in Results with and without a
// filter, in the CSV file, in events and in the email.
import { readFileSync } from 'node:fs';
import t from 'tap';
import type { EmailQuestion } from '../../src/database/store.ts';
import { en } from '../../src/languages/en.ts';
import { SERVICE, speak } from '../../src/languages/languages.ts';
import { QUESTION_TEXTS, questionTextIn } from '../../src/languages/question-texts.ts';
import { askedIn } from '../../src/mail/question.ts';
import { startTestServer } from '../fixtures/http.ts';
import { createMember, visit } from '../fixtures/members.ts';
import { createSurvey, createTestDatabase } from '../fixtures/setup.ts';

const { sql, store, urlAs } = await createTestDatabase(t);
const { url } = await startTestServer(t, urlAs('invite_web'));

const LONG = 'Lange Auswahl mit Umlauten äöü und 日本語 '.repeat(6).slice(0, 255).trim();
const STARS = { id: 'stars', type: 'score', label: 'How was it?', min: 1, max: 5, stars: true, required: true };
const SEVERAL = { id: 'used', type: 'choice', label: 'What did you use?', choices: ['Pool', 'Sauna; hot', LONG], several: true };
const AGAIN = { id: 'again', type: 'choice', label: 'Again?', choices: ['Yes', 'No'] };

const detailOf = (saving: Promise<unknown>): Promise<{ code?: string }> =>
  saving.then(
    () => ({}),
    ({ detail }) => JSON.parse(detail),
  );

async function createAsked(questions: readonly object[] = [STARS, SEVERAL, AGAIN]) {
  const { workspace, survey } = await createSurvey(store);
  await store.setWorkspaceEvents(workspace, true);
  await store.upsertSurvey({ workspaceId: workspace, id: survey, title: 'Your stay', questions: questions as never });
  const viewer = await createMember(store, workspace, 'viewer', `v@${workspace}.example`);
  const submit = async (...fields: [string, string][]) => {
    const body = new URLSearchParams(fields.map(([name, value]) => [`answer.${name}`, value] as [string, string]));
    return fetch(`${url}/s/${survey}`, { method: 'POST', body, redirect: 'manual' });
  };
  return { workspace, survey, viewer, submit };
}

t.test(
  'stars are on a scale from 1 to at most 10; a question that took one choice takes several only as another question',
  async (t) => {
    const { workspace, survey } = await createAsked();
    const code = async (question: object) =>
      (await detailOf(store.upsertSurvey({ workspaceId: workspace, id: survey, title: 'T', questions: [question] as never })))
        .code ?? 'none';
    const fresh = { ...STARS, id: 'fresh' };
    for (const max of [3, 10]) t.equal(await code({ ...fresh, id: `to${max}`, max }), 'none', `${max} stars`);
    for (const wrong of [{ max: 2 }, { max: 11 }, { min: 0 }, { stars: 'yes' }, { min: 0, max: 10, nps: true }])
      t.equal(await code({ ...fresh, ...wrong }), 'invalid_stars', JSON.stringify(wrong));
    t.equal(await code({ ...SEVERAL, id: 'fresh', several: 1 }), 'invalid_several');
    t.equal(await code({ ...SEVERAL, several: false }), 'asked_otherwise');
    t.equal(await code({ ...AGAIN, several: true }), 'asked_otherwise');
    t.equal(await code({ ...STARS, several: true }), 'unknown_field');
  },
);

t.test('the page takes several answers in their order, each once, and only those that it offers', async (t) => {
  const { survey, submit } = await createAsked();
  const answers = async () =>
    (await sql`select answers from invite.responses where survey_id = ${survey} order by id`).map((row) => row.answers);
  t.equal((await submit(['stars', '4'], ['used', LONG], ['used', 'Pool'], ['used', 'Pool'], ['again', 'No'])).status, 303);
  t.equal((await submit(['stars', '5'])).status, 303, 'none is an answer, too');
  t.same(await answers(), [{ stars: 4, used: ['Pool', LONG], again: 'No' }, { stars: 5 }]);
  for (const wrong of [
    [
      ['stars', '4'],
      ['used', 'Pool'],
      ['used', 'Garden'],
    ],
    [['stars', '0']],
    [['used', 'Pool']],
  ] as [string, string][][]) {
    const response = await submit(...wrong);
    t.equal(response.status, 422);
    t.match(await response.text(), 'Please choose an answer.');
  }
  const required = await createAsked([{ ...SEVERAL, required: true }]);
  t.equal((await required.submit()).status, 422, 'one at least');
  t.equal((await answers()).length, 2);
});

t.test(
  'Results count each choice, and its share of those who answered; with and without a filter, and after a deletion',
  async (t) => {
    const { survey, viewer, submit } = await createAsked();
    await submit(['stars', '4'], ['used', 'Pool'], ['used', LONG]);
    await submit(['stars', '2'], ['used', 'Pool'], ['again', 'Yes']);
    await submit(['stars', '1'], ['again', 'No']);
    // What a product's own page may record.
    for (const used of [
      ['Pool', 'Pool', 'Garden'],
      'Pool',
      [],
      ['x'.repeat(300), ' ', { a: 1 }],
      Array.from({ length: 90 }, (_, n) => `${n}`),
    ])
      await sql`select invite.record_response(${survey}, ${sql.json({ used } as never)})`;
    const counted = async (filter?: object) => {
      const { answers } = await store.console.resultSummary(viewer.session, survey, filter as never);
      return Object.fromEntries(
        answers.filter(({ question }) => question === 'used').map(({ value, number }) => [value, number]),
      );
    };
    const expected = { Pool: 4, [LONG]: 1, ' ': 7 };
    t.match(await counted(), expected);
    t.same(await counted({ conditions: [{ dimension: 'language', excludes: true, values: ['xx'] }] }), await counted());
    await store.foldResultCounts();
    t.match(await counted(), expected, 'once the changes are added up');
    const [wrong] = await sql`select count(*)::integer as number from invite.miscounted_results where survey_id = ${survey}`;
    t.equal(wrong?.number, 0);
    const page = await (await visit(url, `/surveys/${survey}/results`, viewer)).text();
    t.match(page, /Pool.*<td>4<\/td><td class="note">57%/s, 'of seven who answered');
    t.match(page, 'each with one or more choices');
    t.match(page, /Average, 1 to 5/);
    const chosen = await (
      await visit(url, `/surveys/${survey}/results?question=used&answer=${encodeURIComponent(LONG)}`, viewer)
    ).text();
    t.match(chosen, /1 response/);
    const csv = await (await visit(url, `/surveys/${survey}/results.csv`, viewer)).text();
    t.match(csv, `Pool; ${LONG}`);
    await sql`delete from invite.responses where survey_id = ${survey} and answers -> 'used' ? 'Pool'`;
    t.notOk('Pool' in (await counted()) && (await counted()).Pool !== 0);
  },
);

t.test('an email asks each with a link that opens the page with the answer chosen', async (t) => {
  const asked = (question: object, language: 'en' | 'de' = 'en') =>
    askedIn(question as EmailQuestion, 'https://acme.example/s/1?invitation=x', {
      ...{ voice: speak(language), speech: SERVICE },
      ...{ surveyLanguage: 'en', translation: undefined },
    }).answers;
  t.same(
    asked(STARS).map(({ text }) => text),
    ['1★', '2★', '3★', '4★', '5★'],
  );
  t.same(
    asked({ ...STARS, max: 10 })
      .map(({ text }) => text)
      .at(-1),
    '10',
  );
  t.same(
    asked(AGAIN, 'de').map(({ text, language }) => [text, language]),
    [
      ['Ja', 'de'],
      ['Nein', 'de'],
    ],
  );
  t.match(asked(SEVERAL)[0], { text: 'Pool', link: /answer\.used=Pool/ });
});

t.test('yes and no are said in the language of the page, without a translation', async (t) => {
  const { workspace, survey } = await createAsked([AGAIN]);
  await store.upsertSurvey({
    workspaceId: workspace,
    id: survey,
    title: 'T',
    questions: [{ ...AGAIN, label: 'How likely are you to recommend us?' }] as never,
  });
  const page = await (await fetch(`${url}/s/${survey}`, { headers: { 'accept-language': 'ar' } })).text();
  t.match(page, /<html lang="ar" dir="rtl"/);
  t.match(page, /value="Yes"[^>]*><span>نعم/);
  t.same(
    [questionTextIn('Yes', 'es-419'), questionTextIn('toString', 'de'), questionTextIn('No', 'xx')],
    ['Sí', undefined, undefined],
  );
});

t.test('SQL and TypeScript have the same list of texts that need no translation', async (t) => {
  const sql = readFileSync(new URL('../../sql/functions/languages/is_default_text.sql', import.meta.url), 'utf8');
  const [, list = ''] = /own in \((.*?)\)\n\$\$/s.exec(sql) ?? [];
  const known = Array.from(list.matchAll(/'((?:[^']|'')*)'/g), ([, text = '']) => text.replaceAll("''", "'"));
  t.same(known.sort(), [en.recommend, en.leastLikely, en.mostLikely, en.mainReason, ...QUESTION_TEXTS].sort());
});
