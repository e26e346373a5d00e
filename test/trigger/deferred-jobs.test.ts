// The jobs of batches that are due at once. The first are queued immediately, and the next ones together. An outage delays them, and
// closing queues the rest.
import t from 'tap';
import { createDeferredJobs, type DeferredBatch } from '../../src/trigger/deferred-jobs.ts';
import { startTestServer } from '../fixtures/http.ts';
import { clearJobs, invitationsOf, jobsOf } from '../fixtures/inspect.ts';
import { createSurvey, createTestDatabase, createToken, silent, until } from '../fixtures/setup.ts';

/** Creates a store that records its calls and fails this many times. */
function createNoting(failures = 0) {
  const calls: string[][] = [];
  let left = failures;
  const queueAccepted = async (batchIds: readonly string[]) => {
    calls.push([...batchIds]);
    left -= 1;
    if (left >= 0) throw Object.assign(new Error('gone'), { code: 'ECONNREFUSED' });
  };
  return { calls, store: { queueAccepted } };
}

const batch = (batchId: string, recipients = 1): DeferredBatch => ({ batchId, recipients });

t.test('what comes first is queued at once, and what comes in the next moment together', async (t) => {
  const { calls, store } = createNoting();
  const jobs = createDeferredJobs(store, silent);
  jobs.add('home', []);
  t.strictSame(calls, []);
  jobs.add('home', [batch('a'), batch('b')]);
  t.strictSame(calls, [['a', 'b']]);
  for (const id of ['c', 'd', 'e']) {
    jobs.add('home', [batch(id)]);
    await Promise.resolve();
  }
  t.equal(calls.length, 1);
  await until('they are queued', () => calls.length > 1);
  t.strictSame(calls[1], ['c', 'd', 'e']);
  await jobs.close();
  t.equal(calls.length, 2);
});

t.test('many recipients are queued in several calls, and a large batch by itself', async (t) => {
  const { calls, store } = createNoting();
  const jobs = createDeferredJobs(store, silent);
  jobs.add('home', [batch('a', 6_000), batch('b', 5_000), batch('c', 20_000), batch('d'), batch('e')]);
  await jobs.close();
  t.strictSame(calls, [['a'], ['b'], ['c'], ['d', 'e']]);
});

t.test('while the database is away batches are kept and tried again', async (t) => {
  const { calls, store } = createNoting(1);
  const jobs = createDeferredJobs(store, silent);
  jobs.add('home', [batch('a')]);
  jobs.add('home', [batch('b')]);
  await until('they are tried again', () => calls.length > 1);
  t.strictSame(calls, [['a'], ['a', 'b']]);
  await jobs.close();
  t.equal(calls.length, 2);
});

t.test('each database has a queue of its own', async (t) => {
  const held = Promise.withResolvers<void>();
  const calls: [string, readonly string[]][] = [];
  const jobs = createDeferredJobs(
    {
      async queueAccepted(batchIds, home) {
        calls.push([home, batchIds]);
        if (home === 'slow0000') await held.promise;
      },
    },
    silent,
  );
  jobs.add('slow', [batch('a')]);
  jobs.add('home', [batch('b')]);
  jobs.add('slow', [batch('c')]);
  jobs.add('home', [batch('d')]);
  await until('those of the other are queued', () => calls.length === 3);
  t.strictSame(calls, [
    ['slow0000', ['a']],
    ['home0000', ['b']],
    ['home0000', ['d']],
  ]);
  held.resolve();
  await jobs.close();
  t.strictSame(calls[3], ['slow0000', ['c']]);
});

t.test('closing tries what waits once more, and gives up when it fails', async (t) => {
  const { calls, store } = createNoting(3);
  const jobs = createDeferredJobs(store, silent);
  jobs.add('home', [batch('a')]);
  await new Promise(setImmediate);
  await jobs.close();
  t.strictSame(calls, [['a'], ['a']]);
});

t.test('after it has become idle it queues again', async (t) => {
  const { calls, store } = createNoting();
  const jobs = createDeferredJobs(store, silent);
  for (let count = 1; count <= 3; count += 1) {
    jobs.add('home', [batch(String(count))]);
    await until('it is queued', () => calls.length === count);
  }
  await jobs.close();
  t.strictSame(calls, [['1'], ['2'], ['3']]);
});

t.test('a server that closes has queued every invitation that it accepted, in few jobs', async (t) => {
  const { sql, store, urlAs } = await createTestDatabase(t);
  const { survey } = await createSurvey(store);
  const tokens = await Promise.all(Array.from({ length: 30 }, () => createToken(store, survey)));
  const { post, close } = await startTestServer(t, urlAs('invite_web'));
  const replies = await Promise.all(tokens.map(({ secret }) => post({ email: 'ada@example.com' }, { secret })));
  t.ok(replies.every(({ status }) => status === 200));
  await close();
  const jobs = await jobsOf(sql, survey);
  const queued = jobs.flatMap(({ payload }) => payload.invitation_ids ?? []);
  t.strictSame(
    queued.sort((a, b) => a - b),
    (await invitationsOf(sql, survey)).map(({ id }) => Number(id)),
  );
  t.equal(queued.length, 30);
  t.ok(jobs.length < 30, `${jobs.length} jobs`);
});

t.test('what a server that was killed has accepted and not queued, the sweep queues half a minute later', async (t) => {
  const { sql, store } = await createTestDatabase(t);
  const { survey } = await createSurvey(store);
  const { hash } = await createToken(store, survey);
  const at = '2030-01-01 10:00:00Z';
  const request = { secret_hash: `\\x${hash.toString('hex')}`, recipients: [{ email: 'ada@example.com' }] };
  await clearJobs(sql);
  await sql`select * from invite.accept_triggers(${sql.json([request])}, at => ${at}, defer => true)`;
  t.equal((await jobsOf(sql, survey)).length, 0);
  await sql`select invite.sweep_invitations(at => '2030-01-01 10:00:29Z')`;
  t.equal((await jobsOf(sql, survey)).length, 0);
  await sql`select invite.sweep_invitations(at => '2030-01-01 10:00:30Z')`;
  t.equal((await jobsOf(sql, survey)).length, 1);
});
