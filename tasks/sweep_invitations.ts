// Queues jobs for reminders that come due soon, and for emails whose job was lost. Every minute.
import type { Task } from 'graphile-worker';
import type { Store } from '../src/database/store.ts';

export default ({ store }: { store: Pick<Store, 'sweepInvitations'> }): Task =>
  async () => {
    await store.sweepInvitations();
  };
