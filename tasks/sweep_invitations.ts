// Queues jobs for reminders that will be due soon, and for messages that lost their job. Runs every 15 seconds.
import type { Task } from 'graphile-worker';
import type { Store } from '../src/database/store.ts';

interface Context {
  readonly store: Pick<Store, 'sweepInvitations' | 'healEvents' | 'nextSweep'>;
}

export default ({ store }: Context): Task =>
  async () => {
    await store.sweepInvitations();
    await store.healEvents();
    await store.nextSweep();
  };
