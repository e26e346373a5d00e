// Deletes old counts of rejected requests. Every ten minutes.
import type { Task } from 'graphile-worker';
import type { Store } from '../src/database/store.ts';

export default ({ store }: { store: Pick<Store, 'pruneRefusals'> }): Task =>
  async () => {
    await store.pruneRefusals();
  };
