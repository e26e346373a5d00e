// At most one invitation in the rest to an address, however the claims of two workers are interleaved with lost answers, and none that waits
// for ever. REST_SEED repeats a run, and REST_RUNS makes it longer.
import { ok } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import t from 'tap';
import { createContacts } from '../fixtures/contacts.ts';
import { openSession } from '../fixtures/inspect.ts';
import { createTestDatabase, createWorker } from '../fixtures/setup.ts';

const seed = Number(process.env.REST_SEED ?? 20_300_131);
const numRuns = Number(process.env.REST_RUNS ?? 25);
t.comment(`REST_SEED=${seed} REST_RUNS=${numRuns}`);

const database = await createTestDatabase(t);
const { sql, store } = database;
const sessions = [await openSession(database), await openSession(database)];

/** In seconds, from the start of a run. */
const DAY = 86_400;
const REST = 7;
const START = Date.parse('2030-01-07T12:00:00Z');
const timeOf = (seconds: number) => new Date(START + seconds * 1000).toISOString();
const MAX_ATTEMPTS = 3;

const worker = fc.nat(1);
const step = fc.oneof(
  // An open claim is committed first.
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('claim' as const), worker, isReversed: fc.boolean() }) },
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constantFrom('commit' as const, 'commit' as const, 'roll back' as const), worker }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('settle' as const),
      worker,
      which: fc.nat(5),
      outcome: fc.constantFrom('accepted', 'accepted', 'unknown', 'unknown', 'retry', 'rejected', 'unconfirmed', 'released'),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom('worker lost' as const, 'answer lost' as const), worker }) },
  {
    weight: 5,
    arbitrary: fc.record({ kind: fc.constant('wait' as const), seconds: fc.constantFrom(1, 30, 30, 60, 3600, DAY, 6 * DAY) }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom('pause' as const, 'resume' as const), survey: fc.nat(2) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('cancel' as const), which: fc.nat(7) }) },
);
const runs = fc.record({
  people: fc.array(
    fc.record({
      survey: fc.nat(2),
      email: fc.constantFrom(
        'ada@example.com',
        'Ada@Example.COM',
        'ADA@EXAMPLE.COM',
        'monthly@example.com',
        'Monthly@example.com',
      ),
      wanted: fc.constantFrom(0, 0, 10, 60, 3600, 2 * DAY),
      ignoresRest: fc.nat(7).map((number) => number === 7),
      reminderDays: fc.constantFrom(0, 0, 1),
    }),
    { minLength: 2, maxLength: 7 },
  ),
  steps: fc.array(step, { minLength: 8, maxLength: 40 }),
});
type Run = typeof runs extends fc.Arbitrary<infer T> ? T : never;

/** What the runs came across, and how often. */
const seen = new Map<string, number>();
const count = (what: string) => seen.set(what, (seen.get(what) ?? 0) + 1);

interface Invitation {
  readonly id: number;
  readonly email: string;
  readonly wanted: number;
  readonly ignoresRest: boolean;
  /** When it left, or may have left. */
  readonly left: number[];
}
interface Claimed {
  readonly invitation: Invitation;
  readonly claim: string;
  readonly isReminder: boolean;
}

async function interleave({ people, steps }: Run): Promise<void> {
  const contacts = await createContacts(sql, store, { rest_days: REST }, 3);
  await sql`insert into invite.recipient_choices (workspace_id, email) values (${contacts.workspace}, 'monthly@example.com')`;
  const invitations = new Map<number, Invitation>();
  for (const { email, wanted, ...more } of people) {
    const id = await contacts.invite(email, timeOf(wanted), more);
    invitations.set(id, { id, email: email.toLowerCase(), wanted, ignoresRest: more.ignoresRest, left: [] });
  }
  const ids = [...invitations.keys()];
  const workers = sessions.map(({ sql: session }) => ({ session, id: '', isOpen: false, holds: [] as Claimed[] }));
  for (const one of workers) one.id = await createWorker(store);
  let now = 0;
  const log: string[] = [];
  const at = () => sql`${timeOf(now)}::text::timestamptz`;

  /** What the rest forbids: another one to this address on its way, or one that left, or may have left, too lately. */
  function check({ id, email, ignoresRest }: Invitation): void {
    const isMonthly = email === 'monthly@example.com';
    if (ignoresRest && !isMonthly) {
      count('ignored the rest');
      return;
    }
    const days = isMonthly ? 30 : REST;
    for (const other of invitations.values()) {
      if (other.id === id || other.email !== email) continue;
      const isUnderWay = workers.some(({ holds }) =>
        holds.some(({ invitation, isReminder }) => invitation === other && !isReminder),
      );
      ok(!isUnderWay, `${id} is claimed at ${now}, while ${other.id} is being sent: ${log.join(', ')}`);
      const last = Math.max(...other.left);
      ok(last <= now - days * DAY, `${id} is claimed at ${now}, and ${other.id} left at ${last}: ${log.join(', ')}`);
      if (last > -Infinity) count('left after a rest');
    }
  }

  async function end(one: (typeof workers)[number], how: 'commit' | 'rollback'): Promise<void> {
    if (!one.isOpen) return;
    await one.session.unsafe(how);
    one.isOpen = false;
  }

  async function claim(one: (typeof workers)[number], isReversed = false): Promise<void> {
    await end(one, 'commit');
    await one.session`begin`;
    one.isOpen = true;
    const rows = await one.session<{ id: string; claim_id: string; message_kind: string; unconfirmed_since: Date | null }[]>`
      select c.id, c.claim_id, c.message_kind, c.unconfirmed_since
      from invite.claim_invitations(
        ${isReversed ? ids.toReversed() : ids}::bigint[], ${one.id}, ${timeOf(now)}::text::timestamptz, ${randomUUID()}) as c`;
    const claimed = rows.flatMap((row) => {
      const invitation = invitations.get(Number(row.id));
      return invitation ? [{ ...row, invitation }] : [];
    });
    claimed.sort((a, b) => a.invitation.wanted - b.invitation.wanted || a.invitation.id - b.invitation.id);
    for (const { invitation, claim_id, message_kind, unconfirmed_since } of claimed) {
      const isReminder = message_kind === 'reminder';
      log.push(`${invitation.id} claimed at ${now}`);
      // What may have left is tried again, whatever the rest.
      if (!isReminder && unconfirmed_since === null) check(invitation);
      one.holds.push({ invitation, claim: claim_id, isReminder });
      count(isReminder ? 'reminder' : 'claimed');
    }
  }

  async function settle(one: (typeof workers)[number], which: number, outcome: string): Promise<void> {
    const held = one.holds[which % Math.max(one.holds.length, 1)];
    if (one.isOpen || !held) return;
    one.holds.splice(one.holds.indexOf(held), 1);
    const { invitation, claim, isReminder } = held;
    log.push(`${invitation.id} ${outcome} at ${now}`);
    await contacts.settle(invitation.id, claim, outcome as 'accepted', timeOf(now), MAX_ATTEMPTS);
    if (!isReminder && ['accepted', 'unknown', 'unconfirmed'].includes(outcome)) invitation.left.push(now);
    count(outcome);
  }

  async function act(action: Run['steps'][number]): Promise<void> {
    const one = 'worker' in action ? workers[action.worker] : undefined;
    switch (action.kind) {
      case 'wait':
        now += action.seconds;
        return;
      case 'pause':
      case 'resume':
        for (const each of workers) await end(each, 'commit');
        await sql`
          update invite.surveys set paused_at = ${action.kind === 'pause' ? timeOf(now) : null}::text::timestamptz
          where id = ${contacts.surveys[action.survey] ?? ''}`;
        log.push(action.kind);
        await requeue();
        return;
      case 'cancel': {
        for (const each of workers) await end(each, 'commit');
        const id = ids[action.which % ids.length] ?? 0;
        // What is cancelled while it is being sent rests from its first attempt or the cancellation: a moment too early.
        if (workers.some(({ holds }) => holds.some(({ invitation }) => invitation.id === id))) return;
        await sql`select invite.cancel_invitation(${id}, ${at()})`;
        log.push(`${id} cancelled at ${now}`);
        return;
      }
    }
    if (!one) return;
    if (action.kind === 'claim') return claim(one, action.isReversed);
    if (action.kind === 'settle') return settle(one, action.which, action.outcome);
    if (action.kind === 'commit') return end(one, 'commit');
    if (action.kind === 'roll back') {
      if (!one.isOpen) return;
      const before = new Set(
        (await sql`select m.claim_id from invite.messages as m where m.worker_id = ${one.id}`).map((row) => row.claim_id),
      );
      await end(one, 'rollback');
      one.holds = one.holds.filter(({ claim: held }) => before.has(held));
      return;
    }
    await end(one, 'commit');
    log.push(`${action.kind} at ${now}`);
    count(action.kind);
    if (action.kind === 'answer lost') {
      const claims = [...new Set(one.holds.map(({ claim: held }) => held))];
      await sql`select invite.recover_claims(${one.id}, ${claims}::uuid[], ${at()})`;
    } else {
      await sql`select invite.recover_workers(0, ${one.id}, ${at()}, ${MAX_ATTEMPTS})`;
      for (const { invitation, isReminder } of one.holds) if (!isReminder) invitation.left.push(now);
      one.id = await createWorker(store);
    }
    one.holds = [];
  }

  /** As the jobs of a resumed survey do. */
  async function requeue(): Promise<void> {
    for (const survey of contacts.surveys) await sql`select invite.requeue_waiting(${survey}, null, ${at()})`;
  }

  try {
    for (const one of steps) await act(one);
  } finally {
    for (const one of workers) await end(one, 'commit');
  }

  // Now everything is answered, and nothing is held: each leaves or ends.
  for (const one of workers) while (one.holds.length > 0) await settle(one, 0, 'accepted');
  await sql`update invite.surveys set paused_at = null where workspace_id = ${contacts.workspace}`;
  await requeue();
  const pending = () => sql<{ id: number; seconds: number; status: string }[]>`
    select m.invitation_id::integer as id, m.status, extract(epoch from m.not_before - ${timeOf(0)}::text::timestamptz)::float8 as seconds
    from invite.messages as m
    where m.invitation_id = any (${ids}::bigint[]) and m.not_before is not null
    order by m.not_before`;
  for (let rounds = 0; ; rounds += 1) {
    const rows = await pending();
    if (rows.length === 0) break;
    ok(rounds < 60, `still pending: ${JSON.stringify(rows)}, ${log.join(', ')}`);
    now = Math.max(now, Math.ceil(rows[0]?.seconds ?? 0));
    const one = workers[rounds % 2];
    if (!one) break;
    await claim(one);
    await end(one, 'commit');
    while (one.holds.length > 0) await settle(one, 0, 'accepted');
  }
  const ended = await sql`
    select m.invitation_id::integer as id, m.status, m.rule from invite.messages as m
    where m.invitation_id = any (${ids}::bigint[]) and m.number = 0`;
  for (const { id, status, rule } of ended) {
    count(rule ? `${status}: ${rule}` : status);
    const { email } = invitations.get(id) ?? {};
    const others = [...invitations.values()].filter((other) => other.id !== id && other.email === email);
    if (rule === 'rests_too_long')
      ok(
        others.some(({ left }) => left.length > 0),
        `${id} rested behind nobody: ${log.join(', ')}`,
      );
  }
}

t.test('never two invitations within the rest to one address, and none that waits for ever', async (t) => {
  // A long run says every now and then that it goes on.
  for (let done = 0; done < numRuns; done += 100) {
    const details = await fc.check(fc.asyncProperty(runs, interleave), {
      seed: seed + done,
      numRuns: Math.min(numRuns - done, 100),
    });
    t.notOk(details.failed, details.failed ? (fc.defaultReportMessage(details) ?? 'failed') : `${done + details.numRuns} runs`);
    if (details.failed) return;
  }
  t.comment([...seen].map(([what, times]) => `${what} ${times}`).join(', '));
  const all = [
    'claimed',
    'left after a rest',
    'ignored the rest',
    'reminder',
    'worker lost',
    'answer lost',
    'skipped: rests_too_long',
  ];
  t.strictSame(
    all.filter((what) => !seen.has(what)),
    [],
  );
});
