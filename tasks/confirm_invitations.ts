// Ends unconfirmed invitations as sent once the relay has reported on them. Every minute.
import type { Task } from 'graphile-worker';
import type { Store } from '../src/database/store.ts';

export default ({ store }: { store: Pick<Store, 'confirmInvitations'> }): Task =>
  async () => {
    await store.confirmInvitations();
  };
