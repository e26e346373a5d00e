// Wakes requests that wait for events. However many wait, the database is asked once a second.
import type { IncomingMessage } from 'node:http';
import type { Store } from '../database/store.ts';

const POLL_MS = 1_000;
/** More are answered at once; more of one reader too, so that no reader takes the places of others. */
const MAX_WAITING = 500;
const MAX_OF_READER = 10;

export interface Feed {
  /**
   * Resolves when there is an event after a position.
   * @param reader Whose request it is.
   * @returns False: not within so many milliseconds, or nobody waits any more.
   */
  wait(reader: string, after: string, milliseconds: number, request: IncomingMessage): Promise<boolean>;
  /** Nobody waits from now on. */
  close(): void;
}

export function createFeed(store: Pick<Store, 'publishedTo'>, pollMs = POLL_MS): Feed {
  const waiting = new Map<(found: boolean) => void, { reader: string; after: bigint }>();
  let closed = false;
  let polling = false;

  async function poll(): Promise<void> {
    polling = true;
    while (waiting.size > 0) {
      await new Promise((resolve) => setTimeout(resolve, pollMs).unref());
      // Those who wait do so until their time is over.
      const last = await store.publishedTo().then(BigInt, () => 0n);
      for (const [wake, { after }] of waiting) if (last > after) wake(true);
    }
    polling = false;
  }

  return {
    wait(reader, after, milliseconds, request) {
      const own = [...waiting.values()].filter((one) => one.reader === reader);
      const isFull = waiting.size >= MAX_WAITING || own.length >= MAX_OF_READER;
      if (closed || milliseconds <= 0 || isFull) return Promise.resolve(false);
      const { promise, resolve } = Promise.withResolvers<boolean>();
      const wake = (found: boolean) => {
        waiting.delete(wake);
        clearTimeout(timer);
        request.socket.off('close', leave);
        resolve(found);
      };
      const leave = () => wake(false);
      const timer = setTimeout(leave, milliseconds);
      request.socket.once('close', leave);
      waiting.set(wake, { reader, after: BigInt(after) });
      if (!polling) void poll();
      return promise;
    },
    close() {
      closed = true;
      for (const wake of waiting.keys()) wake(false);
    },
  };
}
