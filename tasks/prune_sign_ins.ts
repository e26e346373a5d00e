// Deletes ended sessions, and old sign-in links and test emails. Every ten minutes.
import type { Task } from 'graphile-worker';
import type { Store } from '../src/database/store.ts';

export default ({ store }: { store: Pick<Store, 'pruneSignIns'> }): Task =>
  async () => {
    await store.pruneSignIns();
  };
