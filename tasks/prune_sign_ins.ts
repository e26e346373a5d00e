// Deletes ended sessions, and old sign-in links and test mails; every ten minutes, by the crontab in src/tasks.ts.
import type { Task } from 'graphile-worker';
import type { TaskContext } from '../src/tasks.ts';

export default ({ functions }: TaskContext): Task =>
  async () => {
    await functions.pruneSignIns();
  };
