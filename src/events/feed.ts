// Wakes requests that wait for events. One query a second serves all of a database.
import type { IncomingMessage } from 'node:http';
import type { Store } from '../database/store.ts';
import { SHARES, Turns } from '../database/turns.ts';

const POLL_MS = 1_000;

export interface Feed {
  /**
   * Resolves when there is an event after a position.
   * @param workspace Whose events they are. If it has its share of places already, the request gets its response at once.
   * @param home The workspace's, as its token has it.
   * @returns False: there was none in time, the client disconnected, or the feed is full or closed.
   */
  wait(workspace: string, after: string, milliseconds: number, request: IncomingMessage, home?: string): Promise<boolean>;
  /** Ends all waits. Later calls of wait() resolve to false at once. */
  close(): void;
}

/** @param groupOf What homes share a query. */
export function createFeed(
  store: Pick<Store, 'publishedTo'>,
  pollMs = POLL_MS,
  groupOf = (home: string) => home.slice(0, 4),
): Feed {
  const turns = new Turns(SHARES.polls);
  /** By group: by the function that wakes it, the position after which it waits. */
  const groups = new Map<string, Map<(found: boolean) => void, bigint>>();
  let closed = false;

  /** Each group has its own loop, so that a slow database delays no events of others. */
  async function poll(group: string, home: string | undefined, waiting: Map<(found: boolean) => void, bigint>): Promise<void> {
    while (waiting.size > 0) {
      await new Promise((resolve) => setTimeout(resolve, pollMs).unref());
      // After a failed query, requests go on waiting until their time is over.
      const last = await store.publishedTo(home).then(BigInt, () => 0n);
      for (const [wake, after] of waiting) if (last > after) wake(true);
    }
    groups.delete(group);
  }

  return {
    wait(workspace, after, milliseconds, request, home) {
      const end = closed || milliseconds <= 0 ? undefined : turns.tryEnter(workspace);
      if (end === undefined) return Promise.resolve(false);
      const group = home === undefined ? '' : groupOf(home);
      const waiting = groups.get(group) ?? new Map<(found: boolean) => void, bigint>();
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
      if (!groups.has(group)) {
        groups.set(group, waiting);
        void poll(group, home, waiting);
      }
      return promise;
    },
    close() {
      closed = true;
      for (const waiting of groups.values()) for (const wake of waiting.keys()) wake(false);
    },
  };
}
