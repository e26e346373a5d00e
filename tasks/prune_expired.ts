// Deletes expired idempotency keys, sessions, sign-in links, test emails and counts of rejected requests. Every ten minutes.
import type { Task } from 'graphile-worker';
import type { Store } from '../src/database/store.ts';

export default ({ store }: { store: Pick<Store, 'pruneExpired'> }): Task =>
  async () => {
    await store.pruneExpired();
  };
