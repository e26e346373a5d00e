// accept_triggers: what it rejects and in which order, the cooldown under its lock, and what an accepted request creates. The quota is
// tested in quota.test.ts.
import t from 'tap';
import { openDatabase } from '../../src/database/pool.ts';
import { clearJobs, invitationsOf, jobsOf, openSession } from '../fixtures/inspect.ts';
import { createSurvey, createTestDatabase, createToken, until } from '../fixtures/setup.ts';
import { acceptTrigger } from '../fixtures/trigger.ts';

const database = await createTestDatabase(t);
const { sql, store, connect } = database;
const ada = [{ email: 'ada@example.com' }];
const people = (count: number) => Array.from({ length: count }, (_, index) => ({ email: `person${index}@example.com` }));

/** Makes a request at a given time. */
const acceptAt = async (hash: Buffer, at: string, recipientsPerHour = 10_000, recipients: object[] = ada) => {
  const [row] = await sql`
    select * from test.accept_trigger(${hash}, ${sql.json(recipients as never)}, at => ${at}, recipients_per_hour => ${recipientsPerHour})`;
  return row as {
    outcome: string;
    retry_after_seconds: number | null;
    batch_id: string | null;
    scheduled_at: Date;
    status: string;
  };
};

t.test('a second request is rejected 59 seconds after the first and accepted 60 seconds after it', async (t) => {
  const { survey } = await createSurvey(store);
  const { hash } = await createToken(store, survey, { cooldownSeconds: 60 });
  t.equal((await acceptAt(hash, '2030-01-01 10:00:00Z')).outcome, 'accepted');
  t.match(await acceptAt(hash, '2030-01-01 10:00:59Z'), { outcome: 'cooldown', retry_after_seconds: 1 });
  t.match(
    await acceptAt(hash, '2030-01-01 10:00:01Z'),
    { outcome: 'cooldown', retry_after_seconds: 59 },
    'a rejection does not extend the cooldown',
  );
  t.equal((await acceptAt(hash, '2030-01-01 10:01:00Z')).outcome, 'accepted');
});

t.test('without a cooldown two requests at the same moment are accepted', async (t) => {
  const { survey } = await createSurvey(store);
  const { hash } = await createToken(store, survey, { cooldownSeconds: 0 });
  t.equal((await acceptAt(hash, '2030-01-01 10:00:00Z')).outcome, 'accepted');
  t.equal((await acceptAt(hash, '2030-01-01 10:00:00Z')).outcome, 'accepted');
});

t.test('after the clock was set back a token cools down for twice its cooldown at most', async (t) => {
  const { survey } = await createSurvey(store);
  const { hash } = await createToken(store, survey, { cooldownSeconds: 60 });
  await acceptAt(hash, '2030-01-04 10:00:00Z');
  t.match(await acceptAt(hash, '2030-01-04 09:59:01Z'), { outcome: 'cooldown', retry_after_seconds: 60 });
  t.equal((await acceptAt(hash, '2030-01-01 10:00:00Z')).outcome, 'accepted', 'not three days');
  t.match(await acceptAt(hash, '2030-01-01 10:00:01Z'), { outcome: 'cooldown', retry_after_seconds: 59 });
  const [token] = await sql`select last_accepted_at as at from invite.trigger_token_overview where survey_id = ${survey}`;
  t.equal(token?.at.toISOString(), '2030-01-01T10:00:00.000Z');
});

t.test('accepting only inserts rows: nothing that a held snapshot makes slow', async (t) => {
  const { survey } = await createSurvey(store);
  const tokens = await Promise.all([1, 2].map(() => createToken(store, survey, { cooldownSeconds: 60 })));
  const requests = tokens.map(({ hash }, index) => ({
    secret_hash: `\\x${hash.toString('hex')}`,
    recipients: people(3),
    idempotency_key: `order-${index}`,
    payload_hash: `\\x${'00'.repeat(32)}`,
    send_in_seconds: 60 * index,
  }));
  const session = connect();
  await session`begin`;
  for (const at of ['2030-01-01 10:00:00Z', '2030-01-03 10:00:00Z'])
    await session`select * from invite.accept_triggers(${sql.json(requests)}, at => ${at}, defer => true)`;
  const written = await session`
    select schemaname || '.' || relname as name, n_tup_ins::integer as inserted, (n_tup_upd + n_tup_del)::integer as changed
    from pg_stat_xact_user_tables where n_tup_ins + n_tup_upd + n_tup_del > 0`;
  await session`rollback`;
  t.match(
    written.find(({ name }) => name === 'invite.batches'),
    { inserted: 4 },
  );
  t.strictSame(
    written.filter(({ name, changed }) => name !== 'invite.idempotency_keys' && changed > 0).map((row) => ({ ...row })),
    [],
  );
});

t.test('accepting reads as many rows after a thousand batches as after one', async (t) => {
  const { survey } = await createSurvey(store);
  const { hash } = await createToken(store, survey, { cooldownSeconds: 1 });
  const fetched = async (at: string) => {
    const session = connect();
    await session`begin`;
    const count = () => session<{ rows: number }[]>`
      select sum(seq_tup_read + coalesce(idx_tup_fetch, 0))::integer as rows from pg_stat_xact_user_tables where schemaname = 'invite'`;
    const [before] = await count();
    await session`select * from test.accept_trigger(${hash}, ${sql.json(ada)}, at => ${at})`;
    const [after] = await count();
    await session`rollback`;
    return (after?.rows ?? 0) - (before?.rows ?? 0);
  };
  await acceptAt(hash, '2030-01-01 09:00:00Z');
  // The plans and the statistics are made now, while the table is small.
  await sql`analyze invite.batches`;
  const few = await fetched('2030-01-01 10:30:00Z');
  await sql`
    insert into invite.batches (
      id, workspace_id, survey_id, trigger_token_id, subject, message, recipients, workspace_total, scheduled_at, accepted_at)
    select gen_random_uuid(), b.workspace_id, b.survey_id, b.trigger_token_id, b.subject, b.message, 1, n + 1, b.scheduled_at,
      b.accepted_at + n * interval '1 second'
    from invite.batches as b, generate_series(1, 1000) as n where b.survey_id = ${survey}`;
  const many = await fetched('2030-01-01 10:30:00Z');
  t.ok(few > 0 && many <= few + 5, `${few} and ${many} rows were read`);
});

t.test('a fraction of a second of cooldown is rounded up to a second', async (t) => {
  const { survey } = await createSurvey(store);
  const { hash } = await createToken(store, survey, { cooldownSeconds: 60 });
  await acceptAt(hash, '2030-01-01 10:00:00Z');
  t.match(await acceptAt(hash, '2030-01-01 10:00:59.999Z'), { outcome: 'cooldown', retry_after_seconds: 1 });
  t.match(await acceptAt(hash, '2030-01-01 10:00:30.5Z'), { outcome: 'cooldown', retry_after_seconds: 30 });
});

t.test('of two interleaved transactions the second waits for the lock and is then rejected', async (t) => {
  const { survey } = await createSurvey(store);
  const { hash } = await createToken(store, survey, { cooldownSeconds: 60 });
  const [first, second] = [await openSession(database), await openSession(database)];
  await first.sql`begin`;
  const [accepted] = await first.sql`select outcome from test.accept_trigger(${hash}, ${sql.json(ada)})`;
  const refused = second.sql`select outcome from test.accept_trigger(${hash}, ${sql.json(ada)})`.execute();
  await second.untilBlocked();
  await first.sql`commit`;
  t.equal(accepted?.outcome, 'accepted');
  t.equal((await refused)[0]?.outcome, 'cooldown');
});

t.test('of 40 callers at once exactly one is accepted', async (t) => {
  const { survey } = await createSurvey(store);
  const { hash, token } = await createToken(store, survey, { cooldownSeconds: 60 });
  // There is no lock timeout. Otherwise the first caller could give up on a busy machine before the last has come.
  const pool = openDatabase(database.url, { max: 10, applicationName: 'tests', transactions: true });
  t.teardown(() => pool.end());
  // All ten connections wait for the token before the first of them continues.
  const holder = await openSession(database);
  await holder.sql`begin`;
  await holder.sql`select from invite.trigger_tokens where id = ${token} for update`;
  const calls = Promise.all(
    Array.from({ length: 40 }, () => pool`select outcome from test.accept_trigger(${hash}, ${sql.json(ada)})`),
  );
  await until('ten callers wait', async () => {
    const [row] = await sql`
      select count(*)::integer as waiting from pg_stat_activity
      where datname = current_database() and cardinality(pg_blocking_pids(pid)) > 0`;
    return row?.waiting === 10;
  });
  await holder.sql`commit`;
  const answers = await calls;
  const outcomes = answers.map(([row]) => row?.outcome);
  t.equal(outcomes.filter((outcome) => outcome === 'accepted').length, 1);
  t.equal(outcomes.filter((outcome) => outcome === 'cooldown').length, 39);
  t.equal((await invitationsOf(sql, survey)).length, 1);
});

t.test('a caller inside the cooldown is rejected without waiting for the locked token', async (t) => {
  const { survey } = await createSurvey(store);
  const { hash, token } = await createToken(store, survey, { cooldownSeconds: 60 });
  await acceptAt(hash, '2030-01-01 10:00:00Z');
  const holder = connect();
  await holder`begin`;
  await holder`select from invite.trigger_tokens where id = ${token} for update`;
  const caller = connect();
  await caller`set lock_timeout = '1s'`;
  const [inside] = await caller`select outcome from test.accept_trigger(${hash}, ${sql.json(ada)}, at => '2030-01-01 10:00:30Z')`;
  t.equal(inside?.outcome, 'cooldown');
  await t.rejects(
    caller`select outcome from test.accept_trigger(${hash}, ${sql.json(ada)}, at => '2030-01-01 10:01:30Z')`.execute(),
    { code: '55P03' },
    'after the cooldown it does wait',
  );
  await holder`rollback`;
});

t.test('a token that is deleted while a caller waits for it is unknown to that caller', async (t) => {
  const { survey } = await createSurvey(store);
  const { hash, token } = await createToken(store, survey);
  const [deleter, caller] = [await openSession(database), await openSession(database)];
  await deleter.sql`begin`;
  await deleter.sql`select invite.delete_trigger_token(${token})`;
  const answer = caller.sql`select outcome from test.accept_trigger(${hash}, ${sql.json(ada)})`.execute();
  await caller.untilBlocked();
  await deleter.sql`commit`;
  t.equal((await answer)[0]?.outcome, 'unknown_token');
});

t.test('rejections come in one order: token, workspace, plan, survey, cooldown, quota', async (t) => {
  const { workspace, survey } = await createSurvey(store);
  const { hash } = await createToken(store, survey, { cooldownSeconds: 60 });
  const again = async (at = '2030-01-01 10:00:30Z') => (await acceptAt(hash, at, 1)).outcome;
  t.equal(await again('2030-01-01 10:00:00Z'), 'accepted');
  await store.setWorkspaceSuspended(workspace, true);
  await store.upsertWorkspace({ id: workspace, plan: 'free' });
  await sql`select invite.set_survey_disabled(${survey}, true)`;
  t.equal((await acceptAt(Buffer.alloc(32), '2030-01-01 10:00:30Z')).outcome, 'unknown_token');
  t.equal(await again(), 'workspace_disabled');
  await store.setWorkspaceSuspended(workspace, false);
  t.equal(await again(), 'plan_required');
  await store.upsertWorkspace({ id: workspace, plan: 'pro' });
  t.equal(await again(), 'survey_disabled');
  await sql`select invite.set_survey_disabled(${survey}, false)`;
  t.equal(await again(), 'cooldown');
  t.equal(await again('2030-01-01 10:01:00Z'), 'flood_protection');
  t.equal(await again('2030-01-01 11:01:00Z'), 'accepted');
});

t.test('the type trigger_outcome names the rejections in the order in which they are decided', async (t) => {
  const [row] = await sql`select enum_range(null::invite.trigger_outcome)::text[] as outcomes`;
  t.strictSame(row?.outcomes, [
    'accepted',
    'unknown_token',
    'idempotency_key_reused',
    'workspace_disabled',
    'plan_required',
    'survey_disabled',
    'cooldown',
    'flood_protection',
  ]);
});

t.test('a draft or closed survey accepts requests', async (t) => {
  for (const state of ['draft', 'closed']) {
    const { survey } = await createSurvey(store, { state });
    const { hash } = await createToken(store, survey);
    t.equal((await acceptAt(hash, '2030-01-01 10:00:00Z')).outcome, 'accepted', state);
  }
});

t.test('a deleted token is unknown', async (t) => {
  const { survey } = await createSurvey(store);
  const { hash, token } = await createToken(store, survey);
  t.equal((await acceptAt(hash, '2030-01-01 10:00:00Z')).outcome, 'accepted');
  await store.deleteTriggerToken(token);
  t.equal((await acceptAt(hash, '2030-01-01 10:00:01Z')).outcome, 'unknown_token');
});

t.test('a rejected request changes nothing', async (t) => {
  const { workspace, survey } = await createSurvey(store);
  const { hash } = await createToken(store, survey, { cooldownSeconds: 60 });
  await acceptAt(hash, '2030-01-01 10:00:00Z');
  const everything = async () => ({
    tokens: await sql`select t.*, t.xmin::text as version from invite.trigger_tokens as t where survey_id = ${survey}`,
    batches: await sql`select b.*, b.xmin::text as version from invite.batches as b where survey_id = ${survey}`,
    invitations: await sql`select i.*, i.xmin::text as version from invite.invitations as i where survey_id = ${survey}`,
    messages: await sql`select m.*, m.xmin::text as version from invite.messages as m where survey_id = ${survey}`,
    jobs: await jobsOf(sql, survey),
  });
  const refuse = async (expected: string, at = '2030-01-01 10:00:30Z', limit = 10_000) => {
    const before = await everything();
    const answer = await acceptAt(hash, at, limit);
    t.match(answer, { outcome: expected, batch_id: null, scheduled_at: null, status: null });
    t.strictSame(await everything(), before, `${expected} changes nothing`);
  };
  await refuse('cooldown');
  await refuse('flood_protection', '2030-01-01 10:02:00Z', 1);
  await sql`select invite.set_survey_disabled(${survey}, true)`;
  await refuse('survey_disabled', '2030-01-01 10:02:00Z');
  await store.upsertWorkspace({ id: workspace, plan: 'free' });
  await refuse('plan_required', '2030-01-01 10:02:00Z');
  await store.setWorkspaceSuspended(workspace, true);
  await refuse('workspace_disabled', '2030-01-01 10:02:00Z');
});

t.test('what a request leaves out comes from the token, and what it names wins', async (t) => {
  const { survey } = await createSurvey(store);
  const { hash } = await createToken(store, survey, {
    defaultSubject: 'Subject of the token',
    defaultMessage: 'Message of the token',
    defaultReminders: [7],
  });
  const accepted = async (request: object) => {
    const answer = await acceptTrigger(store, hash, { recipients: ada, ...request }, 10_000);
    if (answer.outcome !== 'accepted') throw new Error(answer.outcome);
    const [batch] = await sql`select subject, message, reminders, metadata from invite.batches where id = ${answer.batchId}`;
    return batch;
  };
  t.strictSame(
    { ...(await accepted({})) },
    {
      subject: 'Subject of the token',
      message: 'Message of the token',
      reminders: [7],
      metadata: null,
    },
  );
  t.strictSame(
    { ...(await accepted({ subject: 'Mine', message: 'Hello', reminders: [], metadata: { order: 1 } })) },
    { subject: 'Mine', message: 'Hello', reminders: [], metadata: { order: 1 } },
    'a reminder can be switched off for one request',
  );
});

t.test('a later change of the defaults does not reach an accepted batch', async (t) => {
  const { survey } = await createSurvey(store);
  const { hash, token } = await createToken(store, survey, { defaultSubject: 'Before' });
  const { batch_id } = await acceptAt(hash, '2030-01-01 10:00:00Z');
  await store.updateTriggerToken(token, { defaultSubject: 'After' });
  const [batch] = await sql`select subject from invite.batches where id = ${batch_id}`;
  t.equal(batch?.subject, 'Before');
});

t.test('a request is due at once, after send_in_seconds, or at send_at', async (t) => {
  const { survey } = await createSurvey(store);
  const { hash } = await createToken(store, survey);
  const at = '2030-01-01 10:00:00Z';
  const due = async (sendInSeconds: number | null, sendAt: string | null) => {
    await clearJobs(sql);
    const [row] = await sql`
      select * from test.accept_trigger(
        ${hash}, ${sql.json(ada)}, at => ${at}, send_in_seconds => ${sendInSeconds}, send_at => ${sendAt})`;
    const [invitation] = await sql`select due_at from test.invitations where batch_id = ${row?.batch_id}`;
    const [job] = await jobsOf(sql, survey);
    t.strictSame(invitation?.due_at, row?.scheduled_at, 'the invitation is due with its batch');
    t.strictSame(job?.run_at, row?.scheduled_at, 'the job runs when it is due');
    return [row?.status, row?.scheduled_at.toISOString()];
  };
  t.strictSame(await due(null, null), ['queued', '2030-01-01T10:00:00.000Z']);
  t.strictSame(await due(0, null), ['queued', '2030-01-01T10:00:00.000Z']);
  t.strictSame(await due(1, null), ['scheduled', '2030-01-01T10:00:01.000Z']);
  t.strictSame(await due(31_536_000, null), ['scheduled', '2031-01-01T10:00:00.000Z']);
  t.strictSame(await due(null, '2030-01-01 10:00:01Z'), ['scheduled', '2030-01-01T10:00:01.000Z']);
  t.strictSame(await due(null, '2030-01-01 09:58:00Z'), ['queued', '2030-01-01T09:58:00.000Z']);
});

t.test('a batch id is a UUID of version 7 that carries the time of its acceptance', async (t) => {
  const { survey } = await createSurvey(store);
  const { hash } = await createToken(store, survey);
  const { batch_id } = await acceptAt(hash, '2030-01-01 10:00:00Z');
  t.match(batch_id, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  t.equal(Number.parseInt(batch_id?.replaceAll('-', '').slice(0, 12) ?? '', 16), Date.parse('2030-01-01T10:00:00Z'));
});

t.test('250 recipients become three jobs of at most 100, added by one call', async (t) => {
  const { survey } = await createSurvey(store);
  const { hash } = await createToken(store, survey);
  await clearJobs(sql);
  await acceptAt(hash, '2030-01-01 10:00:00Z', 10_000, people(250));
  const jobs = await jobsOf(sql, survey);
  t.strictSame(jobs.map((job) => job.payload.invitation_ids?.length).sort(), [100, 100, 50]);
  t.ok(jobs.every((job) => job.task === 'send_invitations'));
  t.ok(jobs.every((job) => job.run_at.toISOString() === '2030-01-01T10:00:00.000Z'));
  t.strictSame(
    jobs.flatMap((job) => job.payload.invitation_ids ?? []).sort((a, b) => a - b),
    (await invitationsOf(sql, survey)).map((row) => Number(row.id)),
    'each invitation is in one job',
  );
  // Rows that one statement has written have the same cmin.
  const [row] = await sql`select count(distinct cmin::text)::integer as statements from graphile_worker._private_jobs`;
  t.equal(row?.statements, 1);
});

t.test('requests of several surveys that are accepted by one call share a job', async (t) => {
  const surveys = [await createSurvey(store), await createSurvey(store)];
  const tokens = await Promise.all(surveys.map(({ survey }) => createToken(store, survey)));
  await clearJobs(sql);
  await store.acceptTriggers(
    tokens.map(({ hash }) => ({ secretHash: hash, request: { recipients: people(2) } })),
    10_000,
  );
  const jobs = await Promise.all(surveys.map(({ survey }) => jobsOf(sql, survey)));
  t.strictSame(jobs[0], jobs[1]);
  t.equal(jobs[0]?.[0]?.payload.invitation_ids?.length, 4);
});

t.test('jobs of what is due can be left to queue_accepted, which puts those of several calls together', async (t) => {
  const surveys = [await createSurvey(store), await createSurvey(store)];
  const tokens = await Promise.all(surveys.map(({ survey }) => createToken(store, survey)));
  await clearJobs(sql);
  const accepted = await Promise.all(
    tokens.flatMap(({ hash }) =>
      [0, 3600].map(async (sendInSeconds) => {
        const [result] = await store.acceptTriggers(
          [{ secretHash: hash, request: { recipients: people(3), sendInSeconds } }],
          10_000,
          { wait: true, defer: true },
        );
        if (result?.outcome !== 'accepted') throw new Error('the request was rejected');
        return { batch: result.batchId, deferred: result.deferred, later: sendInSeconds > 0 };
      }),
    ),
  );
  for (const { deferred, later } of accepted) t.equal(deferred, !later);
  const jobsOfBoth = async () => Promise.all(surveys.map(({ survey }) => jobsOf(sql, survey)));
  t.strictSame(
    (await jobsOfBoth()).map((jobs) => jobs.map(({ payload }) => payload.invitation_ids?.length)),
    [[3], [3]],
    'what is due later has its job',
  );
  await store.queueAccepted(
    accepted.map(({ batch }) => batch),
    'home0000',
  );
  const [first, second] = await jobsOfBoth();
  t.strictSame(first?.at(-1), second?.at(-1), 'one job for both');
  t.equal(first?.at(-1)?.payload.invitation_ids?.length, 6);
});

t.test('queue_accepted leaves out settled invitations and unknown batches', async (t) => {
  const { survey } = await createSurvey(store);
  const { hash } = await createToken(store, survey);
  const [result] = await store.acceptTriggers([{ secretHash: hash, request: { recipients: people(2) } }], 10_000, {
    defer: true,
  });
  if (result?.outcome !== 'accepted') throw new Error('the request was rejected');
  await sql`
    update invite.messages set status = 'sent', sent_at = now(), not_before = null, sweep_at = null
    where invitation_id = (select min(id) from invite.invitations where survey_id = ${survey})`;
  await clearJobs(sql);
  await store.queueAccepted([result.batchId, '00000000-0000-7000-8000-000000000000'], 'home0000');
  const [, open] = await invitationsOf(sql, survey);
  t.strictSame(
    (await jobsOf(sql, survey)).map(({ payload }) => payload.invitation_ids),
    [[Number(open?.id)]],
  );
  await store.queueAccepted([], 'home0000');
});

t.test('exactly 100 recipients are one job and 101 are two', async (t) => {
  for (const [count, jobs] of [
    [100, 1],
    [101, 2],
  ] as const) {
    const { survey } = await createSurvey(store);
    const { hash } = await createToken(store, survey);
    await acceptAt(hash, '2030-01-01 10:00:00Z', 10_000, people(count));
    const sends = (await jobsOf(sql, survey)).filter((job) => job.task === 'send_invitations');
    t.equal(sends.length, jobs, `${count} recipients`);
  }
});

t.test("each recipient's name and metadata are stored with the invitation, and each gets a link token of its own", async (t) => {
  const { survey } = await createSurvey(store);
  const { hash } = await createToken(store, survey);
  await acceptAt(hash, '2030-01-01 10:00:00Z', 10_000, [
    { email: 'ada@example.com', name: 'Ada', metadata: { seat: 1 } },
    { email: 'bob@example.com' },
  ]);
  const [first, second] = await invitationsOf(sql, survey);
  t.match(first, {
    email: 'ada@example.com',
    name: 'Ada',
    metadata: { seat: 1 },
    status: 'queued',
    message_kind: 'invitation',
    attempts: 0,
  });
  t.match(second, { email: 'bob@example.com', name: null, metadata: null });
  const TOKEN = /^[a-z0-9]{8}[\w-]{33}$/;
  t.match(first?.link_token, TOKEN);
  t.match(second?.link_token, TOKEN);
  t.not(first?.link_token.slice(-22), second?.link_token.slice(-22), 'and a secret of its own');
});
