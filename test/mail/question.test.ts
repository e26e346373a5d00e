// An email that asks the survey's question: a link for each answer, in both parts, in the recipient's language.
import t from 'tap';
import type { EmailQuestion } from '../../src/database/store.ts';
import { directionOf, LANGUAGE_TAGS, LANGUAGES, speak } from '../../src/languages/languages.ts';
import { render } from '../../src/mail/render.ts';
import { MAX_EMAIL_BYTES } from '../../src/mail/size.ts';
import { claimedInvitation } from '../fixtures/mail.ts';

const options = { publicUrl: 'https://i.example', from: { name: 'Surveys', email: 'surveys@example.org' } };
const SCORE: EmailQuestion = {
  id: 'score',
  type: 'score',
  label: LANGUAGES.en.recommend,
  min_label: LANGUAGES.en.leastLikely,
  max_label: LANGUAGES.en.mostLikely,
};
const MESSAGE = 'Hello {{recipient_name}},\n\nhow was it?\n\n{{survey_link}}\n\nThank you!';
const LINK = 'https://i.example/s/orders?invitation=ab12z9y8xJ0Q-s8_Kfwwm0Zq3vTRZ2m0zP9cE1x-A';
const rendered = (overrides: Parameters<typeof claimedInvitation>[0] = {}) =>
  render(claimedInvitation({ message: MESSAGE, question: SCORE, ...overrides }), options);
const unescaped = (html: string) => html.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)));
/** The links of the answers and their texts, in the order of the document. */
const answersOf = (html: string) =>
  Array.from(html.matchAll(/<td class="answer"[^>]*><a href="([^"]*)"[^>]*>([^<]*)<\/a>/g), ([, link = '', text = '']) => [
    unescaped(text),
    unescaped(link),
  ]);

t.test('a score from 0 to 10 is one row of links, and a line each in plain text, where the link stands', async (t) => {
  const { html, text } = rendered();
  const expected = Array.from({ length: 11 }, (_, score) => [String(score), `${LINK}&answer.score=${score}`]);
  t.same(answersOf(html), expected);
  const [row = ''] = /<tr>\n<td class="answer"[\s\S]*?<\/tr>/.exec(html) ?? [];
  t.equal(row.split('class="answer"').length, 12, 'all in one row');
  t.equal(
    text.split('\n--\n')[0],
    `Hello Ada Lovelace,\n\nhow was it?\n\n${SCORE.label}\n0 = Not at all likely\n10 = Extremely likely\n\n${expected.map(([score, link]) => `${score}: ${link}`).join('\n')}\n\n${LINK}\n\nThank you!\n`,
  );
  t.notMatch(html, 'class="button"', 'the scores stand for the button');
  t.match(html, `<a href="${LINK}" style="color:#59636e">Take the survey</a>`);
  t.notMatch(html, /<script|<form|<img|<link|src=|url\(/, 'nothing runs and nothing is loaded');
});

t.test('without a question, the bytes of the email are those that it had', async (t) => {
  const { html, text } = rendered({ question: null });
  t.match(html, 'class="button"');
  t.same(answersOf(html), []);
  t.match(text, `how was it?\n\n${LINK}\n\nThank you!`);
});

t.test(
  'a link within a sentence stays, and the question follows its paragraph; a message without a link ends with it',
  async (t) => {
    const inline = rendered({ message: 'Answer here: {{survey_link}}\r\n\r\nBye' });
    t.match(inline.text, `Answer here: ${LINK}\n\n${SCORE.label}\n`);
    t.match(inline.text, `${LINK}\n\nBye\n`);
    t.ok(inline.html.indexOf('Answer here') < inline.html.indexOf('class="answer"'));
    t.ok(inline.html.lastIndexOf('class="answer"') < inline.html.indexOf('<p>Bye</p>'));
    t.match(rendered({ message: 'Hello' }).text, `Hello\n\n${SCORE.label}\n`);
    const both = rendered({ message: 'See {{survey_link}}.\n\n{{survey_link}}\n\n{{survey_link}}' });
    t.equal(answersOf(both.html).length, 11, 'once');
    t.match(both.html, `>${LINK}</a>.</p>\n<p style="margin:24px`, 'the link of its own has priority');
    t.match(both.html, 'class="button"', 'a second one is the button');
  },
);

t.test('in each language the numbers, ends and direction are those of the language', async (t) => {
  for (const language of LANGUAGE_TAGS) {
    const strings = LANGUAGES[language];
    const email = rendered({ subject: LANGUAGES.en.defaultSubject, message: LANGUAGES.en.defaultMessage, language });
    const number = (value: number) => speak(language).number(value);
    t.same(
      answersOf(email.html).map(([text]) => text),
      Array.from({ length: 11 }, (_, score) => number(score)),
      language,
    );
    for (const part of [email.text, unescaped(email.html)]) {
      t.ok(part.includes(strings.recommend), language);
      t.ok(part.includes(`${number(0)} = ${strings.leastLikely}`), language);
      t.ok(part.includes(`${number(10)} = ${strings.mostLikely}`), language);
    }
    t.ok(email.html.includes(`dir="${directionOf(language)}" style="width:100%;max-width:464px`), language);
    t.ok(unescaped(email.html).includes(`>${strings.takeSurvey}</a></p>`), language);
    t.ok(Buffer.byteLength(email.html) < 102_000, 'Gmail shows all of it');
  }
});

t.test("a translation of the survey is used if the email is in its language, and else the author's words", async (t) => {
  const choice: EmailQuestion = {
    id: 'how',
    type: 'choice',
    label: 'How was it?',
    choices: ['Good & quick', 'Bad'],
    translated: { label: 'Wie war es?', choices: { Bad: 'Schlecht' } },
  };
  const texts = { question: choice, language: 'de', subject: LANGUAGES.en.defaultSubject, message: LANGUAGES.en.defaultMessage };
  const page = { title: 'Umfrage', language: 'de' };
  const german = rendered({ ...texts, pageTranslation: page });
  t.match(german.text, 'Wie war es?');
  t.same(answersOf(german.html), [
    ['Good & quick', `${LINK}&answer.how=Good%20%26%20quick`],
    ['Schlecht', `${LINK}&answer.how=Bad`],
  ]);
  const english = rendered({ ...texts, message: 'Hi\n\n{{survey_link}}', pageTranslation: page });
  t.match(english.text, 'How was it?', 'the message exists in English alone');
  t.match(answersOf(english.html)[1], ['Bad', /=Bad$/]);
  t.equal(answersOf(german.html).length, 2);
  t.equal(german.html.split('<tr>\n<td class="answer"').length, 3, 'choices stand one below the other');
});

t.test('ids and answers in any script and with any sign make links that are read back, and no HTML', async (t) => {
  const evil = `"><b>'&#+%20/?=~!*()`;
  for (const text of [evil, 'Sehr gut 👍', '非常に満足', 'ממש טוב', 'ไม่พอใจ', '__proto__']) {
    const { html, text: plain } = rendered({ question: { id: text, type: 'choice', label: text, choices: [text, 'x'] } });
    const [[shown, link = ''] = []] = answersOf(html);
    t.equal(shown, text);
    t.equal(new URL(link).searchParams.get(`answer.${text}`), text);
    t.match(link, /^[\w:/.?=&%-]+$/);
    t.ok(plain.includes(link));
    t.notMatch(html, '<b>');
  }
});

t.test('scores of more than two characters stand one below the other', async (t) => {
  const { html } = rendered({ question: { id: 's', type: 'score', label: 'Feel', min: -15, max: -5 } });
  t.equal(html.split('<tr>\n<td class="answer"').length, 12);
  t.match(rendered({ question: { id: 's', type: 'score', label: 'Feel', min: -5, max: 5 } }).html, /<tr>\n<td[^\n]*\n<td/);
});

t.test(
  'an email that the question would make too large has its button instead, and the same bytes at each attempt',
  async (t) => {
    const choices = Array.from({ length: 11 }, (_, index) => `${index}${'\u{1F600}'.repeat(250)}`);
    const large = { id: 'x'.repeat(64), type: 'choice', label: '&'.repeat(1000), choices } as const;
    const message = `${'&'.repeat(30_000)}\n\n{{survey_link}}`;
    t.equal(answersOf(rendered({ question: large }).html).length, 11, 'the largest question fits a usual email');
    const { html, text } = rendered({ question: large, message });
    t.ok(Buffer.byteLength(html) + Buffer.byteLength(text) <= MAX_EMAIL_BYTES);
    t.match(html, 'class="button"');
    t.same(answersOf(html), []);
    t.same(rendered({ question: large, message }), rendered({ question: large, message }));
    t.throws(() => rendered({ question: large, message: '&'.repeat(60_000) }), { message: /more than 262144 bytes/ });
  },
);
