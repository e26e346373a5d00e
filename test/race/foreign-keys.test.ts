// A customer's table has a foreign key to one of the product's tables, and the transaction that wrote its rows stays open. It holds the
// product's rows with a key share lock, including the newest, but blocks nothing: neither what goes on nor the deletion of other rows.
import { randomUUID } from 'node:crypto';
import t, { type Test } from 'tap';
import { EXPIRING } from '../../src/database/deliveries.ts';
import { createStore } from '../../src/database/store.ts';
import { createPublisher } from '../../src/events/publisher.ts';
import { unsubscribeToken } from '../../src/mail/links.ts';
import { checkLogo } from '../../src/uploads/logo.ts';
import { startTestServer } from '../fixtures/http.ts';
import { openSession } from '../fixtures/inspect.ts';
import { createMember, visit } from '../fixtures/members.ts';
import { png } from '../fixtures/pictures.ts';
import { createSurvey, createTestDatabase, createToken, createWorker, silent, until } from '../fixtures/setup.ts';
import { createTestToken, testClocksOn } from '../fixtures/test-workspaces.ts';
import { acceptTrigger } from '../fixtures/trigger.ts';
import { acceptUploads, createUpload, line } from '../fixtures/uploads.ts';
import { createWebhook } from '../fixtures/webhooks.ts';

const database = await createTestDatabase(t);
const { sql, store } = database;
const QUESTIONS = [{ id: 'score', type: 'score', label: 'How was it?', min: 0, max: 10 }];
/** Retention is set so that all of it has expired by then. */
const IN_YEARS = new Date(Date.now() + 3 * 366 * 86_400_000);

/** Does everything that a workspace does, so that each table has a row. No statement waits longer than the connection allows. */
async function traffic(through: typeof store, connection: typeof sql) {
  const { url } = await startTestServer(t, database.urlAs('invite_web'));
  const { workspace, survey } = await createSurvey(store);
  await store.setWorkspaceEvents(workspace, true);
  await createWebhook(store, workspace, 'http://127.0.0.1:9/');
  const { token, secret, hash } = await createToken(store, survey, { defaultReminders: [1], allowReading: true });
  const worker = await createWorker(store);
  const tested = await store.createTestWorkspace(workspace, undefined);
  const [{ id: testSurvey } = { id: '' }] = await sql`select id from invite.surveys where workspace_id = ${tested}`;
  const { hash: testHash } = await createTestToken(store, testSurvey);
  for (const what of ['batches', 'responses']) await store.setRetention(what, 30);
  await sql`select invite.set_cap(${workspace}, 'recipient', 'example.com', 100000, 1000000), invite.set_shared_cap('example.com', 100000, 1000000)`;
  await sql`select invite.set_wording(${workspace}, 'de', '{"submit": "Los"}')`;
  await store.addLogo(workspace, checkLogo(png(240, 80)));
  await sql`
    insert into invite.question_drafts (survey_id, revision, questions, questions_version, edited_by)
    select id, gen_random_uuid(), questions, questions_version, 'owner@example.com' from invite.surveys where id = ${survey}`;
  // As if a workspace had moved away.
  await sql`insert into invite.moved_workspaces (workspace_id, home, cell, moved_at, erase_at) values ('moved', 'home0001', 'home', now(), 'infinity')`;

  /** Claims what is due of the survey. The relay takes all but the first, if that one fails. */
  async function send(t: Test, fails: boolean) {
    const due = await sql<{ id: number }[]>`
      select invitation_id as id from invite.messages where survey_id = ${survey} and status = 'queued' and not_before <= now()`;
    const claimed = await through.claimInvitations(
      due.map(({ id }) => id),
      worker,
    );
    t.equal(claimed.length, due.length, 'claimed');
    const relay = { name: 'mailpit', rate: 1000 };
    const results = claimed.map(({ id, claimId }) => ({
      id,
      claim_id: claimId,
      outcome: 'accepted' as const,
      relay_message_id: id,
    }));
    const [failing, ...others] = results;
    if (fails && failing !== undefined)
      await through.settleInvitations([{ ...failing, outcome: 'config', code: 'bad_key', detail: 'x' }], relay);
    const { settled } = await through.settleInvitations(fails ? others : results, relay);
    t.equal(settled, (fails ? others : results).length, 'settled');
    return claimed;
  }

  return {
    /** Creates a batch by SQL that the quota doesn't count yet. */
    invite: () => connection`select invite.trigger(${token}, '["sql@example.com"]')`,

    async round(t: Test) {
      const names = ['ada', 'bob', 'eve'].map((name) => `${name}-${randomUUID()}@example.com`);
      const recipients = names.map((email) => ({ email, name: 'Ada', metadata: { order: email } }));
      for (const replayed of [false, true]) {
        const idempotency = { key: names[0] ?? '', payloadHash: Buffer.alloc(32) };
        t.match(await acceptTrigger(through, hash, { recipients }, 10_000, idempotency), { outcome: 'accepted', replayed });
      }
      await this.invite();
      t.ok((await through.countBatches(workspace)) > 0, 'counted');
      t.same(await through.uncountedWorkspaces(), [], 'all of them');
      await send(t, true);
      const links = await sql`
        select id, email, link_token as link from test.invitations where email = any (${names}) and sent_at is not null order by id`;
      t.ok(links.length > 1, 'sent');
      const [first, second] = links;
      await connection`update invite.messages set not_before = now() where survey_id = ${survey} and number > 0 and not_before is not null`;
      t.ok((await send(t, false)).length > 0, 'reminded');
      t.equal((await through.submitResponse(survey, { score: 9 }, first?.link)).outcome, 'recorded');
      await through.choose(unsubscribeToken(second?.link), 'once_a_month');
      const event = { occurred_at: new Date().toISOString(), relay_message_id: second?.id, email: second?.email };
      await through.recordRelayEvents('mailpit', [
        { ...event, event_id: randomUUID(), type: 'delivered' } as never,
        { ...event, event_id: randomUUID(), type: 'hard_bounce' } as never,
      ]);
      for (const state of ['draft', 'active']) await through.setSurveyState(survey, state);
      const label = `How was it? ${randomUUID()}`;
      await through.upsertSurvey({ workspaceId: workspace, id: survey, questions: [{ ...QUESTIONS[0], label }] });
      await through.requeueWaiting(survey);
      await through.sweepInvitations();
      await through.healInvitations();
      await through.recoverWorkers(3600);
      await through.matchRelayEvents();
      await through.confirmInvitations();
      t.ok((await through.publishEvents(1000)) > 0, 'published');
      for (const _ of ['what a transaction may still add', 'all']) await through.indexRecipients();
      await through.foldResultCounts();
      const [webhook] = await through.claimWebhooks(10, 60);
      t.ok(webhook, 'a webhook is claimed');
      if (webhook !== undefined) await through.settleWebhook(webhook, [60], { status: 200 });
      await through.recordRejections([
        { secret_hash: `\\x${hash.toString('hex')}`, code: 'cooldown', rejected: 1, age_seconds: 0 },
      ]);
      await connection`select from invite.read_events('product')`;
      await through.recordHeartbeat(worker, 'pool', 'host', 1);

      const upload = await createUpload(through, survey, [line(1, names[0]), line(2, undefined)]);
      await through.sendUpload(upload, true);
      await acceptUploads(through);

      const tests = names.map((_, index) => ({ email: `responds-9+${index}@sim.invalid` }));
      await through.acceptTestTrigger({ secretHash: testHash, request: { recipients: tests } }, 10_000);
      const advance = await through.requestTestAdvance(tested, { seconds: 3600 });
      await until('a test clock has moved', async () => {
        await testClocksOn(connection, worker).advance(tested);
        return (await sql`select from invite.test_advances where id = ${advance} and ended_at is not null`).length === 1;
      });

      const owner = await createMember(through, workspace, 'owner', `owner-${randomUUID()}@example.com`);
      await through.setScoreAlert(workspace, owner.email, survey, 'score', 7);
      for (const isTold of [true, false]) {
        await through.submitResponse(survey, { score: 1, comment: 'Late' }, undefined);
        if (isTold) await through.prepareNotifications();
      }
      await through.console.requestTestInvitation(owner.session, survey, { tokenId: token, kind: 'invitation' });
      for (const path of ['', '/recipients', '/audit', '/webhooks', '/members', '/sending', '/rules'])
        t.equal((await visit(url, `/workspaces/${workspace}${path}`, owner)).status, 200, path);
      for (const path of ['/invitations', '/batches', '/results', '/api-trigger', '/settings', '/forecast'])
        t.equal((await visit(url, `/surveys/${survey}${path}`, owner)).status, 200, path);
      t.equal((await visit(url, `/workspaces/${workspace}/settings`, owner, { name: randomUUID() })).status, 303, 'a form');
      t.equal((await visit(url, `/s/${survey}?invitation=${first?.link}`)).status, 200, 'the page of a survey');
      const events = await fetch(`${url}/api/events`, { headers: { authorization: `Bearer ${secret}` } });
      t.equal(events.status, 200, 'events');
    },

    async prune(t: Test) {
      for (const what of EXPIRING) {
        const pruning = connection`select invite.prune_expired(${what}, ${IN_YEARS})`.execute();
        await t.resolves(pruning, `${what} are deleted`);
      }
    },
  };
}

const impatient = await openSession(database);
await impatient.sql`set lock_timeout = '2s'`;
const flow = await traffic(createStore(impatient.sql), impatient.sql);
const tables = await sql<{ name: string }[]>`
  select c.oid::regclass::text as name from pg_class as c
  where c.relnamespace = 'invite'::regnamespace and c.relkind in ('r', 'p') order by c.relname`;

t.test('all flows while nobody holds anything', async (t) => {
  await flow.round(t);
  await flow.prune(t);
  const [left] = await sql`select count(*)::integer as batches from invite.batches`;
  t.equal(left?.batches, 4, 'all is deleted but the newest batch of each token, and one that is tried again');
});

/**
 * Rows of these tables are deleted as soon as they have been read. No customer's row can refer to them, and only the owner's role could
 * lock them.
 */
const EMPTIED = ['invite.new_events', 'invite.result_changes', 'invite.cap_releases'];
/**
 * Nothing of a customer's refers to these: what finds people, values and comments, what members are about to be told, and the batches of lists. Their rows go with an invitation,
 * a response or a batch, so who has locked one delays this deletion.
 */
const DELAYING = ['invite.search_terms', 'invite.persons', 'invite.comments', 'invite.low_scores', 'invite.upload_batches'];

for (const { name } of tables.filter(({ name }) => !EMPTIED.includes(name))) {
  t.test(`a transaction that has rows with foreign keys to those of ${name} stops nothing`, async (t) => {
    const customer = await openSession(database);
    await flow.round(t);
    await flow.invite();
    await customer.sql`begin`;
    const held = await customer.sql.unsafe(`select from ${name} for key share`);
    t.ok(held.count > 0, 'it has rows');
    await flow.round(t);
    await flow.round(t);
    if (!DELAYING.includes(name)) await flow.prune(t);
    await customer.sql`rollback`;
  });
}

t.test('where a quota stays locked, other workspaces are counted, and all events published', async (t) => {
  const [held, free] = [await createSurvey(store), await createSurvey(store)];
  const customer = await openSession(database);
  await customer.sql`begin`;
  await customer.sql`select pg_advisory_xact_lock(hashtextextended(${`invite.quota/${held.workspace}`}, 0))`;
  for (const { survey, workspace } of [held, free]) {
    await store.setWorkspaceEvents(workspace, true);
    const { token } = await createToken(store, survey);
    await sql`select invite.trigger(${token}, '["sql@example.com"]')`;
  }
  const publisher = createPublisher({ store, log: silent });
  publisher.wake();
  await until('the events of both are published, and the other is counted', async () => {
    const events = await sql`select from invite.events where workspace_id in (${held.workspace}, ${free.workspace})`;
    const uncounted = await store.uncountedWorkspaces();
    return events.length === 2 && uncounted.includes(held.workspace) && !uncounted.includes(free.workspace);
  });
  await customer.sql`rollback`;
  await until('and it, when it is free', async () => !(await store.uncountedWorkspaces()).includes(held.workspace));
  await publisher.stop();
  t.pass();
});
