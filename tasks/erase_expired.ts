// Erases data that is older than the retention, one step per job. Runs every hour if RETENTION_DAYS is set.
import type { Task } from 'graphile-worker';
import type { Store } from '../src/database/store.ts';
import type { Log } from '../src/log.ts';

interface Context {
  readonly store: Pick<Store, 'eraseExpired'>;
  readonly retentionDays?: number | undefined;
  readonly log: Log;
}

export default ({ store, retentionDays, log }: Context): Task =>
  async () => {
    // The job may be from a time when RETENTION_DAYS was set.
    if (retentionDays === undefined) return;
    const erased = await store.eraseExpired(retentionDays);
    if (erased > 0) log.info({ erased }, 'expired invitations erased');
  };
