// Whether an email may leave is said by departures and by the views, and done by the claim. Here all of them look at the same random states, and
// must agree. DEPARTURE_SEED repeats a run, and DEPARTURE_RUNS makes it longer.
import { ok, deepStrictEqual as same } from 'node:assert/strict';
import fc from 'fast-check';
import t from 'tap';
import { createStore } from '../../src/database/store.ts';
import healInvitations from '../../tasks/heal_invitations.ts';
import requeueWaiting from '../../tasks/requeue_waiting.ts';
import requeueWorkspace from '../../tasks/requeue_workspace.ts';
import { createTestDatabase, silent } from '../fixtures/setup.ts';
import {
  HOUR,
  type Message,
  messagesOf,
  relayOf,
  runningIn,
  SECOND,
  type State,
  states,
  type Worker,
  writeState,
  writeWorker,
} from '../fixtures/states.ts';

const seed = Number(process.env.DEPARTURE_SEED ?? 20_300_131);
const numRuns = Number(process.env.DEPARTURE_RUNS ?? 60);
t.comment(`DEPARTURE_SEED=${seed} DEPARTURE_RUNS=${numRuns}`);

const database = await createTestDatabase(t);
/** One connection, so that all calls are in its transaction, which is rolled back. */
const sql = database.connect();
const store = createStore(sql);

/** In the order in which they count. */
const REASONS = [
  ...(['not_due', 'retry_later', 'responded', 'suppressed', 'content_rejected', 'held', 'requeueing'] as const),
  ...(['too_late', 'no_worker', 'relay_paused', 'ready'] as const),
];
type Reason = (typeof REASONS)[number];
const HOLDS = [
  ...(['workspace_suspended', 'plan_required', 'survey_disabled', 'survey_draft', 'survey_closed'] as const),
  ...(['sending_paused', 'workspace_paused', 'survey_paused'] as const),
];
type Hold = (typeof HOLDS)[number];

const UNCHANGED = 'as it was';
/** What each reason promises: the verdict, and what a claim makes of the message. */
const PROMISES: Readonly<Record<Reason, readonly [verdict: string, outcome: string]>> = {
  not_due: ['later', UNCHANGED],
  retry_later: ['later', UNCHANGED],
  responded: ['never', 'answered'],
  suppressed: ['never', 'suppressed: suppressed'],
  content_rejected: ['never', 'failed: content_rejected'],
  held: ['held', 'waiting'],
  requeueing: ['later', UNCHANGED],
  too_late: ['never', 'failed: too_late'],
  // Then it is claimed by a worker that was started.
  no_worker: ['held', 'sending'],
  relay_paused: ['later', UNCHANGED],
  ready: ['leave', 'sending'],
};
const TOO_LATE = PROMISES.too_late[1];
/** A worker that sends anything. */
const FREE: Worker = { relay: null, rate: null, lateHours: null, lost: null };
const byNumber = (a: number, b: number) => a - b;

const pausedUntil = (state: State, worker: Worker) => relayOf(state, worker)?.pausedUntil ?? -Infinity;
const isLate = ({ due }: Message, { lateHours }: Worker, at: number) => lateHours !== null && due < at - lateHours * HOUR;

/** Which holds are true, each looked at by itself. */
function holdsOf({ paused }: State, { workspace, survey }: Message): Hold[] {
  const isTrue: Record<Hold, boolean> = {
    workspace_suspended: workspace.suspended,
    plan_required: workspace.plan === 'free',
    survey_disabled: survey.disabled,
    survey_draft: survey.state === 'draft',
    survey_closed: survey.state === 'closed',
    sending_paused: paused,
    workspace_paused: workspace.paused,
    survey_paused: survey.paused,
  };
  return HOLDS.filter((hold) => isTrue[hold]);
}

/** The running workers whose relay isn't paused, or all of them if all are. */
function sendersOf(state: State, at: number) {
  const running = runningIn(state);
  const free = running.filter((worker) => pausedUntil(state, worker) <= at);
  return { senders: free.length > 0 ? free : running, arePaused: running.length > 0 && free.length === 0 };
}

/** Which reasons are true, each looked at by itself. */
function reasonsOf(state: State, message: Message, at: number): Reason[] {
  const { waiting, due, failedBefore, responded, suppressed, rejectedKind, reminder } = message;
  const { senders, arePaused } = sendersOf(state, at);
  const isTrue: Record<Reason, boolean> = {
    not_due: !waiting && due > at && !failedBefore,
    retry_later: !waiting && due > at && failedBefore,
    responded: !waiting && responded,
    suppressed: !waiting && suppressed,
    content_rejected: !waiting && rejectedKind === (reminder ? 'reminder' : 'invitation'),
    held: holdsOf(state, message).length > 0,
    requeueing: waiting,
    too_late: senders.length > 0 && senders.every((worker) => isLate(message, worker, at)),
    no_worker: senders.length === 0,
    relay_paused: arePaused,
    ready: true,
  };
  return REASONS.filter((reason) => isTrue[reason]);
}

/** Whether all that the relays' rates allow was sent within the last minute. */
function isUsedUp(state: State, at: number): boolean {
  const { senders } = sendersOf(state, at);
  return (
    senders.length > 0 &&
    senders.every((worker) => {
      const { allowance = 1, spentAt = 0 } = relayOf(state, worker) ?? {};
      return worker.rate !== null && allowance < 1 && spentAt > at - 60 * SECOND;
    })
  );
}

/** What departures says of a message. */
function departureOf(state: State, message: Message, at: number) {
  const [reason = 'ready'] = reasonsOf(state, message, at);
  const until =
    reason === 'not_due' || reason === 'retry_later'
      ? message.due
      : reason === 'relay_paused'
        ? Math.min(...runningIn(state).map((worker) => pausedUntil(state, worker)))
        : null;
  return { reason, verdict: PROMISES[reason][0], hold: reason === 'held' ? holdsOf(state, message)[0] : null, until };
}
type Departure = ReturnType<typeof departureOf>;

/** Takes back what a function does. */
async function undone<T>(act: () => Promise<T>): Promise<T> {
  await sql`savepoint act`;
  const result = await act();
  await sql`rollback to savepoint act`;
  return result;
}

/** Writes a state, and returns it with what the tests ask of it. Times are its microseconds, and null is the time of the statement. */
async function open(state: State) {
  const now = await writeState(sql, state);
  const messages = messagesOf(state);
  const ids = messages.map(({ id }) => id);
  const time = (at: number | null) => sql`${now}::timestamptz + ${at}::float8 * interval '1 microsecond'`;
  const micros = (column: string) => sql`(extract(epoch from ${sql.unsafe(column)} - ${now}::timestamptz) * 1000000)::float8`;
  return {
    ...{ state, messages, ids, time, micros },
    departures: async (at: number | null): Promise<Departure[]> => [
      ...(await sql<Departure[]>`
        select d.reason, d.verdict, d.hold_reason as hold, ${micros('d.until')} as until
        from invite.departures(${ids}::bigint[], ${time(at)}) as d
        where d.reason is not null
        order by d.invitation_id`),
    ],
    rows: () =>
      sql`
        select m.status, m.last_error_code, to_jsonb(m)::text as row
        from invite.messages as m
        where m.is_last
        order by m.invitation_id`,
  };
}
type Open = Awaited<ReturnType<typeof open>>;

/** A state for as long as a check runs: in a transaction that is rolled back. */
async function within(state: State, check: (open: Open) => Promise<void>): Promise<void> {
  await sql`begin`;
  try {
    await check(await open(state));
  } finally {
    await sql`rollback`;
  }
}

/** A test of many states. */
const holds = (name: string, check: (open: Open, choice: number) => Promise<void>) =>
  t.test(name, () =>
    fc.assert(
      fc.asyncProperty(states, fc.nat(), (state, choice) => within(state, (open) => check(open, choice))),
      { seed, numRuns },
    ),
  );

/** A list in an order of its own for each choice. */
function shuffled<T>(list: readonly T[], choice: number): T[] {
  const left = [...list];
  return list.flatMap((_, index) => left.splice((choice >> index) % left.length, 1));
}

/** A time at which something changes, or a microsecond before or after it. */
function edgeOf({ state, messages }: Open, choice: number): number {
  const edges = [
    ...messages.flatMap(({ due }) => [due, ...runningIn(state).map(({ lateHours }) => due + (lateHours ?? 0) * HOUR)]),
    ...runningIn(state).map((worker) => pausedUntil(state, worker)),
  ].filter(Number.isFinite);
  return (edges[choice % edges.length] ?? 0) + (choice % 3) - 1;
}

/** What became of each message that a worker claims at a time. */
async function claim({ ids, rows, time }: Open, worker: string, at: number): Promise<string[]> {
  const before = await rows();
  const claimed =
    await sql`select c.id from invite.claim_invitations(${ids.toReversed()}::bigint[], ${worker}, ${time(at)}) as c`;
  const after = await rows();
  same(
    new Set(claimed.map(({ id }) => Number(id))),
    new Set(ids.filter((_, index) => after[index]?.status === 'sending')),
    'it returns what it claims',
  );
  return after.map(({ status, last_error_code, row }, index) =>
    row === before[index]?.row ? UNCHANGED : ['failed', 'suppressed'].includes(status) ? `${status}: ${last_error_code}` : status,
  );
}

/** Which of these messages a worker's relay takes at a time, in the order in which they are asked for. */
async function taken({ time }: Open, worker: Worker, ids: readonly number[], at: number): Promise<number[]> {
  if (worker.relay === null || ids.length === 0) return [...ids];
  const [admitted] = await sql`
    select a.allowed, a.probe_id::integer as probe
    from invite.admit_sends(${worker.relay}, ${ids.length}, ${worker.rate}, ${time(at)}, ${[...ids]}::bigint[]) as a`;
  return ids.filter((id) => id === (admitted?.probe ?? id)).slice(0, admitted?.allowed);
}

/** What the tests came across, and how often. */
const seen = new Map<string, number>();
const count = (what: string) => seen.set(what, (seen.get(what) ?? 0) + 1);
/** A test that they came across all of these: otherwise they would have proved nothing. */
const sees = (name: string, all: readonly string[]) =>
  t.test(name, async (t) => {
    t.comment(all.map((what) => `${what} ${seen.get(what) ?? 0}`).join(', '));
    const unseen = all.filter((what) => !seen.has(what));
    t.strictSame(unseen, []);
  });

/** Compares what departures says of a time with what each worker's claim does then. */
async function compareClaims(opened: Open, at: number): Promise<void> {
  const { state, messages } = opened;
  const said = await opened.departures(at);
  same(
    said,
    messages.map((message) => departureOf(state, message, at)),
    `departures at ${at}`,
  );
  const workers: (Worker & { id?: string })[] = runningIn(state);
  // If none runs, one is started.
  if (workers.length === 0) workers.push(FREE);
  const outcomes = said.map(() => new Set<string>());
  for (const worker of workers) {
    /** What the worker would do, whatever the others can. */
    const alone = messages.map((message, index) => {
      const { reason } = said[index] as Departure;
      if (message.waiting) return UNCHANGED;
      if (!['too_late', 'no_worker', 'relay_paused', 'ready'].includes(reason)) return PROMISES[reason][1];
      return isLate(message, worker, at) ? TOO_LATE : 'sending';
    });
    const leaving = messages.filter((_, index) => alone[index] === 'sending').map(({ id }) => id);
    const takes = await undone(() => taken(opened, worker, leaving.toReversed(), at));
    const expected = alone.map((outcome, index) => (outcome === 'sending' && !takes.includes(index + 1) ? UNCHANGED : outcome));
    const became = await undone(async () => claim(opened, worker.id ?? (await writeWorker(sql, 9, worker)), at));
    same(became, expected, `a claim by ${JSON.stringify(worker)} at ${at}`);
    for (const [index, outcome] of became.entries()) outcomes[index]?.add(outcome);
  }
  for (const [index, message] of messages.entries()) {
    const { reason } = said[index] as Departure;
    const [, promised] = message.waiting ? ['', UNCHANGED] : PROMISES[reason];
    // A relay that isn't paused may still take nothing: its rate is used up, or it takes a probe alone.
    const canSend = workers.some((worker) => !isLate(message, worker, at) && pausedUntil(state, worker) <= at);
    const kept = outcomes[index]?.has(promised) || (reason === 'ready' && canSend);
    const words = `${reason} at ${at}, and becomes ${[...(outcomes[index] ?? [])]}: ${JSON.stringify(message)}`;
    ok(kept && (promised === 'sending' || !outcomes[index]?.has('sending')), words);
    for (const what of [reason, ...(outcomes[index] ?? [])]) count(what);
  }
}

/** The views, departures and claims at one time, and departures and claims at an edge. */
async function agree(opened: Open, choice: number): Promise<void> {
  const { state, messages, ids, micros } = opened;
  // One statement, so that they look at the same time.
  const rows = await sql`
    select
      d.reason as said, c.unsent_reason as cause, u.unsent_reason as unsent, d.hold_reason as hold, c.hold_reason as cause_hold, c.relay,
      c.in_words as words, u.in_words as unsent_words, ${micros('statement_timestamp()')} as at
    from invite.departures(${ids}::bigint[]) as d
    left join invite.unsent_causes as c on c.id = d.invitation_id
    left join invite.unsent_messages as u on u.id = d.invitation_id
    where d.reason is not null
    order by d.invitation_id`;
  const at = rows[0]?.at;
  const expected = messages.map((message) => {
    const { reason, hold } = departureOf(state, message, at);
    // None has a job.
    const isLost = reason === 'ready' && message.due + (message.putOff ? 4 * HOUR : 30 * SECOND) <= at && !isUsedUp(state, at);
    return [reason, reason, isLost ? 'job_lost' : reason, hold, hold, reason === 'relay_paused'];
  });
  const views = rows.map(({ said, cause, unsent, hold, cause_hold, relay }) => [
    said,
    cause,
    unsent,
    hold,
    cause_hold,
    relay !== null,
  ]);
  same(views, expected, `departures and the views at ${at}`);
  ok(
    rows.every(({ words, unsent_words }) => words && unsent_words),
    'each has words',
  );
  await compareClaims(opened, at);
  await compareClaims(opened, edgeOf(opened, choice));
}

holds('departures, the views and a claim at the same time agree about each email', agree);
sees('the states had all reasons, and the claims all outcomes', [
  ...REASONS,
  ...new Set(Object.values(PROMISES).map(([, outcome]) => outcome)),
]);

holds('what leaves later says when: then that reason has ended, and not a microsecond before', async ({ ids }) => {
  const rows = await sql<{ reason: Reason; until: Date | null; before: Reason; then: Reason }[]>`
    select d.reason, d.until, b.reason as before, a.reason as then
    from invite.departures(${ids}::bigint[]) as d
    left join lateral invite.departures(array[d.invitation_id], d.until - interval '1 microsecond') as b on b.number = d.number
    left join lateral invite.departures(array[d.invitation_id], d.until) as a on a.number = d.number
    where d.verdict = 'later'`;
  for (const { reason, until, before, then } of rows) {
    // A job that exists already requeues it.
    same(until === null, reason === 'requeueing', reason);
    // A pause may outlast the time for which an email may be late.
    const isLate = reason === 'relay_paused' && before === 'too_late';
    ok(until === null || (then !== reason && (before === reason || isLate)), `${before}, then ${then}`);
  }
});

const TASKS: Record<string, (payload: unknown, helpers: never) => unknown> = {
  requeue_waiting: requeueWaiting({ store, log: silent }),
  requeue_workspace: requeueWorkspace({ store }),
  heal_invitations: healInvitations({ store, log: silent }),
};
/** Runs the jobs that requeue, and those that they add, as a worker would. */
async function runJobs(): Promise<void> {
  for (;;) {
    const jobs = await sql`
      delete from graphile_worker._private_jobs as j
      using graphile_worker._private_tasks as t
      where t.id = j.task_id and t.identifier = any (${Object.keys(TASKS)})
      returning t.identifier, j.payload`;
    if (jobs.length === 0) return;
    for (const { identifier, payload } of jobs) await TASKS[identifier]?.(payload, undefined as never);
  }
}

/** What people do about each hold: plain updates of many rows, so that the triggers have to do the rest. */
const ACTS: Readonly<Record<Hold, readonly string[]>> = {
  workspace_suspended: ['update invite.workspaces set suspended_at = null'],
  plan_required: [
    `update invite.workspaces set plan_id = 'pro'`,
    `update invite.plans set api_trigger = true`,
    `update invite.workspaces set plan_id = 'pro', paused_at = null, suspended_at = null`,
  ],
  survey_disabled: ['update invite.surveys set disabled_at = null'],
  survey_draft: [`update invite.surveys set state = 'active' where state = 'draft'`],
  survey_closed: [
    `update invite.surveys set state = 'active' where state = 'closed'`,
    `update invite.surveys set state = 'active', paused_at = null`,
  ],
  sending_paused: ['update invite.settings set paused_at = null'],
  workspace_paused: ['update invite.workspaces set paused_at = null'],
  survey_paused: ['update invite.surveys set paused_at = null'],
};

holds('what waits is queued, with a job, once its last hold has ended and the jobs of that have run', async (opened, choice) => {
  const waiting = async () =>
    (
      await sql`
        select m.invitation_id::integer as id, d.reason, d.hold_reason as hold
        from invite.messages as m
        join invite.departures(${opened.ids}::bigint[]) as d on d.invitation_id = m.invitation_id and d.number = m.number
        where m.status = 'waiting'`
    ).map(({ id, reason, hold }) => ({ id, reason, hold }));
  await claim(opened, await writeWorker(sql, 9, FREE), 0);
  await store.healInvitations();
  await runJobs();
  let before = await waiting();
  ok(
    before.every(({ reason }) => reason === 'held'),
    'what no act has queued is healed',
  );
  for (const hold of shuffled(HOLDS, choice)) {
    const act = ACTS[hold][choice % ACTS[hold].length] ?? '';
    await sql.unsafe(act);
    await runJobs();
    const after = await waiting();
    ok(
      after.every((one) => one.reason === 'held' && one.hold !== hold),
      `${act}: ${JSON.stringify(after)}`,
    );
    const released = before.map(({ id }) => id).filter((id) => !after.some((one) => one.id === id));
    const queued = await sql`
      select from invite.messages as m
      join invite.delivery_jobs as j on j.invitation_id = m.invitation_id
      where m.invitation_id = any (${released}::bigint[]) and m.status = 'queued' and j.job_run_at <= clock_timestamp()`;
    same(queued.length, released.length, act);
    for (const _ of released) count(hold);
    before = after;
  }
  same(before, [], 'nothing is held any more');
});

sees('what waited was held for all reasons', HOLDS);

holds(
  'what is due and not claimed stays with the worker or gets a job, for the end of a pause if there is one',
  async (opened) => {
    const { state, messages, ids, time, micros } = opened;
    for (const worker of runningIn(state))
      await undone(async () => {
        await claim(opened, worker.id, 0);
        await sql`delete from graphile_worker._private_jobs`;
        const [{ kept = [] } = {}] =
          await sql`select invite.put_off_invitations(${ids}::bigint[], ${worker.id}, ${time(0)})::integer[] as kept`;
        const jobs =
          await sql`select j.invitation_id::integer as id, ${micros('j.job_run_at')} as at from invite.delivery_jobs as j`;
        const rows = await opened.rows();
        const due = messages.filter((message, index) => rows[index]?.status === 'queued' && message.due <= 0).map(({ id }) => id);
        same([...kept, ...jobs.map(({ id }) => id)].sort(byNumber), due);
        // The claim may have sent a probe, which pauses the relay.
        const [{ paused = 0 } = {}] = await sql`
          select ${micros('r.paused_until')} as paused from invite.relays as r where r.id = ${worker.relay}`;
        for (const { at } of jobs) ok(paused > 0 ? at === paused : at > 0 && at <= 30 * SECOND, `a job at ${at}`);
      });
  },
);

/** What is stuck is what could leave or end, and not what is held or comes later. */
async function agreeOnStuck({ state, messages, micros }: Open): Promise<void> {
  const look = () => sql`
    select n.at, b.code, b.invitation_id::integer as id
    from (select ${micros('statement_timestamp()')} as at) as n
    left join invite.broken_invariants as b on true
    order by b.invitation_id`;
  const rows = await look();
  const at = rows[0]?.at;
  const canSend = !sendersOf(state, at).arePaused && !isUsedUp(state, at);
  const stuck = messages.flatMap((message) => {
    const { reason, verdict } = departureOf(state, message, at);
    if (reason === 'requeueing') return { code: 'waiting_sendable', id: message.id };
    const isStuck = reason === 'no_worker' || (['never', 'leave'].includes(verdict) && canSend);
    if (!isStuck || message.due > at - 60 * SECOND) return [];
    return { code: message.putOff ? 'queued_put_off' : 'queued_overdue', id: message.id };
  });
  const shown = rows.flatMap(({ code, id }) => (code === null ? [] : { code, id }));
  same(shown, stuck);
  for (const { code } of shown) count(code);
  await store.healInvitations();
  const left = (await look()).map(({ code }) => code);
  same(left.includes('queued_put_off') || left.includes('waiting_sendable'), false, 'these are healed');
}

holds(
  'broken_invariants shows what is overdue though it could leave or end, and nothing that is held or comes later',
  agreeOnStuck,
);

sees('there was everything that can be stuck', ['queued_overdue', 'queued_put_off', 'waiting_sendable']);

interface Change {
  readonly everyone?: Partial<State>;
  readonly worker?: Partial<Worker>;
  readonly workspace?: Partial<State['workspaces'][number]>;
  readonly survey?: Partial<Message['survey']>;
  readonly message?: Partial<Message>;
}
/** What makes each reason true, alone. */
const CHANGES: Readonly<Record<Reason | Hold, Change>> = {
  not_due: { message: { due: HOUR } },
  retry_later: { message: { due: HOUR, failedBefore: true } },
  responded: { message: { responded: true } },
  suppressed: { message: { suppressed: true } },
  content_rejected: { message: { rejectedKind: 'invitation' } },
  held: { survey: { state: 'closed' } },
  requeueing: { message: { waiting: true } },
  too_late: { message: { due: -3 * HOUR }, worker: { lateHours: 1 } },
  no_worker: { worker: { lost: 'silent' } },
  relay_paused: { worker: { relay: 'b' } },
  ready: {},
  workspace_suspended: { workspace: { suspended: true } },
  plan_required: { workspace: { plan: 'free' } },
  survey_disabled: { survey: { disabled: true } },
  survey_draft: { survey: { state: 'draft' } },
  survey_closed: { survey: { state: 'closed' } },
  sending_paused: { everyone: { paused: true } },
  workspace_paused: { workspace: { paused: true } },
  survey_paused: { survey: { paused: true } },
};

const DUE = {
  ...{
    reminder: false,
    waiting: false,
    failedBefore: false,
    responded: false,
    suppressed: false,
    rejectedKind: null,
    putOff: false,
  },
  due: -90 * SECOND,
};

/** One email that would leave now but for these changes. */
function changed(...changes: readonly Change[]): State {
  const part = <K extends keyof Change>(name: K): Change[K] => Object.assign({}, ...changes.map((change) => change[name]));
  const messages = [{ ...DUE, ...part('message') }];
  const survey = { state: 'active' as const, disabled: false, paused: false, messages, ...part('survey') };
  return {
    paused: false,
    relays: { a: 'healthy', b: 'paused' },
    workers: [{ ...FREE, relay: 'a', ...part('worker') }],
    workspaces: [{ suspended: false, paused: false, plan: 'pro', surveys: [survey], ...part('workspace') }],
    ...part('everyone'),
  };
}

/** All pairs, each in the order of the list. */
const pairsOf = <T>(list: readonly T[]) =>
  list.flatMap((one, index) => list.slice(index + 1).map((other) => [one, other] as const));

t.test('of two reasons, and of two holds, the one that comes first in its type is said', async (t) => {
  const [types] = await sql`
    select enum_range(null::invite.unsent_reason)::text[] as reasons, enum_range(null::invite.hold_reason)::text[] as holds`;
  t.strictSame(
    REASONS,
    types?.reasons.filter((reason: Reason) => REASONS.includes(reason)),
  );
  t.strictSame(HOLDS, types?.holds);

  const apart = new Set<string>();
  const said = async (opened: Open) => {
    await agree(opened, 0);
    return (await opened.departures(null))[0];
  };
  for (const [first, second] of pairsOf(REASONS)) {
    const state = changed(CHANGES[first], CHANGES[second]);
    const both = messagesOf(state).flatMap((message) => reasonsOf(state, message, 0));
    if (both.includes(first) && both.includes(second))
      await within(state, async (opened) => void t.equal((await said(opened))?.reason, first, `${first} before ${second}`));
    else apart.add(`${first} ${second}`);
  }
  for (const [first, second] of pairsOf(HOLDS)) {
    const state = changed(CHANGES[first], CHANGES[second]);
    if (messagesOf(state).some((message) => holdsOf(state, message).length === 2))
      await within(state, async (opened) => void t.equal((await said(opened))?.hold, first, `${first} before ${second}`));
    else apart.add(`${first} ${second}`);
  }
  const never = { not_due: ['retry_later', 'requeueing', 'too_late'], retry_later: ['requeueing', 'too_late'] };
  t.strictSame(
    apart,
    new Set([
      ...Object.entries(never).flatMap(([one, others]) => others.map((other) => `${one} ${other}`)),
      ...['responded', 'suppressed', 'content_rejected'].map((reason) => `${reason} requeueing`),
      ...['too_late no_worker', 'no_worker relay_paused', 'survey_draft survey_closed'],
    ]),
    'only these can not be true at once',
  );
});

t.test(
  'of two workers, what one can send is ready, and what neither can is late, waits for a relay, or is not stuck',
  async () => {
    const survey = { messages: [DUE, { ...DUE, due: -3 * HOUR }] };
    const relays = [{ relay: null }, { relay: 'a', rate: null }, { relay: 'a', rate: 1 }, { relay: 'b' }] as const;
    const kinds: Worker[] = relays.flatMap((relay) => [null, 1].map((lateHours) => ({ ...FREE, ...relay, lateHours })));
    kinds.push({ ...FREE, lost: 'silent' }, { ...FREE, lost: 'takes no jobs' });
    for (const a of ['rate used up', 'paused for long'] as const)
      for (const workers of pairsOf(kinds))
        await within({ ...changed({ survey }), relays: { a, b: 'paused' }, workers: [...workers] }, async (opened) => {
          await agree(opened, 0);
          await agreeOnStuck(opened);
        });
  },
);
