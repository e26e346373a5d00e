// sql/schema.sql is the schema that the migrations make, whatever the version of PostgreSQL.
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
