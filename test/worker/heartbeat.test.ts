// The heartbeat of a worker with a stand-in for the database: how long the worker may think itself alive.
import { readFileSync } from 'node:fs';
import t from 'tap';
import { Heartbeat, SILENT_SECONDS } from '../../src/worker/heartbeat.ts';
import { silent } from '../fixtures/setup.ts';

t.test('a worker that was never heard begins nothing, one that was just heard begins what is over in time', async (t) => {
  let away = true;
  const heartbeat = new Heartbeat(
    {
      recordHeartbeat: (() => (away ? Promise.reject(new Error('away')) : Promise.resolve([]))) as never,
      heldClaims: async () => [],
      recoverClaims: async () => 0,
      recoverWorkers: async () => 0,
    },
    'worker',
    silent,
  );
  t.notOk(heartbeat.outlasts(0));
  await heartbeat.beat();
  t.notOk(heartbeat.outlasts(0), 'the database did not answer');
  away = false;
  await heartbeat.beat();
  t.ok(heartbeat.outlasts(SILENT_SECONDS - 10));
  t.notOk(heartbeat.outlasts(SILENT_SECONDS), 'it would outlive its own death');
  away = true;
  await heartbeat.beat();
  t.ok(heartbeat.outlasts(SILENT_SECONDS - 10), 'one missed beat is no death');
});

t.test('what a worker takes back is counted', async (t) => {
  const recordHeartbeat = (async () => []) as never;
  const heartbeat = new Heartbeat(
    { recordHeartbeat, heldClaims: async () => ['lost'], recoverClaims: async () => 3, recoverWorkers: async () => 1 },
    'worker',
    silent,
  );
  const told: unknown[] = [];
  heartbeat.recorder = { recovered: (...what) => told.push(what), requeued: (...what) => told.push(what) };
  await heartbeat.beat();
  t.same(told, [['lost_claim', 3], [1]]);
});

t.test('a claim that is made while the heartbeat asks is not taken for lost', async (t) => {
  const open = ['old'];
  const taken: string[][] = [];
  const heartbeat = new Heartbeat(
    {
      recordHeartbeat: (async () => []) as never,
      async heldClaims() {
        // Opened before it was asked for, as the delivery does; committed before the database looks.
        open.push('new');
        return ['old', 'new', 'lost'];
      },
      async recoverClaims(_, lost) {
        taken.push([...lost]);
        return 0;
      },
      recoverWorkers: async () => 0,
    },
    'worker',
    silent,
  );
  heartbeat.openClaims = () => [...open];
  await heartbeat.beat();
  t.strictSame(taken, [['lost']]);
});

t.test('SQL gives a worker up after as many seconds as the worker counts on', async (t) => {
  for (const name of ['recover_workers', 'queue_metrics']) {
    const text = readFileSync(new URL(`../../sql/functions/delivery/${name}.sql`, import.meta.url), 'utf8');
    t.equal(Number(/silent_seconds integer default (\d+)/.exec(text)?.[1]), SILENT_SECONDS, name);
  }
});
