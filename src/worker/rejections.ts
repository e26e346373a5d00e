// What isn't worth a request any more: SQL stops a batch after five rejections in a row (reject_batches), and the rest of its claim is
// released.
import type { ClaimedInvitation } from '../database/store.ts';
import type { Result } from './settler.ts';

const MAX_IN_A_ROW = 5;

export type Rejections = ReturnType<typeof countRejections>;

/** Within one claim: SQL decides about the next. */
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

/** Says nothing about the neighbors; the same codes as in is_content_rejection. */
const SINGLE = new Set(['invalid_recipient', 'message_too_large']);
