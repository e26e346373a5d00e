// Adds the newest changes to the counts of answers, one step per job. Runs every minute.
import type { Task } from 'graphile-worker';
import type { Store } from '../src/database/store.ts';

export default ({ store }: { store: Pick<Store, 'foldResultCounts'> }): Task =>
  async () => {
    await store.foldResultCounts();
  };
