// With years of history, a statement reads what it shows and not what there is: by address, batch or survey, in endpoint, worker, pages and views.
import t from 'tap';
import { createHistory, listStatements, read, readsTooMuch } from '../fixtures/history.ts';
import { createTestDatabase } from '../fixtures/setup.ts';

const INVITATIONS = 100_000;
const { sql, connect, connectAsAdmin } = await createTestDatabase(t);

t.test('each statement reads a constant times what it shows, whether its plan is kept or not', async (t) => {
  await createHistory(connectAsAdmin(), INVITATIONS);
  const statements = await listStatements(sql);
  t.ok(statements.length > 100);
  const one = connect();
  for (const statement of statements)
    for (const mode of ['custom', 'generic'] as const) {
      const reading = await read(one, statement, mode);
      const { shown, rows, buffers } = reading;
      t.notOk(readsTooMuch(reading), `${statement.room}, ${statement.name}: ${rows} rows and ${buffers} pages for ${shown}`);
    }
});

// clock_timestamp() or random() in a view keeps it from becoming part of the query that asks it: then all of it is read.
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
