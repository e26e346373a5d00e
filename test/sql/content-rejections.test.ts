// When a relay rejects the content of an email, its batch stops. No other workspace's email stops.
import { randomUUID } from 'node:crypto';
import t from 'tap';
import type { Settlement } from '../../src/database/store.ts';
import { idsOf, invitationsOf } from '../fixtures/inspect.ts';
import { createBatch, createTestDatabase, createWorker } from '../fixtures/setup.ts';

const { sql, store, connect } = await createTestDatabase(t);

const people = (count: number) => Array.from({ length: count }, (_, index) => ({ email: `person${index}@example.com` }));
const REJECTED = { outcome: 'rejected', code: 'smtp_554', detail: 'Spam.' } as const;
const ACCEPTED = { outcome: 'accepted' } as const;
const CONFIG = { outcome: 'config', code: 'invalid_api_key' } as const;

/** Creates a separate relay, and a worker that sends through it. */
async function createSending() {
  const relay = { name: randomUUID(), rate: undefined };
  const worker = await createWorker(store, { relay });
  return {
    relay,
    worker,
    claim: (ids: readonly number[]) => store.claimInvitations(ids, worker),
    /** Claims these invitations and settles the claimed ones with one outcome. Returns how many were claimed. */
    async send(ids: readonly number[], result: Partial<Settlement>) {
      const claimed = await store.claimInvitations(ids, worker);
      const results = claimed.map(({ id, claimId }) => ({ id, claim_id: claimId, ...result }) as Settlement);
      await store.settleInvitations(results, relay);
      return claimed.length;
    },
    health: async () => (await sql`select * from invite.relay_health where id = ${relay.name}`)[0],
    /** Ends the pause for a fault, this many seconds ago. */
    endPause: (seconds = 0) =>
      sql`update invite.relays set paused_until = clock_timestamp() - ${seconds} * interval '1 second' where id = ${relay.name}`,
  };
}

const countByCode = async (survey: string) =>
  Object.fromEntries(
    (
      await sql`
        select coalesce(last_error_code, status::text) as code, count(*)::integer as emails
        from test.invitations where survey_id = ${survey} group by 1 order by 1`
    ).map(({ code, emails }) => [code, emails]),
  );

t.test('after five rejected in a row the others of the batch fail at once, and nothing is paused', async (t) => {
  const { survey, batch } = await createBatch(store, { recipients: people(1000) });
  const { claim, send, health } = await createSending();
  const ids = await idsOf(sql, survey);
  t.equal(await send(ids.slice(0, 4), REJECTED), 4);
  t.same(await countByCode(survey), { queued: 996, smtp_554: 4 }, 'four are not enough');
  await send(ids.slice(4, 5), REJECTED);
  t.same(await countByCode(survey), { content_rejected: 995, smtp_554: 5 });
  const [last] = await sql`select * from invite.failed_invitations where id = ${ids.at(-1) ?? 0}`;
  t.match(last, { last_error_code: 'content_rejected', attempts: 0, last_error: /five emails of this request.*\(smtp_554\)/ });
  t.ok(last?.failed_at);
  t.match(await health(), { condition: 'healthy', paused_until: null });

  const other = await createBatch(store, { recipients: people(2) });
  t.equal((await claim(await idsOf(sql, other.survey))).length, 2, 'another workspace is not held up');

  const [retried] = await sql`select * from invite.retry_batch(${batch})`;
  t.equal(retried?.queued, 1000, 'a person can retry them');
  t.equal(await send(ids.slice(0, 3), ACCEPTED), 3);
  t.equal(await send(ids.slice(3, 7), REJECTED), 4, 'four more in a row do not stop it');
  t.equal((await claim(ids.slice(7, 9))).length, 2);
});

t.test('a flush with one that was accepted does not stop the batch, nor do rejected recipients', async (t) => {
  const { survey } = await createBatch(store, { recipients: people(20) });
  const { claim, send, relay } = await createSending();
  const ids = await idsOf(sql, survey);
  await send(ids.slice(0, 4), REJECTED);
  const claimed = await claim(ids.slice(4, 8));
  await store.settleInvitations(
    claimed.map(({ id, claimId }, index) => ({ id, claim_id: claimId, ...(index === 0 ? ACCEPTED : REJECTED) })),
    relay,
  );
  await send(ids.slice(8, 12), REJECTED);
  await send(ids.slice(12, 18), { outcome: 'rejected', code: 'invalid_recipient' });
  t.equal((await claim(ids.slice(18))).length, 2);
});

t.test('what a worker gives back after its batch was stopped fails at its next claim', async (t) => {
  const { survey } = await createBatch(store, { recipients: people(7) });
  const { claim, send, relay } = await createSending();
  const ids = await idsOf(sql, survey);
  const [held] = await claim(ids.slice(6));
  await send(ids.slice(0, 5), REJECTED);
  if (held === undefined) throw new Error('nothing was claimed');
  await store.settleInvitations([{ id: held.id, claim_id: held.claimId, outcome: 'released' }], relay);
  t.equal((await claim(ids.slice(6))).length, 0);
  t.match((await invitationsOf(sql, survey)).at(-1), { status: 'failed', last_error_code: 'content_rejected', due_at: null });
});

t.test("a stopped invitation doesn't stop the reminders of those who were invited before", async (t) => {
  const { survey } = await createBatch(store, { recipients: people(12), reminders: [1] });
  const { claim, send } = await createSending();
  const ids = await idsOf(sql, survey);
  await send(ids.slice(0, 2), ACCEPTED);
  await send(ids.slice(2, 7), REJECTED);
  t.same(await countByCode(survey), { content_rejected: 5, queued: 2, smtp_554: 5 });
  await sql`update invite.messages set not_before = clock_timestamp() where survey_id = ${survey} and status = 'queued'`;
  t.equal((await claim(ids)).length, 2);
});

t.test('a batch or a message that somebody else has locked is not waited for', async (t) => {
  const { survey, batch } = await createBatch(store, { recipients: people(20) });
  const { claim, send } = await createSending();
  const ids = await idsOf(sql, survey);
  const product = connect();
  await product.begin(async (transaction) => {
    await transaction`select from invite.batches where id = ${batch} for update`;
    t.equal(await send(ids.slice(0, 5), REJECTED), 5, 'settled');
  });
  t.same(await countByCode(survey), { queued: 15, smtp_554: 5 }, 'and not counted');
  await product.begin(async (transaction) => {
    await transaction`select from invite.messages where invitation_id = ${ids.at(-1) ?? 0} for update`;
    await send(ids.slice(5, 10), REJECTED);
  });
  t.same(await countByCode(survey), { content_rejected: 9, queued: 1, smtp_554: 10 });
  t.equal((await claim(ids)).length, 0);
  t.same(await countByCode(survey), { content_rejected: 10, smtp_554: 10 }, 'what was locked fails at its claim');
});

t.test('only rejections of three workspaces are a fault of the relay', async (t) => {
  const { send, health } = await createSending();
  const surveys = [];
  for (let index = 0; index < 4; index += 1) surveys.push((await createBatch(store, { recipients: people(20) })).survey);
  const ids = await Promise.all(surveys.map((survey) => idsOf(sql, survey)));
  for (let round = 0; round < 4; round += 1) await send(ids[0]?.slice(round, round + 1) ?? [], REJECTED);
  for (let round = 0; round < 4; round += 1) await send(ids[1]?.slice(round, round + 1) ?? [], REJECTED);
  t.match(
    await health(),
    { condition: 'healthy', rejected_in_a_row: 5 },
    'two workspaces are not; nor is each rejection written',
  );
  await send(ids[2]?.slice(0, 1) ?? [], ACCEPTED);
  await send(ids[2]?.slice(1, 2) ?? [], REJECTED);
  t.match(await health(), { condition: 'healthy', rejected_in_a_row: 1 }, 'none was accepted between');
  await send(ids[1]?.slice(10, 12) ?? [], REJECTED);
  t.match(await health(), { condition: 'healthy', rejected_in_a_row: 3 });
  await send(ids[3]?.slice(0, 2) ?? [], REJECTED);
  t.match(await health(), { condition: 'fault', code: 'smtp_554', faults: 1, rejected_in_a_row: 5 });
});

t.test('the probe is a first attempt of another workspace than the last rejected one', async (t) => {
  const { claim, send, health, endPause, relay } = await createSending();
  const [one, two, three] = [
    await createBatch(store, { recipients: people(20) }),
    await createBatch(store, { recipients: people(20) }),
    await createBatch(store, { recipients: people(20) }),
  ];
  const ids = await Promise.all([one, two, three].map(({ survey }) => idsOf(sql, survey)));
  const [first = [], second = [], third = []] = ids;
  await send(first.slice(0, 3), { outcome: 'retry', code: 'http_500' });
  await sql`update invite.messages set not_before = clock_timestamp() where invitation_id = any (${first.slice(0, 3)}::bigint[])`;
  await send(first.slice(3, 5), REJECTED);
  await send(second.slice(0, 2), REJECTED);
  await send(third.slice(0, 2), REJECTED);
  t.match(await health(), { condition: 'fault', rejected_workspaces: [one.workspace, two.workspace, three.workspace] });

  await endPause();
  t.equal((await claim(third.slice(2))).length, 0, 'not of the workspace that was rejected last');
  t.equal((await claim(first.slice(0, 3))).length, 0, 'not a retry');
  const probe = await claim([...first, ...third]);
  t.same(
    probe.map(({ id }) => Number(id)),
    [first[5]],
  );
  t.equal((await claim(second.slice(2))).length, 0, 'one probe at a time');
  await store.settleInvitations(
    probe.map(({ id, claimId }) => ({ id, claim_id: claimId, ...CONFIG })),
    relay,
  );

  await endPause(11);
  t.equal((await claim(third.slice(2))).length, 1, 'after ten seconds in which there was no other');
  await endPause(11);
  t.equal((await claim(first.slice(0, 3))).length, 1, 'and at last a retry: with nothing else the relay would stay paused');
});

t.test('what was rejected and is retried by hand is the last to probe', async (t) => {
  const { claim, send, endPause } = await createSending();
  const bad = await createBatch(store, { recipients: people(3) });
  const good = await createBatch(store, { recipients: people(3) });
  const badIds = await idsOf(sql, bad.survey);
  await send(badIds, REJECTED);
  await send((await idsOf(sql, good.survey)).slice(0, 1), CONFIG);
  await sql`select * from invite.retry_batch(${bad.batch})`;
  await endPause();
  t.equal((await claim(badIds)).length, 0);
  await endPause(11);
  const goodIds = (await idsOf(sql, good.survey)).slice(1);
  t.same(
    (await claim([...badIds, ...goodIds])).map(({ id }) => Number(id)),
    goodIds.slice(0, 1),
  );
});
