// Emails to members: sign-in links, tests, that somebody has added them, that a webhook fails, and what the guard did. Not through delivery: no invitation,
// count or metric includes them.
import type { Store, TestMessage } from '../database/store.ts';
import { Speeches } from '../languages/speeches.ts';
import type { Log } from '../log.ts';
import {
  type GuardNotice,
  renderGuardNotice,
  renderMemberInvitation,
  renderSignIn,
  renderTest,
  renderWebhookWarning,
} from '../mail/member-email.ts';
import type { RenderOptions } from '../mail/render.ts';
import { EmailTooLargeError } from '../mail/size.ts';
import { isTriedAgain, type MessageSender, type Outcome } from '../relay/relay.ts';
import { createKey } from '../secret.ts';

export interface MemberEmailContext {
  readonly store: Pick<
    Store,
    | 'home'
    | 'issueSignInLink'
    | 'issueTestInvitation'
    | 'recordTestOutcome'
    | 'findMemberInvitation'
    | 'findWebhookWarning'
    | 'findGuardNotice'
    | 'findWording'
  >;
  readonly sender: MessageSender;
  readonly render: RenderOptions;
  /** Undefined: there is none. */
  readonly operatorEmail?: string | undefined;
  readonly log: Log;
}

export type MemberEmail = ReturnType<typeof createMemberEmail>;

/** They reject so that graphile-worker retries. */
export function createMemberEmail({ store, sender, render, operatorEmail, log }: MemberEmailContext) {
  const speeches = new Speeches(store.findWording);
  async function sendTest(test: TestMessage, attempt: number): Promise<Outcome[]> {
    try {
      return await sender.send([renderTest(test, render, await speeches.of(test.wording))], attempt);
    } catch (error) {
      if (!(error instanceof EmailTooLargeError)) throw error;
      return [{ kind: 'rejected', code: 'message_too_large', detail: error.message }];
    }
  }

  return {
    /** Makes a secret for each attempt: no table or job ever has it. */
    async sendSignInLink(linkId: string, attempt: number): Promise<void> {
      const { key: secret, hash } = createKey(await store.home());
      const email = await store.issueSignInLink(linkId, hash);
      if (email === null) return;
      const [outcome] = await sender.send([renderSignIn(email, secret, `sign-in.${linkId}.${attempt}`, render)], 1);
      const kind = outcome?.kind ?? 'unknown';
      log.info({ sign_in_link: linkId, outcome: kind }, 'sign-in email attempted');
      // Not the relay's text, which may repeat the address.
      if (isTriedAgain(kind)) throw new Error(`the sign-in email may not have been sent: ${kind}`);
    },

    /** @param jobId The same at each attempt. */
    async sendMemberInvitation(workspaceId: string, email: string, invitedBy: string, jobId: string): Promise<void> {
      const found = await store.findMemberInvitation(workspaceId, email);
      if (found === null) return;
      const [outcome] = await sender.send(
        [renderMemberInvitation({ ...found, workspaceId, email, invitedBy }, `member.${jobId}`, render)],
        1,
      );
      const kind = outcome?.kind ?? 'unknown';
      log.info({ workspace: workspaceId, outcome: kind }, 'email to a new member attempted');
      if (isTriedAgain(kind)) throw new Error(`the email to a new member may not have been sent: ${kind}`);
    },

    /** To each owner. @param jobId The same at each attempt, so that who has it gets no second one where the relay knows keys. */
    async sendWebhookWarning(endpointId: string, jobId: string): Promise<void> {
      const found = await store.findWebhookWarning(endpointId);
      if (found === null) return;
      const kinds: string[] = [];
      for (const owner of found.owners) {
        const [outcome] = await sender.send(
          [renderWebhookWarning({ ...found, id: endpointId }, owner, `webhook.${jobId}.${owner}`, render)],
          1,
        );
        kinds.push(outcome?.kind ?? 'unknown');
      }
      log.info({ webhook: endpointId, outcomes: kinds }, 'email about a failing webhook attempted');
      if (kinds.some((kind) => isTriedAgain(kind as Outcome['kind'])))
        throw new Error(`the email about a failing webhook may not have been sent: ${kinds.join(', ')}`);
    },

    /**
     * To an owner, or to the operator.
     * @param jobId The same at each attempt.
     */
    async sendGuardNotice(notice: GuardNotice, owner: string | null, jobId: string): Promise<void> {
      const to = owner ?? operatorEmail;
      if (to === undefined) return;
      const workspaceName = await store.findGuardNotice(notice.workspaceId, owner);
      if (workspaceName === null) return;
      const message = renderGuardNotice({ ...notice, workspaceName, isOwner: owner !== null }, to, `guard.${jobId}`, render);
      const [outcome] = await sender.send([message], 1);
      const kind = outcome?.kind ?? 'unknown';
      log.info({ workspace: notice.workspaceId, outcome: kind }, 'email about the guard attempted');
      if (isTriedAgain(kind)) throw new Error(`the email about the guard may not have been sent: ${kind}`);
    },

    async sendTestInvitation(testId: string, attempt: number): Promise<void> {
      const test = await store.issueTestInvitation(testId);
      if (test === null) return;
      const [outcome] = await sendTest(test, attempt);
      const kind = outcome?.kind ?? 'unknown';
      const code = outcome === undefined || outcome.kind === 'accepted' ? null : outcome.code;
      await store.recordTestOutcome(testId, kind, code);
      log.info({ test_invitation: testId, outcome: kind }, 'test email attempted');
      if (isTriedAgain(kind)) throw new Error(`the test email may not have been sent: ${kind}`);
    },
  };
}
