// erase_email cancels and erases one address of a workspace. It is also interleaved by hand with a claim, a settle and an event.
import t from 'tap';
import { idsOf, invitationsOf, openSession, sqlstate } from '../fixtures/inspect.ts';
import { createBatch, createSurvey, createTestDatabase, createToken, createWorker, until } from '../fixtures/setup.ts';
import { acceptTrigger } from '../fixtures/trigger.ts';
import { createWebhook } from '../fixtures/webhooks.ts';

const database = await createTestDatabase(t);
const { sql, store } = database;
const eraseBy = (session: typeof sql, workspace: string) =>
  session`select * from invite.erase_email(${workspace}, 'ada@example.com')`;
const claimBy = (session: typeof sql, held: { survey: string; ids: number[]; worker: string }) =>
  session`select id, claim_id, email from invite.claim_invitations(${held.ids}::bigint[], ${held.worker})`;

async function createQueued() {
  const fixture = await createBatch(store, { reminders: [3] });
  return { ...fixture, ids: await idsOf(sql, fixture.survey), worker: await createWorker(store) };
}

t.test('an address is cancelled and erased in all surveys of its workspace, whatever its case, and nowhere else', async (t) => {
  const one = await createBatch(store, {
    recipients: [{ email: 'Ada@example.com', name: 'Ada' }, { email: 'bob@example.com' }],
  });
  const second = await store.upsertSurvey({ workspaceId: one.workspace, title: 'Second', state: 'active' });
  const { hash } = await createToken(store, second);
  await acceptTrigger(store, hash, { recipients: [{ email: 'ada@example.com', name: 'Ada' }], sendInSeconds: 3600 }, 100);
  await sql`update invite.messages set status = 'sent', sent_at = now(), not_before = null, sweep_at = null where survey_id = ${second}`;
  const other = await createBatch(store);
  t.strictSame(await store.eraseEmail(one.workspace, 'ADA@example.com', false), {
    erased: 2,
    cancelled: 1,
    stillSending: 0,
    responses: 0,
  });
  t.match(await invitationsOf(sql, one.survey), [
    { email: null, name: null, status: 'cancelled' },
    { email: 'bob@example.com', status: 'queued' },
  ]);
  t.match(await invitationsOf(sql, second), [{ email: null, name: null, status: 'sent' }]);
  t.match(await invitationsOf(sql, other.survey), [{ email: 'ada@example.com', status: 'queued' }]);
  t.strictSame(await store.eraseEmail(one.workspace, 'ada@example.com', false), {
    erased: 0,
    cancelled: 0,
    stillSending: 0,
    responses: 0,
  });
});

t.test('a suppression stays as it is, and is only made if asked for', async (t) => {
  const reasons = (workspace: string) => sql`select email, reason from invite.suppressions where workspace_id = ${workspace}`;
  const plain = await createQueued();
  await store.eraseEmail(plain.workspace, 'ada@example.com', false);
  t.strictSame([...(await reasons(plain.workspace))], []);
  await store.eraseEmail(plain.workspace, 'Ada@example.com', true);
  t.match(await reasons(plain.workspace), [{ email: 'ada@example.com', reason: 'manual' }]);
  const bounced = await createQueued();
  await sql`insert into invite.suppressions (workspace_id, email, reason) values (${bounced.workspace}, 'ada@example.com', 'hard_bounce')`;
  for (const suppress of [false, true]) await store.eraseEmail(bounced.workspace, 'ada@example.com', suppress);
  t.match(await reasons(bounced.workspace), [{ reason: 'hard_bounce' }]);
});

t.test('a pending reminder is cancelled with the address, and its invitation is erased', async (t) => {
  const queued = await createQueued();
  const [claimed] = await claimBy(sql, queued);
  await store.settleInvitations([{ id: claimed?.id, claim_id: claimed?.claim_id, outcome: 'accepted' }]);
  t.match(await store.eraseEmail(queued.workspace, 'ada@example.com', false), { erased: 1, cancelled: 1 });
  t.match(await invitationsOf(sql, queued.survey), [
    { email: null, message_kind: 'reminder', status: 'cancelled', sent_at: Date },
  ]);
});

/** A survey that Ada was invited to alone, with metadata of the request, and together with Bob. Both responded to all. */
async function createResponded() {
  const { workspace, survey, hash } = await createBatch(store, {
    recipients: [
      { email: 'Ada@example.com', name: 'Ada', metadata: { order: 'A-1' } },
      { email: 'bob@example.com', metadata: { order: 'B-1' } },
    ],
    metadata: { campaign: 'spring' },
  });
  await sql`
    update invite.surveys
    set questions = '[{"id": "score", "type": "score", "label": "Score"}, {"id": "why", "type": "text", "label": "Why"}]' where id = ${survey}`;
  await acceptTrigger(store, hash, { recipients: [{ email: 'ada@example.com' }], metadata: { customer: 'C-7' } }, 100);
  for (const _ of ['what a transaction may still add', 'all']) await store.indexRecipients();
  for (const { link_token: link } of await sql`select link_token from test.invitations where survey_id = ${survey} order by id`)
    await store.submitResponse(survey, { score: 9, why: 'Call me: +47 123' }, link);
  return { workspace, survey, hash };
}

t.test(
  'what the person answered goes only if asked for: answers, metadata and what finds them; a response stays one',
  async (t) => {
    const { workspace, survey } = await createResponded();
    const other = await createResponded();
    const found = async (text: string, place = workspace) =>
      (await sql`select from invite.search_terms where term = invite.term(${place}, ${text})`).length;
    const results = async (place = survey) => [
      ...(await sql`select email, answers, metadata, erased_at is not null as erased from invite.results where survey_id = ${place} order by id`),
    ];
    t.equal(await found('a-1'), 1);
    t.equal(await found('c-7'), 1);
    const before = await results(other.survey);
    t.match(await store.eraseEmail(workspace, 'ada@example.com', false, true), { erased: 2, responses: 2 });
    t.strictSame(await results(), [
      { email: null, answers: {}, metadata: null, erased: true },
      {
        email: 'bob@example.com',
        answers: { score: 9, why: 'Call me: +47 123' },
        metadata: { campaign: 'spring', order: 'B-1' },
        erased: false,
      },
      { email: null, answers: {}, metadata: null, erased: true },
    ]);
    t.strictSame(
      await sql`select i.metadata from invite.invitations as i where i.survey_id = ${survey} order by i.id`.then((rows) =>
        rows.map(({ metadata }) => metadata),
      ),
      [null, { order: 'B-1' }, null],
    );
    const batches = await sql`select metadata from invite.batches where survey_id = ${survey} order by recipients desc`;
    t.strictSame(
      batches.map(({ metadata }) => metadata),
      [{ campaign: 'spring' }, null],
      'of a batch with others it stays',
    );
    t.strictSame([await found('a-1'), await found('c-7'), await found('b-1')], [0, 0, 1]);
    t.strictSame(await results(other.survey), before);
    t.equal(await found('a-1', other.workspace), 1);
    const [entry] =
      await sql`select subject, detail from invite.audit_log where workspace_id = ${workspace} and action = 'address_erased'`;
    t.match(entry, { subject: null, detail: { erased: 2, responses: 2 } });
  },
);

t.test('the figures of an erased response say what is left: the response, not its answers', async (t) => {
  const { workspace, survey } = await createResponded();
  const counted = () =>
    sql`
    select question, value, sum(number)::integer as number
    from (
      select question, value, number from invite.result_counts where survey_id = ${survey} and whole_day and starts_at = '-infinity'
      union all
      select question, value, number from invite.result_changes where survey_id = ${survey}
    ) as c
    group by 1, 2 having sum(number) <> 0 order by 1, 2`.then((rows) =>
      rows.map(({ question, value, number }) => `${question}:${value}=${number}`),
    );
  await store.foldResultCounts();
  t.strictSame(await counted(), [':invitation=3', 'score:9=3', 'why:=3']);
  await store.eraseEmail(workspace, 'ada@example.com', false, true);
  for (const _ of ['before they are added up', 'after']) {
    t.strictSame(await counted(), [':invitation=3', 'score:9=1', 'why:=1']);
    t.same([...(await sql`select * from invite.miscounted_results where survey_id = ${survey}`)], []);
    await store.foldResultCounts();
  }
  t.match(await sql`select responses from invite.survey_overview where id = ${survey}`, [{ responses: 3 }]);
});

t.test('without being asked for, and after an address was erased, answers stay', async (t) => {
  const { workspace, survey } = await createResponded();
  await store.eraseEmail(workspace, 'ada@example.com', false);
  t.match(
    await store.eraseEmail(workspace, 'ada@example.com', false, true),
    { erased: 0, responses: 0 },
    'nothing says whose they are',
  );
  t.equal((await sql`select from invite.responses where survey_id = ${survey} and answers ->> 'score' = '9'`).length, 3);
});

t.test('an unknown workspace is an error, an unknown address is no error', async (t) => {
  t.equal(await sqlstate(store.eraseEmail('nope', 'ada@example.com', false)), 'P0002');
  const { workspace } = await createQueued();
  t.match(await store.eraseEmail(workspace, 'nobody@example.com', false), { erased: 0 });
});

t.test('a claim skips what is being erased, and sends nothing to it afterwards', async (t) => {
  const queued = await createQueued();
  const [eraser, claimer] = [await openSession(database), await openSession(database)];
  await eraser.sql`begin`;
  t.match(await eraseBy(eraser.sql, queued.workspace), [{ erased: 1, cancelled: 1 }]);
  await claimer.sql`set lock_timeout = '1s'`;
  t.equal((await claimBy(claimer.sql, queued)).length, 0);
  await eraser.sql`commit`;
  t.equal((await claimBy(claimer.sql, queued)).length, 0);
  t.match(await invitationsOf(sql, queued.survey), [{ status: 'cancelled', email: null }]);
});

t.test(
  'an erasure that meets a claim waits for it, leaves the email its address, and erases it when it is called again',
  async (t) => {
    const queued = await createQueued();
    const [claimer, eraser] = [await openSession(database), await openSession(database)];
    await claimer.sql`begin`;
    const [claimed] = await claimBy(claimer.sql, queued);
    t.equal(claimed?.email, 'ada@example.com');
    const answer = eraseBy(eraser.sql, queued.workspace).execute();
    await eraser.untilBlocked();
    await claimer.sql`commit`;
    t.match(await answer, [{ erased: 0, cancelled: 0, still_sending: 1 }]);
    t.match(await invitationsOf(sql, queued.survey), [{ status: 'sending', email: 'ada@example.com' }]);
    await store.settleInvitations([{ id: claimed?.id, claim_id: claimed?.claim_id, outcome: 'accepted' }]);
    t.match(await invitationsOf(sql, queued.survey), [{ status: 'sent', due_at: null }], 'nothing follows');
    t.match(await eraseBy(sql, queued.workspace), [{ erased: 1, still_sending: 0 }]);
  },
);

t.test('an erasure that meets a settle waits for it, and erases what it has settled', async (t) => {
  const queued = await createQueued();
  const [claimed] = await claimBy(sql, queued);
  const [settler, eraser] = [await openSession(database), await openSession(database)];
  await settler.sql`begin`;
  await settler.sql`
    select invite.settle_invitations(${sql.json([{ id: claimed?.id, claim_id: claimed?.claim_id, outcome: 'retry' }])})`;
  const answer = eraseBy(eraser.sql, queued.workspace).execute();
  await eraser.untilBlocked();
  await settler.sql`commit`;
  t.match(await answer, [{ erased: 1, cancelled: 1, still_sending: 0 }]);
});

for (const first of ['event', 'erasure'] as const) {
  t.test(`an event that meets an erasure does not keep the address: the ${first} comes first`, async (t) => {
    const queued = await createQueued();
    await sql`update invite.messages set attempts = 1 where survey_id = ${queued.survey}`;
    const [one, two] = [await openSession(database), await openSession(database)];
    const event = (session: typeof sql) => session`
      select invite.record_relay_events('resend', ${sql.json([
        {
          event_id: `e-${queued.ids[0]}`,
          type: 'soft_bounce',
          occurred_at: '2030-01-31',
          invitation_id: queued.ids[0] ?? 0,
          email: 'ada@example.com',
        },
      ])})`;
    const erase = (session: typeof sql) => eraseBy(session, queued.workspace);
    const steps = first === 'event' ? [event, erase] : [erase, event];
    await one.sql`begin`;
    await steps[0]?.(one.sql);
    const second = steps[1]?.(two.sql).execute();
    await two.untilBlocked();
    await one.sql`commit`;
    await second;
    t.match(await invitationsOf(sql, queued.survey), [{ email: null }]);
    t.match(await sql`select email from invite.relay_events where event_id = ${`e-${queued.ids[0]}`}`, [{ email: null }]);
  });
}

for (const how of ['recorded', 'matched'] as const) {
  t.test(`an erasure and events of the same recipient don't deadlock: events that are ${how}`, async (t) => {
    const { workspace, hash, survey } = await createQueued();
    await acceptTrigger(store, hash, { recipients: [{ email: 'ada@example.com' }] }, 100);
    await sql`update invite.messages set attempts = 1 where survey_id = ${survey}`;
    const ids = await idsOf(sql, survey);
    const [first = 0, second = 0] = ids;
    // The events come in the reverse order of the ids.
    const events = [second, first].map((id, index) => ({
      event_id: `${how}-${index}`,
      type: 'soft_bounce',
      occurred_at: '2030-01-31',
      invitation_id: how === 'recorded' ? id : undefined,
      relay_message_id: `${how}-${id}`,
      email: 'ada@example.com',
    }));
    const record = (session: typeof sql) => session`select invite.record_relay_events('resend', ${sql.json(events)})`;
    if (how === 'matched') {
      await record(sql);
      await sql`update invite.messages set relay_message_id = 'matched-' || invitation_id where invitation_id = any (${ids})`;
    }
    const [holder, eraser, recorder] = [await openSession(database), await openSession(database), await openSession(database)];
    await holder.sql`begin`;
    await holder.sql`select from invite.invitations where id = ${first} for update`;
    const erased = eraseBy(eraser.sql, workspace).execute();
    await eraser.untilBlocked();
    const recorded = (how === 'recorded' ? record(recorder.sql) : recorder.sql`select invite.match_relay_events()`).execute();
    await recorder.untilBlocked();
    await holder.sql`commit`;
    t.same(await Promise.all([sqlstate(erased), sqlstate(recorded)]), ['none', 'none']);
    t.match(await sql`select email from invite.relay_events where event_id like ${`${how}-%`}`, [
      { email: null },
      { email: null },
    ]);
  });
}

/** Creates a webhook that is being sent for an invitation. Its receiver's answer quotes the address. */
async function createAnswered() {
  const { survey, workspace } = await createSurvey(store);
  const endpoint = await createWebhook(store, workspace, 'https://x.example/', ['invitation.sent']);
  const { hash } = await createToken(store, survey);
  await acceptTrigger(store, hash, { recipients: [{ email: 'ada@example.com' }] }, 100);
  const [claimed] = await claimBy(sql, { survey, ids: await idsOf(sql, survey), worker: await createWorker(store) });
  await store.settleInvitations([{ id: claimed?.id, claim_id: claimed?.claim_id, outcome: 'accepted' }]);
  await until('all is published', async () => (await store.publishEvents(1000)) === 0);
  const [webhook] = await sql`select id, attempts, body from invite.claim_webhooks(100, 60) where endpoint_id = ${endpoint.id}`;
  t.match(webhook?.body, 'ada@example.com');
  const answer = (session: typeof sql) =>
    session`select invite.settle_webhook(${webhook?.id}, ${webhook?.attempts}, '{5}', 500, 'No account of ada@example.com.')`;
  const kept = async () =>
    (await sql`select status, response_status, response_start from invite.webhook_deliveries where id = ${webhook?.id}`)[0];
  return { workspace, answer, kept };
}
const forgotten = { status: 'pending', response_status: 500, response_start: null };

t.test("a receiver's answer that quotes the address is not kept, before the erasure or after it", async (t) => {
  for (const first of ['answer', 'erasure']) {
    const { workspace, answer, kept } = await createAnswered();
    if (first === 'answer') {
      await answer(sql);
      t.match(await kept(), { response_start: 'No account of ada@example.com.' });
    }
    t.match(await eraseBy(sql, workspace), [{ erased: 1 }]);
    if (first === 'erasure') await answer(sql);
    t.match(await kept(), forgotten, first);
  }
});

for (const first of ['answer', 'erasure'] as const) {
  t.test(`a receiver's answer that meets an erasure is not kept: the ${first} comes first`, async (t) => {
    const { workspace, answer, kept } = await createAnswered();
    const erase = (session: typeof sql) => eraseBy(session, workspace);
    const [one, two] = [await openSession(database), await openSession(database)];
    await one.sql`begin`;
    await (first === 'answer' ? answer : erase)(one.sql);
    const second = (first === 'answer' ? erase : answer)(two.sql).execute();
    await Promise.race([second, two.untilBlocked()]);
    await one.sql`commit`;
    await second;
    t.match(await kept(), forgotten);
  });
}
