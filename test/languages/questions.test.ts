// The texts of the templates: in each language, in its characters, and so that a survey made of a template is whole in every language.
import t from 'tap';
import { TEMPLATES } from '../../src/console/surveys/templates.ts';
import type { Question } from '../../src/database/store.ts';
import { LANGUAGE_TAGS, translateDefault } from '../../src/languages/languages.ts';
import { QUESTION_LANGUAGES, QUESTION_TEXTS } from '../../src/languages/question-texts.ts';
import { startTestServer } from '../fixtures/http.ts';
import { createSurvey, createTestDatabase } from '../fixtures/setup.ts';

const { store, urlAs } = await createTestDatabase(t);
const { url } = await startTestServer(t, urlAs('invite_web'));

const textsOf = ({ label, min_label, max_label, choices = [] }: Question): string[] =>
  [label, min_label, max_label, ...choices].filter((text) => text !== undefined);

t.test('each language of the service has each text once, in its own words', (t) => {
  for (const tag of LANGUAGE_TAGS) {
    const texts = QUESTION_TEXTS.map((text) => translateDefault(text, tag) ?? '');
    for (const [index, text] of texts.entries()) {
      t.not(text, '', `${tag}: ${QUESTION_TEXTS[index]}`);
      t.ok(text === text.trim() && text.length <= 255 && !/['"]/.test(text), `${tag}: ${text}`);
    }
    // In Spanish and Italian no is “No”.
    const english = texts.filter((text, index) => text === QUESTION_TEXTS[index] && text !== 'No');
    if (tag !== 'en') t.same(english, [], `${tag} leaves nothing in English`);
    t.equal(new Set(texts).size, texts.length, `${tag} says no two of them alike`);
    if (tag === 'de-CH') t.notMatch(texts.join(''), /ß/);
  }
  for (const tag of Object.keys(QUESTION_LANGUAGES))
    t.ok(
      LANGUAGE_TAGS.some((known) => known === tag),
      tag,
    );
  t.end();
});

t.test('a survey of each template is valid, and its page is whole in every language', async (t) => {
  const { workspace } = await createSurvey(store);
  for (const [name, { questions }] of Object.entries(TEMPLATES)) {
    if (name === 'empty') continue;
    const survey = await store.upsertSurvey({ workspaceId: workspace, title: 'Zażółć', state: 'active', questions });
    for (const tag of ['ar', 'pt-PT', 'de-CH', 'zh-Hant']) {
      const page = await (await fetch(`${url}/s/${survey}`, { headers: { 'accept-language': tag } })).text();
      t.match(page, `<html lang="${tag}"`, `${name} in ${tag}`);
      const shown = page.replaceAll(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)));
      for (const text of (questions as readonly Question[]).flatMap(textsOf)) {
        const said = translateDefault(text, tag as 'ar');
        if (said === undefined) t.fail(`${name}: nobody says “${text}”`);
        else t.ok(shown.includes(said), `${name} in ${tag}: ${said}`);
      }
    }
  }
});
