// Requeues the surveys of a workspace that may have become sendable.
import type { Task } from 'graphile-worker';
import type { TaskContext } from '../src/tasks.ts';

export default ({ functions }: TaskContext): Task =>
  async (payload) => {
    const { workspace_id } = payload as { workspace_id: string };
    await functions.requeueWorkspace(workspace_id);
  };
