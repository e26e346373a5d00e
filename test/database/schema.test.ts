// sql/schema.sql is the schema that the migrations create, on every version of PostgreSQL. docs/schema.md covers all of it.
import { globSync, readFileSync } from 'node:fs';
import t from 'tap';
import { describeSchema, storedSchema } from '../fixtures/schema.ts';
import { createTestDatabase } from '../fixtures/setup.ts';

const { sql } = await createTestDatabase(t);

t.test('sql/schema.sql is up to date: otherwise run npm run schema', async (t) => {
  t.equal(storedSchema(), await describeSchema(sql));
});

t.test('a change of the schema shows', async (t) => {
  const before = await describeSchema(sql);
  await sql`alter table invite.members add column nickname text`;
  const after = await describeSchema(sql);
  await sql`alter table invite.members drop column nickname`;
  t.match(after, '\n  nickname text');
  t.equal(await describeSchema(sql), before);
});

const doc = readFileSync(new URL('../../docs/schema.md', import.meta.url), 'utf8');
const diagram = (kind: string) => new RegExp(`\`\`\`mermaid\\n${kind}\\n([\\s\\S]*?)\`\`\``).exec(doc)?.[1] ?? '';

t.test('the state diagram of docs/schema.md has each status of a message', async (t) => {
  const arrows = [...diagram('stateDiagram-v2').matchAll(/^ {2}(\S+) --> (\w+)/gm)];
  const states = new Set(arrows.flatMap(([, from = '', to = '']) => [from, to]).filter((state) => state !== '[*]'));
  const rows = await sql`select unnest(enum_range(null::invite.message_status))::text as status`;
  t.same([...states].sort(), rows.map(({ status }) => status).sort());
});

t.test(
  'the entity diagram of docs/schema.md has each table, each foreign key, and dashed what triggers keep in place of one',
  async (t) => {
    const lines = diagram('erDiagram').trim().split('\n');
    const arrows = lines.flatMap((line) => {
      const [, from, to] = /^\s*(\w+) \S+--\S+ (\w+) :/.exec(line) ?? [];
      return from === undefined ? [] : [`${from} ${to}`];
    });
    const kept = lines.flatMap((line) => /(?<=\.\.\S* )\w+(?= :)/.exec(line) ?? []);
    t.same(kept.sort(), ['addresses', 'comments', 'invitations', 'low_scores', 'messages', 'persons', 'search_terms']);
    const keys = await sql`
    select distinct confrelid::regclass::text as from, conrelid::regclass::text as to from pg_constraint
    where contype = 'f' and connamespace = 'invite'::regnamespace`;
    t.same(arrows.sort(), keys.map(({ from, to }) => `${from} ${to}`.replaceAll('invite.', '')).sort());
    const tables =
      await sql`select relname as name from pg_class where relnamespace = 'invite'::regnamespace and relkind in ('r', 'p') and not relispartition`;
    const drawn = new Set(
      lines.flatMap((line) => line.match(/^\s*\w+|(?<=(?:--|\.\.)\S* )\w+(?= :)/g)?.map((name) => name.trim()) ?? []),
    );
    t.same(
      [...new Set([...drawn, ...arrows.flatMap((arrow) => arrow.split(' '))])].sort(),
      tables.map(({ name }) => name).sort(),
    );
  },
);

t.test('the glossary of docs/schema.md has each table, and each value of each enum', async (t) => {
  const documented = [...doc.matchAll(/^`(\w+)`: /gm)].map(([, name]) => name);
  const tables =
    await sql`select relname as name from pg_class where relnamespace = 'invite'::regnamespace and relkind in ('r', 'p') and not relispartition`;
  t.same(documented.sort(), tables.map(({ name }) => name).sort());
  const enums = await sql`
    select y.typname as type, array_agg(e.enumlabel::text) as labels from pg_enum as e join pg_type as y on y.oid = e.enumtypid
    where y.typnamespace = 'invite'::regnamespace group by y.typname`;
  const types = [...doc.matchAll(/^\*\*`(\w+)`\*\*: ([^*]*)/gm)];
  t.same(types.map(([, type]) => type).sort(), enums.map(({ type }) => type).sort());
  for (const { type, labels } of enums) {
    const values = [...(types.find(([, name]) => name === type)?.[2] ?? '').matchAll(/`([\w.]+)`/g)].map(([, value]) => value);
    t.same(new Set(values.filter((value) => value !== 'hold_reason')), new Set(labels), type);
  }
});

t.test('no function is defined twice: the second one would silently replace the first', (t) => {
  const root = new URL('../../sql/', import.meta.url);
  const names = globSync(['functions/**/*.sql', 'console/*.sql', 'triggers/*.sql'], { cwd: root })
    .flatMap((path) => [...readFileSync(new URL(path, root), 'utf8').matchAll(/^create (?:or replace )?function ([\w.]+)\(/gm)])
    .map(([, name]) => name);
  t.ok(names.length > 200);
  t.same(
    names.filter((name, index) => names.indexOf(name) !== index),
    [],
  );
  t.end();
});

t.test('only two functions ask for the time', (t) => {
  const root = new URL('../../sql/', import.meta.url);
  const asking = globSync(['functions/**/*.sql', 'console/*.sql', 'triggers/*.sql', 'views/*.sql'], { cwd: root }).filter(
    (path) =>
      /(?<!invite\.)\b(now\(\)|\w+_timestamp\(\)|current_(date|time|timestamp)\b)/.test(
        readFileSync(new URL(path, root), 'utf8'),
      ),
  );
  t.same(asking.sort(), ['functions/clock/clock.sql', 'functions/clock/now.sql']);
  t.end();
});

t.test(
  'tables of which rows are only added are vacuumed after a fiftieth more, so that nothing piles up for years',
  async (t) => {
    const rows = await sql<{ name: string; options: string[] | null }[]>`
    select c.relname as name, c.reloptions as options
    from pg_class as c
    where c.oid in (select to_regclass('invite.' || g.name) from invite.data_growth as g where g.last_day is not null)
      or c.relname in ('addresses', 'invitation_outcomes', 'search_terms', 'persons', 'comments')`;
    const settings = (options: string[] | null) => (options ?? []).join();
    /** Short-lived, or often updated, with settings of their own. */
    const others = ['idempotency_keys', 'rejections', 'sign_in_links', 'sessions', 'test_invitations', 'webhook_deliveries'];
    const grows = rows.filter(({ name }) => !others.includes(name));
    t.ok(grows.length >= 8);
    for (const { name, options } of grows) t.match(settings(options), /autovacuum_vacuum_insert_scale_factor=0.02/, name);
  },
);
