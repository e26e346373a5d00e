// How a worker ends, with stand-ins for its parts: in which order, and what happens when one hangs.
import t from 'tap';
import { Shutdown, type WorkerParts } from '../../src/worker/shutdown.ts';
import { silent, until } from '../fixtures/setup.ts';

/** Creates a shutdown whose parts say what they are told. Settling the sends in flight takes until the test says so. */
function createBench() {
  const told: string[] = [];
  const settled = Promise.withResolvers<void>();
  const tell = (what: string) => async () => void told.push(what);
  const parts: WorkerParts = {
    delivery: {
      async stop() {
        told.push('delivery stops');
        await settled.promise;
        told.push('sends are settled');
      },
    },
    supervisor: { stop: tell('supervisor stops') },
    runners: { giveUp: tell('runner is given up') },
    heartbeat: { stop: tell('heartbeat stops'), end: tell('heartbeat ends') },
    events: [{ stop: tell('events stop') }],
    activity: { stop: tell('activity stops') },
    calls: { stop: tell('calls stop') },
    sql: { end: async (options) => void told.push(`connections close in ${options?.timeout}`) },
  };
  const create = (stopSeconds: number, giveUpSeconds: number) =>
    new Shutdown({
      parts,
      workerId: 'worker',
      stopSeconds,
      giveUpSeconds,
      onHanging: () => told.push('process is given up'),
      log: silent,
    });
  return { told, settled, create };
}

t.test('the heartbeat goes on until sends in flight are settled, and connections close last', async (t) => {
  const { told, settled, create } = createBench();
  const shutdown = create(60, 60);
  const stopped = [shutdown.stop(), shutdown.stop(), shutdown.giveUp('too late')];
  await until('its runner has stopped', () => told.includes('supervisor stops'));
  t.same(told, ['delivery stops', 'supervisor stops']);
  settled.resolve();
  await Promise.all(stopped);
  t.same(told.slice(2, 5), ['sends are settled', 'heartbeat stops', 'events stop']);
  t.equal(told.at(-1), 'connections close in 5');
  t.equal(told.filter((what) => what === 'delivery stops').length, 1, 'once, however often it is told');
  t.notOk(told.includes('process is given up'));
});

t.test('what hangs is waited for no longer than it may take, and connections break', async (t) => {
  const { told, create } = createBench();
  await create(0.01, 60).stop();
  t.ok(told.includes('runner is given up'));
  t.notOk(told.includes('heartbeat stops'), 'its lease goes on');
  t.equal(told.at(-1), 'connections close in 0');
  t.notOk(told.includes('process is given up'), 'it was told to stop');
});

t.test('a worker that gives up ends first and then its process, once', async (t) => {
  const { told, create } = createBench();
  const shutdown = create(60, 0.01);
  const givenUp = Promise.all([shutdown.giveUp('one reason'), shutdown.giveUp('another')]);
  await shutdown.stop();
  t.notOk(told.includes('process is given up'), 'a stop waits for nothing then');
  await givenUp;
  t.same(told.slice(-2), ['connections close in 0', 'process is given up']);
});
