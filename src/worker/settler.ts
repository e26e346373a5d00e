// Writes what became of each claimed message, and never loses a result.
import { setTimeout as delay } from 'node:timers/promises';
import { isNotReady } from '../database/pool.ts';
import type { ClaimedInvitation, RelayLimits, Settlement, Store } from '../database/store.ts';
import type { Log } from '../log.ts';
import type { Outcome } from '../relay/relay.ts';

/** The sender's outcome, or unconfirmed: a message that may have been sent is held. */
export type Result = Outcome | { readonly kind: 'unconfirmed'; readonly code: string; readonly detail: string };

/** @param outcome Undefined: the send was not started. */
export function settlement({ id, claimId }: ClaimedInvitation, outcome: Result | undefined): Settlement {
  const claim = { id, claim_id: claimId };
  if (outcome === undefined) return { ...claim, outcome: 'released' };
  if (outcome.kind === 'accepted') return { ...claim, outcome: 'accepted', relay_message_id: outcome.messageId };
  const { kind, code, detail } = outcome;
  return { ...claim, outcome: kind, code, detail, retry_after_seconds: kind === 'retry' ? outcome.afterSeconds : undefined };
}

/**
 * Settles results as they come, coalesced without a timer: results that come during one call go with the next. So a killed worker can
 * repeat at most the sends in flight and one flush. While the database is away the results are kept and written later: the messages were
 * sent, and forgetting that would send them twice.
 */
export function createSettler(store: Pick<Store, 'settleInvitations'>, relay: RelayLimits | undefined, log: Log) {
  let pending: { result: Settlement; done: () => void; failed: (error: unknown) => void }[] = [];
  let flushing = false;

  async function settleAll(results: readonly Settlement[]): Promise<void> {
    for (;;) {
      try {
        const settled = await store.settleInvitations(results, relay);
        if (settled < results.length) {
          const invitations = results.map(({ id }) => id);
          log.warn({ lost: results.length - settled, invitations }, 'another worker has taken over some emails of this one');
        } else for (const { id } of results) log.debug({ invitation: id }, 'email settled');
        return;
      } catch (error) {
        if (!isNotReady(error)) throw error;
        log.warn({ err: error, results: results.length }, "results can't be written now; trying again");
        await delay(1000);
      }
    }
  }

  async function flush(): Promise<void> {
    flushing = true;
    while (pending.length > 0) {
      const batch = pending;
      pending = [];
      try {
        await settleAll(batch.map((entry) => entry.result));
        for (const entry of batch) entry.done();
      } catch (error) {
        if (batch.length === 1) batch[0]?.failed(error);
        // One result that the database refuses must not fail the others.
        else for (const entry of batch) await settleAll([entry.result]).then(entry.done, entry.failed);
      }
    }
    flushing = false;
  }

  return (result: Settlement): Promise<void> =>
    new Promise((done, failed) => {
      pending.push({ result, done, failed });
      if (!flushing) void flush();
    });
}
