// An email in its recipient's language: what the service says, the translation that fits, and the language and direction of each part.
import t from 'tap';
import { LANGUAGE_TAGS, LANGUAGES } from '../../src/languages/languages.ts';
import { render } from '../../src/mail/render.ts';
import { claimedInvitation } from '../fixtures/mail.ts';

const options = { publicUrl: 'https://i.example', from: { name: 'Surveys', email: 'surveys@example.org' } };
const rendered = (more: Parameters<typeof claimedInvitation>[0] = {}) => render(claimedInvitation(more), options);
const documentOf = (html: string) => /<html ([^>]*)>/.exec(html)?.[1];
const sheetOf = (html: string) => /<td class="sheet"([^>]*)>/.exec(html)?.[1] ?? '';

t.test('what the service says is in the language of the recipient, in both parts', async (t) => {
  for (const language of LANGUAGE_TAGS) {
    const { html, text, subject } = rendered({ language, messageKind: 'reminder' });
    const strings = LANGUAGES[language];
    t.equal(documentOf(html), `lang="${language}" dir="${language === 'ar' ? 'rtl' : 'ltr'}"`, language);
    t.ok(text.includes(strings.emailReason.replace('{workspace}', 'Acme')), language);
    t.ok(text.includes(strings.unsubscribeLine.replace('{link}', 'https://i.example/u/')), language);
    t.ok(html.includes(`>${strings.unsubscribe}</a>`), language);
    t.equal(subject, strings.reminderSubject.replace('{subject}', 'Acme: How was your order?'), language);
  }
});

t.test("the recipient's language comes before the request's and the survey's", async (t) => {
  const languageOf = (more: object) => /lang="([\w-]+)"/.exec(rendered(more).html)?.[1];
  t.equal(languageOf({ language: 'de-AT', requestLanguage: 'fr', surveyLanguage: 'es' }), 'de');
  t.equal(languageOf({ requestLanguage: 'fr', surveyLanguage: 'es' }), 'fr');
  t.equal(languageOf({ language: 'xx', requestLanguage: 'fr', surveyLanguage: 'es' }), 'fr');
  t.equal(languageOf({ surveyLanguage: 'es' }), 'es');
  t.equal(languageOf({ surveyLanguage: 'sv' }), 'en');
});

t.test('texts that are not translated keep their own language and direction, text by text', async (t) => {
  const { html } = rendered({ language: 'ar' });
  t.match(sheetOf(html), / lang="en" dir="ltr" style="text-align:left;/);
  t.match(html, /text-align:right" lang="ar" dir="rtl">/);
  const own = rendered({ surveyLanguage: 'ar', language: 'de' }).html;
  t.match(sheetOf(own), / lang="ar" dir="rtl" style="text-align:right;/);
  t.equal(sheetOf(rendered({ language: 'de', surveyLanguage: 'de' }).html).includes('lang='), false);
  t.match(sheetOf(rendered({ language: 'de', messageLanguage: 'it' }).html), ' lang="it"', "a request's own message");
  const german = { language: 'de', subject: 'Betreff' };
  const half = rendered({ language: 'de', translation: german });
  t.equal(half.subject, 'Betreff');
  t.match(half.text, 'please answer:');
  t.match(sheetOf(half.html), ' lang="en" dir="ltr"');
  const whole = rendered({ language: 'de', translation: { ...german, message: 'Hallo {{recipient_name}}, {{survey_link}}' } });
  t.match(whole.text, 'Hallo Ada Lovelace, https://');
  t.equal(sheetOf(whole.html).includes('lang='), false);
});

t.test('a reminder has the texts of the translation before its own, and those of the invitation last', async (t) => {
  const reminder = (translation: object, more = {}) =>
    rendered({ messageKind: 'reminder', language: 'de', translation: { language: 'de', ...translation }, ...more });
  t.equal(reminder({ reminder_subject: 'Letzte Chance' }).subject, 'Letzte Chance');
  t.equal(reminder({ subject: 'Betreff' }).subject, 'Erinnerung: Betreff');
  t.equal(reminder({ subject: 'Betreff' }, { reminderSubject: 'Still time' }).subject, 'Still time', 'text by text');
  t.match(reminder({ message: 'Hallo' }).text, 'Hallo');
  t.match(reminder({ message: 'Hallo', reminder_message: 'Noch einmal' }).text, 'Noch einmal');
  t.match(reminder({ message: 'Hallo' }, { reminderMessage: 'Again' }).text, 'Again');
  t.match(rendered({ language: 'de', translation: { language: 'de', reminder_message: 'Nie' } }).text, 'please answer');
});

t.test('the message that a token begins with is said in each language', async (t) => {
  for (const language of LANGUAGE_TAGS) {
    const { text, html } = rendered({ language, message: LANGUAGES.en.defaultMessage });
    const [greeting = ''] = LANGUAGES[language].defaultMessage.split('{{');
    t.ok(text.startsWith(greeting.trim()), language);
    t.equal(sheetOf(html).includes('lang='), false, language);
  }
});

t.test('in a text from right to left, values keep their own direction, and links run from left to right', async (t) => {
  const { html } = rendered({ language: 'ar', message: LANGUAGES.en.defaultMessage });
  t.match(html, '<bdi>Ada Lovelace</bdi>');
  t.match(html, /<a href="https:[^"]*" dir="ltr" style/);
  t.notMatch(rendered({ language: 'de', message: LANGUAGES.en.defaultMessage }).html, '<bdi>');
});

t.test('a recipient without a name is called by the word of the same language, or by none', async (t) => {
  const sender = { recipient_word: 'there' };
  const message = 'Hallo {{recipient_name}}';
  const greeted = (more: object) => rendered({ name: null, sender, ...more }).text.split('\n')[0];
  t.equal(greeted({}), 'Hello there,');
  t.equal(greeted({ language: 'de' }), 'Hello there,', 'the message is English');
  t.equal(greeted({ language: 'de', translation: { language: 'de', message } }), 'Hallo ada@example.com');
  t.equal(greeted({ language: 'de', translation: { language: 'de', message, recipient_word: 'zusammen' } }), 'Hallo zusammen');
  t.equal(greeted({ language: 'de', message: LANGUAGES.en.defaultMessage }), 'Guten Tag ada@example.com,');
});
