// Deletes old counts of rejected requests. Every ten minutes.
import type { Task } from 'graphile-worker';
import type { Store } from '../src/database/store.ts';

export default ({ store }: { store: Pick<Store, 'pruneRejections'> }): Task =>
  async () => {
    await store.pruneRejections();
  };
