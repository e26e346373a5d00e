// Each call of accept_triggers takes the requests that arrived while earlier calls ran. No timer delays them. docs/performance.md compares
// this with one call for each request. A call is for one database, so that a slow one delays no requests of others.
import { setTimeout as delay } from 'node:timers/promises';
import { isNotReady } from '../database/pool.ts';
import type { Store, TriggerCall, TriggerResult } from '../database/store.ts';
import { NotReadyError } from '../errors.ts';
import { homeOfHash } from '../secret.ts';
import { Cells } from './cells.ts';
import type { DeferredJobs } from './deferred-jobs.ts';

/** Calls at a time for the known tokens of a database: while one commits, the next runs. */
const CALLS = 2;
/** Calls at a time for other tokens, and for all databases of which no token is known. A flood of guesses then doesn't delay known tokens. */
const UNKNOWN_CALLS = 1;
/** The most requests and recipients in one call, which holds its locks until it ends. A larger request gets a call of its own. */
const MAX_REQUESTS = 64;
const MAX_RECIPIENTS = 500;
/** Milliseconds until a request that met a lock is tried again: 20, 40, 80 and so on, at most 320. */
const LOCKED_RETRY = 20;
const LONGEST_LOCKED_RETRY = 320;

interface Entry {
  readonly key: string;
  readonly call: TriggerCall;
  /** The database. */
  readonly cell: string;
  readonly lane: Lane;
  readonly deadline: number;
  retryAfter: number;
  readonly done: (result: TriggerResult) => void;
  readonly failed: (error: unknown) => void;
}

interface Lane {
  /** Calls that may run at a time. */
  readonly calls: number;
  ready: Entry[];
  running: number;
  scheduled: boolean;
}

/** By workspace. If all are of one: each alone. */
function partsOf(entries: readonly Entry[]): readonly (readonly Entry[])[] {
  const parts = [...Map.groupBy(entries, ({ call }) => homeOfHash(call.secretHash)).values()];
  return parts.length > 1 ? parts : entries.map((entry) => [entry]);
}

export interface Batcher {
  /**
   * Throws the driver's error, or a NotReadyError if the token or its survey stays locked.
   * @param key The token's key. Requests of one token are decided one after another.
   * @param known Whether the token has proved to exist.
   */
  accept(key: string, call: TriggerCall, known: boolean): Promise<TriggerResult>;
  /** The name of those requests that this one shares calls with. */
  laneOf(secretHash: Buffer, known: boolean): string;
  /** Resolves when every request is decided, including those whose callers hung up. */
  idle(): Promise<void>;
}

/**
 * @param jobs Queues accepted batches that are due.
 * @param lockedFor Milliseconds that a token or survey may stay locked.
 * @param clock Milliseconds; for tests.
 * @param cells Learns of which databases there are tokens.
 */
export function createBatcher(
  store: Pick<Store, 'acceptTriggers'>,
  jobs: Pick<DeferredJobs, 'add'>,
  recipientsPerHour: number,
  lockedFor = 5_000,
  clock = () => performance.now(),
  cells = new Cells(),
): Batcher {
  /** Requests by token, in order of arrival. Only the first of each token is ready, in a call, or waiting for a lock. */
  const queues = new Map<string, Entry[]>();
  /** By name. */
  const lanes = new Map<string, Lane>();
  let emptied = Promise.withResolvers<void>();

  const laneOf = (secretHash: Buffer, known: boolean) =>
    known ? `known ${cells.groupOf(secretHash)}` : `unknown ${cells.known(secretHash) ?? ''}`;

  function findLane(name: string, known: boolean): Lane {
    const found = lanes.get(name) ?? { calls: known ? CALLS : UNKNOWN_CALLS, ready: [], running: 0, scheduled: false };
    lanes.set(name, found);
    return found;
  }

  /** Starts a call at the end of this turn of the event loop, so that requests of the same turn share it. */
  function schedule(lane: Lane): void {
    if (lane.scheduled || lane.running >= lane.calls || lane.ready.length === 0) return;
    lane.scheduled = true;
    setImmediate(() => {
      lane.scheduled = false;
      const entries = take(lane);
      lane.running += 1;
      void decide(entries).finally(() => {
        lane.running -= 1;
        schedule(lane);
      });
      schedule(lane);
    });
  }

  function enter(entry: Entry): void {
    entry.lane.ready.push(entry);
    schedule(entry.lane);
  }

  /** Of the database that comes first. */
  function take(lane: Lane): Entry[] {
    const [first] = lane.ready;
    const others = lane.ready.filter(({ cell }) => cell !== first?.cell);
    const entries = others.length === 0 ? lane.ready : lane.ready.filter(({ cell }) => cell === first?.cell);
    let recipients = 0;
    const fits = (entry: Entry, index: number) => {
      recipients += entry.call.request.recipients.length;
      return index === 0 || (index < MAX_REQUESTS && recipients <= MAX_RECIPIENTS);
    };
    const end = entries.findIndex((entry, index) => !fits(entry, index));
    const taken = entries.splice(0, end === -1 ? entries.length : end);
    // The others go first now, so that the databases take turns.
    if (others.length > 0) lane.ready = [...others, ...entries];
    return taken;
  }

  async function decide(entries: readonly Entry[]): Promise<void> {
    try {
      const results = await store.acceptTriggers(
        entries.map(({ call }) => call),
        recipientsPerHour,
        { defer: true },
      );
      const deferred = results.flatMap((result, index) =>
        result?.outcome === 'accepted' && result.deferred
          ? [{ batchId: result.batchId, recipients: entries[index]?.call.request.recipients.length ?? 0 }]
          : [],
      );
      if (deferred.length > 0) jobs.add(entries[0]?.cell ?? '', deferred);
      for (const [index, entry] of entries.entries()) {
        const result = results[index];
        if (result !== undefined && result.outcome !== 'unknown_token') cells.add(entry.call.secretHash);
        if (result !== undefined) settle(entry, () => entry.done(result));
        else void retryLater(entry);
      }
    } catch (error) {
      // One request may have made the call fail, or one workspace, which has moved to another database. The others must not fail with it.
      if (entries.length > 1 && !isNotReady(error)) for (const part of partsOf(entries)) await decide(part);
      else for (const entry of entries) settle(entry, () => entry.failed(error));
    }
  }

  function settle(entry: Entry, finish: () => void): void {
    finish();
    const queue = queues.get(entry.key) ?? [];
    queue.shift();
    const [next] = queue;
    if (next !== undefined) enter(next);
    else queues.delete(entry.key);
    if (queues.size === 0) {
      emptied.resolve();
      emptied = Promise.withResolvers();
    }
  }

  async function retryLater(entry: Entry): Promise<void> {
    await delay(entry.retryAfter);
    entry.retryAfter = Math.min(2 * entry.retryAfter, LONGEST_LOCKED_RETRY);
    if (clock() > entry.deadline)
      settle(entry, () => entry.failed(new NotReadyError('the trigger token or its survey is locked', 'busy')));
    else enter(entry);
  }

  return {
    laneOf,
    idle: () => (queues.size === 0 ? Promise.resolve() : emptied.promise),
    accept: (key, call, known) =>
      new Promise((done, failed) => {
        const lane = findLane(laneOf(call.secretHash, known), known);
        const cell = cells.groupOf(call.secretHash);
        const entry: Entry = { key, call, cell, lane, deadline: clock() + lockedFor, retryAfter: LOCKED_RETRY, done, failed };
        const queue = queues.get(key);
        if (queue !== undefined) queue.push(entry);
        else {
          queues.set(key, [entry]);
          enter(entry);
        }
      }),
  };
}
