// The log lines about single emails. They name the invitation by id, failures at info and the rest at debug, and never the relay's text, which
// may quote an address.
import { MAX_ATTEMPTS } from '../database/deliveries.ts';
import type { ClaimedInvitation } from '../database/store.ts';
import type { Log } from '../log.ts';
import type { Result } from './settler.ts';

export function logClaim(log: Log, asked: readonly number[], claimed: readonly ClaimedInvitation[]): void {
  if (!log.isLevelEnabled('debug')) return;
  for (const { id, messageKind, attempts, batchId, surveyId } of claimed) {
    log.debug({ invitation: id, message_kind: messageKind, attempts, batch: batchId, survey: surveyId }, 'email claimed');
  }
  const ids = new Set(claimed.map(({ id }) => id));
  for (const id of asked.map(String).filter((one) => !ids.has(one))) {
    log.debug({ invitation: id }, 'email not claimed: not due, held, suppressed, paused or deleted');
  }
}

export function logNotQueued(log: Log, asked: readonly number[], found: readonly { readonly ids: readonly number[] }[]): void {
  if (!log.isLevelEnabled('debug')) return;
  const queued = new Set(found.flatMap(({ ids }) => ids));
  for (const id of asked.filter((one) => !queued.has(one))) {
    log.debug({ invitation: String(id) }, 'email not claimed: it is no longer queued');
  }
}

/** Undefined: not started. */
export function logOutcome(log: Log, { id, messageKind, attempts }: ClaimedInvitation, outcome: Result | undefined): void {
  const kind = outcome?.kind ?? 'released';
  const line = { invitation: id, message_kind: messageKind, attempts, outcome: kind, code: codeOf(outcome) };
  if (kind === 'rejected' || kind === 'suppressed') log.info(line, 'email rejected by the relay');
  else if (kind === 'unconfirmed') log.info(line, 'email held: it may have been sent');
  else if (isCounted(outcome) && attempts >= MAX_ATTEMPTS) log.info(line, 'email failed at its last attempt');
  else log.debug(line, 'email attempted');
}

/** Not if the relay asked for a pause. */
const isCounted = (outcome: Result | undefined): boolean =>
  outcome?.kind === 'unknown' || (outcome?.kind === 'retry' && outcome.afterSeconds === undefined);

/** The relay's, if it is a plain word. */
const codeOf = (outcome: Result | undefined): string | undefined =>
  outcome !== undefined && outcome.kind !== 'accepted' && /^[\w.-]{1,60}$/.test(outcome.code) ? outcome.code : undefined;
