// Requeues the waiting invitations of a survey that can send again, one step per job.
import type { Task } from 'graphile-worker';
import type { Store } from '../src/database/store.ts';
import type { Log } from '../src/log.ts';
import type { Recorder } from '../src/metrics.ts';

interface Context {
  readonly store: Pick<Store, 'requeueWaiting'>;
  readonly log: Log;
  readonly recorder?: Recorder | undefined;
}

export default ({ store, log, recorder }: Context): Task =>
  async (payload) => {
    const { survey_id, after } = payload as { survey_id: string; after?: number | null };
    const requeued = await store.requeueWaiting(survey_id, after);
    if (requeued === 0) return;
    recorder?.requeued('activation', requeued);
    log.info({ survey: survey_id, requeued }, 'waiting invitations requeued');
  };
