// Emails a test invitation to the member who asked for it.
import type { Task } from 'graphile-worker';
import type { MemberEmail } from '../src/worker/member-email.ts';

export default ({ memberEmail }: { memberEmail: Pick<MemberEmail, 'sendTestInvitation'> }): Task =>
  async (payload, { job }) => {
    const { test_id } = payload as { test_id: string };
    await memberEmail.sendTestInvitation(test_id, job.attempts);
  };
