// Adds the newest recipients to the search by name and metadata, one step per job. Runs every minute.
import type { Task } from 'graphile-worker';
import type { Store } from '../src/database/store.ts';

export default ({ store }: { store: Pick<Store, 'indexRecipients'> }): Task =>
  async () => {
    await store.indexRecipients();
  };
