// Requeues the surveys of a workspace that can send again.
import type { Task } from 'graphile-worker';
import type { Store } from '../src/database/store.ts';

export default ({ store }: { store: Pick<Store, 'requeueWorkspace'> }): Task =>
  async (payload) => {
    const { workspace_id } = payload as { workspace_id: string };
    await store.requeueWorkspace(workspace_id);
  };
