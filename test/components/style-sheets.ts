// Which classes the style sheets have.
import { readdirSync, readFileSync } from 'node:fs';

const SRC = new URL('../../src/', import.meta.url).pathname;

/** Their files, below src/. */
export const SHEETS: readonly string[] = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter((file) =>
  file.endsWith('.css'),
);

export const readSheet = (file: string): string => readFileSync(SRC + file, 'utf8');

export const classesIn = (file: string): string[] => {
  const rules = readSheet(file).replaceAll(/\/\*.*?\*\/|"[^"]*"/gs, '');
  return [...new Set([...rules.matchAll(/\.([a-z][\w-]*)/gi)].map(([, name = '']) => name))];
};

/** The classes of which a style sheet says: `Not on the page Components, because …: .this, .that.` */
export const notOnComponents = (): string[] =>
  SHEETS.flatMap((file) =>
    [...readSheet(file).matchAll(/Not on the page Components, because [^:]+:([^*]+)/g)].flatMap(([, names = '']) =>
      [...names.matchAll(/\.([a-z][\w-]*)/gi)].map(([, name = '']) => name),
    ),
  );
