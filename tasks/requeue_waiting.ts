// Requeues the waiting invitations of a survey that has become sendable, one bounded step a job.
import type { Task } from 'graphile-worker';
import type { TaskContext } from '../src/worker/tasks.ts';

export default ({ store, log, recorder }: TaskContext): Task =>
  async (payload) => {
    const { survey_id, after } = payload as { survey_id: string; after?: number | null };
    const requeued = await store.requeueWaiting(survey_id, after);
    if (requeued === 0) return;
    recorder?.requeued('activation', requeued);
    log.info({ survey: survey_id, requeued }, 'waiting invitations requeued');
  };
