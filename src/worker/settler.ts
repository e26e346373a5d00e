// Writes what became of claimed messages, and never loses a result.
import { setTimeout as delay } from 'node:timers/promises';
import { errorCode, isNotReady, LOCK_TIMEOUT } from '../database/pool.ts';
import type { ClaimedInvitation, RelayLimits, Settlement, Store } from '../database/store.ts';
import type { Log } from '../log.ts';
import { logOutage } from '../outage.ts';
import type { Outcome } from '../relay/relay.ts';
import { createRelayLog } from './relay-log.ts';

/** unconfirmed: it may have been sent, and is held. */
export type Result = Outcome | { readonly kind: 'unconfirmed'; readonly code: string; readonly detail: string };

/** @param outcome Undefined: not started. */
export function settlement({ id, claimId }: ClaimedInvitation, outcome: Result | undefined): Settlement {
  const claim = { id, claim_id: claimId };
  if (outcome === undefined) return { ...claim, outcome: 'released' };
  if (outcome.kind === 'accepted') return { ...claim, outcome: 'accepted', relay_message_id: outcome.messageId };
  const { kind, code, detail } = outcome;
  return { ...claim, outcome: kind, code, detail, retry_after_seconds: kind === 'retry' ? outcome.afterSeconds : undefined };
}

interface Entry {
  readonly result: Settlement;
  readonly done: () => void;
  readonly failed: (error: unknown) => void;
}

/** Before a result whose row is locked is tried again. */
const LOCKED_MS = 250;
/** After so many locked results, the others are tried together again instead of one by one. */
const MAX_LOCKED = 2;

/** Resolves when it is written. Rejects if the database refuses it. */
export type Settle = (result: Settlement) => Promise<void>;

/**
 * Results that come during one call go with the next, without a timer: a killed worker repeats at most the sends in flight and one flush.
 * While the database is away or a row is locked, results are kept: forgetting one would send its message twice.
 */
export function createSettler(store: Pick<Store, 'settleInvitations'>, relay: RelayLimits | undefined, log: Log): Settle {
  let pending: Entry[] = [];
  let flushing = false;
  const logRelay = createRelayLog(log);

  /** Returns those to be tried again. */
  async function write(entries: readonly Entry[]): Promise<readonly Entry[]> {
    for (;;) {
      try {
        const { settled, locked, relayChange } = await store.settleInvitations(
          entries.map(({ result }) => result),
          relay,
        );
        if (relayChange) logRelay(relayChange);
        const again = new Set(locked);
        const written = entries.filter(({ result }) => !again.has(result.id));
        if (settled < written.length) {
          const invitations = written.map(({ result }) => result.id);
          log.warn({ lost: written.length - settled, invitations }, 'another worker has taken over some emails of this one');
        } else if (written.length > 0 && log.isLevelEnabled('debug')) {
          log.debug({ invitations: written.map(({ result }) => result.id) }, 'emails settled');
        }
        for (const { done } of written) done();
        return entries.filter(({ result }) => again.has(result.id));
      } catch (error) {
        const isLocked = errorCode(error) === LOCK_TIMEOUT;
        // One result that the database refuses must not fail the others.
        if (entries.length > 1 && (isLocked || !isNotReady(error))) return writeEach(entries);
        if (isLocked) return entries;
        if (!isNotReady(error)) {
          for (const { failed } of entries) failed(error);
          return [];
        }
        logOutage(log, error, "results can't be written now; trying again", { results: entries.length });
        await delay(1000);
      }
    }
  }

  async function writeEach(entries: readonly Entry[]): Promise<Entry[]> {
    const locked: Entry[] = [];
    for (const [index, entry] of entries.entries()) {
      locked.push(...(await write([entry])));
      // All of them may wait for the relay's row, half a second each. Those that haven't been tried come first the next time.
      if (locked.length >= MAX_LOCKED) return [...entries.slice(index + 1), ...locked];
    }
    return locked;
  }

  async function flush(): Promise<void> {
    if (flushing) return;
    flushing = true;
    while (pending.length > 0) {
      const entries = pending;
      pending = [];
      const locked = await write(entries);
      if (locked.length > 0) void delay(LOCKED_MS).then(() => add(...locked));
    }
    flushing = false;
  }

  function add(...entries: Entry[]): void {
    pending.push(...entries);
    void flush();
  }

  return (result) => new Promise((done, failed) => add({ result, done, failed }));
}
