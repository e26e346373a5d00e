// A page far from the newest row costs as much as the first page, also in a plan that is kept for all calls.
import t from 'tap';
import { unsubscribeToken } from '../../src/mail/links.ts';
import { read } from '../fixtures/history.ts';
import { createMember } from '../fixtures/members.ts';
import { createBatch, createTestDatabase } from '../fixtures/setup.ts';

const ROWS = 5_000;
const { sql, store, connect, connectAsAdmin } = await createTestDatabase(t);
const { workspace, survey, token } = await createBatch(store);
const { session } = await createMember(store, workspace, 'owner');

/** Returns how many rows of a table a query reads, by index or by scan. */
async function rowsRead(table: string, query: string, page = 20, mode = 'force_generic_plan', who = session): Promise<number> {
  const connection = connect();
  await connection.unsafe(`set plan_cache_mode = ${mode}`);
  const count = async () => {
    const [row] = await connection`
      select (idx_tup_fetch + seq_tup_read)::integer as number from pg_stat_xact_user_tables
      where schemaname = 'invite' and relname = ${table}`;
    return row?.number as number;
  };
  await connection`begin`;
  const before = await count();
  const rows = await connection.unsafe(query.replace('$1', `'\\x${who.toString('hex')}'`));
  t.equal(rows.length, page, 'there is a page');
  const read = (await count()) - before;
  await connection`rollback`;
  return read;
}

t.test('an old page of the audit log reads a page of it', async (t) => {
  await sql`
    insert into invite.audit_log (workspace_id, actor, action, subject)
    select ${workspace}, 'cli', 'token_changed', n::text from generate_series(1, ${ROWS}::integer) as n`;
  const read = await rowsRead('audit_log', `select * from console.audit_log($1, '${workspace}', 100, 20)`);
  t.ok(read <= 40, `${read} rows were read`);
});

t.test('the responses of an old period read no newer ones', async (t) => {
  await sql`
    insert into invite.responses (survey_id, answers, submitted_at)
    select ${survey}, '{}', timestamptz '2020-01-01' + n * interval '1 second' from generate_series(1, ${ROWS}::integer) as n`;
  const period = `row('2020-01-01', '2020-01-01 00:10', null, null, null)::console.result_filter`;
  const read = await rowsRead('responses', `select * from console.results($1, '${survey}', ${period}, null, 20)`);
  t.ok(read <= 100, `${read} rows were read`);
});

t.test('an old page of the batches, and one batch, read a page of them', async (t) => {
  await sql`
    insert into invite.batches (
      id, workspace_id, survey_id, trigger_token_id, subject, message, recipients, workspace_total, scheduled_at, accepted_at)
    select gen_random_uuid(), ${workspace}, ${survey}, ${token}, 'Subject', 'Message', 1, 1000 + n, '2020-01-01', timestamptz '2020-01-01' + n * interval '1 second'
    from generate_series(1, ${ROWS}::integer) as n`;
  const [old] = await sql`select id from invite.batches where accepted_at = '2020-01-01 00:01:40'`;
  const read = await rowsRead('batches', `select * from console.batches($1, '${survey}', before_id => '${old?.id}')`);
  t.ok(read <= 100, `${read} rows were read`);
});

t.test(
  'the surveys of a workspace and the numbers of one read no more than the newest of it, whatever the statistics say',
  async (t) => {
    // The statistics know one large batch, which belongs to another survey.
    const large = await createBatch(store);
    await sql`
    with invited as (
      insert into invite.invitations (batch_id, workspace_id, survey_id, email)
      select ${large.batch}, ${large.workspace}, ${large.survey}, 'l' || n || '@example.com' from generate_series(1, ${3 * ROWS}::integer) as n
      returning id, survey_id
    )
    insert into invite.messages (invitation_id, survey_id, due_at, not_before, sweep_at)
    select id, survey_id, now(), now(), now() from invited`;
    await sql`analyze invite.invitations, invite.messages`;
    await sql`
    with invited as (
      insert into invite.invitations (batch_id, workspace_id, survey_id, email)
      select b.id, b.workspace_id, b.survey_id, 'p' || row_number() over () || '@example.com'
      from invite.batches as b where b.recipients = 1 and b.subject = 'Subject'
      returning id, survey_id
    )
    insert into invite.messages (invitation_id, survey_id, status, due_at, sent_at) select id, survey_id, 'sent', now(), now() from invited`;
    await sql`
    insert into invite.responses (survey_id, answers, submitted_at)
    select ${survey}, '{}', now() from generate_series(1, ${ROWS}::integer)`;
    for (const [table, query] of [
      ['messages', `select * from console.surveys($1, '${workspace}', max_unsent => 20)`],
      ['responses', `select * from console.surveys($1, '${workspace}', max_unsent => 20)`],
      ['invitations', `select console.response_rate($1, '${survey}')`],
    ] as const)
      for (const mode of ['force_generic_plan', 'force_custom_plan']) {
        const read = await rowsRead(table, query, 1, mode);
        t.ok(read <= 40, `${read} ${table} were read by ${query}`);
      }
  },
);

t.test('a page of invitations reads some pages of them, whatever their status and message, and so do the counts', async (t) => {
  const many = await createBatch(store);
  const { session } = await createMember(store, many.workspace, 'owner');
  await sql`
    with invited as (
      insert into invite.invitations (batch_id, workspace_id, survey_id, email)
      select ${many.batch}, ${many.workspace}, ${many.survey}, 'q' || n || '@example.com' from generate_series(1, ${3 * ROWS}::integer) as n
      returning id, survey_id
    )
    insert into invite.messages (invitation_id, number, survey_id, status, is_last, due_at, not_before, sweep_at, sent_at)
    select
      i.id, m.number, i.survey_id, m.status, m.is_last, now(), case when m.status <> 'sent' then now() end, case m.status when 'queued' then now() end,
      case m.status when 'sent' then now() end
    from (select *, row_number() over (order by id) as place from invited) as i
    cross join lateral (
      select 0 as number, 'sent'::invite.message_status as status, i.place <= ${ROWS}::integer as is_last
      union all
      select 1, case when i.place <= 2 * ${ROWS}::integer then 'queued' else 'waiting' end::invite.message_status, true
      where i.place > ${ROWS}::integer
    ) as m`;
  // From now on the statistics say that a fifth of all messages are queued and three fifths are invitations. Hardly any is both.
  await sql`analyze invite.invitations, invite.messages`;
  for (const mode of ['force_generic_plan', 'force_custom_plan'])
    for (const [status, page] of [
      [`'sent'`, 50],
      [`'queued'`, 1],
      [`'waiting'`, 0],
      ['null', 50],
    ] as const) {
      const query = `select * from console.invitations($1, '${many.survey}', ${status})`;
      const read = await rowsRead('messages', query, page, mode, session);
      t.ok(read <= 600, `${read} messages were read for ${status}`);
    }
  const read = await rowsRead(
    'messages',
    `select * from console.invitation_counts($1, '${many.survey}', 20)`,
    1,
    undefined,
    session,
  );
  t.ok(read <= 100, `${read} rows were read for the counts`);
});

t.test('lists and numbers by outcome, recipients however found, and the do-not-email list read some pages of them', async (t) => {
  const many = await createBatch(store);
  const { session } = await createMember(store, many.workspace, 'owner');
  await sql`
    with invited as (
      insert into invite.invitations (batch_id, workspace_id, survey_id, email, name, metadata)
      select ${many.batch}, ${many.workspace}, ${many.survey}, 'o' || n || '@example.com', 'Ada', '{"shop": "north"}'
      from generate_series(1, ${ROWS}::integer) as n
      returning id, survey_id, email
    ), addressed as (
      insert into invite.addresses (workspace_id, email, invitation_id) select ${many.workspace}, email, id from invited
    )
    insert into invite.messages (invitation_id, survey_id, status, due_at, sent_at) select id, survey_id, 'sent', now(), now() from invited`;
  await sql`
    insert into invite.invitation_outcomes (invitation_id, outcome, survey_id, at)
    select i.id, o.outcome::invite.invitation_outcome, i.survey_id, now()
    from test.invitations as i cross join (values ('delivered'), ('responded'), ('bounced')) as o (outcome)
    where i.survey_id = ${many.survey}`;
  await sql`
    insert into invite.suppressions (workspace_id, email, reason)
    select ${many.workspace}, 'o' || n || '@example.com', 'manual' from generate_series(1, ${ROWS}::integer) as n`;
  // Repeat until all recipients are indexed.
  for (let steps = 0; steps < 100; steps += 1) await store.indexRecipients();
  await sql`analyze invite.invitations, invite.messages, invite.invitation_outcomes, invite.suppressions, invite.persons`;
  for (const mode of ['force_generic_plan', 'force_custom_plan'])
    for (const [table, most, page, query] of [
      ['invitation_outcomes', 400, 50, `select * from console.invitations($1, '${many.survey}', outcome => 'delivered')`],
      ['invitations', 400, 50, `select * from console.invitations($1, '${many.survey}', outcome => 'delivered')`],
      ['invitation_outcomes', 300, 1, `select * from console.invitation_counts($1, '${many.survey}', 20)`],
      ['invitation_outcomes', 60, 1, `select * from console.surveys($1, '${many.workspace}', max_unsent => 20)`],
      ['messages', 60, 1, `select * from console.surveys($1, '${many.workspace}', max_unsent => 20)`],
      ['persons', 1010, 50, `select * from console.recipients($1, '${many.workspace}', 'ada')`],
      ['invitations', 700, 50, `select * from console.recipients($1, '${many.workspace}', 'north')`],
      ['suppressions', 120, 50, `select * from console.suppressions($1, '${many.workspace}')`],
      ['suppressions', 120, 50, `select * from console.suppressions($1, '${many.workspace}', before => 'o77@example.com')`],
      ['suppressions', 120, 50, `select * from console.suppressions($1, '${many.workspace}', 'o')`],
    ] as const) {
      const read = await rowsRead(table, query, page, mode, session);
      t.ok(read <= most, `${read} rows of ${table} were read by ${query}`);
    }
});

t.test('a link is looked up by its key, even if nothing is known of the settings', async (t) => {
  const [row] = await sql`select link_token as link from test.invitations where survey_id = ${survey} order by id limit 1`;
  await sql`analyze invite.invitations, invite.batches`;
  // As before the first analyze: autovacuum never analyzes a table of one row.
  await connectAsAdmin()`update pg_class set reltuples = -1, relpages = 0 where oid = 'invite.settings'::regclass`;
  const connection = connect();
  for (const page of [`survey_page('${survey}', '${row?.link}')`, `unsubscribe_page('${unsubscribeToken(row?.link)}')`])
    for (const mode of ['generic', 'custom'] as const) {
      const { buffers } = await read(connection, { room: 'page', name: page, sql: `select * from invite.${page}` }, mode);
      t.ok(buffers < 60, `${buffers} pages were read by ${page}`);
    }
});
