// Own words over the service's: the layers of a language, languages that only a workspace speaks, forms of address, and the file of all texts.
import { readFileSync } from 'node:fs';
import t from 'tap';
import { en, type Strings } from '../../src/languages/en.ts';
import { createSpeech, INFORMAL, LANGUAGE_TAGS, LANGUAGES, OWN_NAMES, SERVICE } from '../../src/languages/languages.ts';
import { type FindWording, Speeches } from '../../src/languages/speeches.ts';
import { asText, FILE } from '../fixtures/words.ts';

const words = (texts: Partial<Strings>, informal = false) => ({ informal, words: texts as Record<string, string> });
const URDU = words(Object.fromEntries(OWN_NAMES.map((name) => [name, `سلام ${en[name]}`])));
const ERRORS = ['notFound', 'tooMany', 'unavailable', 'failed', 'badRequest'].flatMap((name) => [`${name}Title`, name]);

t.test('the file of texts is what the languages say: npm run -s languages', async (t) => {
  t.ok(readFileSync(FILE, 'utf8') === asText());
});

t.test('a workspace can word each text except those of errors', async (t) => {
  t.same([...OWN_NAMES, ...ERRORS, 'requestId'].sort(), Object.keys(en).sort());
  t.equal(new Set(OWN_NAMES).size, OWN_NAMES.length, 'each is at one place');
});

/** Words that address a reader formally. */
const FORMAL: Readonly<Record<string, RegExp>> = {
  de: /\b(Sie|Ihre?[nmrs]?|Ihnen)\b/,
  es: /\b(usted|su|sus|Elija|Escriba|Use|Revise|abra|Desea|Prefiere)\b/i,
  fr: /\b(vous|votre|vos|Veuillez|\w+ez)\b/i,
  it: /\b(suo|sua|sue|Riceve|Scelga|Usi|Inserisca|apra|Desidera|Preferisce|Gentile)\b|\bla invita\b/,
  nl: /\b(u|uw)\b/i,
};

t.test('an informal text differs from the formal one, has its placeholders, and addresses nobody formally', async (t) => {
  const placeholders = (text: string) => (text.match(/\{\{?\w+\}?\}/g) ?? []).sort();
  for (const [tag, texts] of Object.entries(INFORMAL)) {
    const language = LANGUAGES[tag as keyof typeof LANGUAGES];
    for (const [name, text] of Object.entries(texts ?? {}) as [keyof Strings, string][]) {
      t.same(placeholders(text), placeholders(en[name]), `${tag} ${name}`);
      if (name !== 'badRequest') t.not(text, language[name], `${tag} ${name}`);
    }
    const speech = createSpeech({ [tag]: words({}, true) });
    const [base = ''] = tag.split('-');
    for (const name of OWN_NAMES)
      t.notMatch(
        speech
          .speak(tag)
          .text(name)
          .replace(/\{\w+\}/g, ''),
        FORMAL[base] ?? /$^/,
        `${tag} ${name}`,
      );
  }
  t.same(Object.keys(INFORMAL).sort(), ['de', 'de-CH', 'es', 'es-419', 'fr', 'fr-CA', 'it', 'nl']);
  t.notMatch(JSON.stringify(INFORMAL['de-CH']), 'ß');
});

t.test('own words replace ours, also in the variants of their language; ours stay elsewhere', async (t) => {
  const speech = createSpeech({ de: words({ submit: 'Los', greeting: 'Servus,' }), 'de-CH': words({ greeting: 'Grüezi,' }) });
  const said = (tag: string, name: keyof Strings) => speech.speak(speech.knows(tag) ?? '').text(name);
  t.same([said('de', 'submit'), said('de-CH', 'submit'), said('de-AT', 'submit')], ['Los', 'Los', 'Los']);
  t.same([said('de', 'greeting'), said('de-CH', 'greeting')], ['Servus,', 'Grüezi,']);
  t.equal(said('de', 'unsubscribe'), LANGUAGES.de.unsubscribe);
  t.equal(speech.speak('fr'), SERVICE.speak('fr'), 'a language that is not worded costs nothing');
  const brazil = createSpeech({ pt: words({ submit: 'Vai' }) });
  t.equal(brazil.speak('pt-PT').text('submit'), LANGUAGES['pt-PT'].submit, 'Portugal has words of its own');
});

t.test('a region of a language is spoken over it, and informally if its language is', async (t) => {
  const speech = createSpeech({ de: words({}, true), 'de-AT': words({ greeting: 'Servus,' }) });
  t.equal(speech.knows('de-AT'), 'de-AT');
  t.equal(speech.speak('de-AT').language, 'de-AT');
  t.equal(speech.speak('de-AT').text('greeting'), 'Servus,');
  t.equal(speech.speak('de-AT').text('submit'), LANGUAGES.de.submit);
  t.match(speech.speak('de-AT').text('emailReason'), 'Du erhältst');
  t.match(speech.speak('de-CH').text('thanks'), 'Du kannst diese Seite jetzt schliessen');
});

t.test('a language that we do not have is spoken with its direction, digits and default texts', async (t) => {
  const speech = createSpeech({ ur: URDU, fa: words(URDU.words) });
  t.equal(SERVICE.knows('ur'), 'en');
  t.equal(speech.languageOf('ur-PK', 'de'), 'ur');
  const voice = speech.speak('ur');
  t.same([voice.language, voice.direction], ['ur', 'rtl']);
  t.match(voice.say('tooLong', { max: 10_000 }), '10,000');
  t.match(speech.speak('fa').say('tooLong', { max: 10_000 }), '۱۰٬۰۰۰', 'the digits of the language');
  t.equal(speech.translateDefault(en.recommend, 'ur'), `سلام ${en.recommend}`);
  t.match(voice.put('emailReason', { workspace: 'Acme' }).toString(), '<bdi>Acme</bdi>');
});

t.test('a text that a later version of the service added is in English until it is worded', async (t) => {
  const { submit: _, ...others } = URDU.words;
  t.equal(
    createSpeech({ ur: { informal: false, words: others } })
      .speak('ur')
      .text('submit'),
    en.submit,
  );
});

t.test('what is no language or no text changes nothing', async (t) => {
  const odd = JSON.parse(
    '{"__proto__": {"informal": false, "words": {"submit": "x"}}, "no tag": {"informal": false, "words": {}}}',
  );
  const speech = createSpeech(odd);
  t.equal(speech.knows('no tag'), undefined);
  const gone = createSpeech({ de: words({ notFound: 'Weg', constructor: 'x' } as never) }).speak('de');
  t.equal(gone.text('notFound'), LANGUAGES.de.notFound, 'errors stay ours');
  for (const tag of LANGUAGE_TAGS) t.equal(speech.speak(tag), SERVICE.speak(tag));
});

t.test('words are loaded once for each key, the oldest are dropped, and a failure is not kept', async (t) => {
  const asked: string[] = [];
  let fails = true;
  const find: FindWording = async (key) => {
    asked.push(key);
    if (fails) throw new Error('the database is gone');
    return { de: words({ submit: key, thanks: 'x'.repeat(key === 'large' ? 9_000_000 : 10) }) };
  };
  const speeches = new Speeches(find);
  t.equal(await speeches.of(null), SERVICE);
  t.same(asked, [], 'without own words nothing is asked');
  await t.rejects(speeches.of('a'));
  fails = false;
  t.equal((await speeches.of('a')).speak('de').text('submit'), 'a');
  await speeches.of('a');
  t.same(asked, ['a', 'a']);
  await speeches.of('large');
  await speeches.of('a');
  t.same(asked, ['a', 'a', 'large', 'a']);
  const [one, other] = await Promise.all([speeches.of('b'), speeches.of('b')]);
  t.equal(one.speak('de').text('submit'), other.speak('de').text('submit'));
});
