// Deletes a survey that a member has begun to delete, a step per job.
import type { Task } from 'graphile-worker';
import { errorCode, NOT_FOUND } from '../src/database/pool.ts';
import type { DeleteResult, Store } from '../src/database/store.ts';

/** Milliseconds before it looks again at emails that a worker has. */
const PAUSE = 5_000;

export default ({ store }: { store: Pick<Store, 'deleteSurvey'> }): Task =>
  async (payload, { addJob }) => {
    const { survey_id } = payload as { survey_id: string };
    const step = await store.deleteSurvey(survey_id).catch(isGone);
    if (!step.more) return;
    const later = step.deleted === 0 && { runAt: new Date(Date.now() + PAUSE) };
    await addJob('delete_survey', { survey_id }, { jobKey: `delete_survey ${survey_id}`, ...later });
  };

/** Somebody else has deleted it. */
function isGone(error: unknown): DeleteResult {
  if (errorCode(error) === NOT_FOUND) return { deleted: 0, sending: 0, more: false };
  throw error;
}
