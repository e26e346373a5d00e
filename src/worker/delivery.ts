// Claim → render → relay → settle: where the database and the relay meet. No transaction is open while a mail is on its way.
import { randomUUID } from 'node:crypto';
import type { ClaimedInvitation, RelayLimits, Store } from '../database/store.ts';
import type { Log } from '../log.ts';
import { type RenderOptions, render } from '../mail/render.ts';
import type { Recorder } from '../metrics.ts';
import type { MessageSender, Messages, Outcome } from '../relay/relay.ts';
import { logClaim, logOutcome } from './delivery-log.ts';
import { createSettler, createSlots, type Result, settlement } from './settler.ts';

export interface DeliveryOptions {
  readonly store: Pick<Store, 'claimInvitations' | 'settleInvitations'>;
  readonly sender: MessageSender;
  readonly render: RenderOptions;
  readonly workerId: string;
  /** Requests on their way at the same time, over all jobs of this process. */
  readonly concurrency: number;
  /** The relay's name and rate, by which all workers share its pauses. */
  readonly relay?: RelayLimits | undefined;
  /** Whether what may have been sent is held as unconfirmed instead of sent again. */
  readonly holdUnknown?: boolean | undefined;
  /** What has been due for longer is not sent but fails; undefined: no limit. */
  readonly lateSendHours?: number | undefined;
  /** Whether this worker is sure enough to be thought alive that it may begin a mail: others would send it again. */
  readonly mayBegin?: (() => boolean) | undefined;
  readonly log: Log;
  readonly recorder?: Recorder | undefined;
}

export interface Delivery {
  /** Sends the due ones among the given invitations; resolves when all that was claimed is settled. */
  deliver(invitationIds: readonly number[]): Promise<void>;
  /** From now on nothing more is sent; what was claimed and not begun is released. Resolves when what is on its way is settled. */
  stop(): Promise<void>;
  /** The claims that this worker has asked for and not yet settled. */
  openClaims(): string[];
}

export function createDelivery(options: DeliveryOptions): Delivery {
  const { store, sender, workerId, log, recorder } = options;
  const slots = createSlots(options.concurrency);
  const settle = createSettler(store, options.relay, log);
  const running = new Set<Promise<unknown>>();
  const open = new Set<string>();
  let stopping = false;

  /** Answers so far by which the relay asked to be left alone: what was claimed before the last of them and not begun is released. */
  let pauses = 0;

  /** Sends the invitations of one request. */
  async function send(invitations: readonly ClaimedInvitation[], pausesBefore: number): Promise<void> {
    const release = await slots.take();
    let outcomes = new Map<ClaimedInvitation, Result>();
    try {
      if (!stopping && pauses === pausesBefore && options.mayBegin?.() !== false) outcomes = await attempt(invitations);
      if ([...outcomes.values()].some(isPause)) pauses += 1;
    } finally {
      release();
    }
    await all(
      invitations.map((invitation) => {
        const outcome = outcomes.get(invitation);
        if (outcome === undefined) recorder?.mail(invitation.mail, 'released', undefined);
        logOutcome(log, invitation, outcome);
        return settle(settlement(invitation, outcome));
      }),
    );
  }

  /** Whether the relay still knows a mail that may have been sent, so that asking for it again does not send it twice. */
  const isReplayed = ({ unconfirmedSince }: ClaimedInvitation): boolean =>
    Date.now() - (unconfirmedSince?.getTime() ?? Date.now()) < (sender.replaySeconds ?? 0) * 1000;

  async function attempt(invitations: readonly ClaimedInvitation[]): Promise<Map<ClaimedInvitation, Result>> {
    const outcomes = new Map<ClaimedInvitation, Result>();
    const rendered = invitations.flatMap((invitation) => {
      if (options.holdUnknown && invitation.unconfirmedSince !== null && !isReplayed(invitation)) {
        outcomes.set(invitation, NO_LONGER_REPLAYED);
        return [];
      }
      try {
        return [{ invitation, mail: render(invitation, options.render) }];
      } catch (error) {
        log.error({ err: error, invitation: invitation.id }, 'rendering failed');
        recorder?.mail(invitation.mail, 'retry', undefined);
        outcomes.set(invitation, { kind: 'retry', code: 'render_failed', detail: 'The mail could not be rendered.' });
        return [];
      }
    });
    const [first, ...others] = rendered;
    if (first === undefined) return outcomes;
    const mails: Messages = [first.mail, ...others.map(({ mail }) => mail)];
    const began = performance.now();
    const answers = await sender.send(mails, first.invitation.attempts);
    const seconds = (performance.now() - began) / 1000;
    for (const [index, { invitation }] of rendered.entries()) {
      const outcome = answers[index] ?? NO_ANSWER;
      recorder?.mail(invitation.mail, outcome.kind, index === 0 ? seconds : undefined);
      // A batch that is tried again goes one by one, under keys that the relay does not know.
      const held = options.holdUnknown && outcome.kind === 'unknown' && !(mails.length === 1 && isReplayed(invitation));
      outcomes.set(invitation, held ? { ...outcome, kind: 'unconfirmed' } : outcome);
    }
    return outcomes;
  }

  async function deliverClaimed(invitationIds: readonly number[]): Promise<void> {
    const id = randomUUID();
    // Open from before it is asked for: the answer may be lost while the claim holds (recover_claims).
    open.add(id);
    try {
      const { relay, lateSendHours } = options;
      const claimed = await store.claimInvitations(invitationIds, workerId, { relay, lateSendHours, id });
      const pausesBefore = pauses;
      logClaim(log, invitationIds, claimed);
      await all(requestsOf(claimed, sender.maxBatch).map((request) => send(request, pausesBefore)));
    } finally {
      open.delete(id);
    }
  }

  return {
    async deliver(invitationIds) {
      if (stopping) throw new Error(STOPPING);
      const delivered = deliverClaimed(invitationIds);
      running.add(delivered);
      await delivered.finally(() => running.delete(delivered));
    },
    async stop() {
      stopping = true;
      await Promise.allSettled(running);
    },
    openClaims: () => [...open],
  };
}

/** The job comes too late: it is tried again, by another worker. */
export const STOPPING = 'the worker is stopping';

/** A sender that forgets a mail: it may have been sent. */
const NO_ANSWER: Outcome = { kind: 'unknown', code: 'no_outcome', detail: 'The relay said nothing about this mail.' };

/** Not tried: it was to be repeated while the relay knew its key, and is due only now. */
const NO_LONGER_REPLAYED: Result = {
  kind: 'unconfirmed',
  code: 'not_repeated',
  detail: 'An earlier attempt may have got through, and the relay would no longer recognise a repeated one.',
};

/**
 * Which invitations share a request. First attempts do, as many as the relay takes; later ones go alone, so that one mail that a
 * relay refuses cannot hold up its neighbours twice, and a repeated request is the same bytes whoever else is due by then.
 */
function requestsOf(claimed: readonly ClaimedInvitation[], maxBatch: number): ClaimedInvitation[][] {
  const fresh = claimed.filter(({ attempts }) => attempts === 1);
  const batches = Array.from({ length: Math.ceil(fresh.length / maxBatch) }, (_, index) =>
    fresh.slice(index * maxBatch, (index + 1) * maxBatch),
  );
  return [...batches, ...claimed.filter(({ attempts }) => attempts !== 1).map((invitation) => [invitation])];
}

/** Waits for all of them, and then throws what the first failure was. */
async function all(promises: Promise<void>[]): Promise<void> {
  const failed = (await Promise.allSettled(promises)).find((result) => result.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
}

/** Whether the relay asks to be left alone by an answer. */
const isPause = (outcome: Result): boolean =>
  outcome.kind === 'config' || (outcome.kind === 'retry' && outcome.afterSeconds !== undefined);
