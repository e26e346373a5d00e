// Makes jobs for reminders that come near and for mails whose job was lost; each minute, by the crontab in src/tasks.ts.
import type { Task } from 'graphile-worker';
import type { TaskContext } from '../src/tasks.ts';

export default ({ functions }: TaskContext): Task =>
  async () => {
    await functions.sweepInvitations();
  };
