// Deletes ended sessions, and old sign-in links and test mails; every ten minutes, by the crontab in src/worker/tasks.ts.
import type { Task } from 'graphile-worker';
import type { TaskContext } from '../src/worker/tasks.ts';

export default ({ store }: TaskContext): Task =>
  async () => {
    await store.pruneSignIns();
  };
