// Handles one member's requests one after another. So even if one person opens many slow pages, they use only one connection.
import { ApiError } from '../errors.ts';

/** How many requests of one member may wait. More are rejected. */
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
