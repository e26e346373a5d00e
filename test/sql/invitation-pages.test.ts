// The SQL functions of the Invitations tab: lists by index, search, changes on behalf of a member, and test emails with their limit.
import t from 'tap';
import { OUTCOMES } from '../../src/database/store.ts';
import { constraint, idsOf, jobsOf, sqlstate } from '../fixtures/inspect.ts';
import { createMember } from '../fixtures/members.ts';
import { createBatch, createSurvey, createTestDatabase, createToken, createWorker, until } from '../fixtures/setup.ts';
import { acceptTrigger } from '../fixtures/trigger.ts';

const { sql, store, connect } = await createTestDatabase(t);
// The totals are counted when triggers and workers write: figures-agree.test.ts.
const NO_OUTCOMES = { ...Object.fromEntries(OUTCOMES.map((outcome) => [outcome, 0])), sent_total: 0, responded_total: 0 };
const addresses = (names: string[]) => names.map((name) => ({ email: `${name}@example.com` }));

/** The column with the time at which a message came to this end. */
const endedAt = (status: string) => (status === 'suppressed' ? 'failed_at' : `${status}_at`);

/** Makes invitations of a survey sent, each with a reminder that is queued. */
const sendWithReminder = (ids: readonly number[]) => sql`
  with sent as (
    update invite.messages set status = 'sent', sent_at = now(), is_last = false, not_before = null, sweep_at = null
    where invitation_id = any (${ids}::bigint[]) and number = 0
    returning invitation_id, survey_id
  )
  insert into invite.messages (invitation_id, number, survey_id, due_at, not_before, sweep_at)
  select s.invitation_id, 1, s.survey_id, now(), now(), now() from sent as s`;

/** Creates a survey with one batch, and an editor of its workspace. */
async function setup(names: string[], options: Parameters<typeof createSurvey>[1] = {}) {
  const fixture = await createBatch(store, { recipients: addresses(names) }, options);
  const { session } = await createMember(store, fixture.workspace, 'editor', `editor-${fixture.survey}@example.com`);
  const list = async (filter: Parameters<typeof store.console.listInvitations>[2], rows = 50) =>
    (await store.console.listInvitations(session, fixture.survey, filter, rows)).map(({ email }) => email?.split('@')[0]);
  return { ...fixture, session, list, ids: await idsOf(sql, fixture.survey) };
}

t.test('what a rule has put off is listed: of a survey, of a batch, and in a search; pages meet', async (t) => {
  const { survey, hash, list, ids } = await setup(['ada', 'bob', 'carl', 'cora', 'dan']);
  await acceptTrigger(store, hash, { recipients: addresses(['cleo']) }, 1000);
  const [later] = (await idsOf(sql, survey)).slice(-1);
  const delayed = [ids[1], ids[2], ids[3], later];
  for (const [index, rule] of ['resting', 'outside_hours', 'resting', 'outside_hours'].entries())
    await sql`update invite.messages set rule = ${rule} where invitation_id = ${delayed[index] ?? 0}`;
  // A rule ended this one.
  await sql`
    update invite.messages set status = 'skipped', rule = 'too_late', skipped_at = now(), not_before = null, sweep_at = null
    where invitation_id = ${ids[4] ?? 0}`;
  t.strictSame(await list({ delayed: 'yes' }), ['cleo', 'cora', 'carl', 'bob']);
  t.strictSame(await list({ delayed: 'yes' }, 2), ['cleo', 'cora']);
  t.strictSame(await list({ delayed: 'yes', before: String(ids[3]) }, 2), ['carl', 'bob']);
  t.strictSame(await list({ delayed: 'yes', search: 'c' }), ['carl', 'cleo', 'cora']);
  const [{ batch_id: batch } = {}] = await sql`select batch_id from invite.invitations where id = ${ids[0] ?? 0}`;
  t.strictSame(await list({ delayed: 'yes', batch }), ['cora', 'carl', 'bob']);
});

t.test('all statuses are listed together, newest first, and each by itself; pages meet', async (t) => {
  const { survey, session, list, ids } = await setup(['a', 'b', 'c', 'd', 'e', 'f', 'g']);
  const worker = await createWorker(store);
  const set = (index: number, change: string) =>
    sql`update invite.messages set ${sql.unsafe(change)} where invitation_id = ${ids[index] ?? 0}`;
  await set(1, `status = 'waiting', sweep_at = null`);
  await set(2, `status = 'sending', sweep_at = null, claim_id = gen_random_uuid(), worker_id = '${worker}'`);
  for (const [index, status] of [
    [3, 'sent'],
    [4, 'failed'],
    [5, 'suppressed'],
    [6, 'cancelled'],
  ] as const)
    await set(index, `status = '${status}', ${endedAt(status)} = now(), not_before = null, sweep_at = null`);
  t.strictSame(await list({}), ['g', 'f', 'e', 'd', 'c', 'b', 'a']);
  t.strictSame(await list({}, 3), ['g', 'f', 'e']);
  t.strictSame(await list({ before: String(ids[4]) }, 3), ['d', 'c', 'b']);
  const statuses = ['queued', 'waiting', 'sending', 'sent', 'failed', 'suppressed', 'cancelled'] as const;
  for (const [index, status] of statuses.entries())
    t.strictSame(await list({ status }), [['a', 'b', 'c', 'd', 'e', 'f', 'g'][index]], status);
  const { counts } = await store.console.surveyCounts(session, survey);
  t.strictSame(counts, {
    ...Object.fromEntries(statuses.map((status) => [status, 1])),
    skipped: 0,
    reminders_waiting: 0,
    reminders_sending: 0,
    ...NO_OUTCOMES,
  });
});

t.test(
  'a delivered invitation is sent whatever its reminder does: in lists, searches, counts, its batch and the home page',
  async (t) => {
    const { workspace, survey, session, batch, list, ids } = await setup(['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']);
    const worker = await createWorker(store);
    const statuses = ['queued', 'waiting', 'sending', 'sent', 'failed', 'suppressed', 'cancelled'] as const;
    await sendWithReminder(ids.slice(0, statuses.length));
    for (const [index, status] of statuses.entries())
      await sql`
      update invite.messages
      set status = ${status},
        not_before = case when ${status} in ('queued', 'waiting', 'sending') then not_before end,
        sweep_at = case when ${status} = 'queued' then sweep_at end,
        sent_at = case when ${status} = 'sent' then now() end,
        failed_at = case when ${status} in ('failed', 'suppressed') then now() end,
        cancelled_at = case when ${status} = 'cancelled' then now() end,
        claim_id = case when ${status} = 'sending' then gen_random_uuid() end,
        worker_id = case when ${status} = 'sending' then ${worker}::uuid end
      where invitation_id = ${ids[index] ?? 0} and number = 1`;
    const sent = ['g', 'f', 'e', 'd', 'c', 'b', 'a'];
    t.strictSame(await list({}), ['h', ...sent]);
    for (const status of statuses) {
      const shown = status === 'sent' ? sent : status === 'queued' ? ['h'] : [];
      t.strictSame(await list({ status }), shown, `of the survey: ${status}`);
      t.strictSame(await list({ status, batch }), shown, `of the batch: ${status}`);
      t.strictSame(await list({ status, search: 'g@' }), status === 'sent' ? ['g'] : [], `of those found: ${status}`);
    }
    t.strictSame(await list({ status: 'sent', before: String(ids[5]) }, 2), ['e', 'd'], 'pages meet');
    const none = { waiting: 0, sending: 0, failed: 0, suppressed: 0, cancelled: 0, skipped: 0 };
    const { counts } = await store.console.surveyCounts(session, survey);
    t.strictSame(counts, { ...none, ...NO_OUTCOMES, queued: 1, sent: 7, reminders_waiting: 1, reminders_sending: 1 });
    t.match((await store.console.findBatch(session, survey, batch)).counts, { ...none, queued: 1, sent: 7 });
    await sql`select invite.recount_results(${survey})`;
    t.match((await store.console.listSurveys(session, workspace))[0], { unsent: { queued: 1 }, sent: 7 });
    const lines = await store.console.listInvitations(session, survey, { status: 'sent' }, 50);
    t.strictSame(
      lines.map(({ messageStatus }) => messageStatus),
      statuses.toReversed(),
      'the reminder has its own status',
    );
  },
);

t.test('someone who responded before the invitation was sent is shown as sent, though the message was skipped', async (t) => {
  const { workspace, survey, session, batch, list, ids } = await setup(['a', 'b']);
  await sql`
    update invite.messages set status = 'answered', skipped_at = now(), not_before = null, sweep_at = null
    where invitation_id = ${ids[0] ?? 0}`;
  t.strictSame(await list({ status: 'sent' }), ['a']);
  t.strictSame(await list({ status: 'sent', batch }), ['a']);
  t.strictSame(await list({ status: 'sent', search: 'a@' }), ['a']);
  const { counts } = await store.console.surveyCounts(session, survey);
  t.match(counts, { queued: 1, sent: 1 });
  t.notOk('answered' in counts);
  t.match((await store.console.findBatch(session, survey, batch)).counts, { queued: 1, sent: 1 });
  t.match((await store.console.listSurveys(session, workspace))[0], { unsent: { queued: 1 } });
});

t.test('an invitation and its batch have the metadata and the texts of the request, a list has none', async (t) => {
  const { workspace, survey, batch } = await createBatch(store, {
    recipients: [{ email: 'own@example.com' }, { email: 'plain@example.com' }],
    metadata: { order: 1, shop: 'north' },
    message: 'Tell us.',
  });
  await sql`update invite.invitations set metadata = '{"order": 7}' where email = 'own@example.com'`;
  const { session } = await createMember(store, workspace, 'editor', `editor-${survey}@example.com`);
  const lines = await store.console.listInvitations(session, survey, { batch }, 50);
  const metadata = async (index: number) =>
    (await store.console.findInvitation(session, survey, lines[index]?.id ?? '')).line.metadata;
  t.strictSame(await metadata(1), { order: 7, shop: 'north' }, 'as its response will have it');
  t.strictSame(await metadata(0), { order: 1, shop: 'north' });
  t.equal(lines[0]?.metadata, null);
  const { events } = await store.console.findInvitation(session, survey, lines[0]?.id ?? '');
  t.strictSame(
    events.map(({ event, at }) => [event, at instanceof Date]),
    [
      ['accepted', true],
      ['invitation_due', true],
    ],
  );
  t.match(await store.console.findBatch(session, survey, batch), { message: 'Tell us.', metadata: { order: 1, shop: 'north' } });
  t.match((await store.console.listBatches(session, survey, undefined, 1))[0], { message: null, metadata: null });
});

t.test('counts and forecast stop at the count asked for, and the forecast tells what is due from what is not', async (t) => {
  const { survey, session, hash } = await setup(['a', 'b', 'c'], { state: 'draft' });
  await acceptTrigger(store, hash, { recipients: addresses(['d']), sendInSeconds: 60 }, 10_000);
  t.match(await store.console.surveyForecast(session, survey, 'UTC', 10), { lookedAt: 4, atOnce: 3, later: 1 });
  t.match(await store.console.surveyForecast(session, survey, 'UTC', 1), { lookedAt: 2 });
  const [row] = await sql`select counts ->> 'queued' as queued from console.invitation_counts(${session}, ${survey}, 2)`;
  t.match(row, { queued: '2' });
});

t.test('a search finds the beginning of an address in any case, the address itself first, page by page', async (t) => {
  const { list, survey, batch, ids } = await setup(['anna', 'ann', 'Ann.b', 'an%', 'bob', 'zoë']);
  await setup(['ann-of-others']);
  t.strictSame(await list({ search: 'ANN' }), ['Ann.b', 'ann', 'anna']);
  t.strictSame(await list({ search: 'ann@example.com' }), ['ann']);
  t.strictSame(await list({ search: 'an%' }), ['an%']);
  t.strictSame(await list({ search: 'zoë' }), ['zoë']);
  t.strictSame(await list({ search: 'ann', before: String(ids[1]) }, 1), ['anna'], 'the page goes on after an address');
  t.strictSame(await list({ search: 'ann', status: 'sent' }), []);
  t.strictSame(await list({ search: 'ann', batch }), ['Ann.b', 'ann', 'anna'], 'in a batch, the newest first');
  const looked = async (most: number) => {
    const [row] = await sql`select cardinality(console.search_invitations(${survey}, 'an', null, null, 50, ${most})) as found`;
    return row?.found;
  };
  t.strictSame([await looked(2), await looked(3)], [2, 3], 'those of others are not looked at');
});

t.test('whatever the statistics say, lists and search read indexes', async (t) => {
  const connection = connect();
  await setup(['a']);
  const listed = `survey_id = 'x' and status = 'sent' and is_last and status <> 'sending'
    and message_kind >= 'reminder' and (message_kind, invitation_id) < ('reminder', 9) order by message_kind desc, invitation_id desc limit 5`;
  for (const [index, query] of [
    ['messages_listed_idx', `invitation_id from invite.messages where ${listed}`],
    [
      'addresses_pkey',
      `* from invite.addresses where workspace_id = 'x' and email >= 'a' and email < 'b' order by email limit 5`,
    ],
    ['addresses_pkey', `* from invite.addresses where workspace_id = 'x' and email = 'a' order by invitation_id desc limit 5`],
  ] as const) {
    await connection`set enable_seqscan = off`;
    const plan = JSON.stringify(await connection.unsafe(`explain select ${query}`));
    t.match(plan, index);
    t.notMatch(plan, 'Sort');
  }
});

t.test('why an email has not been sent is said as for an operator, without a look at its job', async (t) => {
  await sql`delete from invite.workers where id not in (select worker_id from invite.messages where worker_id is not null)`;
  await sql`update invite.workers set heartbeat_at = now() - interval '1 hour'`;
  const { survey, session } = await setup(['a']);
  const why = async () => {
    const [line] = await store.console.listInvitations(session, survey, {}, 1);
    return [line?.unsentReason, line?.holdReason];
  };
  t.same(await why(), ['no_worker', null]);
  await createWorker(store);
  t.same(await why(), ['ready', null]);
  await sql`update invite.surveys set disabled_at = now() where id = ${survey}`;
  t.same(await why(), ['held', 'survey_disabled']);
  t.equal((await store.console.surveyFrame(session, survey, 'editor')).holdReason, 'survey_disabled');
});

t.test('a state is changed once, and is in the audit log with who did it', async (t) => {
  const { survey, workspace, session } = await setup(['a'], { state: 'draft' });
  t.equal(await store.console.setSurveyState(session, survey, 'active'), true);
  t.equal(await store.console.setSurveyState(session, survey, 'active'), false);
  t.equal((await jobsOf(sql, survey)).filter(({ task }) => task === 'requeue_waiting').length, 1);
  const rows =
    await sql`select actor, detail from invite.audit_log where workspace_id = ${workspace} and action = 'survey_state_changed'`;
  t.strictSame(
    rows.map((row) => ({ ...row })),
    [{ actor: `editor-${survey}@example.com`, detail: { from: 'draft', to: 'active' } }],
  );
});

t.test(
  'a batch or an invitation is cancelled or retried through its own survey only, and logged without an address',
  async (t) => {
    const { survey, workspace, session, batch, ids } = await setup(['a', 'b', 'c']);
    const other = await setup(['d']);
    t.equal(await sqlstate(store.console.cancelBatch(other.session, other.survey, batch)), 'P0002');
    t.equal(await sqlstate(store.console.cancelInvitation(other.session, other.survey, String(ids[0]))), 'P0002');
    t.equal(await store.console.cancelInvitation(session, survey, String(ids[0])), 1);
    t.equal(await store.console.cancelBatch(session, survey, batch), 2);
    t.equal(await store.console.cancelBatch(session, survey, batch), 0);
    await sql`update invite.messages set status = 'failed', failed_at = now(), cancelled_at = null where invitation_id = ${ids[1] ?? 0}`;
    t.equal(await store.console.retryInvitation(session, survey, String(ids[1])), 1);
    const log =
      await sql`select action, subject, detail from invite.audit_log where workspace_id = ${workspace} and actor <> 'cli' and action <> 'signed_in' order by id`;
    t.match(log, [
      { action: 'invitation_cancelled', subject: String(ids[0]), detail: { messages: 1 } },
      { action: 'batch_cancelled', subject: batch, detail: { messages: 2 } },
      { action: 'invitation_retried', subject: String(ids[1]) },
    ]);
    t.equal(log.length, 3, 'what did nothing is not in it');
    t.notMatch(JSON.stringify(log), '@example.com');
  },
);

t.test('a reminder that failed is counted for its batch, and sent again with it', async (t) => {
  const { survey, session, batch, ids } = await setup(['a', 'b']);
  await sendWithReminder(ids.slice(0, 1));
  await sql`
    update invite.messages set status = 'failed', failed_at = now(), not_before = null, sweep_at = null
    where invitation_id = ${ids[0] ?? 0} and number = 1`;
  t.match((await store.console.findBatch(session, survey, batch)).counts, { queued: 1, sent: 1, failed: 0, reminders_failed: 1 });
  t.equal(await store.console.retryBatch(session, survey, batch), 1);
});

t.test('pages of batches meet', async (t) => {
  const { survey, session, hash, batch } = await setup(['a']);
  for (const name of ['b', 'c']) await acceptTrigger(store, hash, { recipients: addresses([name]) }, 10_000);
  const [third, second] = await store.console.listBatches(session, survey, undefined, 2);
  t.ok(third && second && third.acceptedAt >= second.acceptedAt);
  const last = await store.console.listBatches(session, survey, second?.id, 2);
  t.match(last, [{ id: batch, tokenName: 'Token', status: 'queued' }]);
  t.equal(last.length, 1);
});

t.test('a test email is of a token of the survey, and makes no invitation', async (t) => {
  const { survey, session, token } = await setup(['a'], { state: 'closed' });
  await sql`select console.request_test_invitation(${session}, ${survey}, ${token}, 'invitation', at => '2030-01-01 11:00Z')`;
  const elsewhere = await createSurvey(store);
  const { token: foreign } = await createToken(store, elsewhere.survey);
  const asked = store.console.requestTestInvitation(session, survey, { tokenId: foreign, kind: 'invitation' });
  t.equal(await sqlstate(asked), 'P0002');
  t.equal((await idsOf(sql, survey)).length, 1);
  const [job] = await sql`
    select payload from graphile_worker._private_jobs as j join graphile_worker._private_tasks as k on k.id = j.task_id
    where k.identifier = 'send_test_invitation' limit 1`;
  t.same(Object.keys(job?.payload), ['test_id'], 'the job has no address');
  await sql`select test.prune_expired(at => '2030-01-02 10:59:59Z')`;
  t.equal((await sql`select from invite.test_invitations`).length, 1, 'they are kept for a day');
  await sql`select test.prune_expired(at => '2030-01-02 11:00Z')`;
  t.equal((await sql`select from invite.test_invitations`).length, 0);
  const other = await setup(['a'], { state: 'draft' });
  for (const _ of [1, 2])
    await sql`
      select console.request_test_invitation(
        ${other.session}, ${other.survey}, null, 'invitation', at => '2030-01-01 11:00Z')`;
  const tested = await sql`
    select distinct t.is_by_hand from invite.test_invitations as x join invite.trigger_tokens as t on t.id = x.trigger_token_id
    where x.survey_id = ${other.survey}`;
  t.same(tested, [{ is_by_hand: true }], 'without a token it is the email of lists');
  t.equal((await sql`select from invite.trigger_tokens where survey_id = ${other.survey} and is_by_hand`).length, 1);
});

t.test(
  'a workspace gets exactly 20 test emails in 24 hours, of all its members and surveys, however many ask at once',
  async (t) => {
    const { workspace, survey, session, token } = await setup(['a']);
    const other = await setup(['b']);
    const colleague = await createMember(store, workspace, 'editor', `colleague-${survey}@example.com`);
    const second = await store.upsertSurvey({ workspaceId: workspace, title: 'Another survey' });
    const { token: secondToken } = await createToken(store, second);
    const ask = (by: Buffer, at: string, ofSecond = false) =>
      constraint(sql`
      select console.request_test_invitation(
        ${by}, ${ofSecond ? second : survey}, ${ofSecond ? secondToken : token}, 'invitation', at => ${at})`);
    for (let minute = 10; minute < 28; minute += 1)
      t.equal(await ask(minute % 2 ? session : colleague.session, `2030-01-01 10:${minute}Z`, minute % 3 === 0), 'none');
    const atOnce = await Promise.all(
      Array.from({ length: 10 }, (_, index) => ask(index % 2 ? session : colleague.session, '2030-01-01 11:00Z', index > 5)),
    );
    t.same(atOnce.sort(), [...Array(2).fill('none'), ...Array(8).fill('test_invitations_daily')].sort());
    t.equal(await ask(session, '2030-01-02 10:09:59Z'), 'test_invitations_daily', 'the first is not 24 hours old');
    t.equal(await ask(session, '2030-01-02 10:10Z'), 'none');
    t.equal(await ask(session, '2030-01-02 10:10Z'), 'test_invitations_daily');
    const elsewhere = sql`
    select console.request_test_invitation(${other.session}, ${other.survey}, ${other.token}, 'invitation', at => '2030-01-01 11:00Z')`;
    t.equal(await constraint(elsewhere), 'none', 'another workspace has its own');
  },
);

t.test('a request for the last test email of a day that waits for another one is refused', async (t) => {
  const { survey, session, token } = await setup(['a']);
  const ask = (by: typeof sql) =>
    by`select console.request_test_invitation(${session}, ${survey}, ${token}, 'invitation', at => '2030-01-01 10:00Z')`;
  for (let number = 1; number < 20; number += 1) await ask(sql);
  const waiting = await connect().begin(async (transaction) => {
    await ask(transaction as never);
    const asked = constraint(ask(sql));
    await until(
      'the second waits',
      async () => (await transaction`select from pg_locks where locktype = 'advisory' and not granted`).length > 0,
    );
    return { asked };
  });
  t.equal(await waiting.asked, 'test_invitations_daily');
});

t.test('a test email goes to any member of the workspace, and to nobody else', async (t) => {
  const { workspace, survey, session, token } = await setup(['a']);
  const viewer = await createMember(store, workspace, 'viewer', `viewer-${survey}@example.com`);
  const stranger = await createMember(store, (await setup(['b'])).workspace, 'owner', `stranger-${survey}@example.com`);
  const ask = (recipient: string | undefined, name?: string) =>
    constraint(store.console.requestTestInvitation(session, survey, { tokenId: token, kind: 'invitation', recipient, name }));
  for (const address of [stranger.email, 'nobody@example.com', ''])
    t.equal(await ask(address), 'test_invitations_to_member', address);
  t.equal(await ask(viewer.email, 'x'.repeat(256)), 'test_invitations_name_length');
  t.equal(await ask(viewer.email, 'a\nb'), 'test_invitations_name_length');
  t.equal(await ask(viewer.email, 'a\u202eb'), 'test_invitations_name_marks');
  t.equal(await ask(viewer.email.toUpperCase(), '王小明'), 'none');
  t.match(await store.console.listTestInvitations(session, survey), [{ recipient: viewer.email, name: '王小明' }]);
  const [{ id } = { id: '' }] = await store.console.listTestInvitations(session, survey);
  t.match(await store.issueTestInvitation(id), { email: viewer.email, name: '王小明', question: null });
  await sql`delete from invite.members where email = ${viewer.email}`;
  t.equal(await store.issueTestInvitation(id), null, 'someone who left gets nothing');
});

t.test('members see the results of their own last test emails of the survey only', async (t) => {
  const { survey, workspace, session, token } = await setup(['a']);
  const other = await createMember(store, workspace, 'editor', `other-${survey}@example.com`);
  await store.console.requestTestInvitation(other.session, survey, { tokenId: token, kind: 'invitation' });
  t.strictSame(await store.console.listTestInvitations(session, survey), []);
  await store.console.requestTestInvitation(session, survey, { tokenId: token, kind: 'reminder' });
  const line = async (at?: string) => {
    const [row] = await sql`select * from console.test_invitations(${session}, ${survey}, at => ${at ?? null})`;
    return {
      state: row?.state,
      outcome: row?.outcome,
      code: row?.code,
      attempts: row?.attempts,
      message_kind: row?.message_kind,
    };
  };
  const later = new Date(Date.now() + 3_601_000).toISOString();
  t.strictSame(await line(), { state: 'queued', outcome: null, code: null, attempts: 0, message_kind: 'reminder' });
  t.match(await line(later), { state: 'given_up' });
  const [{ id } = { id: '' }] = await store.console.listTestInvitations(session, survey);
  await store.recordTestOutcome(id, 'config', 'invalid_api_key');
  t.match(await line(), { state: 'retrying', outcome: 'config', code: 'invalid_api_key', attempts: 1 });
  t.match(await line(later), { state: 'given_up', code: 'invalid_api_key' });
  await store.recordTestOutcome(id, 'rejected', 'x'.repeat(200));
  t.match(await line(later), { state: 'rejected', code: 'x'.repeat(100), attempts: 2 });
  await store.recordTestOutcome(id, 'accepted', null);
  t.match(await line(later), { state: 'sent', code: null, attempts: 3 });
});

t.test('each of these functions rejects viewers and members of other workspaces by itself', async (t) => {
  const { survey, workspace, batch, token, ids } = await setup(['a']);
  const viewer = await createMember(store, workspace, 'viewer', `viewer-${survey}@example.com`);
  const other = await setup(['b']);
  const [id = 0] = ids;
  const calls: Record<string, (session: Buffer) => PromiseLike<unknown>> = {
    surveyCounts: (session) => store.console.surveyCounts(session, survey),
    surveyForecast: (session) => store.console.surveyForecast(session, survey, 'UTC', 10),
    forecastMessages: (session) =>
      store.console.forecastMessages(session, survey, 'UTC', { reason: 'suppressed' }, { maxRows: 50, maxEmails: 10 }),
    surveyInvitations: (session) => store.console.listInvitations(session, survey, {}, 50),
    surveyInvitation: (session) => store.console.findInvitation(session, survey, String(id)),
    invitationEvents: (session) => sql`select console.invitation_events(${session}, ${survey}, ${id})`,
    surveyBatches: (session) => store.console.listBatches(session, survey, undefined, 20),
    surveyBatch: (session) => store.console.findBatch(session, survey, batch),
    changeSurveyState: (session) => store.console.setSurveyState(session, survey, 'closed'),
    cancelBatch: (session) => store.console.cancelBatch(session, survey, batch),
    cancelInvitation: (session) => store.console.cancelInvitation(session, survey, String(id)),
    testTemplates: (session) => store.console.listTestTemplates(session, survey),
    testLines: (session) => store.console.listTestInvitations(session, survey),
    requestTestInvitation: (session) =>
      store.console.requestTestInvitation(session, survey, { tokenId: token, kind: 'invitation' }),
  };
  for (const [name, call] of Object.entries(calls)) {
    t.equal(await sqlstate(call(viewer.session)), 'IT403', `${name}, a viewer`);
    t.equal(await sqlstate(call(other.session)), 'P0002', `${name}, an editor of another workspace`);
  }
});
