// Queues jobs for reminders that come due soon, and for emails whose job was lost. Every 15 seconds.
import type { Task } from 'graphile-worker';
import type { Store } from '../src/database/store.ts';

interface Context {
  readonly store: Pick<Store, 'sweepInvitations' | 'nextSweep'>;
  readonly relay?: string | undefined;
}

export default ({ store, relay }: Context): Task =>
  async () => {
    await store.sweepInvitations(relay);
    await store.nextSweep();
  };
