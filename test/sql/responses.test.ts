// Responses and unsubscriptions: record_response, submit_response, survey_page, unsubscribe, and the view results.
import t from 'tap';
import { unsubscribeToken } from '../../src/mail/links.ts';
import { idsOf, invitationsOf, sqlstate } from '../fixtures/inspect.ts';
import { createBatch, createSurvey, createTestDatabase, createWorker } from '../fixtures/setup.ts';
import { acceptTrigger } from '../fixtures/trigger.ts';

const { sql, store } = await createTestDatabase(t);

/** Creates a batch with one invitation. Returns its link token and the token of its unsubscribe link. */
async function createLink(...[request, options]: [Parameters<typeof createBatch>[1]?, Parameters<typeof createBatch>[2]?]) {
  const fixture = await createBatch(store, request, options);
  // A recipient has a link only after an attempt to send the email.
  await sql`update invite.messages set attempts = 1 where survey_id = ${fixture.survey}`;
  const [row] = await invitationsOf(sql, fixture.survey);
  const link = row?.link_token ?? '';
  return { ...fixture, link, unsubscribing: unsubscribeToken(link) };
}

const record = async (survey: string, link: string | null, answers: object = { score: 9 }) => {
  const [row] = await sql`
    select * from invite.record_response(${survey}, ${sql.json(answers as never)}, ${link}, '2030-01-01 10:00:00Z')`;
  return row as { outcome: string; response_id: string | null };
};

const responsesOf = async (survey: string) => [
  ...(await sql`select * from invite.responses where survey_id = ${survey} order by id`),
];

t.test("a response through a link is attributed, with the batch's metadata and the recipient's own keys over it", async (t) => {
  const { survey, link, batch } = await createLink({
    metadata: { order: 1, shop: 'north' },
    recipients: [{ email: 'ada@example.com', name: 'Ada', metadata: { shop: 'south', seat: 2 } }],
  });
  const answer = await record(survey, link, { score: 10, comment: 'Fine' });
  t.equal(answer.outcome, 'recorded');
  const [invitation] = await invitationsOf(sql, survey);
  t.match(invitation, { status: 'answered', skipped_at: new Date('2030-01-01T10:00:00Z'), due_at: null, sent_at: null });
  t.strictSame(invitation?.responded_at, new Date('2030-01-01T10:00:00Z'));
  t.match(await store.listResults(survey, 10), [
    {
      id: answer.response_id,
      survey_id: survey,
      submitted_at: new Date('2030-01-01T10:00:00Z'),
      answers: { score: 10, comment: 'Fine' },
      attribution: 'invitation',
      invitation_id: invitation?.id,
      batch_id: batch,
      email: 'ada@example.com',
      name: 'Ada',
      metadata: { order: 1, shop: 'south', seat: 2 },
    },
  ]);
});

t.test('a response without a link is direct: nobody, no metadata', async (t) => {
  const { survey } = await createSurvey(store);
  t.equal((await record(survey, null)).outcome, 'recorded');
  t.equal((await record(survey, null)).outcome, 'recorded', 'there may be many');
  const results = await store.listResults(survey, 10);
  t.equal(results.length, 2);
  t.match(results[0], { attribution: 'direct', invitation_id: null, batch_id: null, email: null, metadata: null });
});

t.test('a link without metadata gives an empty object', async (t) => {
  const { survey, link } = await createLink();
  await record(survey, link);
  t.strictSame((await responsesOf(survey))[0]?.metadata, {});
});

t.test('the results show the newest first and keep the metadata as it was at submission', async (t) => {
  const { survey, link, batch } = await createLink({ metadata: { order: 1 } });
  await record(survey, link);
  await record(survey, null, { score: 1 });
  await sql`update invite.batches set metadata = '{"order": 2}' where id = ${batch}`;
  const results = await store.listResults(survey, 10);
  t.match(results[0], { answers: { score: 1 } });
  t.match(results[1], { metadata: { order: 1 } });
  t.equal((await store.listResults(survey, 1)).length, 1);
});

t.test('a second response through a link changes nothing and names the first', async (t) => {
  const { survey, link } = await createLink();
  const first = await record(survey, link, { score: 9 });
  const before = await invitationsOf(sql, survey);
  t.strictSame(
    { ...(await record(survey, link, { score: 1 })) },
    { outcome: 'already_responded', response_id: first.response_id },
  );
  t.match(await responsesOf(survey), [{ answers: { score: 9 } }]);
  t.strictSame(await invitationsOf(sql, survey), before);
});

t.test('an unknown token, and the token of another survey, record nothing', async (t) => {
  const { survey, link } = await createLink();
  const other = await createSurvey(store);
  t.strictSame({ ...(await record(survey, 'no-such-token')) }, { outcome: 'unknown_invitation', response_id: null });
  t.strictSame({ ...(await record(other.survey, link)) }, { outcome: 'unknown_invitation', response_id: null });
  t.strictSame([...(await responsesOf(survey)), ...(await responsesOf(other.survey))], []);
  t.equal((await invitationsOf(sql, survey))[0]?.responded_at, null);
});

t.test('an empty token, such as an empty form field, is no token: the response is recorded', async (t) => {
  const { survey } = await createLink();
  t.match(await record(survey, '', { score: 3 }), { outcome: 'recorded' });
  t.match(await responsesOf(survey), [{ invitation_id: null, answers: { score: 3 } }]);
});

t.test('an unknown survey is an error of the caller', async (t) => {
  t.equal(await sqlstate(record('no-such-survey', null)), 'P0002');
});

t.test('answers that are not an object are rejected', async (t) => {
  const { survey } = await createSurvey(store);
  t.equal(await sqlstate(record(survey, null, [1])), '23514');
});

t.test('a response drops the pending reminder', async (t) => {
  const { survey, link, batch } = await createLink({ reminders: [3] });
  const [claimed] = await store.claimInvitations(await idsOf(sql, survey), await createWorker(store));
  await store.settleInvitations([{ id: claimed?.id ?? '', claim_id: claimed?.claimId ?? '', outcome: 'accepted' }]);
  t.match(await store.findBatch(batch), { status: 'sent', reminders_pending: '1', responded: '0' });
  await record(survey, link);
  t.match((await invitationsOf(sql, survey))[0], {
    status: 'answered',
    message_kind: 'reminder',
    due_at: null,
    sweep_at: null,
    sent_at: Date,
    reminded_at: null,
  });
  t.match(await store.findBatch(batch), { status: 'sent', reminders_pending: '0', responded: '1' });
});

t.test('a response to a waiting or failed invitation is recorded; what has failed stays failed', async (t) => {
  for (const [from, to] of [
    ['waiting', 'answered'],
    ['failed', 'failed'],
  ] as const) {
    const { survey, link } = await createLink();
    await sql`
      update invite.messages
      set status = ${from}, sweep_at = null, not_before = case when ${from} = 'waiting' then not_before end,
        failed_at = case when ${from} = 'failed' then now() end
      where survey_id = ${survey}`;
    t.equal((await record(survey, link)).outcome, 'recorded');
    t.match((await invitationsOf(sql, survey))[0], { status: to, due_at: null }, from);
  }
});

t.test('the page accepts answers while the survey is open, and says why it does not', async (t) => {
  const { workspace, survey, link } = await createLink();
  const submit = async (token: string | undefined = undefined) =>
    (await store.submitResponse(survey, { score: 9 }, token)).outcome;
  await store.setSurveyState(survey, 'draft');
  t.equal(await submit(), 'survey_not_open');
  t.equal(await submit(link), 'survey_not_open');
  await store.setSurveyState(survey, 'closed');
  t.equal(await submit(), 'survey_closed');
  t.equal(await submit(link), 'survey_closed');
  await store.setSurveyState(survey, 'active');
  await sql`select invite.set_survey_disabled(${survey}, true)`;
  t.equal(await submit(link), 'survey_closed', 'disabled');
  await sql`select invite.set_survey_disabled(${survey}, false)`;
  await store.setWorkspaceSuspended(workspace, true);
  t.equal(await submit(link), 'survey_closed', 'suspended');
  t.strictSame(await responsesOf(survey), []);
  await store.setWorkspaceSuspended(workspace, false);
  t.equal(await submit(link), 'recorded');
  t.equal(await submit(link), 'already_responded');
  t.equal(await submit('no-such-token'), 'unknown_invitation');
  await store.setSurveyState(survey, 'closed');
  t.equal(await submit(link), 'already_responded', 'of a closed survey too');
});

t.test('the page of an unknown survey accepts nothing', async (t) => {
  t.strictSame(await store.submitResponse('no-such-survey', {}, undefined), { outcome: 'unknown_survey', responseId: null });
});

t.test('the survey page shows the survey, and whether the link is open, responded or unknown', async (t) => {
  const { survey, link } = await createLink();
  const page = await store.surveyPage(survey, link);
  t.match(page, { surveyId: survey, workspaceName: 'Acme', title: 'Customer survey', state: 'active', link: 'open' });
  t.match(page?.questions, [{ id: 'score', type: 'score', required: true }, { id: 'comment' }]);
  t.match(await store.surveyPage(survey, undefined), { link: 'none' });
  t.match(await store.surveyPage(survey, 'no-such-token'), { link: 'unknown' });
  const other = await createSurvey(store);
  t.match(await store.surveyPage(other.survey, link), { link: 'unknown' }, 'a link of another survey');
  await record(survey, link);
  t.match(await store.surveyPage(survey, link), { link: 'responded' });
  t.equal(await store.surveyPage('no-such-survey', undefined), null);
});

t.test('the survey page is closed for a disabled survey and a suspended workspace', async (t) => {
  const { workspace, survey } = await createSurvey(store);
  const state = async () => (await store.surveyPage(survey, undefined))?.state;
  for (const surveyState of ['draft', 'closed', 'active'] as const) {
    await store.setSurveyState(survey, surveyState);
    t.equal(await state(), surveyState);
  }
  await sql`select invite.set_survey_disabled(${survey}, true)`;
  t.equal(await state(), 'closed');
  await sql`select invite.set_survey_disabled(${survey}, false)`;
  t.equal(await state(), 'active');
  await store.setWorkspaceSuspended(workspace, true);
  t.equal(await state(), 'closed');
});

t.test('opening the survey page or the unsubscribe page changes nothing', async (t) => {
  const { survey, link, unsubscribing } = await createLink();
  const before = await invitationsOf(sql, survey);
  await store.surveyPage(survey, link);
  await store.unsubscribePage(unsubscribing);
  t.strictSame(await invitationsOf(sql, survey), before);
  t.match(await store.unsubscribePage(unsubscribing), { unsubscribed: false });
  const volatile = await sql`
    select proname from pg_proc
    where pronamespace = 'invite'::regnamespace and proname in ('survey_page', 'unsubscribe_page') and provolatile = 'v'`;
  t.equal(volatile.length, 0, 'PostgreSQL itself refuses a write in them');
});

t.test('unsubscribing suppresses the address in its workspace, can be repeated, and stops what is queued', async (t) => {
  const { workspace, survey, unsubscribing } = await createLink({ recipients: [{ email: 'Ada@Example.com' }] });
  for (let time = 0; time < 2; time += 1) {
    t.match(await store.unsubscribe(unsubscribing), {
      workspaceName: 'Acme',
      email: 'Ada@Example.com',
      unsubscribed: true,
      canResubscribe: true,
    });
  }
  const suppressions = await sql`select email, reason from invite.suppressions where workspace_id = ${workspace}`;
  t.strictSame(
    suppressions.map((row) => ({ ...row })),
    [{ email: 'ada@example.com', reason: 'unsubscribe' }],
  );
  t.match(await store.unsubscribePage(unsubscribing), { unsubscribed: true });
  t.strictSame(await store.claimInvitations(await idsOf(sql, survey), await createWorker(store)), []);
  t.match((await invitationsOf(sql, survey))[0], { status: 'suppressed' });
});

t.test('an unknown token unsubscribes nobody', async (t) => {
  const count = async () => (await sql`select count(*)::integer as count from invite.suppressions`)[0]?.count;
  const before = await count();
  const { survey, link, unsubscribing } = await createLink();
  const other = await createLink();
  const [name, digest] = [unsubscribing.slice(0, 19), unsubscribing.slice(19)];
  t.equal(link.slice(0, 19), name, 'both begin with the home and the hidden id');
  const wrong = [
    'no-such-token',
    '',
    name,
    digest,
    `${name}${other.unsubscribing.slice(19)}`,
    `${other.unsubscribing.slice(0, 19)}${digest}`,
    `${name}${other.link.slice(19)}`,
    `zzzz${unsubscribing.slice(4)}`,
    `${name.slice(0, 8)}${'_'.repeat(11)}${digest}`,
    `${name}${'A'.repeat(22)}`,
    `${unsubscribing}A`,
    unsubscribing.slice(0, -1),
    unsubscribing.toUpperCase(),
  ];
  for (const token of wrong) t.equal(await store.unsubscribe(token), null, token);
  t.equal(await store.unsubscribe(link), null, 'the link token opens the survey alone');
  t.match(
    await store.surveyPage(survey, unsubscribing),
    { link: 'unknown' },
    'and the unsubscribe token does not open the survey',
  );
  t.match(await store.surveyPage(survey, digest), { link: 'unknown' }, 'nor does its digest');
  t.equal(await store.unsubscribePage('no-such-token'), null);
  t.equal(await count(), before);
});

t.test('someone who has unsubscribed can still respond', async (t) => {
  const { survey, link, unsubscribing } = await createLink();
  await store.unsubscribe(unsubscribing);
  t.equal((await store.submitResponse(survey, { score: 9 }, link)).outcome, 'recorded');
});

t.test(
  'who has unsubscribed can subscribe again: what was due meanwhile stays suppressed, what comes later is sent',
  async (t) => {
    const { survey, hash, unsubscribing } = await createLink();
    const worker = await createWorker(store);
    const claim = async () => (await store.claimInvitations(await idsOf(sql, survey), worker)).length;
    await store.unsubscribe(unsubscribing);
    t.equal(await claim(), 0);
    const answer = { workspaceName: 'Acme', email: 'ada@example.com', unsubscribed: false, canResubscribe: false };
    for (let time = 0; time < 2; time += 1) t.match(await store.resubscribe(unsubscribing), answer, 'it can be repeated');
    t.equal(await claim(), 0, 'the email that was due is not sent afterwards');
    t.match(await invitationsOf(sql, survey), [{ status: 'suppressed' }]);
    await acceptTrigger(store, hash, { recipients: [{ email: 'ADA@example.com' }] }, 10_000);
    t.equal(await claim(), 1);
  },
);

t.test('someone who resubscribes before the email is due gets it', async (t) => {
  const { survey, unsubscribing } = await createLink();
  await store.unsubscribe(unsubscribing);
  await store.resubscribe(unsubscribing);
  t.equal((await store.claimInvitations(await idsOf(sql, survey), await createWorker(store))).length, 1);
});

t.test(
  "subscribing again lifts neither a bounce, a complaint nor an operator's word, nor another workspace's list",
  async (t) => {
    for (const reason of ['hard_bounce', 'complaint', 'manual']) {
      const { workspace, unsubscribing } = await createLink();
      await sql`insert into invite.suppressions (workspace_id, email, reason) values (${workspace}, 'ada@example.com', ${reason})`;
      t.match(await store.unsubscribe(unsubscribing), { unsubscribed: true, canResubscribe: false });
      t.match(await store.resubscribe(unsubscribing), { unsubscribed: true, canResubscribe: false }, reason);
    }
    const [mine, other] = [await createLink(), await createLink()];
    await store.unsubscribe(mine.unsubscribing);
    await store.unsubscribe(other.unsubscribing);
    await store.resubscribe(mine.unsubscribing);
    t.match(await store.unsubscribePage(other.unsubscribing), { unsubscribed: true });
    t.equal(await store.resubscribe('no-such-token'), null);
  },
);

t.test(
  'a complaint after unsubscribing cannot be taken back with it; what an editor could take back does not replace it',
  async (t) => {
    const complain = (id: string, type: string) =>
      store.recordRelayEvents('mailpit', [
        {
          event_id: `${id}-${type}`,
          type: type as 'complaint',
          occurred_at: '2030-01-01T10:00:00Z',
          invitation_id: id,
          email: 'ada@example.com',
        },
      ]);
    const reasonOf = async (workspace: string) =>
      (await sql`select reason from invite.suppressions where workspace_id = ${workspace}`)[0]?.reason;
    const outcomesOf = async (survey: string) =>
      (await sql`select outcome from invite.invitation_outcomes where survey_id = ${survey} order by outcome`).map(
        (row) => row.outcome,
      );
    for (const before of ['unsubscribe', 'hard_bounce']) {
      const { survey, unsubscribing, workspace } = await createLink();
      const [row] = await invitationsOf(sql, survey);
      await complain(row?.id ?? '', before);
      await store.unsubscribe(unsubscribing);
      await complain(row?.id ?? '', 'complaint');
      t.match(await store.resubscribe(unsubscribing), { unsubscribed: true, canResubscribe: false }, before);
      await complain(row?.id ?? '', 'unsubscribe');
      t.equal(await reasonOf(workspace), 'complaint', 'and unsubscribing at the relay does not change that');
      t.ok((await outcomesOf(survey)).includes('unsubscribed'), 'nor is it forgotten that they unsubscribed');
    }

    const bounced = await createLink();
    const [row] = await invitationsOf(sql, bounced.survey);
    await store.unsubscribe(bounced.unsubscribing);
    await complain(row?.id ?? '', 'hard_bounce');
    t.equal(await reasonOf(bounced.workspace), 'unsubscribe');
    await store.eraseEmail(bounced.workspace, 'ada@example.com', true);
    t.equal(await reasonOf(bounced.workspace), 'unsubscribe');
  },
);

t.test('who unsubscribes after a bounce, or after being blocked by hand, stays unsubscribed when that is lifted', async (t) => {
  const { workspace, unsubscribing } = await createLink();
  await store.suppressEmail(workspace, 'ada@example.com');
  await store.unsubscribe(unsubscribing);
  t.equal(await store.liftSuppression(workspace, 'ada@example.com'), false);
  t.match(await sql`select reason from invite.suppressions where workspace_id = ${workspace}`, [{ reason: 'unsubscribe' }]);
  t.match(await store.resubscribe(unsubscribing), { unsubscribed: false });
  t.strictSame([...(await sql`select from invite.suppressions where workspace_id = ${workspace}`)], []);
});

t.test('events of one address that come together suppress it for the gravest', async (t) => {
  const { survey, workspace } = await createLink();
  const [row] = await invitationsOf(sql, survey);
  const event = { invitation_id: row?.id, email: 'ada@example.com' };
  await store.recordRelayEvents('mailpit', [
    { ...event, event_id: `${row?.id}-1`, type: 'unsubscribe', occurred_at: '2030-01-01T10:00:00Z' },
    { ...event, event_id: `${row?.id}-2`, type: 'complaint', occurred_at: '2030-01-01T11:00:00Z' },
  ]);
  t.match(await sql`select reason from invite.suppressions where workspace_id = ${workspace}`, [{ reason: 'complaint' }]);
});
