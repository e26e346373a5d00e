// One member's requests in turn: many slow pages of one person use one connection.
import { ApiError } from '../errors.ts';

/** Of one member; more are rejected. */
const MAX_WAITING = 20;

export type Serialize = ReturnType<typeof createSerializer>;

export function createSerializer() {
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
