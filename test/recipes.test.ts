// The SQL in the docs works: each block runs as the role that it names, and its results have the columns that the docs show.
import { readFileSync } from 'node:fs';
import t from 'tap';
import { openDatabase } from '../src/database/pool.ts';
import { createTestDatabase } from './fixtures/setup.ts';

const read = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');
const database = await createTestDatabase(t);
// The recipes use these names.
await database.store.upsertWorkspace({ id: 'acme', name: 'Acme' });
await database.store.upsertSurvey({ workspaceId: 'acme', id: 'q3-nps', title: 'Q3 NPS', state: 'active' });

/** The first line of a block names the role that runs it. A block without such a line runs as invite_readonly. */
const URLS: Readonly<Record<string, string>> = { '-- as the owner': database.url, '-- as a superuser': database.cluster };

/** Runs a block in a transaction that is rolled back. Returns the column names of its first statement. */
async function columnsOf(block: string): Promise<string[]> {
  const url = URLS[block.split('\n')[0] ?? ''] ?? database.urlAs('invite_readonly');
  const sql = openDatabase(url, { applicationName: 'tests', transactions: true });
  try {
    const reserved = await sql.reserve();
    await reserved`begin`;
    const result = await reserved.unsafe(block.replaceAll(' \\gx', ';'));
    await reserved`rollback`;
    reserved.release();
    const [first] = (Array.isArray(result[0]) ? result : [result]) as unknown as { columns?: { name: string }[] }[];
    return (first?.columns ?? []).map(({ name }) => name);
  } finally {
    await sql.end({ timeout: 1 });
  }
}

for (const [doc, least] of [
  ['docs/operations.md', 1],
  ['docs/recipes.md', 15],
  ['docs/maintenance.md', 1],
] as const) {
  t.test(`the SQL of ${doc} runs as the role that it is for, and gives the columns shown`, async (t) => {
    // Each match is a block of SQL, with its result if one follows directly.
    const blocks = [...read(doc).matchAll(/^```sql\n([\s\S]*?)^```\n(?:\n```\n(.*)\n[-+]+\n)?/gm)];
    t.ok(blocks.length >= least);
    for (const [, block = '', head] of blocks) {
      const columns = await columnsOf(block);
      if (head !== undefined)
        t.same(
          columns.filter((name) => shown(head).includes(name)),
          shown(head),
          block,
        );
    }
  });
}

const shown = (head: string) => head.split('|').map((name) => name.trim());

t.test('docs/recipes.md says what to do about each reason why an email has not been sent', async (t) => {
  const rows = await database.sql`select unnest(enum_range(null::invite.unsent_reason)) as reason`;
  const table = read('docs/recipes.md')
    .split('\n')
    .filter((line) => line.startsWith('| `'));
  for (const { reason } of rows)
    t.ok(
      table.some((line) => line.split('|')[1]?.includes(`\`${reason}\``)),
      reason,
    );
});
