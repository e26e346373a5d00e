// Emails a new member.
import type { Task } from 'graphile-worker';
import type { MemberEmail } from '../src/worker/member-email.ts';

export default ({ memberEmail }: { memberEmail: Pick<MemberEmail, 'sendMemberInvitation'> }): Task =>
  async (payload, { job }) => {
    const { workspace_id, email, invited_by } = payload as { workspace_id: string; email: string; invited_by: string };
    await memberEmail.sendMemberInvitation(workspace_id, email, invited_by, String(job.id));
  };
