// An email in its recipient's language: the service's own texts, the translation that fits, and the language and direction of each part.
import t from 'tap';
import { LANGUAGE_TAGS, LANGUAGES } from '../../src/languages/languages.ts';
import { render } from '../../src/mail/render.ts';
import { claimedInvitation } from '../fixtures/mail.ts';

const isRtl = (language: string) => ['ar', 'he'].includes(language);

const options = { publicUrl: 'https://i.example', from: { name: 'Surveys', email: 'surveys@example.org' } };
/** The texts that a new token begins with. */
const DEFAULT = { subject: LANGUAGES.en.defaultSubject, message: LANGUAGES.en.defaultMessage };
const rendered = (overrides: Parameters<typeof claimedInvitation>[0] = {}) => render(claimedInvitation(overrides), options);
const documentOf = (html: string) => /<html ([^>]*)>/.exec(html)?.[1];
const sheetOf = (html: string) => /<td class="sheet"([^>]*)>/.exec(html)?.[1] ?? '';

t.test('what the service says is in the language of the recipient, in both parts', async (t) => {
  for (const language of LANGUAGE_TAGS) {
    const { html, text, subject } = rendered({ ...DEFAULT, language, messageKind: 'reminder' });
    const strings = LANGUAGES[language];
    t.equal(documentOf(html), `lang="${language}" dir="${isRtl(language) ? 'rtl' : 'ltr'}"`, language);
    const isolated = (value: string) => (isRtl(language) ? `\u2068${value}\u2069` : value);
    t.ok(text.includes(strings.emailReason.replace('{workspace}', isolated('Acme'))), language);
    t.ok(text.includes(strings.unsubscribeLine.replace('{link}', 'https://i.example/u/')), language);
    t.ok(html.includes(`>${strings.unsubscribe}</a>`), language);
    const line = strings.defaultSubject
      .replace('{{workspace_name}}', isolated('Acme'))
      .replace('{{survey_title}}', isolated('How was your order?'));
    t.equal(subject, strings.reminderSubject.replace('{subject}', isolated(line)), language);
  }
});

t.test("the recipient's language comes before the request's and the survey's", async (t) => {
  const languageOf = (overrides: object) => /lang="([\w-]+)"/.exec(rendered({ ...DEFAULT, ...overrides }).html)?.[1];
  t.equal(languageOf({ language: 'de-AT', requestLanguage: 'fr', surveyLanguage: 'es' }), 'de');
  t.equal(languageOf({ requestLanguage: 'fr', surveyLanguage: 'es' }), 'fr');
  t.equal(languageOf({ language: 'xx', requestLanguage: 'fr', surveyLanguage: 'es' }), 'fr');
  t.equal(languageOf({ surveyLanguage: 'es' }), 'es');
  t.equal(languageOf({ surveyLanguage: 'is' }), 'en');
});

t.test('an email whose texts are not all in the language of the recipient is wholly in that of the survey', async (t) => {
  const whole = (email: ReturnType<typeof rendered>, language: string) => {
    t.match(documentOf(email.html), `lang="${language}"`);
    t.equal(sheetOf(email.html).includes('lang='), false);
  };
  const german = { language: 'de', subject: 'Betreff', message: 'Hallo {{recipient_name}}, {{survey_link}}' };
  whole(rendered({ language: 'ar' }), 'en');
  whole(rendered({ surveyLanguage: 'ar', language: 'de' }), 'ar');
  whole(rendered({ language: 'de', surveyLanguage: 'de' }), 'de');
  for (const missing of ['subject', 'message'] as const) {
    const half = rendered({ subject: 'A question', language: 'de', translation: { ...german, [missing]: undefined } });
    whole(half, 'en');
    t.equal(half.subject, 'A question');
    t.match(half.text, 'please answer:');
    t.match(half.text, 'Unsubscribe: ');
  }
  const translated = rendered({ language: 'de', translation: german });
  whole(translated, 'de');
  t.match(translated.text, 'Hallo Ada Lovelace, https://');
  const titled = { ...DEFAULT, language: 'de', surveyTitle: 'How was it?' };
  whole(rendered({ ...titled, pageTranslation: { title: 'Wie war es?', language: 'de' } }), 'de');
  t.equal(rendered({ ...titled, pageTranslation: { title: 'Wie war es?', language: 'de' } }).subject, 'Acme: Wie war es?');
  const unanswerable = rendered({ ...titled, pageTranslation: null, translation: german });
  whole(unanswerable, 'en');
  t.equal(unanswerable.subject, 'Acme: How was it?', 'the page it leads to is English');
});

t.test('an email is never in two languages, whichever of the two languages is translated', async (t) => {
  const brazilian = { language: 'pt-BR', subject: 'Uma pergunta', message: 'Olá, {{survey_link}}' };
  const both = { language: 'de', requestLanguage: 'pt-BR', surveyTitle: 'How was it?' };
  const page = { title: 'Como foi?', language: 'pt-BR' };
  const { subject, text, html } = rendered({ ...both, translation: brazilian, pageTranslation: page });
  t.equal(subject, 'Uma pergunta');
  t.match(text, LANGUAGES.pt.unsubscribe);
  t.notMatch(text, LANGUAGES.de.unsubscribe);
  t.match(documentOf(html), 'lang="pt"');
  t.notMatch(rendered({ ...both, pageTranslation: page }).text, LANGUAGES.pt.unsubscribe, 'an English message');
});

t.test('a reminder has a subject, whichever of its texts are translated', async (t) => {
  for (const translation of [{ reminder_subject: 'Nochmals' }, { reminder_message: 'Bitte' }, {}])
    for (const requestLanguage of ['de', 'fr', null])
      for (const own of [{}, DEFAULT, { reminderSubject: 'Again' }, { reminderMessage: 'Again' }]) {
        const reminder = { messageKind: 'reminder' as const, language: 'de', requestLanguage, ...own };
        const { subject, text } = rendered({ ...reminder, translation: { language: 'de', ...translation } });
        t.notMatch(subject, /^(?:[^:]*:)?\s*$/, JSON.stringify([translation, requestLanguage, own]));
        t.match(text, /\S[\s\S]*https:/);
      }
});

t.test("a request's own texts are in its language", async (t) => {
  const own = rendered({ language: 'de', subject: 'Una domanda', message: 'Ciao', subjectLanguage: 'it', messageLanguage: 'it' });
  t.match(documentOf(own.html), 'lang="it"', 'whomever it is sent to');
  t.match(own.text, /^Ciao[\s\S]*Annulla/);
  const german = { language: 'de', message: 'Hallo' };
  t.match(rendered({ language: 'de', subject: 'Frage', subjectLanguage: 'de', translation: german }), {
    subject: 'Frage',
    text: /^Hallo/,
  });
  t.match(rendered({ language: 'de', subject: 'Question', translation: german }).text, /^Hello/, "the token's, which is English");
});

t.test('a language that the service does not speak has the words of the customer and those of the next language', async (t) => {
  const estonian = { language: 'et', subject: 'Üks küsimus', message: 'Tere {{recipient_name}}!\n\n{{survey_link}}' };
  const { html, text, subject } = rendered({ language: 'et', surveyLanguage: 'de', translation: estonian, name: null });
  t.equal(subject, 'Üks küsimus');
  t.match(text, /^Tere!\n[\s\S]*E‑Mails abbestellen/);
  t.match(documentOf(html), 'lang="de"');
  t.match(sheetOf(html), ' lang="et" dir="ltr"');
});

t.test('a reminder has the texts of the translation before its own, and those of the invitation last', async (t) => {
  const reminder = (translation: object, overrides = {}) =>
    rendered({ messageKind: 'reminder', language: 'de', translation: { language: 'de', ...translation }, ...overrides });
  t.equal(reminder({ reminder_subject: 'Letzte Chance', message: 'Hallo' }).subject, 'Letzte Chance');
  t.equal(reminder({ subject: 'Betreff', message: 'Hallo' }).subject, 'Erinnerung: Betreff');
  t.match(reminder({ message: 'Hallo' }).text, 'Hallo');
  t.match(reminder({ message: 'Hallo', reminder_message: 'Noch einmal' }).text, 'Noch einmal');
  const half = reminder({ subject: 'Betreff', message: 'Hallo' }, { reminderSubject: 'Still time', reminderMessage: 'Again' });
  t.match(half, { subject: 'Still time', text: /^Again[\s\S]*Unsubscribe/ }, 'those of the reminder are not translated');
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

t.test('a value that runs against its text is isolated, so that it reorders nothing; a link never is', async (t) => {
  const hebrew = {
    name: 'מרים (5)',
    workspaceName: 'חנות',
    message: 'Dear {{recipient_name}}, {{survey_title}}:\n\n{{survey_link}}',
  };
  const english = rendered({ ...hebrew, subject: '{{recipient_name}}: {{survey_title}}' });
  t.match(english.subject, /^\u2068מרים \(5\)\u2069: [A-Z]/);
  t.match(english.text, 'Dear \u2068מרים (5)\u2069, ');
  t.match(english.text, 'because \u2068חנות\u2069 invited');
  t.match(english.html, 'Dear <bdi>מרים (5)</bdi>, ');
  t.match(english.html, 'because <bdi>חנות</bdi> invited');
  const arabic = rendered({ ...DEFAULT, language: 'ar', name: 'Ada', messageKind: 'reminder' });
  t.match(arabic.subject, '\u2068Acme\u2069');
  t.match(arabic.text, '\u2068Ada\u2069');
  t.notMatch(rendered({ ...DEFAULT, language: 'ar', name: 'مريم' }).text, '\u2068مريم');
  for (const { text } of [english, arabic]) t.notMatch(text, /\u2068https?:/);
  const plain = rendered({ ...DEFAULT, name: 'Zoë Ångström 5' });
  t.notMatch(plain.subject + plain.text + plain.html, /[\u2066-\u2069]|<bdi>/, 'where nothing runs against, nothing is added');
});

t.test('a recipient without a name is called by the word of the same language, else greeted without one', async (t) => {
  const sender = { recipient_word: 'there' };
  const german = { language: 'de', subject: 'Betreff', message: 'Hallo {{recipient_name}}' };
  const greeted = (overrides: object) => rendered({ name: null, sender, ...overrides }).text.split('\n')[0];
  t.equal(greeted({}), 'Hello there,');
  t.equal(greeted({ language: 'de' }), 'Hello there,', 'the email is English');
  t.equal(greeted({ language: 'de', translation: german }), 'Guten Tag,');
  t.equal(greeted({ language: 'de', translation: { ...german, recipient_word: 'zusammen' } }), 'Hallo zusammen');
  t.equal(greeted({ ...DEFAULT, language: 'de' }), 'Guten Tag,');
});

t.test(
  'a recipient without a name gets the greeting and subject that were written for that, in the language of the email',
  async (t) => {
    const sender = { greeting_without_name: 'Dear customer,', subject_without_name: '{{workspace_name}} has a question' };
    const subject = '{{recipient_name}}, how was {{survey_title}}?';
    const message = 'Dear {{recipient_name}},\n\n{{survey_link}}';
    const german = {
      language: 'de',
      subject: '{{recipient_name}}, wie war es?',
      message: 'Hallo {{recipient_name}},\n\n{{survey_link}}',
    };
    const own = {
      greeting_without_name: 'Liebe Kundin, lieber Kunde,',
      subject_without_name: 'Eine Frage von {{workspace_name}}',
    };
    const said = (overrides: object) => {
      const email = rendered({ subject, message, sender, name: null, ...overrides });
      return [email.subject, email.text.split('\n')[0]];
    };
    t.same(said({}), ['Acme has a question', 'Dear customer,']);
    t.same(said({ name: 'Ada' }), ['Ada, how was How was your order??', 'Dear Ada,'], 'a name needs none');
    t.same(said({ subject: 'Your order' }), ['Your order', 'Dear customer,'], 'a subject without the name stays');
    t.same(said({ messageKind: 'reminder' }), ['Reminder: Acme has a question', 'Dear customer,']);
    t.same(said({ language: 'de', translation: { ...german, ...own } }), ['Eine Frage von Acme', 'Liebe Kundin, lieber Kunde,']);
    t.same(
      said({ language: 'de', translation: german }),
      ['Acme: How was your order?', 'Guten Tag,'],
      'never in another language',
    );
    t.same(said({ sender: { ...sender, recipient_word: 'you' } })[1], 'Dear you,', 'a word stands for a name everywhere');
    t.equal(
      said({ message: 'How was it, {{recipient_name}}?' })[1],
      'How was it?',
      'where nobody is greeted, only the name goes',
    );
  },
);

t.test('the email of a new token greets without a name in each language, and nowhere has the address in its place', async (t) => {
  for (const language of LANGUAGE_TAGS)
    for (const messageKind of ['invitation', 'reminder'] as const)
      for (const name of [null, '']) {
        const { subject, text, html } = rendered({ ...DEFAULT, language, messageKind, name });
        const { greeting } = LANGUAGES[language];
        t.ok(text.startsWith(`${greeting}\n\n`), language);
        t.ok(html.includes(`<p>${greeting}</p>`), language);
        t.notMatch(subject + text + html, 'ada@example.com', language);
        t.match(subject, 'How was your order?', language);
      }
});
