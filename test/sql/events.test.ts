// Events in a workspace that records them. Each is written with its change, gets its position after the commit, and is deleted after its
// retention.
import t from 'tap';
import type { TriggerRequest } from '../../src/database/store.ts';
import { unsubscribeToken } from '../../src/mail/links.ts';
import { idsOf, invitationsOf, openSession } from '../fixtures/inspect.ts';
import { createBatch, createSurvey, createTestDatabase, createToken, createWorker, until } from '../fixtures/setup.ts';
import { acceptTrigger } from '../fixtures/trigger.ts';

const database = await createTestDatabase(t);
const { sql, store } = database;
const DAY = 86_400_000;

/** Creates a workspace that records events, with a survey and its token. */
async function createRecording(options: Parameters<typeof createSurvey>[1] = {}) {
  const fixture = await createSurvey(store, options);
  await store.setWorkspaceEvents(fixture.workspace, true);
  return { ...fixture, ...(await createToken(store, fixture.survey)) };
}

const accept = async (token: { hash: Buffer }, request: Partial<TriggerRequest> = {}) => {
  const answer = await acceptTrigger(
    store,
    token.hash,
    { recipients: [{ email: 'ada@example.com', name: 'Ada' }], ...request },
    10_000,
  );
  if (answer.outcome !== 'accepted') throw new Error(answer.outcome);
  return answer.batchId;
};

async function send(survey: string, outcome: 'accepted' | 'rejected' | 'suppressed' = 'accepted') {
  const claimed = await store.claimInvitations(await idsOf(sql, survey), await createWorker(store));
  await store.settleInvitations(
    claimed.map(({ id, claimId }) => ({
      id,
      claim_id: claimId,
      outcome,
      code: 'a_code',
      detail: 'ada@example.com',
      relay_message_id: `m-${id}`,
    })),
  );
  return claimed;
}

const publish = () => until('all is published', async () => (await store.publishEvents(1000)) === 0);
const eventsOf = async (workspaceId: string) => {
  await publish();
  return store.listEvents('0', 1000, { workspaceId });
};
const typesOf = async (workspaceId: string) => (await eventsOf(workspaceId)).map(({ type }) => type);

t.test(
  'what happens to a message is recorded, from acceptance to response, with what a backend needs and no secret',
  async (t) => {
    const recording = await createRecording();
    const batch = await accept(recording, { metadata: { order: 'A-1' } });
    const [sent] = await send(recording.survey);
    const reply = await store.submitResponse(recording.survey, { score: 9 }, sent?.linkToken ?? '');
    t.equal(reply.outcome, 'recorded');
    const events = await eventsOf(recording.workspace);
    const recipient = { email: 'ada@example.com', name: 'Ada' };
    const common = { workspace: recording.workspace, survey: recording.survey, batch, metadata: { order: 'A-1' } };
    t.same(
      events.map(({ type, data }) => [type, data]),
      [
        ['batch.accepted', { ...common, recipients: 1 }],
        ['invitation.sent', { ...common, invitation: sent?.id, recipient, message: 'invitation' }],
        [
          'response.submitted',
          {
            ...common,
            invitation: sent?.id,
            recipient,
            response: { id: reply.responseId, answers: { score: 9 }, language: null },
          },
        ],
      ],
    );
    t.match(events, [{ at: Date, workspaceId: recording.workspace, surveyId: recording.survey, batchId: batch }]);
    t.notMatch(JSON.stringify(events), sent?.linkToken ?? '');
  },
);

t.test('the other ends: reminded, failed, suppressed, cancelled', async (t) => {
  const recording = await createRecording();
  await accept(recording, { reminders: [1] });
  await send(recording.survey);
  await sql`update invite.messages set not_before = now() where survey_id = ${recording.survey} and number = 1`;
  await send(recording.survey);
  t.same(await typesOf(recording.workspace), ['batch.accepted', 'invitation.sent', 'invitation.reminded']);

  const failing = await createRecording();
  await accept(failing);
  await send(failing.survey, 'rejected');
  t.match((await eventsOf(failing.workspace))[1], { type: 'invitation.failed', data: { code: 'a_code', message: 'invitation' } });

  const suppressing = await createRecording();
  await accept(suppressing);
  await send(suppressing.survey, 'suppressed');
  await accept(suppressing);
  await send(suppressing.survey);
  const after = ['batch.accepted', 'invitation.suppressed'];
  t.same(await typesOf(suppressing.workspace), [...after, ...after], 'by the relay, and by the list');

  const cancelling = await createRecording();
  await store.cancelBatch(await accept(cancelling));
  t.same(await typesOf(cancelling.workspace), ['batch.accepted', 'invitation.cancelled']);
});

t.test('what comes back: delivered, bounced, complained, unsubscribed, once each', async (t) => {
  const recording = await createRecording();
  await accept(recording);
  const [sent] = await send(recording.survey);
  const id = sent?.id ?? '';
  for (const type of ['delivered', 'hard_bounce', 'soft_bounce', 'complaint'] as const) {
    const event = {
      type,
      occurred_at: '2030-01-31T09:00:00Z',
      invitation_id: id,
      relay_message_id: `m-${id}`,
      email: 'ada@example.com',
    };
    for (const time of ['first', 'again'])
      await store.recordRelayEvents('resend', [{ event_id: `${type}-${time}-${id}`, ...event }]);
  }
  await store.unsubscribe(unsubscribeToken(sent?.linkToken ?? ''));
  t.same((await typesOf(recording.workspace)).slice(2), [
    'invitation.delivered',
    'invitation.bounced',
    'invitation.complained',
    'invitation.unsubscribed',
  ]);
});

t.test('a survey is activated and closed, by a plain update too; a response without a link counts', async (t) => {
  const recording = await createRecording({ state: 'draft' });
  await sql`update invite.surveys set state = 'active' where id = ${recording.survey}`;
  await store.submitResponse(recording.survey, { score: 1 }, undefined);
  await store.setSurveyState(recording.survey, 'closed');
  await store.setSurveyState(recording.survey, 'draft');
  const events = await eventsOf(recording.workspace);
  t.same(
    events.map(({ type }) => type),
    ['survey.activated', 'response.submitted', 'response.low_score', 'survey.closed'],
  );
  t.match(events[1]?.data, { response: { answers: { score: 1 }, language: null } });
  t.notOk('recipient' in (events[1]?.data ?? {}));
});

t.test('a workspace that records none has none: neither before it began, nor after it ended', async (t) => {
  const fixture = await createSurvey(store);
  const token = await createToken(store, fixture.survey);
  await accept(token);
  await store.setWorkspaceEvents(fixture.workspace, true);
  await send(fixture.survey);
  const [row] = await sql`select count(*)::integer as rows from invite.new_events where survey_id = ${fixture.survey}`;
  t.equal(row?.rows, 0, 'accepted before');
  await accept(token);
  await store.setWorkspaceEvents(fixture.workspace, false);
  t.same(await typesOf(fixture.workspace), []);
  t.match(await store.findWorkspace(fixture.workspace), { records_events: false });
});

t.test('what was rolled back is no event', async (t) => {
  const recording = await createRecording({ state: 'draft' });
  const { sql: session } = await openSession(database);
  await session`begin`;
  await session`update invite.surveys set state = 'active' where id = ${recording.survey}`;
  await session`rollback`;
  t.same(await typesOf(recording.workspace), []);
});

t.test('an event committed late comes after those that were read before, and stops nobody', async (t) => {
  const late = await createRecording({ state: 'draft' });
  const prompt = await createRecording({ state: 'draft' });
  const { sql: session } = await openSession(database);
  await session`begin`;
  await session`update invite.surveys set state = 'active' where id = ${late.survey}`;
  await store.setSurveyState(prompt.survey, 'active');
  const [first] = await eventsOf(prompt.workspace);
  t.equal(first?.type, 'survey.activated');
  // While that transaction is open, new numbers are given, but readers start below its number.
  for (const state of ['closed', 'active', 'closed'] as const) {
    await store.setSurveyState(prompt.survey, state);
    await publish();
  }
  await session`commit`;
  const [event] = await eventsOf(late.workspace);
  t.equal(event?.type, 'survey.activated');
  t.ok(Number(event?.position) > Number(first?.position) + 3);
});

t.test('once nothing lower can appear, moved rows are not looked at again', async (t) => {
  const recording = await createRecording();
  const progress = async () =>
    (
      await sql`
        select read_from, (select last_value from invite.new_events_id_seq) as last from invite.queue_progress where queue = 'new_events'`
    )[0];
  for (const state of ['closed', 'active', 'closed', 'active'] as const) {
    await store.setSurveyState(recording.survey, state);
    await publish();
  }
  const { read_from: readFrom, last } = (await progress()) ?? {};
  t.ok(Number(readFrom) >= Number(last) - 1, `${readFrom} of ${last}`);

  await Promise.all(Array.from({ length: 20 }, () => accept(recording)));
  for (let step = 0; step < 3; step += 1) t.equal(await store.publishEvents(4), 4);
  const [behind] = await sql`select count(*)::integer as rows from invite.new_events`;
  t.match(behind, { rows: 8 });
  t.ok(Number((await progress())?.read_from) >= Number(last) + 4, 'also while there are more');
});

t.test('positions are without gaps, and any worker may publish', async (t) => {
  const recording = await createRecording();
  await Promise.all(Array.from({ length: 20 }, () => accept(recording)));
  await Promise.all(Array.from({ length: 4 }, () => store.publishEvents(5)));
  await publish();
  const rows = await sql<{ position: string }[]>`select position from invite.events order by position`;
  t.same(
    rows.map(({ position }) => Number(position)),
    rows.map((_, index) => index + 1),
  );
});

t.test('an erased recipient is gone from events', async (t) => {
  const recording = await createRecording();
  await accept(recording);
  await send(recording.survey, 'rejected');
  await store.eraseEmail(recording.workspace, 'ada@example.com', false);
  const events = await eventsOf(recording.workspace);
  t.equal(events.length, 2);
  t.match(events[1]?.data, { recipient: null, code: 'a_code' });
  t.notMatch(JSON.stringify(events), 'ada@example.com');
});

t.test('events are kept for their retention, by the week; a reader that is open does not stop it', async (t) => {
  const recording = await createRecording();
  const weeks = async () =>
    (await sql<{ name: string }[]>`select relname as name from pg_class where relname ~ '^events_[0-9]{8}$' order by 1`).length;
  await publish();
  const before = await weeks();
  for (const days of [-60, -46, -37, -20]) {
    await accept(recording);
    await sql`select invite.publish_events(10, ${new Date(Date.now() + days * DAY)})`;
  }
  t.equal(await weeks(), before + 4);
  t.strictSame([await store.pruneEvents(), await store.pruneEvents(), await store.pruneEvents()], [true, true, false]);
  t.equal(await weeks(), before + 1, 'a week goes when all of it is too old');
  t.equal((await store.listEvents('0', 10, { workspaceId: recording.workspace })).length, 1);
  await store.setRetention('events', null);
  await sql`select invite.prepare_event_partition('2020-01-01')`;
  t.equal(await store.pruneEvents(), false);
  t.equal(await weeks(), before + 2, 'for good');
});

t.test('a reader that names no number of events, or none, loses nothing', async (t) => {
  const { survey, workspace } = await createRecording({ state: 'draft' });
  await sql`delete from invite.events`;
  for (const maxEvents of [null, 0, -1]) await sql`select from invite.read_events('careless', max_events => ${maxEvents})`;
  for (const state of ['active', 'closed']) await sql`update invite.surveys set state = ${state} where id = ${survey}`;
  const wanted = (await eventsOf(workspace)).map(({ position }) => position);
  t.equal(wanted.length, 2);
  const read = [];
  for (const maxEvents of [0, -1, null])
    read.push(...(await sql`select position from invite.read_events('careless', max_events => ${maxEvents})`));
  t.same(
    read.map(({ position }) => position),
    wanted,
  );
});

t.test('a deleted workspace takes its events along', async (t) => {
  const recording = await createRecording();
  await accept(recording);
  await send(recording.survey);
  await publish();
  await accept(recording);
  while ((await store.deleteWorkspace(recording.workspace)).more);
  await publish();
  const [row] = await sql`select count(*)::integer as rows from invite.events where workspace_id = ${recording.workspace}`;
  t.equal(row?.rows, 0);
  t.same(await invitationsOf(sql, recording.survey), []);
});

t.test('that a rule makes emails wait is an event once a batch and rule; that one is skipped is one each', async (t) => {
  const { workspace, survey, batch } = await createBatch(store, {
    recipients: [1, 2, 3].map((n) => ({ email: `p${n}@example.com` })),
  });
  await sql`update invite.workspaces set records_events = true where id = ${workspace}`;
  await sql`update invite.messages set records_events = true where survey_id = ${survey}`;
  const worker = await createWorker(store);
  const ids = await idsOf(sql, survey);
  const events = () => sql`select type, code, batch_id from invite.new_events where survey_id = ${survey} order by id`;
  await sql`update invite.workspaces set open_hours = '{[0,15)}', closed_days = '{[2020-01-01,2029-01-01)}' where id = ${workspace}`;
  t.strictSame(await store.claimInvitations(ids.slice(0, 2), worker), []);
  t.strictSame(await store.claimInvitations(ids, worker), []);
  t.match(await events(), Array(3).fill({ type: 'invitation.skipped', code: 'opens_too_late' }), 'closed for more than a year');
  await sql`update invite.messages set status = 'queued', not_before = now(), sweep_at = now(), skipped_at = null, rule = null where survey_id = ${survey}`;
  await sql`delete from invite.new_events where survey_id = ${survey}`;
  const today = `${new Date().toISOString().slice(0, 10)}`;
  await sql`update invite.workspaces set open_hours = null, closed_days = datemultirange(daterange(${today}::date - 1, ${today}::date + 2)) where id = ${workspace}`;
  for (const step of [ids.slice(0, 1), ids]) t.strictSame(await store.claimInvitations(step, worker), []);
  t.same(await events(), [{ type: 'invitation.deferred', code: 'outside_hours', batch_id: batch }]);
  t.same(await sql`select distinct rule, status from invite.messages where survey_id = ${survey}`, [
    { rule: 'outside_hours', status: 'queued' },
  ]);
});
