// Deletes expired idempotency keys, sessions, sign-in links, test emails and counts of rejected requests, and data whose retention has
// ended. Runs every ten minutes.
import type { Task } from 'graphile-worker';
import { isNotReady } from '../src/database/pool.ts';
import type { Store } from '../src/database/store.ts';

export default ({ store }: { store: Pick<Store, 'pruneExpired' | 'pruneEvents'> }): Task =>
  async () => {
    await store.pruneExpired();
    try {
      while (await store.pruneEvents());
    } catch (error) {
      // A reader's transaction blocks the deletion of a week of events. The next run deletes it.
      if (!isNotReady(error)) throw error;
    }
  };
