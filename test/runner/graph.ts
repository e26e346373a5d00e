// Which of our files needs which: imports, types included, and scripts that are started by their path.
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

export const ROOT = new URL('../../', import.meta.url).pathname;

export interface Arrow {
  readonly from: string;
  /** A file of ours by its path from the root, or a package's name. */
  readonly to: string;
  readonly typeOnly: boolean;
}

export const filesOf = (...folders: string[]): string[] =>
  globSync(
    folders.map((folder) => `${folder}/**/*.ts`),
    { cwd: ROOT },
  );

export const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8');

export function arrowsOf(file: string): Arrow[] {
  const text = read(file);
  const statements = text.matchAll(/^(?:import|export)\s(?:(type\s)?([^'";]*?)\sfrom\s)?'([^']+)'/gm);
  const dynamic = text.matchAll(/\bimport\(()()'([^']+)'\)/g);
  return [...statements, ...dynamic].map(([, type, names = '', to = '']) => {
    const named = /^\{(.*)\}$/s.exec(names)?.[1]?.split(',') ?? [];
    const typeOnly = Boolean(type) || (named.length > 0 && named.every((name) => /^\s*(type\s|$)/.test(name)));
    return { from: file, to: to.startsWith('.') ? join(dirname(file), to) : to, typeOnly };
  });
}

/** What a file names by `new URL('…', import.meta.url)`: a script that it starts, a page's style, a document. */
function namedBy(file: string): string[] {
  const names = [...read(file).matchAll(/new URL\('([^'$]+)', import\.meta\.url\)/g)].map(([, name = '']) =>
    join(dirname(file), name),
  );
  return names.filter((name) => existsSync(join(ROOT, name)));
}

const needed = new Map<string, readonly string[]>();

/** The files of ours that a file imports or starts itself. */
export function needsOf(file: string): readonly string[] {
  const known = needed.get(file);
  if (known !== undefined) return known;
  const found =
    file.endsWith('.ts') && existsSync(join(ROOT, file)) ? [...arrowsOf(file).map(({ to }) => to), ...namedBy(file)] : [];
  needed.set(file, found);
  return found;
}

/** Whether a file needs another, directly or through others. @param through Where the way may lead. */
export function reaches(file: string, target: string, through: (file: string) => boolean = () => true): boolean {
  const seen = new Set([file]);
  for (const one of seen) {
    if (one === target) return true;
    if (one !== file && !through(one)) continue;
    for (const next of needsOf(one)) seen.add(next);
  }
  return false;
}
