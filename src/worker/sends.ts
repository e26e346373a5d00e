// Sends what is claimed: as many requests at a time as there are slots, workspaces in turn. An answered request
// frees its slot at once; its results are written meanwhile.
import type { ClaimedInvitation } from '../database/store.ts';
import { type AttemptContext, attempt } from './attempt.ts';
import { logOutcomes } from './delivery-log.ts';
import { FairQueue } from './fair-queue.ts';
import { countRejections, type Rejections } from './rejections.ts';
import { type Result, type Settle, settlement } from './settler.ts';

export interface SendContext extends AttemptContext {
  /** Requests at a time. */
  readonly concurrency: number;
  /** Whether this worker's lease covers a send: without one, others may send the same message. */
  readonly canStartSend?: (() => boolean) | undefined;
  readonly settle: Settle;
}

/** Of one claim and workspace: one request, or several in turn if they are large. */
export interface Sending {
  readonly workspace: string;
  readonly invitations: readonly ClaimedInvitation[];
  /** Rejects if a result can't be written. */
  readonly settled: PromiseWithResolvers<void>;
  readonly pausesAtClaim: number;
  readonly rejections: Rejections;
}

export class Sends {
  readonly #context: SendContext;
  readonly #queue = new FairQueue<Sending>();
  #freeSlots: number;
  /** Pauses the relay has asked for: what was claimed before the last and not started is released. */
  #pauses = 0;
  #stopping = false;

  constructor(context: SendContext) {
    this.#context = context;
    this.#freeSlots = context.concurrency;
  }

  /** Queues what one claim holds, by workspace. Returns its requests. */
  add(claimed: ReadonlyMap<string, readonly ClaimedInvitation[]>): Sending[] {
    const ofClaim = { pausesAtClaim: this.#pauses, rejections: countRejections() };
    const sendings = [...claimed].flatMap(([workspace, some]) =>
      requestsOf(some, this.#context.sender.maxBatch).map((invitations) => ({
        workspace,
        invitations,
        settled: Promise.withResolvers<void>(),
        ...ofClaim,
      })),
    );
    for (const sending of sendings) this.#queue.add(sending.workspace, sending);
    this.#sendMore();
    return sendings;
  }

  /** Starts no more requests: what waits is released, and so is what is added later. */
  stop(): void {
    this.#stopping = true;
    this.#sendMore();
  }

  /** Call it when there may be a free slot. What is released needs none. */
  #sendMore(): void {
    while (this.#queue.size > 0 && (this.#freeSlots > 0 || this.#stopping)) {
      for (const [, sending] of this.#queue.take(1)) {
        this.#freeSlots -= 1;
        this.#send(sending).then(sending.settled.resolve, sending.settled.reject);
      }
    }
  }

  async #send(sending: Sending): Promise<void> {
    const { settle, log, recorder } = this.#context;
    let settled: Promise<void>[] = [];
    try {
      const outcomes = await this.#outcomesOf(sending);
      logOutcomes(log, sending.invitations, outcomes);
      settled = sending.invitations.map((invitation) => {
        const outcome = outcomes.get(invitation);
        if (outcome === undefined) recorder?.attempt(invitation.messageKind, 'released', undefined);
        return settle(settlement(invitation, outcome));
      });
    } finally {
      this.#freeSlots += 1;
      this.#sendMore();
    }
    await all(settled);
  }

  /** Without those that weren't tried. */
  async #outcomesOf({ invitations, pausesAtClaim, rejections }: Sending): Promise<Map<ClaimedInvitation, Result>> {
    const canStart = (invitation: ClaimedInvitation) =>
      !this.#stopping &&
      this.#pauses === pausesAtClaim &&
      this.#context.canStartSend?.() !== false &&
      !rejections.stop(invitation);
    const outcomes = new Map<ClaimedInvitation, Result>();
    const left = [...invitations];
    while (left.length > 0) {
      const answers = await attempt(this.#context, left, canStart);
      if ([...answers.values()].some(isPause)) this.#pauses += 1;
      for (const [invitation, outcome] of answers) {
        rejections.count(invitation, outcome);
        outcomes.set(invitation, outcome);
      }
    }
    return outcomes;
  }
}

/**
 * First attempts with the same sender share requests. Later ones go alone: a rejected message then can't hold up others twice, and a
 * repeated request has the same bytes.
 */
function requestsOf(claimed: readonly ClaimedInvitation[], maxBatch: number): ClaimedInvitation[][] {
  const fresh = claimed.filter(({ attempts }) => attempts === 1);
  const alike = Map.groupBy(fresh, ({ sender }) => (sender === null ? '' : JSON.stringify(sender)));
  const batches = [...alike.values()].flatMap((some) =>
    Array.from({ length: Math.ceil(some.length / maxBatch) }, (_, index) => some.slice(index * maxBatch, (index + 1) * maxBatch)),
  );
  return [...batches, ...claimed.filter(({ attempts }) => attempts !== 1).map((invitation) => [invitation])];
}

const isPause = (outcome: Result): boolean =>
  outcome.kind === 'config' || (outcome.kind === 'retry' && outcome.afterSeconds !== undefined);

async function all(promises: Promise<void>[]): Promise<void> {
  const failed = (await Promise.allSettled(promises)).find((result) => result.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
}
