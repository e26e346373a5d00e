// What the delivery is helped by: slots that bound what is on its way, what a result becomes, and the settler that never forgets one.
import { setTimeout as delay } from 'node:timers/promises';
import { isNotReady } from '../database/pool.ts';
import type { ClaimedInvitation, RelayLimits, Settlement, Store } from '../database/store.ts';
import type { Log } from '../log.ts';
import type { Outcome } from '../relay/relay.ts';

/** What is settled: what the sender says, or that a mail which may have been sent is held. */
export type Result = Outcome | { readonly kind: 'unconfirmed'; readonly code: string; readonly detail: string };

export function settlement({ id, claimId }: ClaimedInvitation, outcome: Result | undefined): Settlement {
  const claim = { id, claim_id: claimId };
  if (outcome === undefined) return { ...claim, outcome: 'released' };
  if (outcome.kind === 'accepted') return { ...claim, outcome: 'accepted', relay_message_id: outcome.messageId };
  const { kind, code, detail } = outcome;
  return { ...claim, outcome: kind, code, detail, retry_after_seconds: kind === 'retry' ? outcome.afterSeconds : undefined };
}

/** At most so many at a time; the others wait in the order in which they came. */
export function createSlots(count: number) {
  let free = count;
  const waiting: (() => void)[] = [];
  const release = () => {
    const next = waiting.shift();
    if (next === undefined) free += 1;
    else next();
  };
  return {
    async take(): Promise<() => void> {
      if (free > 0) free -= 1;
      else await new Promise<void>((resolve) => waiting.push(resolve));
      return release;
    },
  };
}

/**
 * Settles results as they come, coalesced without a timer: what comes while one call is under way goes with the next. A killed
 * worker can so repeat at most what was in flight and one flush. While the database is away the results are kept and tried again:
 * the mails have left, and forgetting that would send them twice.
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
          log.warn({ lost: results.length - settled, invitations }, 'another worker has taken over some mails of this one');
        } else for (const { id } of results) log.debug({ invitation: id }, 'mail settled');
        return;
      } catch (error) {
        if (!isNotReady(error)) throw error;
        log.warn({ err: error, results: results.length }, 'results cannot be written now; trying again');
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
        // One that the database refuses must not take its neighbours along.
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
