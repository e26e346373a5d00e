// Wakes requests that wait for events. One query a second serves all of them.
import type { IncomingMessage } from 'node:http';
import type { Store } from '../database/store.ts';

const POLL_MS = 1_000;
/** A request beyond either limit gets its response at once. The limit for each reader keeps one reader from taking all the places. */
const MAX_WAITING = 500;
const MAX_OF_READER = 10;

export interface Feed {
  /**
   * Resolves when there is an event after a position.
   * @param reader Identifies the token that reads.
   * @returns False: there was none in time, the client disconnected, or the feed is full or closed.
   */
  wait(reader: string, after: string, milliseconds: number, request: IncomingMessage): Promise<boolean>;
  /** Ends all waits. Later calls of wait() resolve to false at once. */
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
      // After a failed query, requests go on waiting until their time is over.
      const last = await store.publishedTo().then(BigInt, () => 0n);
      for (const [wake, { after }] of waiting) if (last > after) wake(true);
    }
    polling = false;
  }

  return {
    wait(reader, after, milliseconds, request) {
      const ofReader = [...waiting.values()].filter((waiter) => waiter.reader === reader);
      const isFull = waiting.size >= MAX_WAITING || ofReader.length >= MAX_OF_READER;
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
