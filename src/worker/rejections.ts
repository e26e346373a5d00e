// Which claimed messages are not worth a request any more: SQL stops a batch after five rejections in a row (reject_batches), and what this
// worker had claimed of it before is released, so that its next claim can tell.
import type { ClaimedInvitation } from '../database/store.ts';
import type { Result } from './settler.ts';

const MAX_IN_A_ROW = 5;

export type Rejections = ReturnType<typeof countRejections>;

/** Counts within one claim, because the next claim is decided by SQL. */
export function countRejections() {
  const inARow = new Map<string, number>();
  const keyOf = ({ batchId, messageKind }: ClaimedInvitation) => `${batchId}.${messageKind}`;
  return {
    stop: (invitation: ClaimedInvitation): boolean => (inARow.get(keyOf(invitation)) ?? 0) >= MAX_IN_A_ROW,
    count(invitation: ClaimedInvitation, outcome: Result): void {
      const key = keyOf(invitation);
      if (outcome.kind === 'accepted') inARow.delete(key);
      else if (outcome.kind === 'rejected' && !SINGLE.has(outcome.code)) inARow.set(key, (inARow.get(key) ?? 0) + 1);
    },
  };
}

/** What is wrong with one message and says nothing about its neighbors; the same codes as in settle_invitations. */
const SINGLE = new Set(['invalid_recipient', 'message_too_large']);
