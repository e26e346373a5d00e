// What waits for a commit: positions of events, so that readers see them, and the quota of what was invited from SQL.
import { isNotReady } from '../database/pool.ts';
import type { Store } from '../database/store.ts';
import { type Log, logOutage } from '../log.ts';

const MAX_ROWS = 2_000;
/** While there is something, and otherwise. */
const BUSY_MS = 50;
const IDLE_MS = 400;

export interface PublisherContext {
  readonly store: Pick<Store, 'publishEvents' | 'countBatches'>;
  readonly log: Log;
}

/** Begins at once. stop resolves when the last call has ended. */
export function startPublisher({ store, log }: PublisherContext): { stop(): Promise<void> } {
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;

  async function publish(): Promise<void> {
    let wait = IDLE_MS;
    try {
      await store.countBatches();
      const taken = await store.publishEvents(MAX_ROWS);
      if (taken > 0) wait = taken < MAX_ROWS ? BUSY_MS : 0;
    } catch (error) {
      if (isNotReady(error)) logOutage(log, error, 'events were not published');
      else log.error({ err: error }, 'events were not published');
    }
    if (!stopped) timer = setTimeout(run, wait);
  }
  let last = Promise.resolve();
  const run = () => {
    last = publish();
  };
  run();
  return {
    stop() {
      stopped = true;
      clearTimeout(timer);
      return last;
    },
  };
}
