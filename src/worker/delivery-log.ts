// The log lines about emails: one for each request to the relay and outcome, because a line for each email would cost too much. They name
// invitations and batches by id, and never the relay's text, which may quote an address.
import { MAX_ATTEMPTS } from '../database/deliveries.ts';
import type { ClaimedInvitation } from '../database/store.ts';
import type { Log } from '../log.ts';
import type { Result } from './settler.ts';

export function logClaim(log: Log, claimed: readonly ClaimedInvitation[]): void {
  if (claimed.length > 0 && log.isLevelEnabled('debug'))
    log.debug({ invitations: claimed.map(({ id }) => id) }, 'emails claimed');
}

/** For those that the rule holds, puts off, skips or ends, and those that somebody else has claimed or deleted. */
export function logNotClaimed(log: Log, ids: readonly number[]): void {
  if (ids.length > 0)
    log.info({ invitations: ids.map(String) }, 'emails not sent now: held, put off, skipped, cancelled or deleted');
}

export function logNotQueued(log: Log, asked: readonly number[], found: readonly { readonly ids: readonly number[] }[]): void {
  if (!log.isLevelEnabled('debug')) return;
  const queued = new Set(found.flatMap(({ ids }) => ids));
  const others = asked.filter((id) => !queued.has(id));
  if (others.length > 0) log.debug({ invitations: others.map(String) }, 'emails not claimed: no longer queued');
}

/** Of one request to the relay. Without an outcome: not started. */
export function logOutcomes(
  log: Log,
  invitations: readonly ClaimedInvitation[],
  outcomes: ReadonlyMap<ClaimedInvitation, Result>,
): void {
  if (!log.isLevelEnabled('info')) return;
  const lineOf = (invitation: ClaimedInvitation) => {
    const outcome = outcomes.get(invitation);
    const { messageKind, attempts, surveyId } = invitation;
    const fields = { message_kind: messageKind, attempts, outcome: outcome?.kind ?? 'released', code: codeOf(outcome) };
    return JSON.stringify([messageOf(outcome, attempts), { ...fields, survey: surveyId }]);
  };
  for (const [line, some] of Map.groupBy(invitations, lineOf)) {
    const [message, fields] = JSON.parse(line);
    const batches = [...new Set(some.map(({ batchId }) => batchId))];
    const level = fields.outcome === 'released' ? 'debug' : 'info';
    log[level]({ ...fields, batches, invitations: some.map(({ id }) => id) }, message);
  }
}

function messageOf(outcome: Result | undefined, attempts: number): string {
  switch (outcome?.kind) {
    case undefined:
      return 'emails given back, not started';
    case 'accepted':
      return 'emails sent';
    case 'rejected':
    case 'suppressed':
      return 'emails rejected by the relay';
    case 'unconfirmed':
      return 'emails held: they may have been sent';
    default:
      return isCounted(outcome) && attempts >= MAX_ATTEMPTS
        ? 'emails failed at their last attempt'
        : 'emails not sent, tried again later';
  }
}

/** Not if the relay asked for a pause. */
const isCounted = (outcome: Result | undefined): boolean =>
  outcome?.kind === 'unknown' || (outcome?.kind === 'retry' && outcome.afterSeconds === undefined);

/** The relay's, if it is a plain word. */
const codeOf = (outcome: Result | undefined): string | undefined =>
  outcome !== undefined && outcome.kind !== 'accepted' && /^[\w.-]{1,60}$/.test(outcome.code) ? outcome.code : undefined;
