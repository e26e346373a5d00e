// Adds the newest changes up in the counts of answers, a step per job. Every minute.
import type { Task } from 'graphile-worker';
import type { Store } from '../src/database/store.ts';

export default ({ store }: { store: Pick<Store, 'foldResultCounts'> }): Task =>
  async () => {
    await store.foldResultCounts();
  };
