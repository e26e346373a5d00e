// The button below the thank-you text: the same for everybody, to an https address, translated, and refused where it is wrong.
import t from 'tap';
import { missingTexts } from '../../src/console/surveys/missing-translations.ts';
import { startTestServer } from '../fixtures/http.ts';
import { createMember, visit } from '../fixtures/members.ts';
import { createSurvey, createTestDatabase } from '../fixtures/setup.ts';

const { sql, store, urlAs } = await createTestDatabase(t);
const { url } = await startTestServer(t, urlAs('invite_web'));

const LABEL = `${'Bewerten Sie <b>uns</b> & "Fjällräven" 🙂 '.repeat(3)}`.slice(0, 99).toWellFormed().trim();
const ADDRESS = `https://reviews.example:8443/a?b="'<c>&d=%C3%A6#ä@`;
const ESCAPED = 'https://reviews.example:8443/a?b=&#34;&#39;&#60;c&#62;&#38;d=%C3%A6#ä@';
const SCORE = {
  id: 'score',
  type: 'score',
  label: 'Would you recommend us?',
  nps: true,
  low_thanks: 'Sorry.',
  high_thanks: 'Great!',
};

async function createWithButton() {
  const { workspace, survey } = await createSurvey(store);
  await store.upsertSurvey({ workspaceId: workspace, id: survey, questions: [SCORE] });
  const editor = await createMember(store, workspace, 'editor', `e@${workspace}.example`);
  const set = (label: string, address: string) => store.console.setSurveyButton(editor.session, survey, label, address);
  return { workspace, survey, editor, set };
}

const linkIn = (text: string) => /<p><a class="button".*?<\/p>/s.exec(text)?.[0];

t.test('everybody gets the same button, after every score and without a link, too', async (t) => {
  const { survey, set } = await createWithButton();
  const answer = async (score: string, language = 'en') => {
    const body = new URLSearchParams({ 'answer.score': score, language });
    return linkIn(await (await fetch(`${url}/s/${survey}`, { method: 'POST', body })).text());
  };
  t.equal(await answer('9'), undefined, 'there is none');
  await set(LABEL, ADDRESS);
  const link = await answer('0');
  t.match(link, `href="${ESCAPED}"`);
  t.match(link, 'rel="noopener noreferrer"');
  t.match(link, '&#60;b&#62;uns');
  for (const score of ['6', '7', '8', '9', '10', '']) t.equal(await answer(score), link, `after ${score}`);
  t.equal(linkIn(await (await fetch(`${url}/s/${survey}`)).text()), undefined, 'it is not beside the questions');
  const copy = await store.duplicateSurvey(survey, undefined, undefined);
  t.equal(linkIn(await (await fetch(`${url}/s/${copy}/thanks`)).text()), undefined, 'a draft shows nothing');
  await store.setSurveyState(copy, 'active');
  t.equal(linkIn(await (await fetch(`${url}/s/${copy}/thanks`)).text()), link, 'a copy has it too');
  await set('', '');
  t.equal(await answer('9'), undefined, 'it was removed');
});

t.test('its text needs a translation, and an outdated one is marked', async (t) => {
  const { survey, editor, set } = await createWithButton();
  await set('Review us', 'https://example.com');
  const settings = () => store.console.surveySettings(editor.session, survey);
  const questions = { score: { label: 'Vil du anbefale os?', low_thanks: 'Beklager.', high_thanks: 'Dejligt!' } };
  await store.setSurveyTranslation(survey, 'da', { questions });
  t.same(missingTexts(await settings()), [{ language: 'da', missing: ['Button'], texts: 4 }]);
  const thanks = async () => (await fetch(`${url}/s/${survey}/thanks?language=da`)).text();
  t.match(await thanks(), '<html lang="en"', 'until then, the page is in English');
  const languages = `/surveys/${survey}/languages`;
  t.match(await (await visit(url, `${languages}?language=da`, editor)).text(), 'name="button_label"');
  const { label, low_thanks, high_thanks } = questions.score;
  const sent = {
    action: 'save',
    language: 'da',
    'label.score': label,
    'low_thanks.score': low_thanks,
    'high_thanks.score': high_thanks,
  };
  const saved = await visit(url, languages, editor, { ...sent, button_label: 'Anmeld os' });
  t.equal(saved.status, 303);
  t.match(linkIn(await thanks()), '>Anmeld os<');
  await set('Tell others', 'https://example.com');
  t.match(await (await visit(url, `${languages}?language=da`, editor)).text(), 'Review us', 'what it said before');
  for (const text of ['', 'a\nb', 'x'.repeat(101), 'a\u202eb'])
    t.equal(
      await store.setSurveyTranslation(survey, 'da', { button_label: text }).then(
        () => 'none',
        ({ constraint_name }) => constraint_name,
      ),
      'surveys_translations_form',
      text.slice(0, 5),
    );
});

t.test('what is wrong is said at its field, and what was typed stays', async (t) => {
  const { workspace, survey, editor } = await createWithButton();
  const send = async (buttonLabel: string, buttonUrl: string) => {
    const response = await visit(url, `/surveys/${survey}/settings`, editor, { action: 'button', buttonLabel, buttonUrl });
    return { status: response.status, text: await response.text() };
  };
  for (const address of [
    'http://example.com',
    'HTTPS://example.com',
    'javascript:alert(1)',
    '//example.com',
    'https://',
    'https:///a',
    'https://a@b.example',
    'https://good.example:x@evil.example/',
    'https://evil.example\\@good.example',
    'https://a b.example',
    'https://a.example/\u202e',
    `https://a.example/${'x'.repeat(1983)}`,
    '',
  ]) {
    const { status, text } = await send('Review us', address);
    t.equal(status, 422, address.slice(0, 60));
    t.match(text, /id="buttonUrl-error" role="alert">(An address starts with https|A button needs)/);
    t.match(text, 'value="Review us"');
  }
  for (const label of ['', 'x'.repeat(101), 'a\u2066b', 'a\nb'])
    t.match((await send(label, 'https://example.com')).text, 'id="buttonLabel-error" role="alert">', label.slice(0, 5));
  t.equal((await send('🙂'.repeat(100), `https://a.example/${'x'.repeat(1982)}`)).status, 303);
  const [audit] = await sql`
    select actor, detail from invite.audit_log where workspace_id = ${workspace} and action = 'survey_changed' order by id desc limit 1`;
  t.same(audit?.detail?.changed, ['button']);
  t.match(audit?.actor, editor.email ?? /@/);
});
