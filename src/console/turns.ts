// Takes the requests of one member in turn: many slow pages of one person use one connection, and leave the others free.
import { ApiError } from '../errors.ts';

/** Requests of one member that wait; more are rejected. */
const MAX_WAITING = 20;

export type Turns = ReturnType<typeof createTurns>;

/** Runs calls of the same key one after another. */
export function createTurns() {
  const queues = new Map<string, { last: Promise<unknown>; length: number }>();
  /** @throws {ApiError} flood_protection. */
  return async <T>(key: string, call: () => T | Promise<T>): Promise<T> => {
    const queue = queues.get(key) ?? { last: Promise.resolve(), length: 0 };
    if (queue.length > MAX_WAITING)
      throw new ApiError('flood_protection', 'Too many pages at once. Wait a moment, and reload the page.');
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
