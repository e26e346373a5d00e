// With years of history, a statement still reads only what it shows: by address, batch or survey, in endpoint, worker, pages and views.
import { globSync, readFileSync } from 'node:fs';
import t from 'tap';
import { createHistory, read, readsTooMuch } from '../fixtures/history.ts';
import { createTestDatabase } from '../fixtures/setup.ts';
import { listStatements } from '../fixtures/statements.ts';

const INVITATIONS = 100_000;
const { sql, connect, connectAsAdmin } = await createTestDatabase(t);
await createHistory(connectAsAdmin(), INVITATIONS);
const statements = await listStatements(sql);

t.test('each statement reads a constant times what it shows, whether its plan is kept or not', async (t) => {
  const connection = connect();
  for (const statement of statements)
    for (const mode of ['custom', 'generic'] as const) {
      const reading = await read(connection, statement, mode);
      const { shown, rows, buffers } = reading;
      t.notOk(readsTooMuch(reading), `${statement.room}, ${statement.name}: ${rows} rows and ${buffers} pages for ${shown}`);
    }
});

/** How many rows a recipe adds up, or leaves out. Undefined: no more than it shows. */
const ADDED_UP: readonly [pattern: RegExp, counts: number][] = [
  [/ from invite\.relay_events /, 400],
  [/ from invite\.data_growth/, 1000],
  [/'skipped'/, 1000],
];

t.test('each query of docs/recipes.md reads a constant times what it shows', async (t) => {
  const connection = connect();
  const [some] = await sql`
    select (select id from invite.batches where recipients = 1 order by id limit 1) as batch,
      (select email from invite.addresses where workspace_id = 'large' order by invitation_id desc limit 1) as email`;
  const blocks = [
    ...readFileSync(new URL('../../docs/recipes.md', import.meta.url), 'utf8').matchAll(/^```sql\n([\s\S]*?)^```$/gm),
  ];
  const queries = blocks
    .filter(([, block = '']) => !block.startsWith('-- as the owner'))
    .flatMap(([, block = '']) => block.replace(/--.*$/gm, '').split(/;|\\gx/))
    .map((query) =>
      query
        .trim()
        .replaceAll('acme', 'large')
        .replaceAll('q3-nps', 's1')
        .replace(/'[0-9a-f]{8}-[0-9a-f-]+'/g, `'${some?.batch}'`)
        .replace(/'\w+@example.com'/g, `'${some?.email}'`),
    )
    .filter((query) => query !== '');
  t.ok(queries.length > 15);
  for (const query of queries) {
    const counts = ADDED_UP.find(([pattern]) => pattern.test(query))?.[1] ?? 1;
    const reading = await read(connection, { sql: query, counts } as (typeof statements)[number], 'custom');
    t.notOk(readsTooMuch(reading), `${query}: ${reading.rows} rows and ${reading.buffers} pages for ${reading.shown}`);
  }
});

t.test('each view, and each function that the program or a role may call, is among the statements', async (t) => {
  const objects = await sql<{ name: string; needed: boolean }[]>`
    select 'invite.' || c.relname as name, true as needed
    from pg_class as c
    where c.relnamespace = 'invite'::regnamespace and c.relkind = 'v'
    union
    select
      n.nspname || '.' || p.proname,
      n.nspname = 'console' and p.prosecdef
        or n.nspname = 'invite' and not has_function_privilege('public', p.oid, 'execute')
          and (has_function_privilege('invite_web', p.oid, 'execute') or p.prosecdef and has_function_privilege('invite_admin', p.oid, 'execute'))
    from pg_proc as p
    join pg_namespace as n on n.oid = p.pronamespace
    where n.nspname in ('invite', 'console') and p.prokind = 'f' and p.prorettype <> 'trigger'::regtype`;
  const root = new URL('../../', import.meta.url);
  const program = globSync(['src/**/*.ts', 'tasks/*.ts'], { cwd: root })
    .map((path) => readFileSync(new URL(path, root), 'utf8'))
    .join('');
  const called = new Set(program.replaceAll('store.console.', '').match(/\b(invite|console)\.\w+(?=\()/g));
  const asked = new Set(
    statements
      .map((statement) => statement.sql)
      .join('\n')
      .match(/\b(invite|console)\.\w+/g),
  );
  t.ok(objects.length > 200 && called.size > 150);
  t.same(
    [...new Set(objects.filter(({ name, needed }) => (needed || called.has(name)) && !asked.has(name)).map(({ name }) => name))],
    [],
  );
});

// A view with clock_timestamp() or random() can't become part of the query that uses it. PostgreSQL would then read all of the view.
t.test('no view asks for what differs within a statement', async (t) => {
  const views = await sql<{ name: string }[]>`
    select c.oid::regclass::text as name
    from pg_class as c
    where c.relnamespace = 'invite'::regnamespace and c.relkind = 'v' and pg_get_viewdef(c.oid) ~ 'clock_timestamp|random\\('`;
  t.strictSame(
    views.map(({ name }) => name),
    [],
  );
});
