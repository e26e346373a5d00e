// What the log says of each mail: every line names its invitation by id, so that one can be followed. Failures at info, the rest at debug.
// Never the relay's text, which may quote an address.
import type { ClaimedInvitation } from '../database/store.ts';
import type { Log } from '../log.ts';
import type { Result } from './settler.ts';

/** After so many attempts a mail is given up: max_attempts of settle_invitations. */
export const MAX_ATTEMPTS = 12;

/** A claim: which of the invitations that a job named are to be sent, and which are not, because they are held, suppressed or gone. */
export function logClaim(log: Log, asked: readonly number[], claimed: readonly ClaimedInvitation[]): void {
  if (!log.isLevelEnabled('debug')) return;
  for (const { id, mail, attempts, batchId, surveyId } of claimed) {
    log.debug({ invitation: id, mail, attempts, batch: batchId, survey: surveyId }, 'mail claimed');
  }
  const ids = new Set(claimed.map(({ id }) => id));
  for (const id of asked.map(String).filter((one) => !ids.has(one))) {
    log.debug({ invitation: id }, 'mail not claimed: not due, held, suppressed, paused or gone');
  }
}

/** The end of an attempt; undefined: it was not begun. */
export function logOutcome(log: Log, { id, mail, attempts }: ClaimedInvitation, outcome: Result | undefined): void {
  const kind = outcome?.kind ?? 'released';
  const line = { invitation: id, mail, attempts, outcome: kind, code: codeOf(outcome) };
  if (kind === 'rejected' || kind === 'suppressed') log.info(line, 'mail refused');
  else if (kind === 'unconfirmed') log.info(line, 'mail held: it may have been sent');
  else if (isCounted(outcome) && attempts >= MAX_ATTEMPTS) log.info(line, 'mail given up');
  else log.debug(line, 'mail tried');
}

/** Whether an attempt counts towards the last one: not where the relay has asked for a pause. */
const isCounted = (outcome: Result | undefined): boolean =>
  outcome?.kind === 'unknown' || (outcome?.kind === 'retry' && outcome.afterSeconds === undefined);

/** A code is the relay's word, but it must be a word. */
const codeOf = (outcome: Result | undefined): string | undefined =>
  outcome !== undefined && outcome.kind !== 'accepted' && /^[\w.-]{1,60}$/.test(outcome.code) ? outcome.code : undefined;
