// Mails a sign-in link that somebody has asked for.
import type { Task } from 'graphile-worker';
import type { TaskContext } from '../src/worker/tasks.ts';

export default ({ sendSignInLink }: TaskContext): Task =>
  async (payload, { job }) => {
    const { link_id } = payload as { link_id: string };
    await sendSignInLink(link_id, job.attempts);
  };
