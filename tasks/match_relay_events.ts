// Attributes relay events that arrived before their message was settled. Runs every minute.
import type { Task } from 'graphile-worker';
import type { Store } from '../src/database/store.ts';

export default ({ store }: { store: Pick<Store, 'matchRelayEvents'> }): Task =>
  async () => {
    await store.matchRelayEvents();
  };
