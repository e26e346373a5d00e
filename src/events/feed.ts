// Wakes requests that wait for events. One query a second serves all of them.
import type { IncomingMessage } from 'node:http';
import type { Store } from '../database/store.ts';
import { SHARES, Turns } from '../database/turns.ts';

const POLL_MS = 1_000;

export interface Feed {
  /**
   * Resolves when there is an event after a position.
   * @param workspace Whose events they are. If it has its share of places already, the request gets its response at once.
   * @returns False: there was none in time, the client disconnected, or the feed is full or closed.
   */
  wait(workspace: string, after: string, milliseconds: number, request: IncomingMessage): Promise<boolean>;
  /** Ends all waits. Later calls of wait() resolve to false at once. */
  close(): void;
}

export function createFeed(store: Pick<Store, 'publishedTo'>, pollMs = POLL_MS): Feed {
  const turns = new Turns(SHARES.polls);
  /** By the function that wakes it: the position after which it waits. */
  const waiting = new Map<(found: boolean) => void, bigint>();
  let closed = false;
  let polling = false;

  async function poll(): Promise<void> {
    polling = true;
    while (waiting.size > 0) {
      await new Promise((resolve) => setTimeout(resolve, pollMs).unref());
      // After a failed query, requests go on waiting until their time is over.
      const last = await store.publishedTo().then(BigInt, () => 0n);
      for (const [wake, after] of waiting) if (last > after) wake(true);
    }
    polling = false;
  }

  return {
    wait(workspace, after, milliseconds, request) {
      const end = closed || milliseconds <= 0 ? undefined : turns.tryEnter(workspace);
      if (end === undefined) return Promise.resolve(false);
      const { promise, resolve } = Promise.withResolvers<boolean>();
      const wake = (found: boolean) => {
        waiting.delete(wake);
        end();
        clearTimeout(timer);
        request.socket.off('close', leave);
        resolve(found);
      };
      const leave = () => wake(false);
      const timer = setTimeout(leave, milliseconds);
      request.socket.once('close', leave);
      waiting.set(wake, BigInt(after));
      if (!polling) void poll();
      return promise;
    },
    close() {
      closed = true;
      for (const wake of waiting.keys()) wake(false);
    },
  };
}
