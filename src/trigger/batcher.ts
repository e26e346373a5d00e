// Trigger requests share calls of accept_triggers: a call takes what has come while the ones before it ran. Nothing waits for a timer,
// and a lonely request goes by itself at once. Why: docs/performance.md.
import { setTimeout as delay } from 'node:timers/promises';
import { isNotReady } from '../database/pool.ts';
import type { Store, TriggerCall, TriggerResult } from '../database/store.ts';
import { NotReadyError } from '../errors.ts';

/** Calls under way at the same time: while one commits, the next one runs. */
const CALLS = 2;
/** Requests of one call, and recipients at which no further request joins it: a call's locks are held until its end. */
const MAX_REQUESTS = 64;
const MAX_RECIPIENTS = 500;
/** Between two looks at a token that somebody else has locked. Milliseconds. */
const LOCKED_RETRY = 20;

interface Entry {
  readonly key: string;
  readonly call: TriggerCall;
  readonly deadline: number;
  readonly done: (answer: TriggerResult) => void;
  readonly failed: (error: unknown) => void;
}

export interface Batcher {
  /**
   * Accepts or refuses a trigger request.
   * @param key Tells tokens apart: requests of one token are decided one after the other.
   * Rejects with the driver's error, or with a NotReadyError if somebody keeps the token locked.
   */
  accept(key: string, call: TriggerCall): Promise<TriggerResult>;
  /** Resolves when every request is decided, also those whose callers have hung up. */
  idle(): Promise<void>;
}

/** @param lockedFor How long a token may be locked before its requests are given up. Milliseconds. */
export function createBatcher(store: Pick<Store, 'acceptTriggers'>, recipientsPerHour: number, lockedFor = 5_000): Batcher {
  /** By token, in the order in which they came; only the first is in ready, in a call, or resting because the token is locked. */
  const queues = new Map<string, Entry[]>();
  let ready: Entry[] = [];
  let running = 0;
  let scheduled = false;
  let emptied = Promise.withResolvers<void>();

  /** After the requests that the event loop has at hand: they then share a call. */
  function schedule(): void {
    if (scheduled || running >= CALLS || ready.length === 0) return;
    scheduled = true;
    setImmediate(() => {
      scheduled = false;
      const entries = take();
      running += 1;
      void decide(entries).finally(() => {
        running -= 1;
        schedule();
      });
      schedule();
    });
  }

  function take(): Entry[] {
    let recipients = 0;
    const fits = (entry: Entry, index: number) => {
      recipients += entry.call.request.recipients.length;
      return index === 0 || (index < MAX_REQUESTS && recipients <= MAX_RECIPIENTS);
    };
    const end = ready.findIndex((entry, index) => !fits(entry, index));
    const entries = end === -1 ? ready : ready.slice(0, end);
    ready = end === -1 ? [] : ready.slice(end);
    return entries;
  }

  async function decide(entries: readonly Entry[]): Promise<void> {
    try {
      const answers = await store.acceptTriggers(
        entries.map(({ call }) => call),
        recipientsPerHour,
      );
      for (const [index, entry] of entries.entries()) {
        const answer = answers[index];
        if (answer !== undefined) settle(entry, () => entry.done(answer));
        else void retryLater(entry);
      }
    } catch (error) {
      // One that the database refuses must not take its neighbours along.
      if (entries.length > 1 && !isNotReady(error)) for (const entry of entries) await decide([entry]);
      else for (const entry of entries) settle(entry, () => entry.failed(error));
    }
  }

  /** Answers a request; the next one of its token may go. */
  function settle(entry: Entry, answer: () => void): void {
    answer();
    const queue = queues.get(entry.key) ?? [];
    queue.shift();
    const [next] = queue;
    if (next !== undefined) ready.push(next);
    else queues.delete(entry.key);
    if (queues.size === 0) {
      emptied.resolve();
      emptied = Promise.withResolvers();
    }
  }

  async function retryLater(entry: Entry): Promise<void> {
    await delay(LOCKED_RETRY);
    if (performance.now() > entry.deadline) settle(entry, () => entry.failed(new NotReadyError('the trigger token is locked')));
    else ready.push(entry);
    schedule();
  }

  return {
    idle: () => (queues.size === 0 ? Promise.resolve() : emptied.promise),
    accept: (key, call) =>
      new Promise((done, failed) => {
        const entry: Entry = { key, call, deadline: performance.now() + lockedFor, done, failed };
        const queue = queues.get(key);
        if (queue !== undefined) queue.push(entry);
        else {
          queues.set(key, [entry]);
          ready.push(entry);
        }
        schedule();
      }),
  };
}
