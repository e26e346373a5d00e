// Mails a test invitation to the member who asked for it.
import type { Task } from 'graphile-worker';
import type { TaskContext } from '../src/worker/tasks.ts';

export default ({ sendTestInvitation }: TaskContext): Task =>
  async (payload, { job }) => {
    const { test_id } = payload as { test_id: string };
    await sendTestInvitation(test_id, job.attempts);
  };
