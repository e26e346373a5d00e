// The heartbeat of a worker with a stand-in for the database: how long its lease lasts, and what it takes back.
import { readFileSync } from 'node:fs';
import t from 'tap';
import { LEASE_SECONDS } from '../../src/database/deliveries.ts';
import { Heartbeat, type HeartbeatContext } from '../../src/worker/heartbeat.ts';
import { silent, until } from '../fixtures/setup.ts';

/** Creates a heartbeat whose database does what the test says. */
const createHeartbeat = ({
  store,
  ...overrides
}: { store: Partial<HeartbeatContext['store']> } & Partial<Omit<HeartbeatContext, 'store'>>) =>
  new Heartbeat({
    store: {
      recordHeartbeat: (async () => []) as never,
      heldClaims: async () => [],
      recoverClaims: async () => 0,
      heldJobs: async () => [],
      unlockJobs: async () => 0,
      recoverWorkers: async () => 0,
      sweepInvitations: async () => 0,
      tryWrite: async () => {},
      ...store,
    },
    workerId: 'worker',
    poolIds: () => [],
    knownJobs: () => new Set(),
    secondsSinceFetch: () => 0,
    openClaims: () => [],
    limits: {},
    holdUnknown: false,
    log: silent,
    recorder: undefined,
    ...overrides,
  });

t.test('without a recorded heartbeat there is no lease, and after one it covers what ends in time', async (t) => {
  let away = true;
  const heartbeat = createHeartbeat({
    store: { recordHeartbeat: (() => (away ? Promise.reject(new Error('away')) : Promise.resolve([]))) as never },
  });
  t.notOk(heartbeat.hasLeaseFor(0));
  await heartbeat.beat();
  t.notOk(heartbeat.hasLeaseFor(0), 'the database did not respond');
  away = false;
  await heartbeat.beat();
  t.ok(heartbeat.hasLeaseFor(LEASE_SECONDS - 10));
  t.notOk(heartbeat.hasLeaseFor(LEASE_SECONDS), 'it would outlast the lease');
  away = true;
  await heartbeat.beat();
  t.ok(heartbeat.hasLeaseFor(LEASE_SECONDS - 10), 'one missed beat does not end the lease');
});

t.test("the database learns this worker's pool once it is known", async (t) => {
  const recorded: unknown[] = [];
  const poolIds: string[] = [];
  const heartbeat = createHeartbeat({
    store: { recordHeartbeat: (async (...what: unknown[]) => void recorded.push(what.slice(0, 2))) as never },
    poolIds: () => poolIds,
  });
  await heartbeat.beat();
  poolIds.push('pool-1');
  await heartbeat.beat();
  t.same(recorded, [
    ['worker', null],
    ['worker', 'pool-1'],
  ]);
});

t.test('what a worker takes back is counted', async (t) => {
  const counted: unknown[] = [];
  const heartbeat = createHeartbeat({
    store: { heldClaims: async () => ['lost'], recoverClaims: async () => 3, recoverWorkers: async () => 1 },
    recorder: { recovered: (...what) => counted.push(what), requeued: (...what) => counted.push(what) },
  });
  await heartbeat.beat();
  t.same(counted, [['lost_claim', 3], [1]]);
});

t.test('what was in the list of a lost worker is swept at once', async (t) => {
  const sweeps: unknown[] = [];
  let lost = 0;
  const heartbeat = createHeartbeat({
    store: {
      recoverWorkers: async () => lost,
      async sweepInvitations(...what) {
        sweeps.push(what);
        return 0;
      },
    },
  });
  await heartbeat.beat();
  t.same(sweeps, []);
  lost = 1;
  await heartbeat.beat();
  t.same(sweeps, [[true]], 'all that is in no list');
});

t.test('a claim made while the heartbeat asks is not taken for lost', async (t) => {
  const open = ['old'];
  const taken: string[][] = [];
  const heartbeat = createHeartbeat({
    store: {
      async heldClaims() {
        // The delivery registers a claim before it asks for it. This one is registered here, and committed before the database looks.
        open.push('new');
        return ['old', 'new', 'lost'];
      },
      async recoverClaims(_, lost) {
        taken.push([...lost]);
        return 0;
      },
    },
    openClaims: () => [...open],
  });
  await heartbeat.beat();
  t.strictSame(taken, [['lost']]);
});

t.test('a worker that beats without taking jobs has no lease: the others go by the jobs', async (t) => {
  const recorded: unknown[] = [];
  let since = 3;
  const heartbeat = createHeartbeat({
    store: { recordHeartbeat: (async (...what: unknown[]) => void recorded.push(what[4])) as never },
    secondsSinceFetch: () => since,
  });
  await heartbeat.beat();
  t.ok(heartbeat.hasLeaseFor(LEASE_SECONDS - 10));
  since = LEASE_SECONDS;
  await heartbeat.beat();
  t.notOk(heartbeat.hasLeaseFor(0));
  t.same(recorded, [3, LEASE_SECONDS]);
});

t.test('jobs that a runner has locked and the worker does not know are given back, those of earlier runners too', async (t) => {
  const known = new Set(['1']);
  const unlocked: unknown[] = [];
  const heartbeat = createHeartbeat({
    store: {
      async heldJobs(pools) {
        t.same(pools, ['old', 'new']);
        // This job ends while the database is asked. The worker remembers it for a short time.
        known.add('2');
        return ['1', '2', '3'];
      },
      unlockJobs: async (...what) => unlocked.push(what),
    },
    poolIds: () => ['old', 'new'],
    knownJobs: () => known,
  });
  await until('a look for lost jobs', async () => {
    await heartbeat.beat();
    return unlocked.length > 0;
  });
  t.strictSame(unlocked, [[['old', 'new'], ['3']]]);
});

t.test('SQL counts a worker as lost after as many seconds as its lease lasts', async (t) => {
  const text = readFileSync(new URL('../../sql/functions/delivery/lost_after_seconds.sql', import.meta.url), 'utf8');
  t.equal(Number(/select (\d+)/.exec(text)?.[1]), LEASE_SECONDS);
});
