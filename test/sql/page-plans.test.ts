// A page that is far from the newest row costs as much as the first: in a plan that is kept for all calls, too.
import t from 'tap';
import { createMember } from '../fixtures/members.ts';
import { createBatch, createTestDatabase } from '../fixtures/setup.ts';

const ROWS = 5_000;
const { sql, functions, connect } = await createTestDatabase(t);
const { workspace, survey, token } = await createBatch(functions);
const { session } = await createMember(functions, workspace, 'owner');

/** Rows of a table that a query reads by indexes or in order. */
async function rowsRead(table: string, query: string): Promise<number> {
  const one = connect();
  await one`set plan_cache_mode = force_generic_plan`;
  const count = async () => {
    const [row] = await one`
      select (idx_tup_fetch + seq_tup_read)::integer as number from pg_stat_xact_user_tables
      where schemaname = 'invite' and relname = ${table}`;
    return row?.number as number;
  };
  await one`begin`;
  const before = await count();
  const rows = await one.unsafe(query.replace('$1', `'\\x${session.toString('hex')}'`));
  t.equal(rows.length, 20, 'there is a page');
  const read = (await count()) - before;
  await one`rollback`;
  return read;
}

t.test('an old page of the audit log reads a page of it', async (t) => {
  await sql`
    insert into invite.audit_log (workspace_id, actor, action, subject)
    select ${workspace}, 'cli', 'token_changed', n::text from generate_series(1, ${ROWS}::integer) as n`;
  const read = await rowsRead('audit_log', `select * from invite.audit_entries($1, '${workspace}', 100, 20)`);
  t.ok(read <= 40, `${read} rows were read`);
});

t.test('an old page of the batches, and one batch, read a page of them', async (t) => {
  await sql`
    insert into invite.batches (
      id, workspace_id, survey_id, trigger_token_id, subject, message, reminder_days, recipients, scheduled_at, accepted_at)
    select gen_random_uuid(), ${workspace}, ${survey}, ${token}, 'Subject', 'Message', 0, 1, '2020-01-01', timestamptz '2020-01-01' + n * interval '1 second'
    from generate_series(1, ${ROWS}::integer) as n`;
  const [old] = await sql`select id from invite.batches where accepted_at = '2020-01-01 00:01:40'`;
  const read = await rowsRead('batches', `select * from invite.survey_batches($1, '${survey}', before_id => '${old?.id}')`);
  t.ok(read <= 100, `${read} rows were read`);
});
