// The batcher: requests share calls, and each gets its own result. Neither a locked token nor a request that breaks the call delays the
// others.
import { createHash } from 'node:crypto';
import { t } from 'tap';
import type { Store, TriggerCall, TriggerResult } from '../../src/database/store.ts';
import { createBatcher } from '../../src/trigger/batcher.ts';
import { createDeferredJobs } from '../../src/trigger/deferred-jobs.ts';
import { createSurvey, createTestDatabase, createToken, silent } from '../fixtures/setup.ts';

const database = await createTestDatabase(t);
const { sql, store, connect } = database;
const jobs = createDeferredJobs(store, silent);
t.teardown(jobs.close);

const unknown: TriggerResult = { outcome: 'unknown_token', retryAfterSeconds: null, workspaceId: null, surveyId: null };
const accepted: TriggerResult = {
  ...{ outcome: 'accepted', workspaceId: 'acme', surveyId: 'orders', batchId: 'x', scheduledAt: new Date(), status: 'queued' },
  ...{ replayed: false, deferred: true, holdReason: null, suppressed: 0, resting: null, leaveBy: null },
};

/** Creates a batcher that records the size of each call. */
function createCounted(accept: Store['acceptTriggers'] = store.acceptTriggers) {
  const sizes: number[] = [];
  const batcher = createBatcher(
    {
      acceptTriggers: (calls, perHour, options) => {
        sizes.push(calls.length);
        return accept(calls, perHour, options);
      },
    },
    jobs,
    10_000,
  );
  return { sizes, accept: (call: TriggerCall) => batcher.accept(call.secretHash.toString('hex'), call, true) };
}

/** Creates calls, each with its own token. */
async function createCalls(count: number, request: Partial<TriggerCall['request']> = {}, settings = {}): Promise<TriggerCall[]> {
  const { survey } = await createSurvey(store);
  const tokens = await Promise.all(Array.from({ length: count }, () => createToken(store, survey, settings)));
  return tokens.map(({ hash }) => ({ secretHash: hash, request: { recipients: [{ email: 'ada@example.com' }], ...request } }));
}

t.test('requests that come together share a call; a lonely one goes by itself', async (t) => {
  const { sizes, accept } = createCounted();
  const calls = await createCalls(100);
  const answers = await Promise.all(calls.map(accept));
  t.ok(answers.every(({ outcome }) => outcome === 'accepted'));
  t.strictSame(sizes, [64, 36], 'at most 64');
  const [first] = calls;
  if (first !== undefined) t.equal((await accept(first)).outcome, 'accepted');
  t.strictSame(sizes, [64, 36, 1]);
});

t.test('each request has its own answer', async (t) => {
  const { sizes, accept } = createCounted();
  const [good, other] = await createCalls(2, { subject: 'Mine' });
  const [unknown, cooling] = await createCalls(2, { subject: 'Yours' }, { cooldownSeconds: 60 });
  if (!good || !other || !unknown || !cooling) throw new Error('no calls');
  await accept(cooling);
  const answers = await Promise.all(
    [good, { ...unknown, secretHash: Buffer.concat([unknown.secretHash.subarray(0, 8), Buffer.alloc(32)]) }, cooling, other].map(
      accept,
    ),
  );
  t.strictSame(
    answers.map(({ outcome }) => outcome),
    ['accepted', 'unknown_token', 'cooldown', 'accepted'],
  );
  t.strictSame(sizes, [1, 4]);
  for (const answer of answers) {
    if (answer.outcome !== 'accepted') continue;
    const [batch] = await sql`select subject from invite.batches where id = ${answer.batchId}`;
    t.equal(batch?.subject, 'Mine');
  }
});

t.test('requests of one token are decided one after the other, in the order in which they came', async (t) => {
  const { sizes, accept } = createCounted();
  const [call] = await createCalls(1, {}, { cooldownSeconds: 60 });
  if (call === undefined) throw new Error('no call');
  const answers = await Promise.all([call, call, call].map(accept));
  t.strictSame(
    answers.map(({ outcome }) => outcome),
    ['accepted', 'cooldown', 'cooldown'],
  );
  t.strictSame(sizes, [1, 1, 1]);
});

t.test('many recipients do not share a call with others', async (t) => {
  const { sizes, accept } = createCounted();
  const recipients = Array.from({ length: 600 }, (_, index) => ({ email: `person${index}@example.com` }));
  const [many, few, fewer] = [...(await createCalls(1, { recipients })), ...(await createCalls(2))];
  if (!many || !few || !fewer) throw new Error('no calls');
  await Promise.all([few, many, fewer].map(accept));
  t.strictSame(sizes, [1, 1, 1]);
});

t.test('a token that is locked holds up no other, and is answered when it is free', async (t) => {
  const { accept } = createCounted();
  const [locked, ...others] = await createCalls(5);
  if (locked === undefined) throw new Error('no call');
  const holder = connect();
  await holder`begin`;
  await holder`select from invite.trigger_tokens where secret_hash = ${locked.secretHash} for update`;
  let answered = false;
  const late = accept(locked).finally(() => {
    answered = true;
  });
  const answers = await Promise.all(others.map(accept));
  t.ok(answers.every(({ outcome }) => outcome === 'accepted'));
  t.notOk(answered);
  await holder`commit`;
  t.equal((await late).outcome, 'accepted');
});

t.test('a request that makes the call fail is rejected alone', async (t) => {
  const { sizes, accept } = createCounted();
  const [good, poison, other] = await createCalls(3);
  if (!good || !poison || !other) throw new Error('no calls');
  // The payload check would have rejected this request. Here the table rejects it.
  const bad = { ...poison, request: { recipients: [{ email: 'x' }] } };
  const [first, failed, third] = await Promise.allSettled([good, bad, other].map(accept));
  t.match(first, { status: 'fulfilled', value: { outcome: 'accepted' } });
  t.match(failed, { status: 'rejected', reason: { code: '23514' } });
  t.match(third, { status: 'fulfilled', value: { outcome: 'accepted' } });
  t.strictSame(sizes, [3, 1, 1, 1]);
  t.equal((await accept(poison)).outcome, 'accepted', 'and the token is not stuck');
});

t.test('if workspaces that share calls are in different databases, those of each are tried together', async (t) => {
  const sizes: number[] = [];
  const acceptTriggers: Store['acceptTriggers'] = async (calls) => {
    sizes.push(calls.length);
    if (new Set(calls.map(({ secretHash }) => secretHash.toString('latin1', 0, 8))).size > 1)
      throw Object.assign(new Error('several'), { code: 'IT409' });
    return calls.map(() => accepted);
  };
  const batcher = createBatcher({ acceptTriggers }, { add: () => {} }, 10_000);
  const answers = await Promise.all(
    Array.from({ length: 30 }, (_, index) => {
      const secretHash = Buffer.concat([Buffer.from(`home000${index % 3}`), createHash('sha256').update(String(index)).digest()]);
      return batcher.accept(String(index), { secretHash, request: { recipients: [] } }, true);
    }),
  );
  t.ok(answers.every(({ outcome }) => outcome === 'accepted'));
  t.strictSame(sizes, [30, 10, 10, 10]);
});

t.test('while the database is away all that wait are told so', async (t) => {
  const { sizes, accept } = createCounted(() => Promise.reject(Object.assign(new Error('gone'), { code: 'ECONNREFUSED' })));
  const answers = await Promise.allSettled((await createCalls(3)).map(accept));
  t.ok(answers.every((answer) => answer.status === 'rejected' && answer.reason.code === 'ECONNREFUSED'));
  t.strictSame(sizes, [3]);
});

t.test('a token that is known waits for no guess, however many there are', async (t) => {
  const [known] = await createCalls(1);
  if (known === undefined) throw new Error('no call');
  const held = Promise.withResolvers<void>();
  const acceptTriggers: Store['acceptTriggers'] = async (calls, perHour, options) => {
    if (!calls.includes(known)) await held.promise;
    return store.acceptTriggers(calls, perHour, options);
  };
  const batcher = createBatcher({ acceptTriggers }, jobs, 10_000);
  const guesses = Array.from({ length: 200 }, (_, number) =>
    batcher.accept(`guess ${number}`, { ...known, secretHash: createHash('sha256').update(`guess ${number}`).digest() }, false),
  );
  t.match(await batcher.accept('known', known, true), { outcome: 'accepted' }, 'while all guesses are held');
  held.resolve();
  t.same(new Set((await Promise.all(guesses)).map(({ outcome }) => outcome)), new Set(['unknown_token']));
});

/** Hashes of the secrets of tokens in these databases. */
const hashIn = (cell: string, name: string) =>
  Buffer.concat([Buffer.from(`${cell}0001`), createHash('sha256').update(name).digest()]);

t.test('each call is for one database, and one that hangs delays no requests of others', async (t) => {
  const held = Promise.withResolvers<void>();
  const asked: string[][] = [];
  const acceptTriggers: Store['acceptTriggers'] = async (calls) => {
    const homes = calls.map(({ secretHash }) => secretHash.toString('latin1', 0, 4));
    asked.push(homes);
    if (homes.includes('slow')) await held.promise;
    return calls.map(() => accepted);
  };
  const queued: [string, number][] = [];
  const batcher = createBatcher({ acceptTriggers }, { add: (cell, batches) => void queued.push([cell, batches.length]) }, 10_000);
  const send = (cell: string, name: string, known: boolean) =>
    batcher.accept(`${cell}${name}`, { secretHash: hashIn(cell, name), request: { recipients: [] } }, known);

  for (const cell of ['one1', 'two2']) await send(cell, 'first', false);
  const names = Array.from({ length: 200 }, (_, index) => String(index));
  const slow = names.flatMap((name) => [send('slow', name, true), send('slow', `guess ${name}`, false)]);
  const others = await Promise.all(
    names.flatMap((name) => [send('one1', name, true), send('two2', name, true), send('one1', `new ${name}`, false)]),
  );
  t.equal(others.length, 600);
  held.resolve();
  await Promise.all(slow);
  t.ok(asked.every((homes) => new Set(homes).size === 1));
  t.ok(
    asked.some((homes) => homes.length === 64),
    'requests still share calls',
  );
  t.same(new Set(queued.map(([cell]) => cell)), new Set(['one1', 'two2', 'slow']));
  t.equal(
    queued.reduce((sum, [, batches]) => sum + batches, 0),
    1002,
  );
});

t.test('guesses with invented homes share one call at a time, whatever homes they have', async (t) => {
  let [running, most] = [0, 0];
  const acceptTriggers: Store['acceptTriggers'] = async (calls) => {
    running += 1;
    most = Math.max(most, running);
    await new Promise(setImmediate);
    running -= 1;
    return calls.map(() => unknown);
  };
  const batcher = createBatcher({ acceptTriggers }, jobs, 10_000);
  const guesses = Array.from({ length: 100 }, (_, index) => {
    const cell = String(1000 + (index % 50));
    return batcher.accept(String(index), { secretHash: hashIn(cell, String(index)), request: { recipients: [] } }, false);
  });
  t.ok((await Promise.all(guesses)).every(({ outcome }) => outcome === 'unknown_token'));
  t.equal(most, 1);
});

t.test('a token that stays locked is given up in the end', async (t) => {
  let [asked, now] = [0, 0];
  const acceptTriggers: Store['acceptTriggers'] = async (calls) => {
    asked += 1;
    now += 40;
    return calls.map(() => undefined);
  };
  const batcher = createBatcher({ acceptTriggers }, jobs, 10_000, 100, () => now);
  const call = { secretHash: Buffer.alloc(32), request: { recipients: [] } };
  await t.rejects(batcher.accept('token', call, true), { message: 'the trigger token or its survey is locked' });
  t.equal(asked, 3, 'after 40, 80 and 120 ms');
});

t.test('it is idle when every request is decided', async (t) => {
  const told = Promise.withResolvers<void>();
  const batcher = createBatcher(
    {
      acceptTriggers: async (calls, perHour) => {
        await told.promise;
        return store.acceptTriggers(calls, perHour);
      },
    },
    jobs,
    10_000,
  );
  await batcher.idle();
  const decided: string[] = [];
  const calls = await createCalls(3);
  for (const call of [...calls, ...calls]) {
    void batcher.accept(call.secretHash.toString('hex'), call, true).then(() => decided.push('one'));
  }
  const idle = batcher.idle().then(() => decided.push('idle'));
  told.resolve();
  await idle;
  t.strictSame(decided, ['one', 'one', 'one', 'one', 'one', 'one', 'idle']);
  await batcher.idle();
});
