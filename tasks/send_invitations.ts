// Sends the due ones among the invitations that a job names, all of one survey.
import type { Task } from 'graphile-worker';
import type { TaskContext } from '../src/tasks.ts';

export default ({ delivery }: TaskContext): Task =>
  async (payload) => {
    const { survey_id, invitation_ids } = payload as { survey_id: string; invitation_ids: number[] };
    await delivery.deliver(survey_id, invitation_ids);
  };
