// Queues again what triggers and jobs have missed, and closes surveys whose job was lost. Runs every minute.
import type { Task } from 'graphile-worker';
import type { Store } from '../src/database/store.ts';
import type { Log } from '../src/log.ts';

interface Context {
  readonly store: Pick<Store, 'healInvitations' | 'closeSurveys'>;
  readonly log: Log;
}

export default ({ store, log }: Context): Task =>
  async () => {
    await store.closeSurveys();
    const healed = await store.healInvitations();
    if (healed > 0) log.warn({ healed }, 'emails were stuck, and have been queued again');
  };
