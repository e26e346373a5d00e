// The docs agree with the code: settings, error codes, relays, functions, file names and links.
import { existsSync, globSync, readdirSync, readFileSync, statSync } from 'node:fs';
import type { Command } from 'commander';
import t from 'tap';
import { createProgram } from '../src/cli.ts';
import { END_MS } from '../src/commands/service.ts';
import { CONDITION_WORDS } from '../src/conditions.ts';
import { SETTINGS } from '../src/config.ts';
import { REJECTED_OUTCOMES, SIGN_IN_MINUTES } from '../src/database/store.ts';
import { SHARES } from '../src/database/turns.ts';
import { ERROR_CODES, EXIT_CODES } from '../src/errors.ts';
import { CONCURRENCY } from '../src/events/webhook-sender.ts';
import { LANGUAGE_TAGS } from '../src/languages/languages.ts';
import { METRICS } from '../src/metrics.ts';
import { OUTAGE_OVER, OUTAGE_WORDS } from '../src/outage.ts';
import { RELAYS } from '../src/relay/registry.ts';
import { LOST_WORKERS } from '../src/worker/heartbeat.ts';
import { RELAY_WORDS } from '../src/worker/relay-log.ts';
import { EVENT_SOURCES } from './fixtures/relay-events.ts';
import { createTestDatabase } from './fixtures/setup.ts';

const ROOT = new URL('../', import.meta.url);
const DOCS = ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'sql/README.md', ...globSync('docs/*.md', { cwd: ROOT })];
const read = (path: string) => readFileSync(new URL(path, ROOT), 'utf8');
const { sql } = await createTestDatabase(t);

/** Returns the labels of an enum of the schema invite, in order. */
const valuesOf = async (type: string): Promise<string[]> =>
  (
    await sql<{ label: string }[]>`
      select enumlabel as label from pg_enum where enumtypid = ${`invite.${type}`}::regtype order by enumsortorder`
  ).map(({ label }) => label);

/** Returns the cells of the table rows that match a pattern. */
const rows = (text: string, pattern: RegExp) =>
  text
    .split('\n')
    .filter((line) => pattern.test(line))
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );

t.test('docs/languages.md names each language', async (t) => {
  const [, languages = ''] = /The service has texts in ([^.]+)\./.exec(read('docs/languages.md')) ?? [];
  t.same(
    languages
      .replace('and drafts in ', '')
      .split(/, | and /)
      .sort(),
    [...LANGUAGE_TAGS].sort(),
  );
});

t.test('README.md has each package that the service installs, and no other', async (t) => {
  const { dependencies, devDependencies } = JSON.parse(read('package.json')) as Record<string, Record<string, string>>;
  const table = read('README.md').split('## Dependencies')[1] ?? '';
  const listed = rows(table, /^\| `/);
  const names = listed.flatMap(([packages = '']) => [...packages.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name));
  const installed = Object.keys(dependencies ?? {});
  t.same(
    installed.filter((name) => !names.includes(name)),
    [],
    'a dependency needs its row, with the reason for it',
  );
  const others = names.filter((name) => !installed.includes(name));
  t.same(
    others.filter((name) => devDependencies?.[name] === undefined),
    [],
    'what is listed is installed',
  );
  for (const [packages, reason = ''] of listed) t.match(reason, /\w/, String(packages));
});

t.test('docs/operations.md has each setting with its default and meaning', async (t) => {
  const documented = rows(read('docs/operations.md'), /^\| `[A-Z_]+` \|/).map(([name, fallback, meaning]) => [
    name,
    fallback,
    meaning,
  ]);
  t.same(
    documented,
    Object.entries(SETTINGS).map(([name, setting]) => [
      `\`${name}\``,
      setting.default === '' ? '' : `\`${setting.default}\``,
      setting.meaning,
    ]),
  );
});

t.test(
  'docs/monitoring.md has each metric with its type, labels and meaning, each alert, and neither it nor the alerts name another metric',
  async (t) => {
    const text = read('docs/monitoring.md');
    const alerts = [...read('deploy/alerts.yaml').matchAll(/alert: (\w+)[\s\S]*?severity: (\w+)/g)];
    t.same(
      rows(text, /^\| `Invitation\w+` \|/).map(([name, severity]) => `${name} ${severity}`),
      alerts.map(([, name, severity]) => `\`${name}\` ${severity}`),
    );
    t.same(
      rows(text, /^\| `invitation_trigger_\w+` \|/),
      Object.entries(METRICS).map(([name, { type, labels, meaning }]) => [
        `\`${name}\``,
        type,
        labels.map((label) => `\`${label}\``).join(', '),
        meaning,
      ]),
    );
    const used = [...(text + read('deploy/alerts.yaml') + read('deploy/grafana.json')).matchAll(/invitation_trigger_\w+/g)];
    for (const [name] of used) t.ok(name.replace(/(?<=_seconds)_bucket$/, '') in METRICS, name);
    const { panels } = JSON.parse(read('deploy/grafana.json')) as { panels: { targets: { expr: string }[] }[] };
    const shown = panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)).join();
    const own = new Set(['invitation_trigger_worker_last_fetch_age_seconds', 'invitation_trigger_requeued_total']);
    for (const name of Object.keys(METRICS)) t.ok(own.has(name) || shown.includes(name), `the dashboard shows ${name}`);
  },
);

t.test('docs/monitoring.md has each line of the log about a condition, with its level, and each about emails', async (t) => {
  const text = read('docs/monitoring.md');
  const { noWorker, ...changes } = CONDITION_WORDS;
  const errors = [...Object.values(OUTAGE_WORDS), noWorker];
  const warnings = [OUTAGE_OVER, ...Object.values(RELAY_WORDS), ...Object.values(changes), LOST_WORKERS];
  t.same(
    rows(text, /\| [45]0 \|/)
      .map(([line, level]) => `${level} ${line}`)
      .sort(),
    [...warnings.map((line) => `40 ${line}`), ...errors.map((line) => `50 ${line}`)].sort(),
  );
  const said = [...read('src/worker/delivery-log.ts').matchAll(/return [^;]*;|log\.info\(.*\);/g)].join();
  const ofEmails = [...new Set(said.match(/(?<=')emails [^']+/g))].filter((line) => line !== 'emails given back, not started');
  t.ok(ofEmails.length >= 6);
  for (const line of ofEmails) t.match(text, `| ${line} |`);
});

t.test('docs/http-api.md has each error code with its status', async (t) => {
  const documented = rows(read('docs/http-api.md'), /^\| [45]\d\d \| `/).map(([status, code]) => [
    code?.replaceAll('`', ''),
    Number(status),
  ]);
  t.same(Object.fromEntries(documented), ERROR_CODES);
});

t.test('docs/operations.md has each exit code', async (t) => {
  const [codes = [], kinds = []] = rows(read('docs/operations.md'), /^\| (1 \||`internal`)/);
  t.same(Object.fromEntries(kinds.map((kind, index) => [/^`(\w+)`/.exec(kind)?.[1], Number(codes[index])])), EXIT_CODES);
});

t.test('what SQL refuses is an error code, and the TypeScript list is the SQL type', async (t) => {
  for (const refusal of REJECTED_OUTCOMES) t.ok(refusal in ERROR_CODES, refusal);
  t.same(await valuesOf('trigger_outcome'), ['accepted', ...REJECTED_OUTCOMES]);
});

t.test('docs/pages.md has the lifetime of a sign-in link', async (t) => {
  t.match(read('docs/pages.md'), `expires in ${SIGN_IN_MINUTES} minutes`);
});

t.test('docs/relays.md has each adapter with its address and capabilities', async (t) => {
  const documented = rows(read('docs/relays.md'), /^\| `\w+` \| `POST/).map(([name, api, ...capabilities]) => [
    name,
    /at `([^`]+)`/.exec(api ?? '')?.[1],
    ...capabilities.slice(0, 3),
  ]);
  t.same(
    documented,
    Object.entries(RELAYS).map(
      ([
        name,
        {
          adapter: { defaultUrl, maxBatch, idempotency, listUnsubscribe },
        },
      ]) => [`\`${name}\``, defaultUrl, String(maxBatch), `\`${idempotency}\``, `\`${listUnsubscribe}\``],
    ),
  );
});

t.test('docs/relays.md has each webhook, and each type of event', async (t) => {
  const namesIn = (pattern: RegExp) => rows(read('docs/relays.md'), pattern).map(([name]) => /`(\w+)`/.exec(name ?? '')?.[1]);
  const described = namesIn(/^\| `\w+` \|(?! `POST).*\| `?(the|user|a )/);
  t.same(described.sort(), Object.keys(EVENT_SOURCES).sort());
  t.same(
    namesIn(/^\| `(hard_bounce|soft_bounce|complaint|unsubscribe|delivered)`/).sort(),
    (await valuesOf('relay_event_type')).sort(),
  );
});

t.test('docs/relays.md has each relay that can be chosen', async (t) => {
  const documented = rows(read('docs/relays.md'), /^\| `\w+` \| (`POST|SMTP)/).map(([name]) => name?.replaceAll('`', ''));
  t.same(documented, [...Object.keys(RELAYS), 'smtp']);
  for (const name of documented) t.doesNotThrow(() => SETTINGS.RELAY.parse(name ?? ''));
});

t.test('docs/integration.md names functions that exist, with their parameters', async (t) => {
  const mentions = [...read('docs/integration.md').matchAll(/`invite\.(\w+)\(([^)`']*)\)`/g)];
  t.ok(mentions.length >= 8);
  for (const [, name = '', parameters = ''] of mentions) {
    const [known] = await sql<{ names: string[] }[]>`
      select proargnames as names from pg_proc where pronamespace = 'invite'::regnamespace and proname = ${name}`;
    t.same(parameters.split(', '), known?.names.slice(0, parameters.split(', ').length), name);
  }
});

t.test('the docs name tables, views, functions, types and roles that exist', async (t) => {
  const found = await sql<{ name: string }[]>`
    select n.nspname || '.' || o.name as name
    from pg_namespace as n
    join (
      select relnamespace as schema, relname as name from pg_class
      union all select pronamespace, proname from pg_proc
      union all select typnamespace, typname from pg_type
    ) as o on o.schema = n.oid
    union all select rolname from pg_roles`;
  const known = new Set(found.map(({ name }) => name));
  for (const doc of DOCS) {
    for (const [, name = ''] of read(doc).matchAll(/\b((?:invite|console)\.[a-z]\w+|invite_(?!test_|router|cell)[a-z]+)\b/g)) {
      t.ok(known.has(name), `${doc} names ${name}`);
    }
  }
  t.notOk(known.has('invite.no_such_table'), 'and a name that does not exist is seen');
});

t.test('the SQL README names only what exists', async (t) => {
  const found = await sql<{ name: string }[]>`
    select relname as name from pg_class
    union select proname from pg_proc union select typname from pg_type union select attname from pg_attribute
    union select rolname from pg_roles union select nspname from pg_namespace
    union select name from pg_settings union select enumlabel from pg_enum union select unnest(proargnames) from pg_proc
    union select (regexp_matches(prosrc, 'constraint = ''(\\w+)''', 'g'))[1] from pg_proc
    union select (regexp_matches(prosrc, '''(\\w+_unknown_\\w+)''', 'g'))[1] from pg_proc`;
  const known = new Set(found.map(({ name }) => name));
  const mentioned = [...read('sql/README.md').matchAll(/`([a-z]+_[a-z_]+)`/g)].map(([, name = '']) => name);
  t.ok(mentioned.length > 0);
  for (const name of mentioned) t.ok(known.has(name), name);
});

t.test('the docs name commands that exist, with their options', async (t) => {
  const program = createProgram();
  let count = 0;
  for (const doc of DOCS) {
    for (const [, line = ''] of read(doc).matchAll(/invitation-trigger ((?:[a-z-]+ ?)[^`\n]*)/g)) {
      let command: Command = program;
      const words = line.split(/\s+/);
      for (let next = find(command, words[0]); next !== undefined; next = find(command, words[0])) {
        command = next;
        words.shift();
      }
      count += 1;
      t.ok(command !== program && command.commands.length === 0, `${doc}: ${line}`);
      const options = line.split('#')[0]?.match(/ --[a-z-]+/g) ?? [];
      for (const option of options) {
        t.ok(
          [...program.options, ...command.options].some(({ long }) => long === option.trim()),
          `${doc}: ${line}: ${option}`,
        );
      }
    }
  }
  t.ok(count > 20);
});

const find = (command: Command, name: string | undefined) => command.commands.find((child) => child.name() === name);

t.test("no text has a command that would run a stranger's package", async (t) => {
  const shown = [...DOCS, ...globSync('{src,deploy}/**/*', { cwd: ROOT, exclude: ['deploy/*.ts'] })];
  const asking = shown.filter((path) => statSync(new URL(path, ROOT)).isFile() && /\b(npx|npm exec) (?!tap )/.test(read(path)));
  t.same(asking, []);
  t.ok(shown.length > 100);
});

t.test('docs/performance.md has each part of the benchmark', async (t) => {
  const parts = /^const parts[^{]*\{([^}]*)\}/m.exec(read('test/bench/run.ts'))?.[1]?.match(/\w+/g) ?? [];
  const [, listed = ''] = /`BENCH` takes (.*?)\n\n/s.exec(read('docs/performance.md')) ?? [];
  const documented = [...listed.matchAll(/`(\w+)`/g)].map(([, name]) => name);
  t.ok(parts.length > 0);
  t.same(documented.sort(), parts.sort());
});

t.test('links and file names in the docs lead somewhere', async (t) => {
  for (const doc of DOCS) {
    const text = read(doc);
    for (const [, target = ''] of text.matchAll(/\]\(([^)#]+)[^)]*\)/g)) {
      t.ok(existsSync(new URL(target, new URL(doc, ROOT))), `${doc} links to ${target}`);
    }
    for (const [, target = '', anchor = ''] of text.matchAll(/\]\(([\w./-]*\.md)?#([^)]+)\)/g)) {
      const headings = read(target ? new URL(target, new URL(doc, ROOT)).pathname : doc).matchAll(/^#+ (.*)$/gm);
      const anchors = [...headings].map(([, heading = '']) =>
        heading
          .toLowerCase()
          .replace(/[^\w -]/g, '')
          .replaceAll(' ', '-'),
      );
      t.ok(anchors.includes(anchor), `${doc} links to ${target}#${anchor}`);
    }
    for (const [, path = ''] of text.matchAll(/`((?:src|sql|tasks|test|docs)\/[\w./-]+)`/g)) {
      t.ok(existsSync(new URL(path, ROOT)), `${doc} names ${path}`);
    }
  }
});

t.test('units and containers wait until a server has drained and closed, and Caddy asks it whether it stops', async (t) => {
  const needed = Number(SETTINGS.DRAIN_SECONDS.default) + END_MS / 1000;
  const waits = [
    ...globSync('deploy/systemd/*{serve,work}*.service', { cwd: ROOT }).map((unit) => /^TimeoutStopSec=(\d+)$/m.exec(read(unit))),
    /^ *stop_grace_period: (\d+)s$/m.exec(read('deploy/compose.yaml')),
  ];
  t.equal(waits.length, 3);
  for (const wait of waits) t.ok(Number(wait?.[1]) > needed, String(wait?.[0]));
  t.match(read('deploy/Caddyfile'), 'health_uri /readyz');
});

t.test('each picture of the docs is shown, and small', async (t) => {
  for (const name of readdirSync(new URL('docs/pictures', ROOT))) {
    t.ok(read('docs/pages.md').includes(`pictures/${name}`), name);
    t.ok(statSync(new URL(`docs/pictures/${name}`, ROOT)).size <= 150_000, `${name} is small`);
  }
});

t.test('SECURITY.md has the shares of the code', async (t) => {
  const lines = read('SECURITY.md').split('\n');
  const row = (start: string) => lines.find((line) => line.startsWith(`| ${start}`)) ?? '';
  for (const [start, { places, perGroup }] of [
    ["database connections of members' pages", SHARES.pages],
    ['exports', SHARES.exports],
    ['requests that wait for events', SHARES.polls],
    ['requests that wait for a test clock', SHARES.advances],
  ] as const)
    t.match(row(start), new RegExp(`\\| ${places} a server[^|]*\\| ${perGroup}\\b`), start);
  const claim = read('sql/functions/webhook/claim_webhooks.sql');
  const of = (name: string) => new RegExp(`${name} integer default (\\d+)`).exec(claim)?.[1];
  t.match(
    row('webhook requests'),
    `| ${CONCURRENCY} a worker | ${of('per_workspace')} over all workers; ${of('per_endpoint')} an endpoint`,
  );
});

t.test('each document is short: new words replace old ones', async (t) => {
  for (const doc of ['README.md', ...globSync('docs/*.md', { cwd: ROOT })]) {
    const words = read(doc).split(/\s+/).filter(Boolean).length;
    // operations.md is longer because it lists all settings.
    t.ok(words <= (doc === 'docs/operations.md' ? 2300 : 1700), `${doc}: ${words} words`);
  }
  t.ok(read('README.md').split('\n').length < 100);
});
