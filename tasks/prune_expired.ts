// Deletes expired idempotency keys, sessions, sign-in links, test emails and counts of rejected requests, and what is past its retention. Every ten
// minutes.
import type { Task } from 'graphile-worker';
import { isNotReady } from '../src/database/pool.ts';
import type { Store } from '../src/database/store.ts';

export default ({ store }: { store: Pick<Store, 'pruneExpired' | 'pruneEvents'> }): Task =>
  async () => {
    await store.pruneExpired();
    try {
      while (await store.pruneEvents());
    } catch (error) {
      // A reader's transaction keeps a week of events until the next time.
      if (!isNotReady(error)) throw error;
    }
  };
