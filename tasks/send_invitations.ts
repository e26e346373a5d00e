// Sends the due ones among the invitations that a job names.
import type { Task } from 'graphile-worker';
import type { TaskContext } from '../src/worker/tasks.ts';

export default ({ delivery }: TaskContext): Task =>
  async (payload) => {
    const { invitation_ids } = payload as { invitation_ids: number[] };
    await delivery.deliver(invitation_ids);
  };
