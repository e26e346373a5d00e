// The style sheets: each file is loaded by pages, or is a part of those that are.
import { basename, dirname, join } from 'node:path';
import t from 'tap';
import { ASSETS } from '../../src/html/assets.ts';
import { readSheet, SHEETS } from '../components/style-sheets.ts';

const imported = SHEETS.flatMap((file) =>
  [...readSheet(file).matchAll(/@import "([^"]+)";/g)].map(([, part = '']) => join(dirname(file), part)),
);

t.test('each style sheet is loaded by pages, or imported', async (t) => {
  t.ok(imported.includes('console/results/results.css'), 'this test sees the imports');
  t.same(
    SHEETS.filter((file) => imported.includes(file) === ASSETS.has(basename(file))),
    [],
  );
});

t.test('what is served has all that it imports, without what browsers don’t need', async (t) => {
  const css = String(ASSETS.get('console.css')?.body);
  for (const part of ['.side{', '.responses .sub{', '@media print{', 'content:"/" / ""'])
    t.ok(css.replaceAll(': ', ':').includes(part), part);
  t.notMatch(css, /@import|\/\*|\n/);
});
