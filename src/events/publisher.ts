// What waits for a commit: positions of events, so that readers see them, and the quota of what was invited from SQL.
import { isNotReady } from '../database/pool.ts';
import type { Store } from '../database/store.ts';
import { type Log, logOutage } from '../log.ts';
import { createLoop } from './loop.ts';

const MAX_ROWS = 2_000;
/** Milliseconds until the next look: after some, while a transaction that may have more is open, and after a failed call. */
const BUSY_MS = 100;
const OPEN_MS = 250;
const RETRY_MS = 1_000;

export interface PublisherContext {
  readonly store: Pick<Store, 'publishEvents' | 'restPublisher' | 'uncountedWorkspaces' | 'countBatches' | 'wakePublisher'>;
  readonly log: Log;
}

export interface Publisher {
  wake(): void;
  /** Resolves when the last call has ended. What is left is another worker's. */
  stop(): Promise<void>;
}

export function createPublisher({ store, log }: PublisherContext): Publisher {
  const failedTo = (what: string) => (error: unknown) => {
    if (isNotReady(error)) logOutage(log, error, what);
    else log.error({ err: error }, what);
  };
  const failed = failedTo('events were not published');
  const uncounted = failedTo('what was invited from SQL was not counted');

  /** A workspace that can't be counted now, because its quota is locked, delays neither others nor events. Returns whether all are. */
  async function countBatches(): Promise<boolean> {
    let counted = true;
    const failed = (error: unknown) => {
      counted = false;
      uncounted(error);
    };
    for (const workspace of await store.uncountedWorkspaces()) await store.countBatches(workspace).catch(failed);
    return counted;
  }

  const loop = createLoop(async () => {
    try {
      const counted = await countBatches();
      const taken = await store.publishEvents(MAX_ROWS);
      if (taken > 0) return taken < MAX_ROWS ? BUSY_MS : 0;
      return (await store.restPublisher()) && counted ? undefined : OPEN_MS;
    } catch (error) {
      failed(error);
      return RETRY_MS;
    }
  });
  return {
    wake: loop.wake,
    async stop() {
      if (await loop.stop()) await store.wakePublisher().catch(failed);
    },
  };
}
