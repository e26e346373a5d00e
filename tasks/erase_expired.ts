// Erases what is older than the retention; each hour if RETENTION_DAYS is set, by the crontab in src/worker/tasks.ts, and again while there is more.
import type { Task } from 'graphile-worker';
import type { TaskContext } from '../src/worker/tasks.ts';

export default ({ store, retentionDays, log }: TaskContext): Task =>
  async () => {
    // A step may be left from when it was set.
    if (retentionDays === undefined) return;
    const erased = await store.eraseExpired(retentionDays);
    if (erased > 0) log.info({ erased }, 'expired invitations erased');
  };
