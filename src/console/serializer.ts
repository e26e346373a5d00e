// Handles one member's requests one after another. So even if one person opens many slow pages, they use only one connection.
import { Turns } from '../database/turns.ts';
import { ApiError } from '../errors.ts';

/** How many requests of one member or session may wait. More are rejected. */
const MAX_WAITING = 20;

const tooMany = () => new ApiError('flood_protection', 'Too many pages at once. Wait a moment, and reload the page.');

export type Serialize = ReturnType<typeof createSerializer>;

export function createSerializer() {
  const queues = new Map<string, { last: Promise<unknown>; length: number }>();
  /** @throws {ApiError} flood_protection. */
  return async <T>(key: string, call: () => T | Promise<T>): Promise<T> => {
    const queue = queues.get(key) ?? { last: Promise.resolve(), length: 0 };
    if (queue.length > MAX_WAITING) throw tooMany();
    queues.set(key, queue);
    queue.length += 1;
    const called = queue.last.then(call);
    queue.last = called.catch(() => {});
    try {
      return await called;
    } finally {
      queue.length -= 1;
      if (queue.length === 0) queues.delete(key);
    }
  };
}

export type Admit = ReturnType<typeof createAdmission>;

/**
 * Runs one session's requests beside each other, at most so many that all but one of them could wait. Refusing one more costs nothing, because
 * who asks isn't looked up: else the refusals of somebody who reloads hundreds of pages would keep a processor busy.
 */
export function createAdmission() {
  const turns = new Turns({ places: Number.POSITIVE_INFINITY, perGroup: MAX_WAITING + 1 });
  /** @throws {ApiError} flood_protection. */
  return async <T>(key: string, call: () => T | Promise<T>): Promise<T> => {
    const leave = turns.tryEnter(key);
    if (leave === undefined) throw tooMany();
    try {
      return await call();
    } finally {
      leave();
    }
  };
}
