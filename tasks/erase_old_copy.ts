// Erases what is left of a workspace that has moved to another cell, once its time has come. Each job runs one step.
import type { Task } from 'graphile-worker';
import type { Store } from '../src/database/store.ts';

export default ({ store }: { store: Pick<Store, 'eraseOldCopy'> }): Task =>
  async (payload, { addJob }) => {
    const { workspace_id } = payload as { workspace_id: string };
    const { more } = await store.eraseOldCopy(workspace_id);
    if (more) await addJob('erase_old_copy', { workspace_id }, { jobKey: `erase_old_copy ${workspace_id}` });
  };
