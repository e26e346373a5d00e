// Makes jobs for reminders that come near and for mails whose job was lost; each minute, by the crontab in src/worker/tasks.ts.
import type { Task } from 'graphile-worker';
import type { TaskContext } from '../src/worker/tasks.ts';

export default ({ store }: TaskContext): Task =>
  async () => {
    await store.sweepInvitations();
  };
