// The service's texts in each language: they are complete, have the same placeholders, follow the typography of the language, and exist in
// one place only. Also, which recipient gets which language.
import { globSync, readFileSync } from 'node:fs';
import t from 'tap';
import { en, type Strings } from '../../src/languages/en.ts';
import {
  acceptedLanguage,
  directionOf,
  knownLanguage,
  LANGUAGE_TAGS,
  LANGUAGES,
  type Language,
  languageOf,
  speak,
  translateDefault,
} from '../../src/languages/languages.ts';
import { createTestDatabase } from '../fixtures/setup.ts';

const ROOT = new URL('../../', import.meta.url);
const names = Object.keys(en) as (keyof Strings)[];
const placeholders = (text: string) => (text.match(/\{\{?\w+\}?\}/g) ?? []).sort();

for (const [tag, strings] of Object.entries(LANGUAGES) as [string, Strings][]) {
  t.test(`${tag} is complete, with the placeholders of English`, async (t) => {
    t.same(Object.keys(strings), names, 'in the same order, so that two files can be compared');
    for (const name of names) {
      t.same(placeholders(strings[name]), placeholders(en[name]), name);
      t.match(strings[name], /\S/, name);
      t.equal(strings[name].trim(), strings[name], `${name} has no space at its ends`);
      t.notMatch(strings[name], / {2}|\.\.\.|<|&\w+;/, name);
    }
  });

  t.test(`${tag} differs from English, and marks of a sentence stand where they do in English`, async (t) => {
    if (tag === 'en') return;
    const same = names.filter(
      (name) => strings[name] === en[name] && !['optional', 'errorTitle', 'defaultSubject'].includes(name),
    );
    t.same(same, [], 'nothing was left untranslated');
    for (const name of names.filter((key) => key.endsWith('Title'))) t.notMatch(strings[name], /\.$/, `${name} is a title`);
    for (const name of names.filter((key) => /[.]$/.test(en[key])))
      t.match(strings[name], SENTENCE[tag] ?? /[.!?。]$/, `${name} is a sentence`);
  });
}

t.test('a language has a file of its name, in the list of languages', async (t) => {
  const files = globSync('src/languages/*.ts', { cwd: ROOT }).map((file) => file.replace(/^.*\/|\.ts$/g, ''));
  t.same(
    files
      .filter((name) => !['languages', 'question-texts', 'strings', 'speech', 'speeches', 'tags', 'voice'].includes(name))
      .sort(),
    [...LANGUAGE_TAGS].sort(),
  );
});

/** How sentences end. Thai ones end without a mark. */
const SENTENCE: Readonly<Record<string, RegExp>> = { hi: /[।!?]$/, th: /[^.!?]$/ };

/** Patterns that no text of a language may match. */
const WRONG: Readonly<Partial<Record<Language, RegExp>>> = {
  // French has a narrow space before ; ! and ? and a full space before a colon. Neither breaks the line.
  fr: /(?<!\u202f)[;!?]|(?<!\u00a0):|[“”"]/,
  // Each closing ? or ! needs its opening ¿ or ¡.
  es: /^(?=[\s\S]*\?)[^¿]*$|^(?=[\s\S]*!)[^¡]*$|["”]/,
  // Canada has no space before ; ! and ?
  'fr-CA': /\s[;!?]|(?<!\u00a0):|[“”"]|enquête|e‑mail/,
  'es-419': /^(?=[\s\S]*\?)[^¿]*$|^(?=[\s\S]*!)[^¡]*$|[«»"]/,
  ar: /[?,;]|%/,
  // Full-width marks, except in what a person or a program writes.
  ja: /[?!;:,."“”]|[ぁ-んァ-ヶ一-龠]\d/,
  'zh-Hans': /[?!;:,."「」]/,
  'zh-Hant': /[?!;:,."“”]/,
  ko: /[「」"]/,
  sv: /[„“"«»]/,
  fi: /[„“"«»]/,
  da: /[„“”"]/,
  pl: /[“"«»]/,
  cs: /[”"«»]/,
  tr: /["«»]/,
  uk: /[„“”"]/,
  // Comma below, not the cedilla of Turkish.
  ro: /[“"«»şţ]/,
  hu: /[“"«»]/,
  // Greek asks with a semicolon.
  el: /[?„“”"]/,
  vi: /[„"«»]/,
  // Thai has no marks of a sentence, and its particles of politeness say whether a man or a woman speaks.
  th: /[.!?„"«»]|ครับ|ค่ะ|คะ(?!แนน)/,
  id: /[„"«»]|\banda\b/,
  // A sentence ends with a danda, and digits are Latin, as of numbers by CLDR.
  hi: /[„"«»०-९]|[\p{Script=Devanagari}]\.|तुम|(?<!\p{M})तू(?!\p{L})/u,
  // The reader is addressed with a small letter.
  ru: /[„“”"]|(?<=[^.!?] )В(ы|ам|ас|аш\p{L}*)(?!\p{L})/u,
  he: /[„“"«»]/,
  de: /["”]/,
  'de-CH': /[ß„“"”]/,
};

t.test('marks and spaces are those of the language', async (t) => {
  for (const [tag, strings] of Object.entries(LANGUAGES) as [Language, Strings][]) {
    for (const [name, text] of Object.entries(strings)) {
      t.notMatch(text, WRONG[tag] ?? /(?!)/, `${tag} ${name}`);
      if (tag !== 'en') t.notMatch(text, /['`]/, `${tag} ${name}: apostrophes are curved`);
      t.notMatch(text, /\s[.,،]/, `${tag} ${name}`);
      t.notMatch(text, /\be-(mail|post)/i, `${tag} ${name}: a hyphen that does not break the line (U+2011)`);
    }
  }
});

t.test('no words for recipients stand elsewhere', async (t) => {
  const read = (path: string) => readFileSync(new URL(path, ROOT), 'utf8').replace(/^\s*(\/\/|\*|\/\*\*).*$/gm, '');
  const sentences = Object.values(en).map((text) => text.replace(/\{\w+\}/g, '').trim());
  const files = globSync('src/{recipient,mail,html,http}/**/*.ts', { cwd: ROOT }).filter(
    (path) => !path.endsWith('member-email.ts'),
  );
  t.ok(files.length > 20);
  for (const path of files) {
    const text = read(path);
    for (const sentence of sentences) {
      // Only a whole text counts, because messages of the API may begin with the same words.
      if (sentence.length > 12) t.notOk(/^['"`<]/.test(text.split(sentence)[1] ?? ''), `${path}: ${sentence}`);
    }
    // These patterns look like words between tags or in a quoted sentence.
    if (/^src\/(recipient|mail\/(render|html|texts))/.test(path)) {
      t.notMatch(text, />[A-Z][a-z]+[ <]/, path);
      t.notMatch(text, /'[A-Z][^'\n]* [^'\n]*[.!?]'(?!\))/, path);
    }
  }
});

t.test('the defaults of the tables are those that are said in each language', async (t) => {
  const { sql } = await createTestDatabase(t);
  const [row] = await sql`
    select
      (select pg_get_expr(d.adbin, d.adrelid) from pg_attrdef as d where d.adrelid = 'invite.trigger_tokens'::regclass
        and d.adnum = (select attnum from pg_attribute where attrelid = d.adrelid and attname = 'default_message')) as message,
      (select pg_get_expr(d.adbin, d.adrelid) from pg_attrdef as d where d.adrelid = 'invite.surveys'::regclass
        and d.adnum = (select attnum from pg_attribute where attrelid = d.adrelid and attname = 'questions')) as questions`;
  const [values] = await sql.unsafe(`select ${row?.message} as message, ${row?.questions} as questions`);
  t.equal(translateDefault(values?.message, 'de'), LANGUAGES.de.defaultMessage);
  const [score, comment] = values?.questions ?? [];
  t.same(
    [score.label, score.min_label, score.max_label, comment.label].map((text) => translateDefault(text, 'nb')),
    [LANGUAGES.nb.recommend, LANGUAGES.nb.leastLikely, LANGUAGES.nb.mostLikely, LANGUAGES.nb.mainReason],
  );
  t.equal(translateDefault('Our own words', 'de'), undefined);
});

t.test('readers of any language get the one of ours that they read best, or none', async (t) => {
  for (const [tag, known] of [
    ['de', 'de'],
    ['de-AT', 'de'],
    ['de-Latn-CH-1996', 'de-CH'],
    ['de-Latn-AT-1996', 'de'],
    ['pt', 'pt'],
    ['pt-BR', 'pt'],
    ['pt-PT', 'pt-PT'],
    ['pt-AO', 'pt-PT'],
    ['no', 'nb'],
    ['nn-NO', 'nb'],
    ['nb-NO', 'nb'],
    ['ar-EG', 'ar'],
    ['en-GB', 'en'],
    ['zh', 'zh-Hans'],
    ['zh-CN', 'zh-Hans'],
    ['zh-TW', 'zh-Hant'],
    ['zh-HK', 'zh-Hant'],
    ['fr-CA', 'fr-CA'],
    ['fr-BE', 'fr'],
    ['es-MX', 'es-419'],
    ['es-ES', 'es'],
    ['es-GQ', 'es'],
    ['es', 'es'],
    ['de-LI', 'de-CH'],
    ['gsw', 'de-CH'],
    ['ca', 'es'],
    ['br', 'fr'],
    ['arz', 'ar'],
    ['cy', 'en'],
    ['sr-Latn', undefined],
    ['sv-FI', 'sv'],
    ['ro', 'ro'],
    ['iw-IL', 'he'],
    ['vi-VN', 'vi'],
    ['th-TH', 'th'],
    ['in-ID', 'id'],
    ['ms', 'id'],
    ['hi-IN', 'hi'],
    ['mr', 'hi'],
    ['ru-KZ', 'ru'],
    ['kk', 'ru'],
    ['uk-UA', 'uk'],
    ['bg', undefined],
    ['den', undefined],
    ['xx', undefined],
  ] as const)
    t.equal(knownLanguage(tag), known, tag);
});

t.test("the recipient's language comes first, then the request's, the survey's, and English", async (t) => {
  t.equal(languageOf('de', 'fr', 'es'), 'de');
  t.equal(languageOf('xx', 'fr', 'es'), 'fr');
  t.equal(languageOf(null, null, 'es'), 'es');
  t.equal(languageOf(null, 'xx', 'bg'), 'en');
});

t.test('a browser gets what it wants most of what there is', async (t) => {
  for (const [header, language] of [
    ['de-AT,de;q=0.9,en;q=0.8', 'de'],
    ['bg, fr;q=0.5, it;q=0.9', 'it'],
    ['de;q=0, nl;q=0.1', 'nl'],
    ['*', 'en'],
    ['', 'en'],
    [undefined, 'en'],
    [';;;,q=1,=,', 'en'],
    [`${'x'.repeat(10_000)},de`, 'en'],
  ] as const)
    t.equal(acceptedLanguage(header), language, String(header?.slice(0, 40)));
});

t.test('numbers and directions are those of the language', async (t) => {
  t.match(speak('de').say('tooLong', { max: 10_000 }), '10.000');
  t.match(speak('fr').say('tooLong', { max: 10_000 }), /10[\u202f\u00a0]000/);
  t.match(speak('en').say('tooLong', { max: 10_000 }), '10,000');
  t.same(
    LANGUAGE_TAGS.filter((tag) => directionOf(tag) === 'rtl'),
    ['ar', 'he'],
  );
  const b = speak('ar').put('emailReason', { workspace: '<Acme>' }).toString();
  t.match(b, '<bdi>&#60;Acme&#62;</bdi>', 'a name keeps its own direction');
  t.match(speak('de').put('emailReason', { workspace: '{link}' }).toString(), 'weil {link} Sie', 'a value is not expanded again');
});
