// Deletes a survey after a member has started its deletion. Each job runs one step.
import type { Task } from 'graphile-worker';
import { errorCode, NOT_FOUND } from '../src/database/pool.ts';
import type { DeleteResult, Store } from '../src/database/store.ts';

/** In milliseconds. How long to wait before checking again whether a worker has finished sending the survey's emails. */
const PAUSE = 5_000;

export default ({ store }: { store: Pick<Store, 'deleteSurvey'> }): Task =>
  async (payload, { addJob }) => {
    const { survey_id } = payload as { survey_id: string };
    const step = await store.deleteSurvey(survey_id).catch(isGone);
    if (!step.more) return;
    const later = step.deleted === 0 && { runAt: new Date(Date.now() + PAUSE) };
    await addJob('delete_survey', { survey_id }, { jobKey: `delete_survey ${survey_id}`, ...later });
  };

/** The survey is already deleted. */
function isGone(error: unknown): DeleteResult {
  if (errorCode(error) === NOT_FOUND) return { deleted: 0, sending: 0, more: false };
  throw error;
}
