// What people read after a response: the survey's text, or that of the group that their score is in.
import t from 'tap';
import { missingTexts } from '../../src/console/surveys/missing-translations.ts';
import type { Question } from '../../src/database/store.ts';
import { thankedGroup } from '../../src/recipient/thanks.ts';
import { startTestServer } from '../fixtures/http.ts';
import { constraint } from '../fixtures/inspect.ts';
import { createMember, visit } from '../fixtures/members.ts';
import { createSurvey, createTestDatabase } from '../fixtures/setup.ts';

const { sql, store, urlAs } = await createTestDatabase(t);
const { url } = await startTestServer(t, urlAs('invite_web'));

const LONG = `${'Vi beklager, kære gæst! '.repeat(90)}`.slice(0, 2000).trim();
const SCORE: Question = { id: 'constructor', type: 'score', label: 'Would you recommend us?', nps: true };
const THANKS = { low_thanks: `Sorry.\n\nWe read <b>this</b> and call you.`, high_thanks: 'Wonderful!' };

async function createThanking(questions: readonly object[], thanks?: string) {
  const { workspace, survey } = await createSurvey(store);
  await store.upsertSurvey({ workspaceId: workspace, id: survey, questions, thanks });
  const answer = async (fields: Readonly<Record<string, string>>, language = 'en') => {
    const body = new URLSearchParams({ ...fields, language });
    const response = await fetch(`${url}/s/${survey}`, { method: 'POST', body, redirect: 'manual' });
    const address = response.headers.get('location') ?? '';
    return { address, text: await (await fetch(`${url}${address}`)).text() };
  };
  return { workspace, survey, answer };
}

t.test('a score shows the text of its group, and every other response the text of the survey', async (t) => {
  const { survey, answer } = await createThanking(
    [
      { id: 'why', type: 'text', label: 'Why?' },
      { ...SCORE, ...THANKS },
    ],
    'Thanks.',
  );
  const low = await answer({ 'answer.constructor': '6' });
  t.equal(low.address, `/s/${survey}/thanks?language=en&score=low`, 'the address has the group, not the score');
  t.match(low.text, 'Sorry.\n\nWe read &#60;b&#62;this&#60;/b&#62; and call you.');
  t.notMatch(low.text, 'Thanks.');
  const middle = await answer({ 'answer.constructor': '7' });
  t.equal(middle.address, `/s/${survey}/thanks?language=en`, 'there is no text for 7 and 8');
  t.match(middle.text, '>Thanks.<');
  t.match((await answer({ 'answer.constructor': '9' })).text, 'Wonderful!');
  t.match((await answer({ 'answer.why': 'Because' })).text, '>Thanks.<', 'without a score');
  for (const score of ['', 'middle', 'x', '__proto__', 'low&score=high'])
    t.match(await (await fetch(`${url}/s/${survey}/thanks?score=${score}`)).text(), '>Thanks.<', score);
  await sql`update invite.surveys set questions = ${sql.json([SCORE] as never)} where id = ${survey}`;
  t.match(await (await fetch(`${url}${low.address}`)).text(), '>Thanks.<', 'once the text is gone');
});

t.test('groups are those after which follow-ups are asked, of the first score that has texts', (t) => {
  const all = { low_thanks: 'L', middle_thanks: 'M', high_thanks: 'H' };
  const groups = (scale: object, scores: readonly number[]) =>
    scores.map((score) => thankedGroup([SCORE, { ...SCORE, id: 'second', ...all, ...scale }], { constructor: 1, second: score }));
  t.same(groups({}, [0, 6, 7, 8, 9, 10]), ['low', 'low', 'middle', 'middle', 'high', 'high']);
  t.same(groups({ min: 1, max: 5 }, [1, 2, 3, 4, 5]), ['low', 'low', 'middle', 'high', 'high']);
  t.same(groups({ min: -1, max: 0 }, [-1, 0]), ['low', 'high']);
  t.equal(thankedGroup([{ ...SCORE, ...all }], {}), undefined);
  t.end();
});

t.test('each text needs its translation, and is at most 2,000 characters long', async (t) => {
  const { workspace, survey, answer } = await createThanking([{ ...SCORE, ...THANKS }]);
  const editor = await createMember(store, workspace, 'editor', `e@${workspace}.example`);
  const settings = () => store.console.surveySettings(editor.session, survey);
  const translated = { label: 'Vil du anbefale os?', low_thanks: LONG };
  await store.setSurveyTranslation(survey, 'da', { questions: { constructor: translated } });
  t.same(missingTexts(await settings()), [{ language: 'da', missing: ['Question 1: thanks for a high score'], texts: 3 }]);
  t.match((await answer({ 'answer.constructor': '0' }, 'da')).text, /Sorry\./, 'until then, all is in English');
  await store.setSurveyTranslation(survey, 'da', { questions: { constructor: { ...translated, high_thanks: 'Dejligt!' } } });
  t.same(missingTexts(await settings()), []);
  t.match((await answer({ 'answer.constructor': '0' }, 'da')).text, LONG);
  t.match((await answer({ 'answer.constructor': '10' }, 'da')).text, 'Dejligt!');
  for (const text of ['', `${LONG}${'x'.repeat(2001 - LONG.length)}`, 'a\u202eb', 3])
    t.equal(
      await constraint(store.setSurveyTranslation(survey, 'da', { questions: { constructor: { low_thanks: text } } })),
      'surveys_translations_form',
    );
  const code = (question: object) =>
    store.upsertSurvey({ workspaceId: workspace, id: survey, questions: [question] }).then(
      () => 'none',
      ({ detail }) => JSON.parse(detail).code,
    );
  t.equal(await code({ ...SCORE, middle_thanks: '🙂'.repeat(2000) }), 'none');
  for (const text of ['', '🙂'.repeat(2001), 'a\u2066b', null, ['a']])
    t.equal(await code({ ...SCORE, middle_thanks: text }), 'invalid_thanks', `${text}`);
  t.equal(await code({ id: 'why', type: 'text', label: 'Why?', low_thanks: 'a' }), 'unknown_field');
});

t.test('editors write them in the draft, translate them, and are told at the field what is wrong', async (t) => {
  const { workspace, survey } = await createThanking([SCORE, { ...SCORE, id: 'second' }]);
  const editor = await createMember(store, workspace, 'editor', `e@${workspace}.example`);
  const path = `/surveys/${survey}/questions`;
  const get = async (more = '') => (await visit(url, `/surveys/${survey}${more}`, editor)).text();
  const page = await get('/questions');
  t.match(page, /After 0–6.*id="low_thanks-0".*After 7–8.*After 9–10/s);
  t.notMatch(page, 'low_thanks-1', 'only the first score is asked for them');
  t.match(page, '<option value="high">a high score');
  let { revision } = { revision: 'none' };
  const fields = {
    'kind-0': 'score',
    'id-0': 'constructor',
    'label-0': SCORE.label,
    'min-0': '0',
    'max-0': '10',
    'nps-0': 'yes',
  };
  const send = async (action: string, more: Readonly<Record<string, string>>) => {
    const version = String((await store.surveyPage(survey, undefined))?.questionsVersion);
    const response = await visit(url, path, editor, { action, version, revision, ...fields, ...more });
    const [draft] = await sql`select revision from invite.question_drafts where survey_id = ${survey} and replaced_at is null`;
    revision = draft?.revision ?? 'none';
    return response;
  };
  await send('keep', { 'low_thanks-0': ' Sorry.\r\n\r\nTell us. ', 'high_thanks-0': 'a\u202eb' });
  const draft = await get('/questions');
  t.match(draft, '<details open>');
  t.match(draft, 'Sorry.\n\nTell us.</textarea>');
  t.match(draft, 'thanks people in other words for some scores');
  t.match(await get('/page?view=answered&score=low'), 'Sorry.\n\nTell us.');
  t.notMatch(await get('/page?view=answered&score=middle'), 'Sorry.');
  t.notMatch(await get('/page?view=answered'), 'Sorry.');
  const wrong = await send('publish', { 'high_thanks-0': 'a\u202eb' });
  t.equal(wrong.status, 422);
  t.match(await wrong.text(), /id="high_thanks-0-error" role="alert">This text has invisible marks/);
  const long = await send('publish', { 'middle_thanks-0': 'x'.repeat(2001) });
  t.match(await long.text(), /id="middle_thanks-0-error" role="alert">Enter at most 2,000 characters/);
  t.equal((await send('confirm', {})).status, 422, 'what was seen to be wrong is not published');
  await send('keep', { 'low_thanks-0': 'Sorry.' });
  t.equal((await send('confirm', {})).status, 303);
  t.match((await store.surveyPage(survey, undefined))?.questions, [{ low_thanks: 'Sorry.' }]);

  t.match(await get('/languages?language=da'), /Question 1: thanks for a low score/);
  const da = { action: 'save', language: 'da', 'label.constructor': 'Vil du?', 'low_thanks.constructor': 'Beklager.\r\nRing' };
  t.equal((await visit(url, `/surveys/${survey}/languages`, editor, da)).status, 303);
  t.match(await get('/page?view=answered&score=low&language=da'), 'Beklager.\nRing');
  t.match(await get('/languages.csv?language=da'), 'low_thanks.constructor');
});
