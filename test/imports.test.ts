// The arrows of the design: which part may import which, and where SQL functions may be named.
import { existsSync, readdirSync } from 'node:fs';
import t from 'tap';
import { type Arrow, arrowsOf, filesOf, read } from './runner/graph.ts';

const files = filesOf('src', 'tasks');

const arrows = files.flatMap(arrowsOf);
const ours = arrows.filter(({ to }) => files.includes(to));
const shown = (some: Arrow[]) => some.map(({ from, to }) => `${from} → ${to}`);

t.test('this test sees the imports', async (t) => {
  t.ok(shown(ours).includes('src/cli.ts → src/commands/start.ts'), 'a plain one');
  t.ok(
    ours.some(({ from, to, typeOnly }) => from === 'tasks/send_invitations.ts' && to === 'src/worker/delivery.ts' && typeOnly),
    'one of a type',
  );
  t.ok(
    ours.some(({ from, to, typeOnly }) => from === 'src/relay/mailpit.ts' && to === 'src/relay/relay.ts' && !typeOnly),
    'one over several names, of which some are types',
  );
  const relative = arrows.filter(({ to }) => /^(src|tasks|test|sql)\//.test(to));
  t.same(shown(relative.filter((arrow) => !ours.includes(arrow) && !existsSync(arrow.to))), [], 'every path leads to a file');
});

/** Pairs of patterns: what the first matches must not import what the second matches, types included. */
const forbidden: [what: string, from: RegExp, to: RegExp][] = [
  [
    'errors, log, metrics, constraint messages, secret, text and config import nothing of ours',
    /^src\/(errors|log|metrics|constraint-messages|secret|text|config)\.ts$/,
    /^(src|tasks)\//,
  ],
  ['the database knows errors, and no room', /^src\/database\//, /^(src\/(?!database\/|errors\.ts)|tasks\/)/],
  ['a relay knows no other room', /^src\/relay\//, /^src\/(?!relay\/|secret\.ts|text\.ts)/],
  [
    'mail knows records of the database, messages of the relay, languages and the HTML tag',
    /^src\/mail\//,
    /^src\/(?!mail\/|database\/|relay\/relay\.ts|languages\/|html\/(html|accent|logo)\.ts|secret\.ts|text\.ts)/,
  ],
  ['languages know only the HTML tag', /^src\/languages\//, /^src\/(?!languages\/|html\/html\.ts)/],
  ['HTML knows no other room', /^src\/html\//, /^src\/(?!html\/)/],
  ['only commands import the server, which mounts the rooms', /^(?!src\/commands\/)/, /^src\/server\.ts$/],
  ['the HTTP kit knows no room', /^src\/http\//, /^src\/(trigger|console|recipient|relay-events|relay|mail)\//],
  ['the relay events know no other web room', /^src\/relay-events\//, /^src\/(console|trigger|recipient|html)\//],
  ['the trigger knows no other web room', /^src\/trigger\//, /^src\/(console|recipient|relay-events|html)\//],
  ['the recipient pages know no other web room', /^src\/recipient\//, /^src\/(console|trigger|relay-events)\//],
  [
    'a web room knows nothing of the worker',
    /^src\/(http|trigger|console|recipient|relay-events|html)\//,
    /^src\/(worker|dev|commands|cli)\b/,
  ],
  ['the worker knows no web room', /^src\/worker\//, /^src\/(http|trigger|console|recipient|relay-events|html)\//],
  ['a view knows nothing of HTTP and of connections', /-view\.ts$/, /^src\/(http\/|database\/(pool|migrate))/],
  ['nothing but the list of tasks imports tasks', /^src\/(?!worker\/tasks\.ts)/, /^tasks\//],
  ['routers know only the database', /^src\/cells\//, /^src\/(?!cells\/|database\/|errors\.ts)/],
  ['only commands make routers', /^src\/(?!commands\/|cells\/)/, /^src\/cells\//],
  ['only commands check', /^src\/(?!commands\/|check\/)/, /^src\/check\//],
  ['nothing but the command line imports commands', /^src\/(?!cli\.ts|commands\/)/, /^src\/(commands\/|cli)/],
  ['only the pool imports the database driver', /^(?!src\/database\/pool\.ts)/, /^postgres$/],
  ['only what sends imports the HTTP client', /^(?!src\/(relay\/http|events\/webhook)-sender\.ts)/, /^undici$/],
  ['only metrics imports the metrics library', /^(?!src\/metrics\.ts)/, /^prom-client$/],
  ['only SMTP and the outbox import nodemailer', /^src\/(?!relay\/smtp-sender\.ts|dev\/outbox\.ts)/, /^nodemailer/],
  [
    'only the worker and the migrator import graphile-worker',
    /^src\/(?!worker\/(runner|tasks)\.ts|database\/migrate\.ts)/,
    /^graphile-worker$/,
  ],
];

for (const [what, from, to] of forbidden) {
  t.test(`an arrow points one way: ${what}`, async (t) => {
    t.ok(
      files.some((file) => from.test(file)),
      'there is something to look at',
    );
    t.same(shown(arrows.filter((arrow) => from.test(arrow.from) && to.test(arrow.to))), []);
  });
}

t.test('no import leads back to where it came from, nor does one of a type', async (t) => {
  const next = Map.groupBy(ours, ({ from }) => from);
  const done = new Set<string>();
  const circles: string[] = [];
  const walk = (file: string, path: string[]): void => {
    if (path.includes(file)) circles.push([...path.slice(path.indexOf(file)), file].join(' → '));
    if (done.has(file) || path.includes(file)) return;
    for (const { to } of next.get(file) ?? []) walk(to, [...path, file]);
    done.add(file);
  };
  for (const file of files) walk(file, []);
  t.same(circles, []);
});

t.test('only the rooms of the database and of routers name what is in the schemas', async (t) => {
  const naming = files.filter((file) => /\b(invite|console|graphile_worker)\.[a-z]+_[a-z_]+/.test(read(file)));
  const elsewhere = naming.filter((file) => !/^src\/(database|cells)\//.test(file));
  t.strictSame(elsewhere, []);
  t.ok(naming.length > elsewhere.length, 'and it does');
});

t.test('a task is under thirty lines', async (t) => {
  for (const file of filesOf('tasks')) {
    const lines = read(file).split('\n').length - 1;
    t.ok(lines <= 30, `${file} has ${lines} lines`);
  }
});

t.test('a source file says first what it is', async (t) => {
  for (const file of files) t.match(read(file), /^(#!.*\n)?\/\/ \S/, file);
});

t.test('no script of a page has the name that a module gets in the package', async (t) => {
  const names = readdirSync('src', { recursive: true, encoding: 'utf8' });
  const scripts = names.filter((name) => name.endsWith('.js'));
  t.ok(scripts.length > 0);
  t.same(
    scripts.filter((name) => names.includes(name.replace(/js$/, 'ts'))),
    [],
  );
});
