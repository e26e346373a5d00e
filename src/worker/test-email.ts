// Sends a test mail to the member who asked for it. Beside delivery, not through it: no invitation, count or metric knows of it.
import type { Store } from '../database/store.ts';
import type { Log } from '../log.ts';
import type { RenderOptions } from '../mail/render.ts';
import { renderTest } from '../mail/test-invitation.ts';
import { isTriedAgain, type MessageSender } from '../relay/relay.ts';

/** @param attempt 1 for the first. Rejects if the mail may be tried again; the job then is. */
export type SendTestInvitation = (testId: string, attempt: number) => Promise<void>;

export function createTestInvitationMailer(
  store: Pick<Store, 'issueTestInvitation' | 'recordTestOutcome'>,
  sender: MessageSender,
  options: RenderOptions,
  log: Log,
): SendTestInvitation {
  return async (testId, attempt) => {
    const test = await store.issueTestInvitation(testId);
    if (test === null) return;
    const [outcome] = await sender.send([renderTest(test, options)], attempt);
    const kind = outcome?.kind ?? 'unknown';
    // Neither the page nor the log gets the relay's words: they may repeat the address.
    const code = outcome === undefined || outcome.kind === 'accepted' ? null : outcome.code;
    await store.recordTestOutcome(testId, kind, code);
    log.info({ test_invitation: testId, outcome: kind }, 'test mail tried');
    if (isTriedAgain(kind)) throw new Error(`the test mail did not surely leave: ${kind}`);
  };
}
