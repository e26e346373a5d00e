// A trigger token whose secret is replaced: both secrets are one token until the old one ends, and then exactly one is left.
import t from 'tap';
import { openDatabase } from '../../src/database/pool.ts';
import { createStore, type Idempotency } from '../../src/database/store.ts';
import { createSecret } from '../../src/secret.ts';
import { constraint, sqlstate } from '../fixtures/inspect.ts';
import { createMember, openSession } from '../fixtures/members.ts';
import { createSurvey, createTestDatabase, createToken, until } from '../fixtures/setup.ts';
import { acceptTrigger } from '../fixtures/trigger.ts';

const { sql, store, url } = await createTestDatabase(t);
const { workspace, survey } = await createSurvey(store);
const home = await store.homeOf(workspace);
const editor = await createMember(store, workspace, 'editor');

const ask = (hash: Buffer, idempotency?: Idempotency) =>
  acceptTrigger(store, hash, { recipients: [{ email: 'ada@example.com' }] }, 10_000, idempotency);
const outcome = async (hash: Buffer) => (await ask(hash)).outcome;

async function replaced(keepSeconds = 3600, settings: Parameters<typeof createToken>[2] = {}) {
  const { token, hash: old } = await createToken(store, survey, { cooldownSeconds: 0, ...settings });
  const { hash, hint } = createSecret(home);
  const ends = await store.replaceTriggerSecret(token, hash, hint, keepSeconds);
  return { token, old, hash, hint, ends };
}

/** As if the time until the old secret's end were over. */
const end = (token: string) =>
  sql`update invite.trigger_tokens set previous_secret_until = clock_timestamp() - interval '1 microsecond' where id = ${token}`;

t.test('both secrets are accepted until the old one ends', async (t) => {
  const { token, old, hash, ends } = await replaced();
  t.ok(Math.abs((ends?.getTime() ?? 0) - Date.now() - 3_600_000) < 60_000);
  t.same([await outcome(old), await outcome(hash)], ['accepted', 'accepted']);
  await end(token);
  t.same([await outcome(old), await outcome(hash)], ['unknown_token', 'accepted']);
});

t.test('a secret that is not kept ends at once, and one can be ended early', async (t) => {
  const atOnce = await replaced(0);
  t.equal(atOnce.ends, null);
  t.same([await outcome(atOnce.old), await outcome(atOnce.hash)], ['unknown_token', 'accepted']);
  const early = await replaced();
  await store.endPreviousSecret(early.token);
  t.same([await outcome(early.old), await outcome(early.hash)], ['unknown_token', 'accepted']);
  await store.endPreviousSecret(early.token);
  const audit =
    await sql`select actor, detail from invite.audit_log where action = 'token_secret_ended' and detail ->> 'hint' is not null`;
  t.equal(audit.length, 1, 'a second end changes nothing');
});

t.test('cooldown, idempotency keys and reading are those of the token', async (t) => {
  const { old, hash } = await replaced(3600, { cooldownSeconds: 60, allowReading: true });
  const repeat = { key: 'order-1', payloadHash: Buffer.alloc(32, 1) };
  const [first, again] = [await ask(old, repeat), await ask(hash, repeat)];
  if (first.outcome !== 'accepted' || again.outcome !== 'accepted') throw new Error('a request was rejected');
  t.equal(again.batchId, first.batchId, 'a repeat with the new secret is the same batch');
  t.same([await outcome(hash), await outcome(old)], ['cooldown', 'cooldown']);
  for (const secret of [old, hash]) t.ok(await store.tokenBatch(secret, first.batchId, '0', 10));
});

t.test('a third secret ends the first', async (t) => {
  const { token, old, hash } = await replaced();
  const third = createSecret(home);
  await store.replaceTriggerSecret(token, third.hash, third.hint, 604_800);
  t.same([await outcome(old), await outcome(hash), await outcome(third.hash)], ['unknown_token', 'accepted', 'accepted']);
});

t.test('one request of each secret in one call, and requests meanwhile, are each accepted once', async (t) => {
  const { token, old, hash } = await replaced();
  const third = createSecret(home);
  const outcomes = await Promise.all([
    ...Array.from({ length: 20 }, (_, index) => outcome(index % 2 === 0 ? old : hash)),
    store.replaceTriggerSecret(token, third.hash, third.hint, 60).then(() => 'replaced'),
    ...Array.from({ length: 20 }, () => outcome(hash)),
  ]);
  t.same([...new Set(outcomes.slice(21))], ['accepted'], 'the present secret is accepted before and after');
  t.ok(outcomes.slice(0, 20).every((one, index) => one === 'accepted' || (index % 2 === 0 && one === 'unknown_token')));
  const [row] = await sql`select count(*)::integer from invite.batches where trigger_token_id = ${token}`;
  t.equal(row?.count, outcomes.filter((one) => one === 'accepted').length);
});

t.test('a request that waits for the token while its secret is replaced is decided by what is true afterwards', async (t) => {
  const { token, hash } = await replaced();
  const other = openDatabase(url, { applicationName: 'tests', transactions: true });
  t.teardown(() => other.end());
  const next = createSecret(home);
  const waiting = await other.begin(async (transaction) => {
    await transaction`select invite.replace_trigger_secret(${token}, ${next.hash}, ${next.hint}, 0)`;
    const asked = acceptTrigger(createStore(sql), hash, { recipients: [{ email: 'late@example.com' }] }, 10_000);
    asked.catch(() => {});
    await until('the request waits', async () => (await transaction`select from pg_locks where not granted`).length > 0);
    return { asked };
  });
  t.equal((await waiting.asked).outcome, 'unknown_token');
});

t.test('rejections of a secret that has ended are counted with its token', async (t) => {
  const { token, old } = await replaced(0);
  await sql`select invite.record_rejections(${sql.json([{ secret_hash: `\\x${old.toString('hex')}`, code: 'unknown_token', rejected: 3, age_seconds: 0 }])})`;
  t.match(await sql`select rejected from invite.rejections where trigger_token_id = ${token}`, [{ rejected: 3 }]);
});

t.test('what cannot be is refused', async (t) => {
  const { token } = await replaced();
  const replace = (hash: Buffer, keep = 60) => constraint(store.replaceTriggerSecret(token, hash, 'abcd', keep));
  t.equal(await replace(createSecret(home).hash, 604_801), 'trigger_tokens_keep_range');
  t.equal(await replace(createSecret(home).hash, -1), 'trigger_tokens_keep_range');
  t.equal(await replace(createSecret('othr0001').hash), 'trigger_tokens_secret_home');
  const [row] = await sql`select secret_hash from invite.trigger_tokens where id = ${token}`;
  t.equal(await replace(row?.secret_hash), 'trigger_tokens_previous_secret_form', 'the same secret');
  await store.deleteTriggerToken(token);
  t.equal(await sqlstate(store.replaceTriggerSecret(token, createSecret(home).hash, 'abcd', 60)), 'P0002');
});

t.test('a form that is submitted twice replaces the secret once, and only after a recent sign-in', async (t) => {
  const { token, hint } = await replaced();
  const submit = (session: Buffer) => {
    const next = createSecret(home);
    return store.console.replaceTriggerSecret(session, survey, token, {
      ...{ secretHash: next.hash, secretHint: next.hint, keepSeconds: 60 },
      replaces: hint,
    });
  };
  const { session } = await openSession(store, editor.email);
  await sql`update invite.sessions set created_at = created_at - interval '16 minutes' where secret_hash = ${session}`;
  t.equal(await constraint(submit(session)), 'sessions_recent_sign_in');
  await submit(editor.session);
  t.equal(await constraint(submit(editor.session)), 'trigger_tokens_secret_replaced');
  const [entry] =
    await sql`select actor, detail from invite.audit_log where action = 'token_secret_replaced' and actor = ${editor.email}`;
  t.match(entry, { detail: { previous_hint: hint } });
});
