// claim_invitations: the result for each invitation that a job names, and that two workers never claim the same one.
import { randomUUID } from 'node:crypto';
import t from 'tap';
import { clearJobs, idsOf, invitationsOf, jobsOf, openSession, sqlstate } from '../fixtures/inspect.ts';
import { createBatch, createSurvey, createTestDatabase, createToken, createWorker } from '../fixtures/setup.ts';
import { acceptTrigger } from '../fixtures/trigger.ts';

const database = await createTestDatabase(t);
const { sql, store } = database;
const people = (count: number) => Array.from({ length: count }, (_, index) => ({ email: `person${index}@example.com` }));

const claim = async (survey: string, worker: string) => store.claimInvitations(await idsOf(sql, survey), worker);

/** Returns the status of each invitation of a survey. */
const statuses = async (survey: string) => (await invitationsOf(sql, survey)).map((row) => row.status);

t.test('a due invitation of a sendable survey is claimed, with all that is needed to send it', async (t) => {
  const { survey, batch } = await createBatch(store, { subject: 'Hello', message: 'Please: {{survey_link}}' });
  const worker = await createWorker(store);
  const [claimed] = await claim(survey, worker);
  const [row] = await invitationsOf(sql, survey);
  t.match(row, { status: 'sending', attempts: 1, worker_id: worker, sweep_at: null });
  t.strictSame(claimed, {
    id: row?.id,
    claimId: row?.claim_id,
    messageKind: 'invitation',
    messageNumber: 0,
    attempts: 1,
    email: 'ada@example.com',
    name: 'Ada',
    linkToken: row?.link_token,
    batchId: batch,
    subject: 'Hello',
    message: 'Please: {{survey_link}}',
    surveyId: survey,
    surveyTitle: 'Customer survey',
    pageTranslation: null,
    wording: null,
    surveyPublicUrl: null,
    workspaceName: 'Acme',
    reminderSubject: null,
    reminderMessage: null,
    sender: null,
    language: null,
    requestLanguage: null,
    surveyLanguage: 'en',
    subjectLanguage: null,
    messageLanguage: null,
    translation: null,
    unconfirmedSince: null,
    question: null,
  });
});

t.test("a reminder is claimed with the token's texts for it as they were when the batch was accepted", async (t) => {
  const { survey } = await createSurvey(store);
  const settings = { defaultReminders: [1], defaultReminderSubject: 'Still time', defaultReminderMessage: 'Last call' };
  const { token, hash } = await createToken(store, survey, settings);
  const recipients = [{ email: 'ada@example.com' }];
  await acceptTrigger(store, hash, { recipients, subject: 'Hello', message: 'Please' }, 100);
  await store.updateTriggerToken(token, { defaultReminderSubject: 'Later', defaultReminderMessage: '' });
  const worker = await createWorker(store);
  const [invitation] = await claim(survey, worker);
  t.match(invitation, { messageKind: 'invitation', subject: 'Hello', reminderSubject: null, reminderMessage: null });
  await store.settleInvitations([{ id: invitation?.id ?? '', claim_id: invitation?.claimId ?? '', outcome: 'accepted' }]);
  await sql`update invite.messages set not_before = now() where survey_id = ${survey} and number = 1`;
  const [reminder] = await claim(survey, worker);
  t.match(reminder, { messageKind: 'reminder', messageNumber: 1, subject: 'Hello', message: 'Please' });
  t.match(
    reminder,
    { reminderSubject: 'Still time', reminderMessage: 'Last call' },
    "the request's own texts do not replace them",
  );
});

t.test('due invitations wait while the survey or workspace is not sendable, and no attempt is counted', async (t) => {
  const holds: Record<string, (fixture: { survey: string; workspace: string }) => PromiseLike<unknown>> = {
    draft: ({ survey }) => store.setSurveyState(survey, 'draft'),
    closed: ({ survey }) => store.setSurveyState(survey, 'closed'),
    disabled: ({ survey }) => sql`select invite.set_survey_disabled(${survey}, true)`,
    suspended: ({ workspace }) => store.setWorkspaceSuspended(workspace, true),
    'without the feature in its plan': ({ workspace }) => store.upsertWorkspace({ id: workspace, plan: 'free' }),
  };
  const worker = await createWorker(store);
  for (const [name, hold] of Object.entries(holds)) {
    const held = await createBatch(store);
    await hold(held);
    t.strictSame(await claim(held.survey, worker), [], name);
    t.match(
      (await invitationsOf(sql, held.survey))[0],
      { status: 'waiting', attempts: 0, claim_id: null, worker_id: null },
      name,
    );
    const [row] = await sql`select hold_reason from invite.waiting_invitations where survey_id = ${held.survey}`;
    t.match(row?.hold_reason, /survey|workspace|plan/, 'the view says why');
  }
});

t.test('an invitation is claimed when it is due and not a second earlier', async (t) => {
  const { survey } = await createSurvey(store);
  const { hash } = await createToken(store, survey);
  await acceptTrigger(store, hash, { recipients: people(1), sendAt: new Date('2030-01-01T10:00:00Z') }, 10_000);
  const worker = await createWorker(store);
  const ids = await idsOf(sql, survey);
  const claimAt = (at: string) => sql`select id from invite.claim_invitations(${ids}::bigint[], ${worker}, ${at})`;
  t.equal((await claimAt('2030-01-01 09:59:59Z')).length, 0);
  t.strictSame(await statuses(survey), ['queued']);
  t.equal((await claimAt('2030-01-01 10:00:00Z')).length, 1);
});

t.test('an invitation that is not due does not start to wait either', async (t) => {
  const { survey } = await createBatch(store, { sendInSeconds: 3600 }, { state: 'draft' });
  await claim(survey, await createWorker(store));
  t.strictSame(await statuses(survey), ['queued']);
});

t.test('what is claimed already is skipped', async (t) => {
  const { survey } = await createBatch(store);
  const [first] = await claim(survey, await createWorker(store));
  t.strictSame(await claim(survey, await createWorker(store)), []);
  t.match((await invitationsOf(sql, survey))[0], { attempts: 1, claim_id: first?.claimId });
});

t.test('what is settled, cancelled or gone is skipped', async (t) => {
  const { survey } = await createBatch(store, { recipients: people(4) });
  const worker = await createWorker(store);
  const [sent, failed, cancelled, queued] = await idsOf(sql, survey);
  for (const [id, status] of [
    [sent, 'sent'],
    [failed, 'failed'],
    [cancelled, 'cancelled'],
  ] as const) {
    await sql`
      update invite.messages set status = ${status}, ${sql(`${status}_at`)} = now(), not_before = null, sweep_at = null
      where invitation_id = ${id ?? 0}`;
  }
  const ids = [...(await idsOf(sql, survey)), 999_999_999];
  t.strictSame(
    (await store.claimInvitations(ids, worker)).map((row) => Number(row.id)),
    [queued],
  );
});

t.test('someone who has responded is not emailed, and the message is skipped', async (t) => {
  const { survey } = await createBatch(store);
  // This is the state after a response has arrived during sending and the relay has then asked to try again.
  await sql`update invite.invitations set responded_at = now() where survey_id = ${survey}`;
  t.strictSame(await claim(survey, await createWorker(store)), []);
  t.match((await invitationsOf(sql, survey))[0], {
    status: 'answered',
    skipped_at: Date,
    sent_at: null,
    due_at: null,
    attempts: 0,
  });
});

t.test('a suppressed address is not emailed, however it is written', async (t) => {
  const { workspace, survey } = await createBatch(store, {
    recipients: [{ email: 'Ada@Example.com' }, { email: 'bob@example.com' }],
  });
  await sql`insert into invite.suppressions (workspace_id, email, reason) values (${workspace}, 'ada@example.com', 'manual')`;
  const claimed = await claim(survey, await createWorker(store));
  t.strictSame(
    claimed.map((row) => row.email),
    ['bob@example.com'],
  );
  t.match((await invitationsOf(sql, survey))[0], {
    status: 'suppressed',
    last_error_code: 'suppressed',
    due_at: null,
    attempts: 0,
  });
});

t.test("another workspace's suppression does not count", async (t) => {
  const { survey } = await createBatch(store);
  const other = await createSurvey(store);
  await sql`insert into invite.suppressions (workspace_id, email, reason) values (${other.workspace}, 'ada@example.com', 'manual')`;
  t.equal((await claim(survey, await createWorker(store))).length, 1);
});

t.test('a suppressed address of a survey that is not sendable does not wait', async (t) => {
  const { workspace, survey } = await createBatch(store, {}, { state: 'draft' });
  await sql`insert into invite.suppressions (workspace_id, email, reason) values (${workspace}, 'ada@example.com', 'manual')`;
  await claim(survey, await createWorker(store));
  t.strictSame(await statuses(survey), ['suppressed']);
});

t.test('a worker that is not registered is told so and claims nothing', async (t) => {
  const { survey } = await createBatch(store);
  t.equal(await sqlstate(claim(survey, randomUUID())), '55000');
  t.strictSame(await statuses(survey), ['queued']);
});

t.test('invitations of several surveys are claimed together, and those wait whose survey is held', async (t) => {
  const active = await createBatch(store, { recipients: people(2) });
  const draft = await createBatch(store, { recipients: people(2) }, { state: 'draft' });
  const suspended = await createBatch(store);
  await store.setWorkspaceSuspended(suspended.workspace, true);
  const other = await createBatch(store);
  const ids = (await Promise.all([draft, active, suspended, other].map(({ survey }) => idsOf(sql, survey)))).flat();
  const claimed = await store.claimInvitations(ids, await createWorker(store));
  t.same(claimed.map(({ surveyId }) => surveyId).sort(), [active.survey, active.survey, other.survey].sort());
  t.strictSame(await statuses(draft.survey), ['waiting', 'waiting']);
  t.strictSame(await statuses(suspended.survey), ['waiting']);
});

t.test('what waits takes no place of what the relay allows', async (t) => {
  const draft = await createBatch(store, { recipients: people(3) }, { state: 'draft' });
  const active = await createBatch(store, { recipients: people(3) });
  const ids = [...(await idsOf(sql, draft.survey)), ...(await idsOf(sql, active.survey))];
  const relay = { name: 'slow', rate: 2 };
  t.equal((await store.claimInvitations(ids, await createWorker(store, { relay }))).length, 2);
  t.strictSame(await statuses(draft.survey), ['waiting', 'waiting', 'waiting']);
  t.strictSame((await statuses(active.survey)).sort(), ['queued', 'sending', 'sending']);
});

t.test('what only the rate turns down gets no job: the worker keeps it', async (t) => {
  const { survey } = await createBatch(store, { recipients: people(5) });
  const ids = await idsOf(sql, survey);
  await clearJobs(sql);
  const worker = await createWorker(store, { relay: { name: 'slower', rate: 2 } });
  const claimed = await store.claimInvitations(ids, worker);
  const taken = new Set(claimed.map(({ id }) => Number(id)));
  const putOff = await store.putOffInvitations(
    ids.filter((id) => !taken.has(id)),
    worker,
  );
  t.strictSame([claimed.length, await jobsOf(sql, survey)], [2, []]);
  t.strictSame(
    [...claimed.map(({ id }) => Number(id)), ...putOff].sort((a, b) => a - b),
    ids,
  );
});

t.test('a second claimer neither waits for the first nor shares a row with it', async (t) => {
  const { survey } = await createBatch(store, { recipients: people(10) });
  const worker = await createWorker(store);
  const ids = await idsOf(sql, survey);
  const [first, second] = [await openSession(database), await openSession(database)];
  await second.sql`set lock_timeout = '1s'`;
  await first.sql`begin`;
  const firsts = await first.sql`select id from invite.claim_invitations(${ids.slice(0, 6)}::bigint[], ${worker})`;
  const seconds = await second.sql`select id from invite.claim_invitations(${ids}::bigint[], ${worker})`;
  await first.sql`commit`;
  t.strictSame([firsts.length, seconds.length], [6, 4]);
  t.equal(new Set([...firsts, ...seconds].map((row) => row.id)).size, 10);
});

t.test('many claimers of the same invitations at once get each of them once', async (t) => {
  const { survey } = await createBatch(store, { recipients: people(100) });
  const worker = await createWorker(store);
  const ids = await idsOf(sql, survey);
  const sessions = await Promise.all(Array.from({ length: 8 }, () => openSession(database)));
  const claims = await Promise.all(
    sessions.map((session) => session.sql`select id from invite.claim_invitations(${ids}::bigint[], ${worker})`),
  );
  const claimed = claims.flatMap((rows) => rows.map((row) => Number(row.id)));
  t.strictSame(
    claimed.sort((a, b) => a - b),
    ids,
  );
  t.ok((await invitationsOf(sql, survey)).every((row) => row.attempts === 1));
});

t.test('a worker cannot be declared lost while it claims', async (t) => {
  const { survey } = await createBatch(store);
  const worker = await createWorker(store);
  const claimer = await openSession(database);
  const ids = await idsOf(sql, survey);
  await claimer.sql`begin`;
  await claimer.sql`select id from invite.claim_invitations(${ids}::bigint[], ${worker})`;
  t.equal(await store.recoverWorkers(0, worker), 0);
  await claimer.sql`commit`;
  t.equal(await store.recoverWorkers(0, worker), 1);
  t.strictSame(await statuses(survey), ['queued'], 'what it held by then is taken back');
});

t.test('a message that somebody else has locked gets another job, and one that is claimed gets none', async (t) => {
  const { survey } = await createBatch(store, { recipients: people(2) });
  const worker = await createWorker(store);
  const [held] = await invitationsOf(sql, survey);
  const other = await openSession(database);
  await clearJobs(sql);
  await other.sql.begin(async (transaction) => {
    await transaction`select from invite.messages where invitation_id = ${held?.id ?? null} for update`;
    t.equal((await claim(survey, worker)).length, 1);
    t.same(await store.putOffInvitations(await idsOf(sql, survey), worker), []);
  });
  const jobs = await jobsOf(sql, survey);
  t.match(jobs, [{ task: 'send_invitations', payload: { invitation_ids: [Number(held?.id)] } }]);
  t.equal(jobs.length, 1);
});

/** Creates a batch with one invitation that is due at `DUE`. Returns its claim at another time, with a limit of 48 hours. */
const DUE = '2030-01-01T10:00:00Z';
async function createDue(options: Parameters<typeof createSurvey>[1] = {}) {
  const fixture = await createBatch(store, { sendAt: new Date(DUE) }, options);
  const ids = await idsOf(sql, fixture.survey);
  const worker = await createWorker(store);
  const claimAt = async (at: string, relay?: string, lateSendHours = 48) => {
    const limits = {
      relay: relay === undefined ? undefined : { name: relay, rate: undefined },
      lateSendHours: lateSendHours || undefined,
    };
    await store.recordHeartbeat(worker, null, 'test', 1, 0, limits);
    return sql`select id from invite.claim_invitations(${ids}::bigint[], ${worker}, ${at})`;
  };
  const row = async () => (await invitationsOf(sql, fixture.survey))[0];
  return { ...fixture, worker, claimAt, row };
}

t.test('what has been due for longer than the limit is skipped', async (t) => {
  const late = await createDue();
  await clearJobs(sql);
  t.equal((await late.claimAt('2030-01-03 10:00:01Z')).length, 0);
  t.match(await late.row(), {
    status: 'skipped',
    rule: 'too_late',
    due_at: null,
    attempts: 0,
    skipped_at: Date,
    last_error_code: null,
    failed_at: null,
  });
  t.strictSame(await jobsOf(sql, late.survey), []);
  const punctual = await createDue();
  t.equal((await punctual.claimAt('2030-01-03 10:00:00Z')).length, 1, 'at the limit it is sent');
  const unlimited = await createDue();
  t.equal((await unlimited.claimAt('2031-01-01', undefined, 0)).length, 1, 'without a limit it is sent');
});

t.test('what waited for the first activation of its survey has the whole limit after it; what waits later has not', async (t) => {
  const held = await createDue({ state: 'draft' });
  await held.claimAt('2030-02-01');
  t.match(await held.row(), { status: 'waiting' });
  await store.setSurveyState(held.survey, 'active');
  await sql`update invite.surveys set activated_at = '2030-03-01' where id = ${held.survey}`;
  await sql`select invite.requeue_waiting(${held.survey}, 5000, '2030-03-01')`;
  await store.setSurveyState(held.survey, 'closed');
  await held.claimAt('2030-03-01 00:01');
  t.match(await held.row(), { status: 'waiting' });
  await store.setSurveyState(held.survey, 'active');
  await sql`select invite.requeue_waiting(${held.survey}, 5000, '2030-03-03')`;
  await held.claimAt('2030-03-03 00:00:01');
  t.match(await held.row(), { status: 'skipped', rule: 'too_late' });
});

t.test('someone who has responded meanwhile is not counted as late', async (t) => {
  const answered = await createDue();
  await sql`update invite.invitations set responded_at = now() where survey_id = ${answered.survey}`;
  await answered.claimAt('2030-02-01');
  t.match(await answered.row(), { status: 'answered', last_error_code: null });
});

t.test('what is late is not the probe of a relay at fault, and needs none of its rate', async (t) => {
  const late = await createDue();
  const relay = randomUUID();
  await sql`insert into invite.relays (id, condition, paused_until) values (${relay}, 'fault', '2030-01-31')`;
  await late.claimAt('2030-01-30', relay);
  t.match(await late.row(), { status: 'skipped' }, 'the pause does not hold it back');
  const other = await createDue();
  await other.claimAt('2030-02-01', relay);
  t.match(await other.row(), { status: 'skipped' });
  t.match(await sql`select probing from invite.relays where id = ${relay}`, [{ probing: false }], 'the next email is the probe');
});

t.test('what a lost worker held, and what was claimed and never settled, is as late as it was before', async (t) => {
  for (const recover of ['worker', 'claim']) {
    const held = await createDue();
    t.equal((await held.claimAt('2030-01-01 10:01Z')).length, 1);
    if (recover === 'worker') await sql`select invite.recover_workers(0, ${held.worker}, '2030-02-01')`;
    else await sql`select invite.recover_claims(${held.worker}, invite.held_claims(${held.worker}), '2030-02-01')`;
    const row = await held.row();
    t.strictSame([row?.status, row?.due_at], ['queued', new Date(DUE)], recover);
  }
});
