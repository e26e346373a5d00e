// What patches/ fixes in graphile-worker, and what the worker also relies on: runners whose connections to PostgreSQL break.
import { EventEmitter } from 'node:events';
import { Logger, run } from 'graphile-worker';
import t, { type Test } from 'tap';
import { openJobsPool } from '../../src/database/pool.ts';
import { type DatabaseProxy, startProxy } from '../fixtures/proxy.ts';
import { createTestDatabase, until } from '../fixtures/setup.ts';

const { url, sql } = await createTestDatabase(t);

interface Job {
  readonly ended: PromiseWithResolvers<void>;
  readonly signal: AbortSignal | undefined;
}

/** Starts a runner behind a proxy. Its jobs run until the test ends them. */
async function start(t: Test, concurrency: number, damage: (proxy: DatabaseProxy) => void = () => {}) {
  const proxy = await startProxy(url);
  damage(proxy);
  const pool = openJobsPool(proxy.url, { max: concurrency + 1, applicationName: 'tests' });
  const jobs: Job[] = [];
  const events = new EventEmitter();
  const counts = { 'pool:fatalError': 0, 'pool:listen:error': 0, 'worker:getJob:error': 0 };
  for (const name of Object.keys(counts) as (keyof typeof counts)[]) {
    events.on(name, () => {
      counts[name] += 1;
    });
  }
  const runner = await run({
    pgPool: pool.pool,
    concurrency,
    taskList: {
      async wait(_, { abortSignal }) {
        const ended = Promise.withResolvers<void>();
        jobs.push({ ended, signal: abortSignal });
        await ended.promise;
      },
    },
    parsedCronItems: [],
    noHandleSignals: true,
    events: events as never,
    logger: new Logger(() => () => {}),
    pollInterval: 50,
    preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0, gracefulShutdownAbortTimeout: 0 } },
  });
  t.teardown(async () => {
    await runner.stop().catch(() => {});
    await pool.end();
    await proxy.close();
  });
  return { runner, proxy, pool, jobs, counts };
}

async function addJobs(count: number): Promise<void> {
  await sql`select graphile_worker.add_job('wait', max_attempts => 1) from generate_series(1, ${count})`;
}

t.test('a runner ends when the database lost several responses to its completed jobs', async (t) => {
  const { runner, proxy, jobs, counts } = await start(t, 3);
  await addJobs(3);
  await until('all jobs run', () => jobs.length === 3);
  const [first, second, third] = jobs;
  proxy.damageAll('complete_job', 'cut');
  first?.ended.resolve();
  await until('the first response is lost', () => counts['pool:fatalError'] === 1);
  second?.ended.resolve();
  await until('the second response is lost', () => counts['pool:fatalError'] === 2);
  // The runner has shut down since the first. Its last job fails, so that it waits for no further completion.
  third?.ended.reject(new Error('it fails'));
  let hasEnded = false;
  void runner.promise.finally(() => {
    hasEnded = true;
  });
  await until('the runner ends', () => hasEnded);
  t.match(await sql`select last_error, locked_by from graphile_worker.jobs`, [{ last_error: 'it fails', locked_by: null }]);
});

t.test('a runner whose first look-up of tasks failed looks again', async (t) => {
  const { jobs, counts } = await start(t, 1, (proxy) => void proxy.damageNext('select id, identifier from', 'cut'));
  await addJobs(1);
  await until('the job runs, or errors are repeated', () => jobs.length === 1 || counts['worker:getJob:error'] > 5);
  t.equal(jobs.length, 1);
  t.equal(counts['worker:getJob:error'], 1);
  jobs[0]?.ended.resolve();
});

t.test('a runner stopped before it listens releases that connection once, and does not try again', async (t) => {
  let asked: Promise<unknown> | undefined;
  const traces = t.capture(console, 'trace');
  const { runner, proxy, pool, counts } = await start(t, 1, (proxy) => {
    asked = Promise.all(['LISTEN "jobs:insert"', 'get_job/graphile_worker'].map((text) => proxy.damageNext(text, 'freeze')));
  });
  await asked;
  const stopped = runner.stop();
  proxy.cut();
  await stopped;
  await pool.end();
  t.equal(counts['pool:listen:error'], 0);
  t.equal(traces().length, 0, 'and only the logger hears of its failed request for a job');
});

t.test('a job that goes on after the runner was told to stop, and after the abort, is completed', async (t) => {
  const { runner, jobs } = await start(t, 1);
  await addJobs(1);
  const job = await until('the job runs', () => jobs[0]);
  const stopped = runner.stop();
  await until('it is aborted', () => job.signal?.aborted);
  job.ended.resolve();
  await stopped;
  t.equal((await sql`select from graphile_worker.jobs where last_error is null`).length, 0);
});
