// Tells an owner, or the operator, what the guard found and did.
import type { Task } from 'graphile-worker';
import type { GuardFigure } from '../src/database/store.ts';
import type { MemberEmail } from '../src/worker/member-email.ts';

interface Payload {
  readonly workspace_id: string;
  /** Null: the operator. */
  readonly email: string | null;
  readonly verdict: 'warn' | 'pause';
  readonly figure: GuardFigure;
}

export default ({ memberEmail }: { memberEmail: Pick<MemberEmail, 'sendGuardNotice'> }): Task =>
  async (payload, { job }) => {
    const { workspace_id: workspaceId, email, verdict, figure } = payload as Payload;
    await memberEmail.sendGuardNotice({ workspaceId, verdict, figure }, email, String(job.id));
  };
