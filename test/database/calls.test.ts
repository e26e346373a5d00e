// The web server names functions alone, so that another PostgreSQL can stand between it and its databases. test/sql/roles.test.ts holds that its role
// has no right on a table or view: whatever names one fails.
import t from 'tap';
import { filesOf, needsOf, read } from '../runner/graph.ts';

/** A table or view in a statement: no parenthesis follows its name. */
const RELATION = /\b(?:from|join|into|update|using)\s+(?:invite|console|graphile_worker)\.\w+(?![\w(])/;

/** Each call of the store with its text. */
const calls = filesOf('src/database').flatMap((file) =>
  [...read(file).matchAll(/^export function (\w+Calls)\([\s\S]*?^}$/gm)].flatMap(([text, group = '']) =>
    text
      .split(/\n(?= {4}(?:async )?\w+(?:: |\())/)
      .slice(1)
      .map((text) => ({ group, name: /^ {4}(?:async )?(\w+)/.exec(text)?.[1] ?? '', text })),
  ),
);
const naming = calls.filter(({ text }) => RELATION.test(text));

/** What `serve` runs. */
const server = new Set(['src/server.ts']);
for (const file of server) for (const next of needsOf(file)) if (next.endsWith('.ts')) server.add(next);

t.test('this test sees the calls, and those that name a table or view', async (t) => {
  t.ok(calls.length > 200);
  t.ok(calls.every(({ name }) => name !== ''));
  t.ok(
    naming.some(({ name }) => name === 'findBatch'),
    'those of the command line, which runs as another role',
  );
  t.ok(naming.length < calls.length / 4);
  t.ok(server.has('src/console/results/csv.ts') && !server.has('src/commands/start.ts'));
});

t.test('no call of a page names a table or view', async (t) => {
  t.same(
    naming.filter(({ group }) => group.startsWith('console')).map(({ name }) => name),
    [],
  );
});

t.test('the server uses no call that names a table or view', async (t) => {
  const names = naming.map(({ name }) => name).join('|');
  const used = [...server]
    .filter((file) => !file.startsWith('src/database/'))
    .flatMap((file) => {
      // Where a file has only the calls of pages, a name is that of such a call.
      const ofPages = [...read(file).matchAll(/Pick<ConsoleStore, ([^>]+)>/g)].map(([, picked = '']) => picked).join();
      return [...read(file).matchAll(new RegExp(`(?<!console)(?:\\.|')(${names})\\b`, 'g'))]
        .filter(([, name = '']) => !ofPages.includes(`'${name}'`))
        .map(([found]) => `${file}: ${found}`);
    });
  t.same(used, []);
});
