// Whole processes that hang when they should end. Their connections to the job queue take no jobs, or no bytes pass to PostgreSQL at all,
// and the relay never responds. They end by themselves within the documented 30 seconds.
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import t from 'tap';
import { openDatabase } from '../../src/database/pool.ts';
import { createStore } from '../../src/database/store.ts';
import { createEmptyDatabase, runJson, startProgram } from '../fixtures/program.ts';
import { type DatabaseProxy, startProxy } from '../fixtures/proxy.ts';
import { createBatch, until } from '../fixtures/setup.ts';

/** The documented limit, plus what a busy machine may add. */
const BOUND_MS = 30_000 + 30_000;

/** This relay takes requests and never responds. */
const taken: string[] = [];
const relay = createServer((socket) => {
  socket.setEncoding('utf8').on('data', (text: string) => taken.push(text));
  socket.on('error', () => {});
});
relay.listen(0, '127.0.0.1');
await once(relay, 'listening');
t.teardown(() => relay.close());

/**
 * Starts the service behind a proxy and waits until the relay has been given an email. Returns the milliseconds from SIGTERM to the end of
 * the process.
 */
async function terminate(command: 'work' | 'start', hang: (proxy: DatabaseProxy) => Promise<unknown>): Promise<number> {
  const database = await createEmptyDatabase(t);
  await runJson({ DATABASE_URL: database }, 'migrate');
  const proxy = await startProxy(database);
  const sql = openDatabase(database, { applicationName: 'tests', transactions: true });
  t.teardown(async () => {
    await sql.end();
    await proxy.close();
  });
  const program = await startProgram(
    t,
    {
      DATABASE_URL: proxy.url,
      DATA_DIR: t.testdir({}),
      PUBLIC_URL: 'https://survey.example.com',
      RELAY: 'mailpit',
      RELAY_URL: `http://127.0.0.1:${(relay.address() as AddressInfo).port}`,
      RELAY_TIMEOUT_SECONDS: '20',
    },
    command,
  );
  const email = `${command}-${proxy.url.split(':').at(-1)?.split('/')[0]}@example.com`;
  await createBatch(createStore(sql), { recipients: [{ email }] });
  await until('the relay has the email', () => taken.some((text) => text.includes(email)));
  await hang(proxy);
  const told = performance.now();
  await program.terminate();
  return performance.now() - told;
}

// Both tests of a command run at once, because they only wait and use no CPU.
for (const command of ['work', 'start'] as const) {
  t.test(`${command} ends within its documented time, whatever hangs`, async (t) => {
    const [noJobs, nothing] = await Promise.all([
      terminate(command, (proxy) => proxy.damageNext('get_job/graphile_worker', 'freeze')),
      terminate(command, async (proxy) => proxy.freeze()),
    ]);
    t.ok(noJobs < BOUND_MS, `a request for a job that gets no answer, and a relay that never responds: ${Math.round(noJobs)} ms`);
    t.ok(nothing < BOUND_MS, `a database that answers nothing: ${Math.round(nothing)} ms`);
  });
}
