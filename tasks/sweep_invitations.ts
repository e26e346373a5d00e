// Queues jobs for reminders that come due soon, and for what lost its job. Every 15 seconds.
import type { Task } from 'graphile-worker';
import type { Store } from '../src/database/store.ts';

interface Context {
  readonly store: Pick<Store, 'sweepInvitations' | 'healEvents' | 'nextSweep'>;
  readonly relay?: string | undefined;
}

export default ({ store, relay }: Context): Task =>
  async () => {
    await store.sweepInvitations(relay);
    await store.healEvents();
    await store.nextSweep();
  };
