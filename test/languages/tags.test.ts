// Language tags: their spelling, which language a reader reads best, directions. The table behind it is what CLDR says.
import { readFileSync } from 'node:fs';
import t from 'tap';
import { canonicalTag, directionOf, nearestTag } from '../../src/languages/tags.ts';
import { asText, FILE } from '../fixtures/tags.ts';

t.test('the table is what this version of CLDR and our exceptions make of it: npm run -s languages', async (t) => {
  t.ok(readFileSync(FILE, 'utf8') === asText());
});

t.test('a tag is read as people write it, and nothing else is one', async (t) => {
  for (const [text, tag] of [
    ['de', 'de'],
    ['pt_br', 'pt-BR'],
    [' EN-us ', 'en-US'],
    ['zh-hant-TW', 'zh-Hant-TW'],
    ['iw', 'he'],
    ['', undefined],
    ['de-', undefined],
    ['e', undefined],
    ['de DE', undefined],
    ['de\u0000', undefined],
    [`de-${'x'.repeat(40)}`, undefined],
    ['zh-Hant-TW-u-ca-islamicc-nu-hanidec', undefined], // 40 in its usual spelling
    [undefined, undefined],
  ] as const)
    t.equal(canonicalTag(text), tag, String(text));
});

t.test(
  'readers get the variant of their region, else their language in their script, else one that they also read',
  async (t) => {
    for (const [tag, available, nearest] of [
      ['de-AT', ['de', 'fr'], 'de'],
      ['de-LI', ['de', 'de-CH'], 'de-CH'],
      ['pt-PT', ['pt-BR', 'pt'], 'pt'],
      ['pt-BR-x-own', ['pt', 'pt-BR'], 'pt-BR'],
      ['pt-PT', ['pt-BR', 'de'], 'pt-BR'],
      ['pt-MZ', ['pt', 'pt-PT'], 'pt-PT'],
      ['pt-Latn-PT', ['pt', 'pt-PT'], 'pt-PT'],
      ['es-MX', ['es', 'es-419'], 'es-419'],
      ['es-ES', ['es-419', 'es'], 'es'],
      ['en-AU', ['en', 'en-GB'], 'en-GB'],
      ['en-US', ['en-GB', 'en'], 'en'],
      ['en', ['en-GB', 'en-US'], 'en-US'],
      ['zh-TW', ['zh', 'zh-Hans', 'zh-Hant'], 'zh-Hant'],
      ['zh-HK', ['zh', 'zh-TW'], 'zh-TW'],
      ['zh-Hant', ['zh-CN', 'zh-TW'], 'zh-TW'],
      ['zh-CN', ['zh-Hant', 'zh'], 'zh'],
      ['zh', ['zh-Hant'], 'zh-Hant'],
      ['sr-Latn', ['sr-Cyrl', 'sr-Latn-RS'], 'sr-Latn-RS'],
      ['sr-ME', ['sr', 'sr-Latn'], 'sr-Latn'],
      ['sr-Latn', ['sr-Cyrl', 'en'], 'sr-Cyrl'],
      ['no', ['sv', 'nb-NO'], 'nb-NO'],
      ['nb', ['da', 'no'], 'no'],
      ['nn-NO', ['nb', 'nn'], 'nn'],
      ['nn-NO', ['nb', 'da'], 'nb'],
      ['da', ['en', 'nb'], 'nb'],
      ['ca', ['en', 'es'], 'es'],
      ['gsw', ['de', 'de-CH'], 'de-CH'],
      ['br', ['en', 'fr'], 'fr'],
      ['rm', ['en', 'de'], 'de'],
      ['ckb', ['en', 'ar'], 'ar'],
      ['arz', ['en', 'ar'], 'ar'],
      ['in', ['en', 'id'], 'id'],
      ['de-DE-1996', ['en', 'de'], 'de'],
      ['xx', ['en', 'de'], undefined],
      ['den', ['en', 'de'], undefined],
      ['ro', ['de', 'fr'], undefined],
    ] as const)
      t.equal(nearestTag(tag, [...available]), nearest, `${tag} of ${available}`);
  },
);

t.test('a direction is that of the script, which a region may change', async (t) => {
  const rtl = ['ar', 'he-IL', 'fa-AF', 'ckb', 'pa-PK', 'uz-AF', 'ks', 'az-IR', 'arz', 'az-Arab', 'pa-Arab-PK', 'yi', 'dv'];
  t.same(rtl.map(directionOf), Array(rtl.length).fill('rtl'));
  const ltr = ['az', 'sd-Deva', 'ar-Latn-EG', 'pa', 'uz', 'en', 'xx', 'no tag'];
  t.same(ltr.map(directionOf), Array(ltr.length).fill('ltr'));
});
