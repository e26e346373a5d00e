// Does the work that must follow a commit. It gives events their positions, so that readers see them, and it counts invitations that were
// requested from SQL against the quota.
import { isNotReady } from '../database/pool.ts';
import type { Store } from '../database/store.ts';
import type { Log } from '../log.ts';
import { logOutage } from '../outage.ts';
import { createLoop } from './loop.ts';

const MAX_ROWS = 2_000;
/** Milliseconds until the next step: after events were published, while an open transaction may add more, and after a failed call. */
const BUSY_MS = 100;
const OPEN_MS = 250;
const RETRY_MS = 1_000;

export interface PublisherContext {
  readonly store: Pick<Store, 'publishEvents' | 'restPublisher' | 'uncountedWorkspaces' | 'countBatches' | 'wakePublisher'>;
  readonly log: Log;
}

export interface Publisher {
  wake(): void;
  /** Resolves when the current call has ended. Another worker publishes the remaining events. */
  stop(): Promise<void>;
}

export function createPublisher({ store, log }: PublisherContext): Publisher {
  const logAs = (message: string) => (error: unknown) => {
    if (isNotReady(error)) logOutage(log, error, message);
    else log.error({ err: error }, message);
  };
  const logUnpublished = logAs('events were not published');
  const logUncounted = logAs('what was invited from SQL was not counted');

  /** Returns whether every workspace was counted. One whose quota is locked is counted later, and delays neither the others nor events. */
  async function countBatches(): Promise<boolean> {
    let counted = true;
    const onError = (error: unknown) => {
      counted = false;
      logUncounted(error);
    };
    for (const workspace of await store.uncountedWorkspaces()) await store.countBatches(workspace).catch(onError);
    return counted;
  }

  const loop = createLoop(async () => {
    try {
      const counted = await countBatches();
      const taken = await store.publishEvents(MAX_ROWS);
      if (taken > 0) return taken < MAX_ROWS ? BUSY_MS : 0;
      return (await store.restPublisher()) && counted ? undefined : OPEN_MS;
    } catch (error) {
      logUnpublished(error);
      return RETRY_MS;
    }
  });
  return {
    wake: loop.wake,
    async stop() {
      if (await loop.stop()) await store.wakePublisher().catch(logUnpublished);
    },
  };
}
