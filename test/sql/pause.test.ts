// Pausing and resuming sending for everyone, for a workspace or for a survey. Requests are accepted meanwhile, and due emails wait.
import t from 'tap';
import type { MessageSender } from '../../src/relay/relay.ts';
import { startWorker } from '../../src/worker/worker.ts';
import { clearJobs, idsOf, invitationsOf, jobsOf, openSession } from '../fixtures/inspect.ts';
import { createBatch, createTestDatabase, createWorker, silent, until } from '../fixtures/setup.ts';

const database = await createTestDatabase(t);
const { sql, store, url } = database;
type Fixture = Awaited<ReturnType<typeof createBatch>>;

const SCOPES: Readonly<
  Record<string, { reason: string; resumedBy: string; setPaused: (fixture: Fixture, paused: boolean) => PromiseLike<unknown> }>
> = {
  all: { reason: 'sending_paused', resumedBy: 'heal_invitations', setPaused: (_, paused) => store.setSendingPaused(paused) },
  workspace: {
    reason: 'workspace_paused',
    resumedBy: 'requeue_workspace',
    setPaused: ({ workspace }, paused) => store.setWorkspacePaused(workspace, paused),
  },
  survey: {
    reason: 'survey_paused',
    resumedBy: 'requeue_waiting',
    setPaused: ({ survey }, paused) => store.setSurveyPaused(survey, paused),
  },
};
const claim = async ({ survey }: Fixture) => store.claimInvitations(await idsOf(sql, survey), await createWorker(store));
const paused = async () => (await store.countPaused()).filter((row) => row.paused > 0);

/** Runs the jobs that a resume creates, as workers would. */
async function runJobs(fixture: Fixture) {
  await store.healInvitations();
  for (const { task } of await jobsOf(sql, fixture.workspace))
    if (task === 'requeue_workspace') await store.requeueWorkspace(fixture.workspace);
  for (const { task } of await jobsOf(sql, fixture.survey))
    if (task === 'requeue_waiting') await store.requeueWaiting(fixture.survey);
}

for (const [scope, { reason, resumedBy, setPaused }] of Object.entries(SCOPES)) {
  t.test(`sending paused for ${scope}: accepted, held without an attempt, sent when it is resumed; reminders too`, async (t) => {
    const target = await createBatch(store, { reminders: [1] });
    const other = await createBatch(store);
    await setPaused(target, true);
    await setPaused(target, true);
    t.same(await paused(), [{ scope, paused: 1 }]);
    t.match(await sql`select scope from invite.paused_sending`, [{ scope }]);
    t.equal((await claim(other)).length, scope === 'all' ? 0 : 1, 'the others');

    for (const kind of ['invitation', 'reminder']) {
      const past = new Date(Date.now() - 90_000);
      await sql`update invite.messages set not_before = ${past}, sweep_at = ${past} where survey_id = ${target.survey} and is_last`;
      const broken = () => sql`select code from invite.broken_invariants where survey_id = ${target.survey}`;
      t.same(await broken(), [], 'what is paused is not stuck, before a claim');
      t.same(await claim(target), [], kind);
      t.match(await invitationsOf(sql, target.survey), [{ status: 'waiting', message_kind: kind, attempts: 0 }]);
      t.same(await broken(), [], 'nor after it');
      t.match(await sql`select hold_reason from invite.waiting_invitations where survey_id = ${target.survey}`, [
        { hold_reason: reason },
      ]);
      t.equal(await store.requeueWaiting(target.survey), 0);

      await clearJobs(sql);
      await setPaused(target, false);
      t.same(await paused(), []);
      t.match(await sql`select distinct task from invite.background_jobs`, [{ task: resumedBy }], 'the resume queues it itself');
      await runJobs(target);
      const [claimed] = await claim(target);
      t.match(claimed, { messageKind: kind });
      if (claimed === undefined) return;
      await store.settleInvitations([{ id: claimed.id, claim_id: claimed.claimId, outcome: 'accepted' }]);
      await setPaused(target, kind === 'invitation');
    }
  });
}

t.test('what rejects requests, and the state of the survey, come before a pause', async (t) => {
  const draft = await createBatch(store, {}, { state: 'draft' });
  const reason = async () =>
    (await sql`select hold_reason from invite.survey_overview where id = ${draft.survey}`)[0]?.hold_reason as string | null;
  await store.setSurveyPaused(draft.survey, true);
  t.equal(await reason(), 'survey_draft');
  await store.setSurveyState(draft.survey, 'active');
  t.equal(await reason(), 'survey_paused');
  await store.setWorkspacePaused(draft.workspace, true);
  t.equal(await reason(), 'workspace_paused');
  await store.setWorkspaceSuspended(draft.workspace, true);
  t.equal(await reason(), 'workspace_suspended');
  await clearJobs(sql);
  await store.setWorkspaceSuspended(draft.workspace, false);
  t.same(await jobsOf(sql, draft.workspace), [], 'still paused: nothing to requeue');
  t.equal((await paused()).length, 2);
  await store.setSurveyPaused(draft.survey, false);
  await store.setWorkspacePaused(draft.workspace, false);
});

t.test('a claim that has seen the pause for everyone, and writes after it ended, is found by the second look', async (t) => {
  const fixture = await createBatch(store);
  const [ids, worker] = [await idsOf(sql, fixture.survey), await createWorker(store)];
  await store.setSendingPaused(true);
  const claimer = await openSession(database);
  await claimer.sql`begin`;
  await claimer.sql`select from invite.claim_invitations(${ids}::bigint[], ${worker})`;
  await clearJobs(sql);
  await store.setSendingPaused(false);
  const looks =
    await sql`select run_at > created_at + interval '1 second' as later from graphile_worker.jobs where task_identifier = 'heal_invitations' order by run_at`;
  t.same(looks, [{ later: false }, { later: true }], 'ending the pause waited for no claim');
  const found = () => sql`select survey_id from invite.awaiting_requeue where survey_id = ${fixture.survey}`;
  t.same(await found(), [], 'the first look comes too early');
  await claimer.sql`commit`;
  t.same(await found(), [{ survey_id: fixture.survey }]);
  await runJobs(fixture);
  t.match(await invitationsOf(sql, fixture.survey), [{ status: 'queued' }]);
});

t.test('a running worker holds what is paused, sends sign-in emails, and the rest when it is resumed', async (t) => {
  await clearJobs(sql);
  const sent: string[] = [];
  const sender: MessageSender = {
    maxBatch: 1,
    async send(batch) {
      sent.push(...batch.map(({ to }) => to.email));
      return batch.map(() => ({ kind: 'accepted' }));
    },
    close: async () => {},
  };
  const render = { publicUrl: 'https://i.example', from: { name: '', email: 'surveys@example.org' } };
  const worker = startWorker({
    databaseUrl: url,
    databasePool: 2,
    concurrency: 2,
    delivery: { sender, render, concurrency: 2 },
    log: silent,
  });
  t.teardown(() => worker.stop());
  await store.setSendingPaused(true);
  const fixture = await createBatch(store);
  await store.upsertMember(fixture.workspace, 'owner@example.com', 'owner');
  await store.setWorkspacePaused(fixture.workspace, true);
  await sql`select console.request_sign_in_link('owner@example.com')`;
  await until('it waits', async () => (await invitationsOf(sql, fixture.survey))[0]?.status === 'waiting');
  await until('the sign-in email', () => sent.includes('owner@example.com'));
  t.same(sent, ['owner@example.com']);
  await store.setWorkspacePaused(fixture.workspace, false);
  await store.setSendingPaused(false);
  await until('the invitation', () => sent.includes('ada@example.com'));
});
