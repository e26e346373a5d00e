// Which tests a change touches: through the imports, and through the names of SQL functions and views, of the store's calls, of tasks and of
// documents. It may miss one; the whole suite doesn't.
import { execFileSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { basename } from 'node:path';
import { filesOf, ROOT, reaches, read } from './graph.ts';

/** Nearly every test needs these, and they need nearly every file: a way through them says nothing. */
const HUBS = ['src/database/store.ts', 'src/cli.ts', 'src/server.ts'];
const isNoHub = (file: string): boolean => !HUBS.includes(file) && !file.startsWith('src/database/');
/** What all depends on. */
const EVERYTHING = /^(package(-lock)?\.json|tsconfig\.json|Makefile|patches\/)/;
const WITH_A_DATABASE =
  /^sql\/(?!functions\/|views\/|console\/|README|schema)|^src\/database\/(definitions|migrate|pool|mapping)\.ts$/;

/** The files that differ from main, whether or not they are committed. */
export function changedFiles(root: string): string[] {
  const git = (...words: string[]) => execFileSync('git', words, { cwd: root, encoding: 'utf8' }).split('\n').filter(Boolean);
  return [
    ...new Set([...git('diff', '--name-only', '--merge-base', 'main'), ...git('ls-files', '--others', '--exclude-standard')]),
  ];
}

/** Those of the tests that changes of these files touch, in the tests' order. */
export function affectedBy(changed: readonly string[], tests: readonly string[]): string[] {
  if (changed.some((file) => EVERYTHING.test(file))) return [...tests];
  const touched = changed.map(testsOf(tests));
  return tests.filter((test) => touched.some((matches) => matches(test)));
}

const testsOf =
  (tests: readonly string[]) =>
  (file: string): ((test: string) => boolean) => {
    if (tests.includes(file)) return (test) => test === file;
    if (WITH_A_DATABASE.test(file)) return (test) => reaches(test, 'test/fixtures/setup.ts');
    const names = namesOf(file);
    const sources = filesOf('src', 'tasks').filter((source) => source !== file && mentions(source, names));
    // A store's file is reached by the names of its calls alone.
    const targets = [file, ...sources.filter((source) => !source.startsWith('src/database/'))];
    return (test) => isOfTheRoom(test, file) || mentions(test, names) || targets.some((target) => reaches(test, target, isNoHub));
  };

/** The tests of a part stand in a folder of its name, or in a file beside it. */
function isOfTheRoom(test: string, file: string): boolean {
  const [, room = ''] = /^src\/([\w-]+)(?:\/|\.ts$)/.exec(file) ?? [];
  return room !== '' && room !== 'database' && (test.startsWith(`test/${room}/`) || test === `test/${room}.test.ts`);
}

/** How others refer to what is in a file; undefined: by its path alone. */
function namesOf(file: string): RegExp | undefined {
  const names = referencesTo(file);
  return names.length === 0 ? undefined : new RegExp(names.join('|'));
}

function referencesTo(file: string): string[] {
  if (file.endsWith('.sql')) return sqlReferencesTo(file);
  if (file.startsWith('src/database/')) return callsOf(read(file)).map(called);
  if (file.startsWith('tasks/')) return [`\\b${basename(file, '.ts')}\\b`];
  if (!file.endsWith('.md')) return [];
  const folder = file.slice(0, file.lastIndexOf('/') + 1);
  return [file.replaceAll('.', '\\.'), `'${folder}\\*\\.md'`];
}

const called = (call: string): string => `\\.${call}\\b`;

const mentions = (file: string, names: RegExp | undefined): boolean => names?.test(read(file)) ?? false;

/** The calls of the store in a file. */
const callsOf = (text: string): string[] => [...text.matchAll(/^ {4}(?:async )?(\w+)(?=: |\()/gm)].map(([, name = '']) => name);

/** The objects of a file, of all SQL that uses them directly or through others, and the store's calls of those. */
function sqlReferencesTo(file: string): string[] {
  const objects = new Map(
    globSync('sql/{functions,views,console,triggers}/**/*.sql', { cwd: ROOT }).map((one) => [one, read(one)]),
  );
  const found = new Set(objectsOf(read(file)));
  for (const name of found) {
    const used = new RegExp(`\\b(?:invite|console)\\.${name}\\b`);
    for (const text of objects.values()) if (used.test(text)) for (const other of objectsOf(text)) found.add(other);
  }
  const anywhere = new RegExp(`\\b(?:invite|console)\\.(?:${[...found].join('|')})\\b`);
  const calls = filesOf('src/database').flatMap((source) =>
    // From one call to the next.
    read(source)
      .split(/^(?= {4}(?:async )?\w+(?:: |\())/m)
      .filter((part) => anywhere.test(part))
      .flatMap((part) => callsOf(part).slice(0, 1)),
  );
  return [...[...found].map((name) => `\\b(?:invite|console)\\.${name}\\b`), ...[...new Set(calls)].map(called)];
}

const objectsOf = (text: string): string[] =>
  [...text.matchAll(/create (?:or replace )?(?:function|view) (?:invite|console)\.(\w+)/g)].map(([, name = '']) => name);
