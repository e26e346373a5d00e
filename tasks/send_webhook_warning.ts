// Tells the owners of a workspace that one of its webhooks has failed for a day.
import type { Task } from 'graphile-worker';
import type { MemberEmail } from '../src/worker/member-email.ts';

export default ({ memberEmail }: { memberEmail: Pick<MemberEmail, 'sendWebhookWarning'> }): Task =>
  async (payload, { job }) => {
    const { endpoint_id } = payload as { endpoint_id: string };
    await memberEmail.sendWebhookWarning(endpoint_id, job.id);
  };
