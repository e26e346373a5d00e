// The state of the relay, which all workers share: pauses, faults and their probe, and the rate.
import { randomUUID } from 'node:crypto';
import t from 'tap';
import { idsOf } from '../fixtures/inspect.ts';
import { createBatch, createTestDatabase, createWorker } from '../fixtures/setup.ts';

const { sql, store } = await createTestDatabase(t);
const at = (seconds: number) => new Date(Date.parse('2030-01-01T00:00:00Z') + seconds * 1000).toISOString();

/** Creates a separate relay, with functions for what happens to it at a given second. */
function createRelay() {
  const id = randomUUID();
  return {
    async admit(seconds: number, wanted = 100, rate: number | null = null) {
      const [row] = await sql`select * from invite.admit_sends(${id}, ${wanted}, ${rate}, ${at(seconds)})`;
      const [relay] = await sql`select paused_until from invite.relays where id = ${id} and paused_until > ${at(seconds)}`;
      return [row?.allowed as number, relay ? (relay.paused_until.getTime() - Date.parse(at(0))) / 1000 : null] as const;
    },
    outcomes: (seconds: number, ...results: object[]) =>
      sql`select invite.record_relay_outcomes(${id}, ${sql.json(results as never)}, ${at(seconds)})`,
    /** The relay rejects one message of each of these workspaces for its content. */
    rejected(seconds: number, ...workspaces: string[]) {
      return this.rejectedAs(
        seconds,
        workspaces.map(() => refused),
        ...workspaces,
      );
    },
    rejectedAs: (seconds: number, results: object[], ...workspaces: string[]) =>
      sql`select invite.record_relay_outcomes(${id}, ${sql.json(results as never)}, ${at(seconds)}, ${workspaces}::text[])`,
    health: async () => (await sql`select * from invite.relay_health where id = ${id}`)[0],
  };
}

const config = { outcome: 'config', code: 'invalid_api_key', detail: 'The key is wrong.' };
const accepted = { outcome: 'accepted' };
const refused = { outcome: 'rejected', code: 'http_422', detail: 'No subject.' };

t.test('a healthy relay takes everything, and has no row to fight over', async (t) => {
  const relay = createRelay();
  await relay.outcomes(0, accepted, { outcome: 'unknown', code: 'timeout' });
  t.same(await relay.admit(0), [100, null]);
  t.equal(await relay.health(), undefined);
});

t.test('Retry-After pauses all workers until then, and an accepted email ends it', async (t) => {
  const relay = createRelay();
  await relay.outcomes(0, { outcome: 'retry', code: 'http_429', detail: 'Slow down.', retry_after_seconds: 90 });
  t.match(await relay.health(), { condition: 'busy', code: 'http_429' });
  t.same(await relay.admit(89), [0, 90]);
  t.same(await relay.admit(90), [100, null]);
  await relay.outcomes(91, accepted);
  t.match(await relay.health(), { condition: 'healthy', code: null, paused_until: null });
});

t.test('a retry without a time says nothing of the relay', async (t) => {
  const relay = createRelay();
  await relay.outcomes(0, { outcome: 'retry', code: 'ECONNREFUSED' });
  t.same(await relay.admit(0), [100, null]);
});

t.test('after a fault one email probes, and the others wait for it', async (t) => {
  const relay = createRelay();
  await relay.outcomes(0, config);
  t.match(await relay.health(), { condition: 'fault', code: 'invalid_api_key', detail: 'The key is wrong.', faults: 1 });
  t.same(await relay.admit(29), [0, 30]);
  t.same(await relay.admit(30), [1, 90], 'the probe');
  t.same(await relay.admit(31), [0, 90], 'nobody else meanwhile');
  await relay.outcomes(32, accepted);
  t.same(await relay.admit(33), [100, null]);
});

t.test('each failing probe doubles the pause up to fifteen minutes; what was on its way does not', async (t) => {
  const relay = createRelay();
  await relay.outcomes(0, config);
  await relay.outcomes(1, config);
  t.match(await relay.health(), { faults: 1 }, 'on its way when the fault was found');
  const pauses = [];
  let now = 30;
  for (let probe = 0; probe < 6; probe += 1) {
    t.equal((await relay.admit(now))[0], 1);
    await relay.outcomes(now, config);
    const [, again = 0] = await relay.admit(now);
    pauses.push((again ?? 0) - now);
    now = again ?? 0;
  }
  t.same(pauses, [60, 120, 240, 480, 900, 900]);
});

t.test('five emails of three workspaces in a row rejected for what they are is a fault', async (t) => {
  const relay = createRelay();
  await relay.rejected(0, 'a', 'a', 'a', 'b', 'b', 'b');
  t.same(await relay.admit(1), [100, null], 'two workspaces');
  await relay.rejected(2, 'c');
  t.match(await relay.health(), { condition: 'fault', code: 'http_422', rejected_workspaces: ['a', 'b', 'c'] });
  t.equal((await relay.admit(3))[0], 0);
  const other = createRelay();
  await other.rejected(0, 'a', 'b', 'c', 'd');
  t.same(await other.admit(1), [100, null], 'four emails');
});

t.test('a fault names what was rejected for its content, not what was too large beside it', async (t) => {
  const relay = createRelay();
  await relay.rejected(0, 'a', 'b', 'b', 'b');
  const results = ['message_too_large', 'invalid_recipient', 'http_422'].map((code) => ({ outcome: 'rejected', code }));
  await relay.rejectedAs(1, results, 'c');
  t.match(await relay.health(), { condition: 'fault', code: 'http_422' });
});

t.test('rejected recipients, and rejections with accepted emails between them, are no fault', async (t) => {
  const relay = createRelay();
  const recipient = { outcome: 'rejected', code: 'invalid_recipient' };
  await relay.outcomes(0, ...Array.from({ length: 20 }, () => recipient));
  for (let round = 0; round < 4; round += 1) {
    await relay.rejected(round, 'a', 'b', 'c');
    await relay.outcomes(round, accepted);
  }
  t.same(await relay.admit(9), [100, null]);
});

t.test('the rate allows the emails of one second at once, and then as many as have accrued since', async (t) => {
  const relay = createRelay();
  t.same(await relay.admit(0, 100, 10), [10, null], 'no time to come back: the caller keeps the rest');
  t.same(await relay.admit(0, 90, 10), [0, null]);
  t.same(await relay.admit(0.5, 90, 10), [5, null]);
  t.same(await relay.admit(0.55, 90, 10), [0, null]);
  t.same(await relay.admit(0.6, 90, 10), [1, null], 'a refusal loses no part of the next');
  t.same(await relay.admit(60, 90, 10), [10, null], 'a rest saves up no more than a second');
  await relay.outcomes(60, { outcome: 'retry', code: 'http_429', detail: 'Slow down.', retry_after_seconds: 90 });
  t.same(await relay.admit(61, 90, 10), [0, 150], 'a pause says when it ends');
});

t.test('each change of the condition is returned to the one who made it, and to nobody else', async (t) => {
  const relay = { name: randomUUID(), rate: undefined };
  const settle = async (outcome: object) => {
    const { survey } = await createBatch(store);
    const [claimed] = await store.claimInvitations(await idsOf(sql, survey), await createWorker(store));
    const result = { id: claimed?.id ?? '', claim_id: claimed?.claimId ?? '', ...outcome } as never;
    const { relayChange } = await store.settleInvitations([result], relay);
    return relayChange;
  };
  const config = { outcome: 'config', code: 'bad_key', detail: 'wrong' };
  t.equal(await settle({ outcome: 'accepted' }), null, 'healthy as before');
  t.match(await settle({ outcome: 'retry', code: 'http_429', detail: 'slow', retry_after_seconds: 60 }), {
    relay: relay.name,
    from: 'healthy',
    condition: 'busy',
    code: 'http_429',
  });
  t.match(await settle(config), { from: 'busy', condition: 'fault', code: 'bad_key', detail: 'wrong', paused_until: /^20/ });
  t.equal(await settle(config), null, 'as before');
  t.match(await settle({ outcome: 'accepted' }), { from: 'fault', condition: 'healthy' });
  t.equal(await settle({ outcome: 'accepted' }), null);
});
