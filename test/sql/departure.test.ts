// Whether an email may leave is said by departures and by the views, and done by the claim. Here all of them look at the same random states, and
// must agree. DEPARTURE_SEED repeats a run, and DEPARTURE_RUNS makes it longer.
import { ok, deepStrictEqual as same } from 'node:assert/strict';
import fc from 'fast-check';
import t from 'tap';
import { createStore } from '../../src/database/store.ts';
import healInvitations from '../../tasks/heal_invitations.ts';
import requeueWaiting from '../../tasks/requeue_waiting.ts';
import requeueWorkspace from '../../tasks/requeue_workspace.ts';
import {
  type Departure,
  deadlineOf,
  departureOf,
  HOLDS,
  type Hold,
  holdsOf,
  isUsedUp,
  pausedUntil,
  REASONS,
  type Reason,
  reasonsOf,
  sendersOf,
  VERDICTS,
} from '../fixtures/departure-model.ts';
import { createTestDatabase, silent } from '../fixtures/setup.ts';
import {
  DAY,
  HOUR,
  type Message,
  messagesOf,
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
// A closing date may have passed, and no job has closed the survey yet.
await sql`alter table invite.surveys disable trigger _350_ends`;
// A zone that the server knew once.
await sql`insert into invite.time_zones (name) values ('Mars/Olympus')`;

const UNCHANGED = 'as it was';
/** What a claim makes of a message that is due. */
function outcomeOf(reason: Reason, { unconfirmed }: Message): string {
  if (reason === 'responded') return 'answered';
  if (reason === 'suppressed' || reason === 'held') return reason === 'held' ? 'waiting' : 'suppressed: suppressed';
  if (reason === 'content_rejected') return 'failed: content_rejected';
  if (VERDICTS[reason] === 'never') return unconfirmed ? 'failed: unconfirmed' : `skipped: ${reason}`;
  if (['resting', 'outside_hours', 'capped'].includes(reason)) return `queued: ${reason}`;
  // If there is no worker, one is started, and claims it.
  return reason === 'ready' || reason === 'no_worker' ? 'sending' : UNCHANGED;
}
/** A worker that sends anything. */
const FREE: Worker = { relay: null, rate: null, lateHours: null, lost: null };
const byNumber = (a: number, b: number) => a - b;

/** Takes back what a function does. */
async function undone<T>(act: () => Promise<T>): Promise<T> {
  await sql`savepoint act`;
  const result = await act();
  await sql`rollback to savepoint act`;
  return result;
}

/** Writes a state, and returns it with what the tests ask of it. Times are its microseconds, and null is the time of the statement. */
async function open(state: State) {
  const { now, epoch } = await writeState(sql, state);
  const messages = messagesOf(state);
  const ids = messages.map(({ id }) => id);
  const time = (at: number | null) => sql`${now}::timestamptz + ${at}::float8 * interval '1 microsecond'`;
  const micros = (column: string) => sql`(extract(epoch from ${sql.unsafe(column)} - ${now}::timestamptz) * 1000000)::float8`;
  return {
    ...{ state, messages, epoch, ids, time, micros },
    departures: async (at: number | null): Promise<Departure[]> => [
      ...(await sql<Departure[]>`
        select d.reason, d.verdict, d.hold_reason as hold, ${micros('d.until')} as until
        from invite.departures(${ids}::bigint[], ${time(at)}) as d
        where d.reason is not null
        order by d.invitation_id`),
    ],
    rows: () =>
      sql`
        select m.status, m.rule, m.last_error_code, ${micros('m.not_before')} as until, to_jsonb(m)::text as row
        from invite.messages as m
        where m.is_last and m.invitation_id = any (${ids}::bigint[])
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
function edgeOf({ state, messages, epoch }: Open, choice: number): number {
  const running = runningIn(state);
  const edges = [
    ...messages.flatMap((message) => [
      message.due,
      ...[running, ...running.map((worker) => [worker])].map((workers) => deadlineOf(message, workers).at),
      departureOf(state, message, epoch, 0).until ?? Infinity,
    ]),
    ...running.map((worker) => pausedUntil(state, worker)),
  ].filter(Number.isFinite);
  return (edges[choice % edges.length] ?? 0) + (choice % 3) - 1;
}

/** What became of each message when a worker claims some at a time. */
async function claim({ ids, rows, time }: Open, worker: string, at: number, some: readonly number[] = ids): Promise<string[]> {
  const before = await rows();
  const claimed =
    await sql`select c.id from invite.claim_invitations(${some.toReversed()}::bigint[], ${worker}, ${time(at)}) as c`;
  const after = await rows();
  same(
    new Set(claimed.map(({ id }) => Number(id))),
    new Set(ids.filter((_, index) => after[index]?.status === 'sending')),
    'it returns what it claims',
  );
  // What is put off for at most a minute has a job, and the sweep makes one for all others.
  const forgotten = await sql`
    select m.invitation_id, m.not_before, m.sweep_at
    from invite.messages as m
    left join invite.delivery_jobs as j on j.invitation_id = m.invitation_id and j.job_run_at = m.not_before
    where m.invitation_id = any (${ids.filter((_, index) => after[index]?.status === 'queued' && after[index]?.row !== before[index]?.row)}::bigint[])
      and case
        when m.not_before <= ${time(at)} + interval '1 minute' then j.invitation_id is null or m.sweep_at <> m.not_before + interval '30 seconds'
        else m.sweep_at <> m.not_before - interval '1 minute'
      end`;
  same([...forgotten], [], 'what is put off is looked at in time');
  return after.map(({ status, rule, last_error_code, until, row }, index) => {
    if (row === before[index]?.row) return UNCHANGED;
    if (status === 'queued') return `queued: ${rule} until ${until}`;
    const code = status === 'skipped' ? rule : ['failed', 'suppressed'].includes(status) ? last_error_code : null;
    return code === null ? status : `${status}: ${code}`;
  });
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

/** What is claimed together: each alone that caps count, because one may take another's place. */
function groupsOf({ shared }: State, messages: readonly Message[]): number[][] {
  const isCounted = ({ workspace }: Message) => shared !== null || workspace.caps.some(({ scope }) => scope !== 'elsewhere');
  const others = messages.filter((message) => !isCounted(message));
  return [others, ...messages.filter(isCounted).map((message) => [message])].map((group) => group.map(({ id }) => id));
}

/** Compares what departures says of a time with what each worker's claim does then. */
async function compareClaims(opened: Open, at: number): Promise<void> {
  const { state, messages, epoch } = opened;
  const said = await opened.departures(at);
  same(
    said,
    messages.map((message) => departureOf(state, message, epoch, at)),
    `departures at ${at}`,
  );
  const workers: (Worker & { id?: string })[] = runningIn(state);
  // If none runs, one is started.
  if (workers.length === 0) workers.push(FREE);
  const outcomes = said.map(() => new Set<string>());
  /** What a worker would do, whatever the others can. */
  const aloneOf = (message: Message, worker: Worker) => {
    const [reason = 'ready'] = reasonsOf(state, message, epoch, at, [worker]);
    return message.waiting || message.due > at ? UNCHANGED : outcomeOf(reason, message);
  };
  for (const worker of workers) {
    const alone = messages.map((message) => aloneOf(message, worker));
    const expected = alone.map((outcome, index) =>
      outcome === `queued: ${said[index]?.reason}` ? `${outcome} until ${said[index]?.until}` : outcome,
    );
    const became = alone.map(() => UNCHANGED);
    for (const group of groupsOf(state, messages)) {
      const leaving = group.filter((id) => alone[id - 1] === 'sending');
      const takes = await undone(() => taken(opened, worker, leaving.toReversed(), at));
      for (const id of leaving) expected[id - 1] = takes.includes(id) ? 'sending' : UNCHANGED;
      const claimed = await undone(async () => claim(opened, worker.id ?? (await writeWorker(sql, 9, worker)), at, group));
      for (const [index, outcome] of claimed.entries()) if (outcome !== UNCHANGED) became[index] = outcome;
    }
    // A worker with other limits than those that departures asks may find another rule: then only the rule is known.
    const compared = became.map((outcome, index) =>
      expected[index]?.includes(' until ') ? outcome : outcome.replace(/ until .*/, ''),
    );
    same(compared, expected, `a claim by ${JSON.stringify(worker)} at ${at}`);
    for (const [index, outcome] of became.entries()) outcomes[index]?.add(outcome.replace(/ until .*/, ''));
  }
  // While they are restarted one by one, they may differ about what is too late: then departures says what is in the middle.
  const isMixed = new Set(sendersOf(state, at).senders.map(({ lateHours }) => lateHours)).size > 1;
  for (const [index, message] of messages.entries()) {
    const { reason } = said[index] as Departure;
    const promised = message.waiting || message.due > at ? UNCHANGED : outcomeOf(reason, message);
    // A relay that isn't paused may still take nothing: its rate is used up, or it takes a probe alone.
    const canSend = workers.some((worker) => aloneOf(message, worker) === 'sending' && pausedUntil(state, worker) <= at);
    const kept = outcomes[index]?.has(promised) || (reason === 'ready' && canSend);
    const words = `${reason} at ${at}, and becomes ${[...(outcomes[index] ?? [])]}: ${JSON.stringify(message)}`;
    ok(isMixed || (kept && (promised === 'sending' || !outcomes[index]?.has('sending'))), words);
    for (const what of [reason, ...(outcomes[index] ?? [])]) count(what);
  }
}

/** The views, departures and claims at one time, and departures and claims at an edge. */
async function agree(opened: Open, choice: number): Promise<void> {
  const { state, messages, epoch, ids, micros } = opened;
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
    const { reason, hold } = departureOf(state, message, epoch, at);
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
  ...[UNCHANGED, 'sending', 'waiting', 'answered', 'suppressed: suppressed', 'failed: content_rejected', 'failed: unconfirmed'],
  ...(
    ['declined', 'survey_ended', 'link_expired', 'too_late', 'rests_too_long', 'opens_too_late', 'capped_too_long'] as const
  ).map((rule) => `skipped: ${rule}`),
  ...['queued: resting', 'queued: outside_hours', 'queued: capped'],
]);

holds(
  'what leaves later says when, and what it says a microsecond before and then',
  async ({ state, messages, epoch, ids, micros }) => {
    const rows = await sql`
    select
      d.invitation_id::integer as id, d.reason, d.verdict, ${micros('d.until')} as until, ${micros('statement_timestamp()')} as at, b.reason as before,
      a.reason as then
    from invite.departures(${ids}::bigint[]) as d
    left join lateral invite.departures(array[d.invitation_id], d.until - interval '1 microsecond') as b on b.number = d.number
    left join lateral invite.departures(array[d.invitation_id], d.until) as a on a.number = d.number
    where d.verdict = 'later' or d.verdict = 'held' and d.until is not null`;
    for (const { id, reason, verdict, until, at, before, then } of rows) {
      // A job that exists already requeues it.
      same(until === null, reason === 'requeueing', reason);
      const message = messages[id - 1];
      if (until === null || !message) continue;
      same(before, departureOf(state, message, epoch, until - 1).reason);
      same(then, departureOf(state, message, epoch, until).reason);
      // A pause may outlast the deadline, and others may rest.
      ok(
        before === reason || VERDICTS[before as Reason] === 'never' || ['resting', 'outside_hours', 'capped'].includes(before),
        `${before} before ${reason}`,
      );
      const isLooked = message.due > at ? message.rule !== null : ['resting', 'held'].includes(reason);
      ok(isLooked || then !== reason, `${reason} at ${at}, ${then} at ${until}`);
      // Another worker, whose pause is over by then, may know another deadline.
      if (verdict === 'held' && new Set(runningIn(state).map(({ lateHours }) => lateHours)).size < 2)
        same(VERDICTS[departureOf(state, message, epoch, until + 1).reason], 'never', 'past its deadline it ends');
    }
  },
);

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
  workspace_guarded: ['update invite.workspaces set guarded_at = null'],
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

// The guard's hold isn't among the random ones: the test of all pairs has it.
sees(
  'what waited was held for all reasons',
  HOLDS.filter((hold) => hold !== 'workspace_guarded'),
);

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
        const due = messages.filter((_, index) => rows[index]?.status === 'queued' && rows[index].until <= 0).map(({ id }) => id);
        same([...kept, ...jobs.map(({ id }) => id)].sort(byNumber), due);
        // The claim may have sent a probe, which pauses the relay.
        const [{ paused = 0 } = {}] = await sql`
          select ${micros('r.paused_until')} as paused from invite.relays as r where r.id = ${worker.relay}`;
        for (const { at } of jobs) ok(paused > 0 ? at === paused : at > 0 && at <= 30 * SECOND, `a job at ${at}`);
      });
  },
);

/** What is stuck is what could leave or end, and not what is held or comes later. */
async function agreeOnStuck({ state, messages, epoch, micros }: Open): Promise<void> {
  const look = () => sql`
    select n.at, b.code, b.invitation_id::integer as id
    from (select ${micros('statement_timestamp()')} as at) as n
    left join invite.broken_invariants as b on b.invitation_id <= ${messages.length}
    order by b.invitation_id`;
  const rows = await look();
  const at = rows[0]?.at;
  const canSend = !sendersOf(state, at).arePaused && !isUsedUp(state, at);
  const stuck = messages.flatMap((message) => {
    const { reason, verdict } = departureOf(state, message, epoch, at);
    if (message.waiting) return holdsOf(state, message).length > 0 ? [] : { code: 'waiting_sendable', id: message.id };
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
const RESTING: Change = {
  workspace: { restDays: 7, maxDelay: 24 * 30 },
  survey: { others: [{ status: 'sent', at: -HOUR, unconfirmed: false, reminder: false, address: 'a' }] },
};
const CAPPED: Change = { workspace: { caps: [{ scope: 'workspace', cap: 'four hours are promised' }] } };
/** What makes each reason true, alone. */
const CHANGES: Readonly<Record<Reason | Hold, Change>> = {
  not_due: { message: { due: HOUR } },
  retry_later: { message: { due: HOUR, failedBefore: true } },
  responded: { message: { responded: true } },
  suppressed: { message: { suppressed: true } },
  declined: { message: { choice: 'declined' } },
  content_rejected: { message: { rejectedKind: 'invitation' } },
  survey_ended: { survey: { closesAt: -30 * SECOND } },
  link_expired: { survey: { linkDays: 3 }, message: { reminder: true, firstSent: -4 * DAY } },
  held: { survey: { state: 'closed' } },
  requeueing: { message: { waiting: true } },
  too_late: { message: { due: -3 * HOUR }, survey: { maxDelay: 1 } },
  rests_too_long: { ...RESTING, survey: { ...RESTING.survey, maxDelay: 1 } },
  opens_too_late: { workspace: { open: 'in three hours' }, survey: { maxDelay: 1 } },
  resting: RESTING,
  outside_hours: { workspace: { open: 'in three hours' } },
  capped_too_long: { ...CAPPED, survey: { maxDelay: 1 } },
  capped: CAPPED,
  no_worker: { worker: { lost: 'silent' } },
  relay_paused: { worker: { relay: 'b' } },
  ready: {},
  workspace_suspended: { workspace: { suspended: true } },
  plan_required: { workspace: { plan: 'free' } },
  survey_disabled: { survey: { disabled: true } },
  survey_draft: { survey: { state: 'draft' } },
  survey_closed: { survey: { state: 'closed' } },
  sending_paused: { everyone: { paused: true } },
  workspace_guarded: { workspace: { guarded: true } },
  workspace_paused: { workspace: { paused: true } },
  survey_paused: { survey: { paused: true } },
};

const DUE: Omit<Message, 'id' | 'number' | 'wanted' | 'isSmall' | 'email' | 'workspace' | 'survey' | 'workspaceId' | 'surveyId'> =
  {
    ...{
      reminder: false,
      waiting: false,
      due: -90 * SECOND,
      wantedBefore: 0,
      retried: null,
      failedBefore: false,
      unconfirmed: false,
    },
    ...{
      rule: null,
      responded: false,
      suppressed: false,
      choice: null,
      ignoresRest: null,
      rejectedKind: null,
      putOff: false,
      isLarge: false,
    },
    ...{ address: 'a', zone: null, batchZone: null, firstSent: -HOUR },
  };

const OPEN_ALWAYS = { zone: null, open: null, closed: null, restDays: null, maxDelay: null, caps: [] };

/** One email that would leave now but for these changes. */
function changed(...changes: readonly Change[]): State {
  const part = <K extends keyof Change>(name: K): Change[K] => Object.assign({}, ...changes.map((change) => change[name]));
  const messages = [{ ...DUE, ...part('message') }];
  const survey = {
    ...{ state: 'active' as const, disabled: false, paused: false, zone: null, maxDelay: null, linkDays: null, closesAt: null },
    ...{ activated: -100 * DAY, messages, others: [], ...part('survey') },
  };
  return {
    paused: false,
    shared: null,
    relays: { a: 'healthy', b: 'paused' },
    workers: [{ ...FREE, relay: 'a', ...part('worker') }],
    workspaces: [
      { ...OPEN_ALWAYS, suspended: false, guarded: false, paused: false, plan: 'pro', surveys: [survey], ...part('workspace') },
    ],
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
    const both = messagesOf(state).flatMap((message) => reasonsOf(state, message, Date.now() * 1000, 0));
    // A third one may come before both.
    if (both[0] === first && both.includes(second))
      await within(state, async (opened) => void t.equal((await said(opened))?.reason, first, `${first} before ${second}`));
    else apart.add(`${first} ${second}`);
  }
  for (const [first, second] of pairsOf(HOLDS)) {
    const state = changed(CHANGES[first], CHANGES[second]);
    if (messagesOf(state).some((message) => holdsOf(state, message).length === 2))
      await within(state, async (opened) => void t.equal((await said(opened))?.hold, first, `${first} before ${second}`));
    else apart.add(`${first} ${second}`);
  }
  const never: Partial<Record<Reason, readonly Reason[]>> = {
    not_due: ['retry_later', 'requeueing', 'too_late'],
    retry_later: ['requeueing', 'too_late'],
    // It is one deadline, and reminders never rest.
    survey_ended: ['link_expired', 'too_late'],
    link_expired: ['too_late', 'rests_too_long', 'resting'],
    content_rejected: ['link_expired'],
    opens_too_late: ['capped_too_long', 'resting', 'capped'],
    rests_too_long: ['capped_too_long', 'capped'],
    capped_too_long: ['resting', 'outside_hours'],
    resting: ['capped'],
    outside_hours: ['capped'],
    no_worker: ['relay_paused'],
  };
  t.strictSame(
    apart,
    new Set([
      ...Object.entries(never).flatMap(([one, others]) => others.map((other) => `${one} ${other}`)),
      ...['responded', 'suppressed', 'declined', 'content_rejected'].map((reason) => `${reason} requeueing`),
      'survey_draft survey_closed',
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
