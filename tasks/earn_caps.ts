// Raises what domains have earned, once a day is over.
import type { Task } from 'graphile-worker';
import type { Store } from '../src/database/store.ts';
import type { Log } from '../src/log.ts';

interface Context {
  readonly store: Pick<Store, 'earnCaps'>;
  readonly log: Log;
}

export default ({ store, log }: Context): Task =>
  async () => {
    const raised = await store.earnCaps();
    if (raised > 0) log.info({ raised }, 'domains have earned a higher limit');
  };
