// Deletes expired idempotency keys, sessions, sign-in links, test emails and counts of rejected requests, and data whose retention has
// ended. Runs every ten minutes. Each kind is a transaction of its own, and what fails stops none of the others.
import type { Task } from 'graphile-worker';
import { EXPIRING } from '../src/database/deliveries.ts';
import { isNotReady } from '../src/database/pool.ts';
import type { Store } from '../src/database/store.ts';

export default ({ store }: { store: Pick<Store, 'pruneExpired' | 'pruneEvents'> }): Task =>
  async () => {
    const errors: unknown[] = [];
    for (const what of EXPIRING) {
      try {
        await store.pruneExpired(what);
      } catch (error) {
        errors.push(error);
      }
    }
    try {
      while (await store.pruneEvents());
    } catch (error) {
      // A reader's transaction blocks the deletion of a week of events. The next run deletes it.
      if (!isNotReady(error)) errors.push(error);
    }
    if (errors.length > 0) throw errors[0];
  };
