// The log's lines about the relay: one when its condition changes, from the worker whose result changed it, and one when it takes email again.
import type { RelayChange, RelayCondition } from '../database/store.ts';
import type { Log } from '../log.ts';
import { withoutAddresses } from '../relay/redact.ts';

/** A relay that is busy for a moment, again and again, gets a pair of lines a minute. */
const EVERY_MS = 60_000;

export const RELAY_WORDS = {
  fault: 'the relay takes no email: nothing is sent until it takes a probe',
  busy: 'the relay has asked for a pause',
  healthy: 'the relay takes email again',
} as const;

/** For a worker that starts: what others have found, which no change will say again. */
export function logRelayAtStart(log: Log, conditions: readonly RelayCondition[], name: string | undefined): void {
  const found = conditions.find(({ relay }) => relay === name);
  if (found !== undefined) log.warn(found, RELAY_WORDS[found.condition]);
}

/** @param now Milliseconds; for tests. */
export function createRelayLog(log: Log, now = () => performance.now()) {
  const saidAt = { fault: Number.NEGATIVE_INFINITY, busy: Number.NEGATIVE_INFINITY, healthy: Number.NEGATIVE_INFINITY };
  return ({ relay, from, condition, since, code, detail, paused_until }: RelayChange): void => {
    const isPassing = condition === 'busy' || (condition === 'healthy' && from === 'busy');
    if (isPassing && now() - saidAt[condition] < EVERY_MS) return;
    saidAt[condition] = now();
    const words = detail == null ? undefined : withoutAddresses(detail);
    log.warn(
      { relay, condition, code, words, paused_until, ...(condition === 'healthy' && { [from]: since }) },
      RELAY_WORDS[condition],
    );
  };
}
