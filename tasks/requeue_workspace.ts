// Requeues the surveys of a workspace that may have become sendable.
import type { Task } from 'graphile-worker';
import type { TaskContext } from '../src/worker/tasks.ts';

export default ({ store }: TaskContext): Task =>
  async (payload) => {
    const { workspace_id } = payload as { workspace_id: string };
    await store.requeueWorkspace(workspace_id);
  };
