// Marks unconfirmed invitations as sent after the relay has reported about them. Runs every minute.
import type { Task } from 'graphile-worker';
import type { Store } from '../src/database/store.ts';

export default ({ store }: { store: Pick<Store, 'confirmInvitations'> }): Task =>
  async () => {
    await store.confirmInvitations();
  };
