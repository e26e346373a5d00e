// The console's font: what its files are, how large they are, and which letters they have.
import { readFileSync } from 'node:fs';
import t from 'tap';
import { ASSETS } from '../../src/html/assets.ts';
import { LANGUAGES } from '../../src/languages/languages.ts';
import { FONTS, fontFile, LICENSE, makeFonts } from '../fixtures/font.ts';

t.test('the files are what the script writes', async (t) => {
  for (const [name, body] of Object.entries(await makeFonts()))
    t.ok(readFileSync(fontFile(name)).equals(body), `${name}: run npm run -s font`);
  t.match(readFileSync(fontFile(LICENSE), 'utf8'), /SIL Open Font License, Version 1\.1/);
});

t.test('they have at most 40 KB together', async (t) => {
  const bytes = Object.keys(FONTS).map((name) => ASSETS.get(name)?.body.length ?? Number.NaN);
  t.ok(bytes.reduce((sum, size) => sum + size) <= 40 * 1024, bytes.join(' + '));
});

const css = String(ASSETS.get('console.css')?.body);
const faces = [...css.matchAll(/@font-face{([^}]*)}/g)].map(([, face = '']) => face);
/** The ranges for which a style sheet takes a file. */
const rangesOf = (name: string): [number, number][] => {
  const face = faces.find((face) => face.includes(ASSETS.get(name)?.path ?? 'none')) ?? '';
  const ranges = /unicode-range: ([^;}]*)/.exec(face)?.[1]?.split(',') ?? [];
  return ranges.map((range) => {
    const [first = '', last = first] = range.slice(2).split('-');
    return [Number.parseInt(first, 16), Number.parseInt(last, 16)];
  });
};

t.test('each letter of a file is taken from it, and from no other', async (t) => {
  for (const [name, [, letters]] of Object.entries(FONTS)) {
    for (const letter of letters) {
      const code = letter.codePointAt(0) ?? 0;
      const taking = Object.keys(FONTS).filter((name) => rangesOf(name).some(([first, last]) => code >= first && code <= last));
      if (`${taking}` !== name) t.fail(`${letter} is taken from ${taking}`);
    }
  }
});

t.test('the languages in Latin letters need no other file', async (t) => {
  const letters = new Set(Object.values(FONTS).flatMap(([, letters]) => [...letters]));
  for (const [language, strings] of Object.entries(LANGUAGES)) {
    const missing = [...new Set(JSON.stringify(strings))].filter(
      (letter) => /\p{Script=Latin}/u.test(letter) && !letters.has(letter),
    );
    if (language !== 'vi') t.same(missing, [], language);
  }
});
