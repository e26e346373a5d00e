// Makes the newest recipients findable by name and metadata, a step per job. Every minute.
import type { Task } from 'graphile-worker';
import type { Store } from '../src/database/store.ts';

export default ({ store }: { store: Pick<Store, 'indexRecipients'> }): Task =>
  async () => {
    await store.indexRecipients();
  };
