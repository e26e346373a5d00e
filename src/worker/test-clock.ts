// Moves the clocks of test workspaces. Each step is a transaction: what is due at a time is claimed, rendered, put into the outbox of the
// workspace and settled, so that a crash leaves nothing half done. Nothing here knows a relay.
import type { ClaimedInvitation, Settlement, Store, TestEmail, TestStep } from '../database/store.ts';
import type { Speech } from '../languages/languages.ts';
import { Speeches } from '../languages/speeches.ts';
import type { Log } from '../log.ts';
import { linksOf, type RenderOptions, render } from '../mail/render.ts';
import { EmailTooLargeError } from '../mail/size.ts';

type Steps = Pick<Store, 'beginTestStep' | 'claimInTest' | 'settleInTest' | 'recordTestEmails' | 'endTestStep'>;

export interface TestClockContext {
  readonly store: Pick<Store, 'nextTestAdvance' | 'queueTestAdvance' | 'findWording'>;
  /** Runs calls in one transaction. */
  readonly inTransaction: <T>(work: (store: Steps) => Promise<T>) => Promise<T>;
  readonly workerId: string;
  readonly render: RenderOptions;
  readonly log: Log;
}

/** Milliseconds of a turn. After it, other jobs have theirs. */
const TURN = 250;

export type TestClocks = ReturnType<typeof createTestClocks>;

export function createTestClocks(context: TestClockContext) {
  const { store, inTransaction, log } = context;
  const speeches = new Speeches(store.findWording);
  return {
    /** Does the next advance of the workspace for a turn, and queues another turn if there is more to do. */
    async advance(workspaceId: string): Promise<void> {
      const ends = performance.now() + TURN;
      let advance = await store.nextTestAdvance(workspaceId);
      let before: TestStep | undefined;
      while (advance !== null && performance.now() < ends) {
        const current = advance;
        const made = await inTransaction((steps) => step({ ...context, speeches }, steps, current));
        if (!made.more) {
          log.info({ workspace: workspaceId, advance }, 'test clock advanced');
          advance = await store.nextTestAdvance(workspaceId);
        } else if (isSame(made, before)) {
          // Somebody else has locked what is due.
          await store.queueTestAdvance(workspaceId, 1);
          return;
        }
        before = made;
      }
      if (advance !== null) await store.queueTestAdvance(workspaceId, 0);
    },
  };
}

/** Whether the step before has moved nothing of what was due. */
const isSame = (made: TestStep, before: TestStep | undefined): boolean =>
  made.due.length > 0 && before !== undefined && made.at.getTime() === before.at.getTime() && `${made.due}` === `${before.due}`;

async function step(
  { workerId, render, speeches }: TestClockContext & { speeches: Speeches },
  steps: Steps,
  advance: string,
): Promise<TestStep> {
  const begun = await steps.beginTestStep(advance);
  const { at, due, more, eventsFrom } = begun;
  if (!more) return begun;
  if (due.length > 0) {
    const claimed = await steps.claimInTest(due, workerId, at);
    const sent = await Promise.all(
      claimed.map(async (one) => sendTo({ ...one, speech: await speeches.of(one.wording) }, render)),
    );
    await steps.recordTestEmails(
      advance,
      sent.flatMap(({ email }) => email ?? []),
      at,
    );
    await steps.settleInTest(
      sent.map(({ result }) => result),
      at,
    );
  }
  await steps.endTestStep(advance, eventsFrom);
  return begun;
}

/** What a relay would have got, and what becomes of it. */
function sendTo(
  invitation: ClaimedInvitation & { speech: Speech },
  options: RenderOptions,
): { email?: TestEmail; result: Settlement } {
  const { id, claimId, messageNumber } = invitation;
  try {
    const { from, replyTo, to, subject, text, html, headers } = render(invitation, options);
    const links = linksOf(invitation, options.publicUrl);
    return {
      email: { id, number: messageNumber, email: { to, from, reply_to: replyTo, subject, links, text, html, headers } },
      result: { id, claim_id: claimId, outcome: 'accepted', relay_message_id: headers['Message-ID'] },
    };
  } catch (error) {
    if (!(error instanceof EmailTooLargeError)) throw error;
    return {
      result: { id, claim_id: claimId, outcome: 'rejected', code: 'message_too_large', detail: `Not sent: ${error.message}.` },
    };
  }
}
