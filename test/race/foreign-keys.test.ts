// A customer's table has a foreign key to one of the product's tables, and the transaction that wrote its rows stays open. It holds the
// product's rows with a key share lock, including the newest, but blocks nothing.
import { randomUUID } from 'node:crypto';
import t, { type Test } from 'tap';
import { createStore } from '../../src/database/store.ts';
import { createPublisher } from '../../src/events/publisher.ts';
import { openSession } from '../fixtures/inspect.ts';
import { createSurvey, createTestDatabase, createToken, createWorker, silent, until } from '../fixtures/setup.ts';
import { acceptTrigger } from '../fixtures/trigger.ts';
import { createWebhook } from '../fixtures/webhooks.ts';

const database = await createTestDatabase(t);
const { sql, store } = database;

/** Does everything that a workspace does, so that each table has a row. Returns what the next round needs. */
async function traffic(through: typeof store, connection: typeof sql) {
  const fixture = await createSurvey(store);
  await store.setWorkspaceEvents(fixture.workspace, true);
  await createWebhook(store, fixture.workspace, 'http://127.0.0.1:9/');
  const { token, hash } = await createToken(store, fixture.survey, { defaultReminders: [1] });
  const worker = await createWorker(store);
  return {
    ...fixture,
    /** Creates a batch by SQL that the quota doesn't count yet. */
    invite: () => connection`select invite.trigger(${token}, '["sql@example.com"]')`,
    async round(t: Test) {
      const email = `${randomUUID()}@example.com`;
      const accepted = await acceptTrigger(
        through,
        hash,
        { recipients: [{ email, name: 'Ada', metadata: { order: email } }] },
        10_000,
      );
      t.equal(accepted.outcome, 'accepted');
      await this.invite();
      t.ok((await through.countBatches(fixture.workspace)) > 0, 'counted');
      t.same(await through.uncountedWorkspaces(), [], 'all of them');
      const due = await sql<{ id: number }[]>`
        select invitation_id as id from invite.messages where survey_id = ${fixture.survey} and status = 'queued' and not_before <= now()`;
      const ids = due.map(({ id }) => id);
      const claimed = await through.claimInvitations(ids, worker);
      t.equal(claimed.length, ids.length, 'claimed');
      const [first, ...others] = claimed.map(({ id, claimId }) => ({
        id,
        claim_id: claimId,
        outcome: 'accepted' as const,
        relay_message_id: id,
      }));
      const failing = first === undefined ? [] : [{ ...first, outcome: 'config' as const, code: 'bad_key', detail: 'x' }];
      const settled = await through.settleInvitations([...failing, ...others], { name: 'mailpit', rate: 1000 });
      t.equal(settled.settled, claimed.length, 'settled');
      await connection`update invite.relays set condition = 'healthy', paused_until = null`;
      t.equal((await through.submitResponse(fixture.survey, { score: 9 }, undefined)).outcome, 'recorded');
      await through.recordRelayEvents('mailpit', [
        {
          event_id: randomUUID(),
          type: 'delivered',
          occurred_at: new Date().toISOString(),
          invitation_id: others[0]?.id,
        } as never,
      ]);
      for (const state of ['draft', 'active']) await through.setSurveyState(fixture.survey, state);
      await through.requeueWaiting(fixture.survey);
      await through.sweepInvitations();
      await through.healInvitations();
      await through.recoverWorkers(3600);
      await through.matchRelayEvents();
      await through.confirmInvitations();
      t.ok((await through.publishEvents(1000)) > 0, 'published');
      await through.indexRecipients();
      await through.foldResultCounts();
      const [webhook] = await through.claimWebhooks(10, 60);
      t.ok(webhook, 'a webhook is claimed');
      if (webhook !== undefined) await through.settleWebhook(webhook, [60], { status: 500 });
      await through.recordRejections([
        { secret_hash: `\\x${hash.toString('hex')}`, code: 'cooldown', rejected: 1, age_seconds: 0 },
      ]);
      await connection`select from invite.read_events('product')`;
      await through.recordHeartbeat(worker, 'pool', 'host', 1);
    },
  };
}

const impatient = await openSession(database);
await impatient.sql`set lock_timeout = '2s'`;
const flow = await traffic(createStore(impatient.sql), impatient.sql);
const tables = await sql<{ name: string }[]>`
  select c.oid::regclass::text as name from pg_class as c
  where c.relnamespace = 'invite'::regnamespace and c.relkind in ('r', 'p') order by c.relname`;

t.test('all flows while nobody holds anything', (t) => flow.round(t));

/**
 * Rows of these tables are deleted as soon as they have been read. No customer's row can refer to them, and only the owner's role could
 * lock them.
 */
const EMPTIED = ['invite.new_events', 'invite.result_changes'];

for (const { name } of tables.filter(({ name }) => !EMPTIED.includes(name))) {
  t.test(`a transaction that has rows with foreign keys to those of ${name} stops nothing`, async (t) => {
    const customer = await openSession(database);
    await flow.invite();
    await customer.sql`begin`;
    await customer.sql.unsafe(`select from ${name} for key share`);
    await flow.round(t);
    await flow.round(t);
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
