// The arrows of the design: which part may import which, and where SQL functions may be named.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import t from 'tap';

const ROOT = new URL('../', import.meta.url).pathname;
/** Lines of a source file at the most; most are under 200. */
const MAX_LINES = 200;

interface Arrow {
  readonly from: string;
  /** A file of ours by its path from the root, or a package's name. */
  readonly to: string;
  readonly typeOnly: boolean;
}

const filesOf = (folder: string): string[] =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => join(folder, file));

const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8');
const files = [...filesOf('src'), ...filesOf('tasks')];

function arrowsOf(file: string): Arrow[] {
  const statements = read(file).matchAll(/^(?:import|export)\s(?:(type\s)?([^'";]*?)\sfrom\s)?'([^']+)'/gm);
  const dynamic = read(file).matchAll(/\bimport\(()()'([^']+)'\)/g);
  return [...statements, ...dynamic].map(([, type, names = '', to = '']) => {
    const named = /^\{(.*)\}$/s.exec(names)?.[1]?.split(',') ?? [];
    const typeOnly = Boolean(type) || (named.length > 0 && named.every((name) => /^\s*(type\s|$)/.test(name)));
    return { from: file, to: to.startsWith('.') ? join(dirname(file), to) : to, typeOnly };
  });
}

const arrows = files.flatMap(arrowsOf);
const ours = arrows.filter(({ to }) => files.includes(to));
const shown = (some: Arrow[]) => some.map(({ from, to }) => `${from} → ${to}`);

t.test('this test sees the imports', async (t) => {
  t.ok(shown(ours).includes('src/cli.ts → src/commands/run.ts'), 'a plain one');
  t.ok(
    ours.some(({ from, to, typeOnly }) => from === 'tasks/send_invitations.ts' && to === 'src/tasks.ts' && typeOnly),
    'one of a type',
  );
  t.ok(
    ours.some(({ from, to, typeOnly }) => from === 'src/relay/mailpit.ts' && to === 'src/relay/relay.ts' && !typeOnly),
    'one over several names, of which some are types',
  );
  const relative = arrows.filter(({ to }) => /^(src|tasks|test|sql)\//.test(to));
  t.same(shown(relative.filter((arrow) => !ours.includes(arrow))), [], 'every path leads to a file');
});

/** Pairs of patterns: what the first matches must not import what the second matches. */
const forbidden: [what: string, from: RegExp, to: RegExp, typesToo: boolean][] = [
  [
    'errors, log, the list of metrics, rules, secret and setting import nothing of ours',
    /^src\/(errors|log|metric-list|rules|secret|setting)\.ts$/,
    /^(src|tasks)\//,
    true,
  ],

  ['metrics imports its list and nothing else of ours', /^src\/metrics\.ts$/, /^(src\/(?!metric-list\.ts)|tasks\/)/, true],
  ['config imports the kinds of settings and nothing else of ours', /^src\/config\.ts$/, /^(src\/(?!setting\.ts)|tasks\/)/, true],
  ['a relay knows nothing of the database', /^src\/relay\//, /^src\/(?!relay\/)/, true],
  ['mail only takes types from elsewhere', /^src\/mail\//, /^src\/(?!mail\/)/, false],
  ['mail knows nothing but functions and relay by type', /^src\/mail\//, /^src\/(?!mail\/|functions\.ts|relay\/relay\.ts)/, true],
  [
    'HTTP knows nothing of worker, delivery and relays, but of the events that relays report',
    /^src\/http\//,
    /^src\/(worker|delivery|outbox|embedded|relay\/(?!events\/)|commands\/|cli)/,
    true,
  ],
  ['pages know nothing of HTTP and the database', /^src\/pages\//, /^src\/(http\/|database|worker|delivery|commands\/)/, true],
  ['tasks only take types', /^tasks\//, /^src\//, false],
  ['nothing but the list of tasks imports tasks', /^src\/(?!tasks\.ts)/, /^tasks\//, true],
  ['nothing but the command line imports commands', /^src\/(?!cli\.ts|commands\/)/, /^src\/(commands\/|cli)/, true],
  ['only database and migrate import the database driver', /^(?!src\/database\.ts)/, /^postgres$/, true],
  ['only the sender imports the HTTP client', /^(?!src\/relay\/sender\.ts)/, /^undici$/, true],
  ['only metrics imports the metrics library', /^(?!src\/metrics\.ts)/, /^prom-client$/, true],
  ['only SMTP and the outbox import nodemailer', /^src\/(?!relay\/smtp\.ts|outbox\.ts)/, /^nodemailer/, true],
  [
    'only worker, migrate and tasks import graphile-worker',
    /^src\/(?!worker\.ts|tasks\.ts|migrate\.ts)/,
    /^graphile-worker$/,
    true,
  ],
];

for (const [what, from, to, typesToo] of forbidden) {
  t.test(`an arrow points one way: ${what}`, async (t) => {
    t.ok(
      files.some((file) => from.test(file)),
      'there is something to look at',
    );
    t.same(shown(arrows.filter((arrow) => from.test(arrow.from) && to.test(arrow.to) && (typesToo || !arrow.typeOnly))), []);
  });
}

t.test('no import leads back to where it came from', async (t) => {
  const next = Map.groupBy(
    ours.filter(({ typeOnly }) => !typeOnly),
    ({ from }) => from,
  );
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

t.test('only functions.ts with its parts and migrate.ts name what is in the schema', async (t) => {
  const naming = files.filter((file) => /\b(invite|graphile_worker)\.[a-z_]+/.test(read(file)));
  t.same(naming.sort(), [
    'src/functions.ts',
    'src/invitation-functions.ts',
    'src/management.ts',
    'src/member-functions.ts',
    'src/migrate.ts',
    'src/result-functions.ts',
    'src/token-functions.ts',
  ]);
});

t.test('a task is under thirty lines, and no source file is long', async (t) => {
  for (const file of files) {
    const lines = read(file).split('\n').length - 1;
    t.ok(lines <= (file.startsWith('tasks/') ? 30 : MAX_LINES), `${file} has ${lines} lines`);
  }
});

t.test('a source file says first what it is', async (t) => {
  for (const file of files) t.match(read(file), /^(#!.*\n)?\/\/ \S/, file);
});
