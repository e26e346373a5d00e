// A worker whose connections to PostgreSQL break or freeze in the middle of a response. Either it takes jobs again, or its process gives
// up.
import { randomUUID } from 'node:crypto';
import t, { type Test } from 'tap';
import type { MessageSender, Outcome } from '../../src/relay/relay.ts';
import { startWorker, type WorkerContext } from '../../src/worker/worker.ts';
import { startProxy } from '../fixtures/proxy.ts';
import { createBatch, createTestDatabase, createWorker, silent, until } from '../fixtures/setup.ts';

const { url, sql, store } = await createTestDatabase(t);
/** Text in every statement that fetches a job. */
const FETCH = 'get_job/graphile_worker';

/** Starts a worker behind a proxy. When it gives up, the test counts that instead of ending the process. */
async function start(
  t: Test,
  limits: WorkerContext['limits'] = {},
  answer: () => Promise<Outcome> = async () => ({ kind: 'accepted' }),
) {
  const proxy = await startProxy(url);
  const sent: string[] = [];
  let givenUp = 0;
  const sender: MessageSender = {
    maxBatch: 1,
    send(messages) {
      sent.push(...messages.map(({ to }) => to.email));
      return Promise.all(messages.map(answer));
    },
    close: async () => {},
  };
  const worker = startWorker({
    databaseUrl: proxy.url,
    databasePool: 2,
    concurrency: 2,
    delivery: {
      sender,
      render: { publicUrl: 'https://i.example', from: { name: 'Surveys', email: 'surveys@example.org' } },
      concurrency: 5,
      relay: { name: randomUUID(), rate: undefined },
    },
    limits,
    onHanging: () => {
      givenUp += 1;
    },
    log: silent,
  });
  t.teardown(async () => {
    proxy.heal();
    await worker.stop();
    await proxy.close();
  });
  return { worker, proxy, sent, givenUp: () => givenUp };
}

const whenSent = (batch: string) =>
  until('the email is sent', async () => {
    const [row] = await sql`select status from test.invitations where batch_id = ${batch}`;
    return row?.status === 'sent';
  });
const poolOf = async (): Promise<string> =>
  until('the worker has registered', async () => (await sql`select pool_id from invite.workers`)[0]?.pool_id);

t.test('a runner whose request for a job gets no answer is replaced, and the job that was handed out is run', async (t) => {
  const { worker, proxy, givenUp } = await start(t);
  await worker.started;
  const pool = await poolOf();
  const frozen = Promise.all([proxy.damageNext(FETCH, 'freeze'), proxy.damageNext(FETCH, 'freeze')]);
  await frozen;
  const { batch } = await createBatch(store);
  await whenSent(batch);
  t.not(await poolOf(), pool, 'by another runner');
  t.equal(givenUp(), 0);
});

t.test('a runner that gets only errors is replaced', async (t) => {
  const { worker, proxy, givenUp } = await start(t);
  await worker.started;
  const pool = await poolOf();
  proxy.damageAll(FETCH, 'cut');
  await until('another runner has registered', async () => (await poolOf()) !== pool);
  proxy.heal();
  const { batch } = await createBatch(store);
  await whenSent(batch);
  t.equal(givenUp(), 0);
});

t.test('a job whose handing out was lost is given back, although the worker goes on', async (t) => {
  const { worker, proxy } = await start(t);
  await worker.started;
  const pool = await poolOf();
  // The responses to all fetches are lost, until one fetch has locked the job.
  proxy.damageAll(FETCH, 'cut');
  const { batch } = await createBatch(store);
  await until('a lost answer has locked the job', async () => {
    const rows = await sql`select from graphile_worker.jobs where task_identifier = 'send_invitations' and locked_by is not null`;
    return rows.length > 0;
  });
  proxy.heal();
  await whenSent(batch);
  t.equal(await poolOf(), pool, 'by the same runner');
});

t.test('a runner that cannot say that its jobs are done ends, and another goes on', async (t) => {
  const { worker, proxy } = await start(t);
  await worker.started;
  for (let round = 0; round < 3; round += 1) {
    proxy.damageAll('complete_job', 'cut');
    const first = await createBatch(store);
    const second = await createBatch(store);
    await whenSent(first.batch);
    await whenSent(second.batch);
    proxy.heal();
    const { batch } = await createBatch(store);
    await whenSent(batch);
  }
});

t.test('a runner that cannot say that its job failed ends without an unhandled rejection, and another goes on', async (t) => {
  const { worker, proxy } = await start(t);
  await worker.started;
  const lost = proxy.damageNext('fail_job', 'cut');
  // It fails, because it has no payload.
  await sql`select graphile_worker.add_job('send_invitations', 'null', max_attempts => 1)`;
  await lost;
  const { batch } = await createBatch(store);
  await whenSent(batch);
});

t.test('after runners in a row that never took a job, the process is given up', async (t) => {
  const { worker, proxy, givenUp } = await start(t, { runnerSeconds: 1 });
  await worker.started;
  proxy.damageAll(FETCH, 'freeze');
  await until('the process is given up', () => givenUp() > 0);
  t.equal(givenUp(), 1);
  t.same([...(await sql`select * from invite.workers`)], [], 'it has given back what it held');
});

t.test('a call of the database that gets no answer gives the process up', async (t) => {
  const { worker, proxy, givenUp } = await start(t, { callSeconds: 2, giveUpSeconds: 1 });
  await worker.started;
  proxy.freeze();
  await until('the process is given up', () => givenUp() > 0);
});

t.test('a worker that is told to stop while everything hangs stops in time', async (t) => {
  const { worker, proxy } = await start(t, { stopSeconds: 1 });
  await worker.started;
  await createBatch(store);
  proxy.freeze();
  await worker.stop();
  t.ok((await sql`select from invite.workers`).length > 0, 'its lease goes on: it could not give anything back');
  await store.recoverWorkers(0);
});

t.test('a worker that beats without taking jobs is not counted as running, and others recover what it holds', async (t) => {
  const { batch } = await createBatch(store);
  const [row] = await sql`select id from test.invitations where batch_id = ${batch}`;
  const id = await createWorker(store);
  await store.claimInvitations([Number(row?.id)], id);
  await store.recordHeartbeat(id, null, 'test', 1, 10);
  t.equal((await store.queueMetrics()).workers, 1);
  t.equal(await store.recoverWorkers(50), 0);
  await store.recordHeartbeat(id, null, 'test', 1, 51);
  t.match(await sql`select is_running from invite.worker_health where id = ${id}`, [{ is_running: false }]);
  t.equal((await store.queueMetrics()).workers, 0);
  t.equal(await store.recoverWorkers(50), 1);
  t.match(await sql`select status from test.invitations where batch_id = ${batch}`, [{ status: 'queued' }]);
});
