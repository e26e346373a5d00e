// Emails a sign-in link that someone has asked for.
import type { Task } from 'graphile-worker';
import type { MemberEmail } from '../src/worker/member-email.ts';

export default ({ memberEmail }: { memberEmail: Pick<MemberEmail, 'sendSignInLink'> }): Task =>
  async (payload, { job }) => {
    const { link_id } = payload as { link_id: string };
    await memberEmail.sendSignInLink(link_id, job.attempts);
  };
