// Claim → render → relay → settle: where the database and the relay meet. No transaction is open while a message is being sent.
import { randomUUID } from 'node:crypto';
import { MAX_ATTEMPTS } from '../database/deliveries.ts';
import type { ClaimedInvitation, RelayLimits, Store } from '../database/store.ts';
import type { Log } from '../log.ts';
import { type RenderOptions, render } from '../mail/render.ts';
import { EmailTooLargeError } from '../mail/size.ts';
import type { Recorder } from '../metrics.ts';
import type { MessageSender, Messages, Outcome, OutgoingMessage } from '../relay/relay.ts';
import { countRejections, type Rejections } from './rejections.ts';
import { createSettler, type Result, settlement } from './settler.ts';

export interface DeliverySettings {
  readonly sender: MessageSender;
  readonly render: RenderOptions;
  /** Most requests to the relay at a time, over all jobs of this process. */
  readonly concurrency: number;
  /** The relay's name and rate; all workers share its pauses. */
  readonly relay?: RelayLimits | undefined;
  /** Whether a message that may have been sent is held as unconfirmed instead of sent again. */
  readonly holdUnknown?: boolean | undefined;
  /** Messages overdue by more than this fail instead; undefined: no limit. */
  readonly lateSendHours?: number | undefined;
}

export interface DeliveryContext extends DeliverySettings {
  readonly store: Pick<Store, 'claimInvitations' | 'settleInvitations'>;
  readonly workerId: string;
  /** Whether this worker's lease covers a send. Without a lease, other workers may send the same message. */
  readonly canStartSend?: (() => boolean) | undefined;
  readonly log: Log;
  readonly recorder?: Recorder | undefined;
}

export interface Delivery {
  /** Sends those of the invitations that are due. Resolves when everything it claimed is settled. */
  deliver(invitationIds: readonly number[]): Promise<void>;
  /** Starts no more sends and releases the claims of the others. Resolves when the sends in flight are settled. */
  stop(): Promise<void>;
  /** The claims that this worker has asked for and not settled yet. */
  openClaims(): string[];
}

export function createDelivery(context: DeliveryContext): Delivery {
  const { store, sender, workerId, log, recorder, relay, holdUnknown, lateSendHours } = context;
  const slots = createSlots(context.concurrency);
  const settle = createSettler(store, relay, log);
  const running = new Set<Promise<unknown>>();
  const open = new Set<string>();
  let stopping = false;

  /** How often the relay has asked for a pause. What was claimed before the last time and not started is released. */
  let pauses = 0;

  /** @param invitations For one request, or for several after another if they are large. */
  async function send(invitations: readonly ClaimedInvitation[], pausesAtClaim: number, rejections: Rejections): Promise<void> {
    const canStart = (invitation: ClaimedInvitation) =>
      !stopping && pauses === pausesAtClaim && context.canStartSend?.() !== false && !rejections.stop(invitation);
    const release = await slots.take();
    const outcomes = new Map<ClaimedInvitation, Result>();
    try {
      const left = [...invitations];
      while (left.length > 0) {
        const answers = await attempt(left, canStart);
        if ([...answers.values()].some(isPause)) pauses += 1;
        for (const [invitation, outcome] of answers) {
          rejections.count(invitation, outcome);
          outcomes.set(invitation, outcome);
        }
      }
    } finally {
      release();
    }
    await all(
      invitations.map((invitation) => {
        const outcome = outcomes.get(invitation);
        if (outcome === undefined) recorder?.attempt(invitation.messageKind, 'released', undefined);
        logOutcome(log, invitation, outcome);
        return settle(settlement(invitation, outcome));
      }),
    );
  }

  /** Whether the relay still recognizes a message that may have been sent, so that a repeated request doesn't send it twice. */
  const isReplayed = ({ unconfirmedSince }: ClaimedInvitation): boolean =>
    Date.now() - (unconfirmedSince?.getTime() ?? Date.now()) < (sender.replaySeconds ?? 0) * 1000;

  /** The message, or why there is none. */
  function renderOne(invitation: ClaimedInvitation): OutgoingMessage | Result {
    if (holdUnknown && invitation.unconfirmedSince !== null && !isReplayed(invitation)) return NO_LONGER_REPLAYED;
    try {
      return render(invitation, context.render);
    } catch (error) {
      const isTooLarge = error instanceof EmailTooLargeError;
      if (!isTooLarge) log.error({ err: error, invitation: invitation.id }, 'rendering failed');
      const outcome: Result = isTooLarge
        ? { kind: 'rejected', code: 'message_too_large', detail: `Not sent: ${error.message}.` }
        : { kind: 'retry', code: 'render_failed', detail: 'The message could not be rendered.' };
      recorder?.attempt(invitation.messageKind, outcome.kind, undefined);
      return outcome;
    }
  }

  /** Takes from the list what goes into one request, and sends it. Returns the outcomes of those that were tried. */
  async function attempt(
    left: ClaimedInvitation[],
    canStart: (invitation: ClaimedInvitation) => boolean,
  ): Promise<Map<ClaimedInvitation, Result>> {
    const outcomes = new Map<ClaimedInvitation, Result>();
    const rendered: { invitation: ClaimedInvitation; message: OutgoingMessage }[] = [];
    for (let bytes = 0; left[0] !== undefined; left.shift()) {
      const [invitation] = left;
      if (!canStart(invitation)) continue;
      const message = renderOne(invitation);
      if ('kind' in message) {
        outcomes.set(invitation, message);
        continue;
      }
      bytes += message.text.length + message.html.length;
      if (rendered.length > 0 && bytes > MAX_REQUEST_LENGTH) break;
      rendered.push({ invitation, message });
    }
    const [first, ...others] = rendered;
    if (first === undefined) return outcomes;
    const messages: Messages = [first.message, ...others.map(({ message }) => message)];
    const startedAt = performance.now();
    const answers = await sender.send(messages, first.invitation.attempts);
    const seconds = (performance.now() - startedAt) / 1000;
    for (const [index, { invitation }] of rendered.entries()) {
      const outcome = answers[index] ?? NO_OUTCOME;
      recorder?.attempt(invitation.messageKind, outcome.kind, index === 0 ? seconds : undefined);
      // A batch is repeated one by one, under keys that the relay doesn't know.
      const isHeld = holdUnknown && outcome.kind === 'unknown' && !(messages.length === 1 && isReplayed(invitation));
      outcomes.set(invitation, isHeld ? { ...outcome, kind: 'unconfirmed' } : outcome);
    }
    return outcomes;
  }

  async function claimAndSend(invitationIds: readonly number[]): Promise<void> {
    const id = randomUUID();
    // Open before the claim is asked for: the answer may be lost although the claim holds (recover_claims).
    open.add(id);
    try {
      const claimed = await store.claimInvitations(invitationIds, workerId, { relay, lateSendHours, id });
      const pausesAtClaim = pauses;
      logClaim(log, invitationIds, claimed);
      const rejections = countRejections();
      await all(requestsOf(claimed, sender.maxBatch).map((request) => send(request, pausesAtClaim, rejections)));
    } finally {
      open.delete(id);
    }
  }

  return {
    async deliver(invitationIds) {
      if (stopping) throw new Error(STOPPING);
      const delivered = claimAndSend(invitationIds);
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

/**
 * Characters of the messages in one request, text and HTML together: a few megabytes as JSON, far below what relays take (Postmark:
 * 50 MB), because each request in flight is kept in memory.
 */
const MAX_REQUEST_LENGTH = 2 * 1024 * 1024;

/** Fails a job that comes too late; another worker takes it. */
export const STOPPING = 'the worker is stopping';

/** The sender returned no outcome for a message: it may have been sent. */
const NO_OUTCOME: Outcome = { kind: 'unknown', code: 'no_outcome', detail: 'The relay said nothing about this message.' };

/** It was to be repeated while the relay knew its key, and came due too late for that. */
const NO_LONGER_REPLAYED: Result = {
  kind: 'unconfirmed',
  code: 'not_repeated',
  detail: 'An earlier attempt may have got through, and the relay would no longer recognize a repeated one.',
};

/**
 * Groups invitations into requests. First attempts share requests of up to maxBatch; later ones go alone, so that a message that the relay
 * rejects can't hold up its neighbors twice, and so that a repeated request has the same bytes whatever else is due.
 */
function requestsOf(claimed: readonly ClaimedInvitation[], maxBatch: number): ClaimedInvitation[][] {
  const fresh = claimed.filter(({ attempts }) => attempts === 1);
  const batches = Array.from({ length: Math.ceil(fresh.length / maxBatch) }, (_, index) =>
    fresh.slice(index * maxBatch, (index + 1) * maxBatch),
  );
  return [...batches, ...claimed.filter(({ attempts }) => attempts !== 1).map((invitation) => [invitation])];
}

async function all(promises: Promise<void>[]): Promise<void> {
  const failed = (await Promise.allSettled(promises)).find((result) => result.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
}

/** At most `count` at a time; the others wait in order. */
function createSlots(count: number) {
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

/** Whether an outcome asks for a pause of the relay. */
const isPause = (outcome: Result): boolean =>
  outcome.kind === 'config' || (outcome.kind === 'retry' && outcome.afterSeconds !== undefined);

// The log. Every line names its invitation by id, so that one can be followed: failures at info, the rest at debug. Never the relay's text,
// which may quote an address.

function logClaim(log: Log, asked: readonly number[], claimed: readonly ClaimedInvitation[]): void {
  if (!log.isLevelEnabled('debug')) return;
  for (const { id, messageKind, attempts, batchId, surveyId } of claimed) {
    log.debug({ invitation: id, message_kind: messageKind, attempts, batch: batchId, survey: surveyId }, 'email claimed');
  }
  const ids = new Set(claimed.map(({ id }) => id));
  for (const id of asked.map(String).filter((one) => !ids.has(one))) {
    log.debug({ invitation: id }, 'email not claimed: not due, held, suppressed, paused or deleted');
  }
}

/** The end of an attempt; undefined: it was not started. */
function logOutcome(log: Log, { id, messageKind, attempts }: ClaimedInvitation, outcome: Result | undefined): void {
  const kind = outcome?.kind ?? 'released';
  const line = { invitation: id, message_kind: messageKind, attempts, outcome: kind, code: codeOf(outcome) };
  if (kind === 'rejected' || kind === 'suppressed') log.info(line, 'email rejected by the relay');
  else if (kind === 'unconfirmed') log.info(line, 'email held: it may have been sent');
  else if (isCounted(outcome) && attempts >= MAX_ATTEMPTS) log.info(line, 'email failed at its last attempt');
  else log.debug(line, 'email attempted');
}

/** Whether an attempt counts towards the maximum: not if the relay asked for a pause. */
const isCounted = (outcome: Result | undefined): boolean =>
  outcome?.kind === 'unknown' || (outcome?.kind === 'retry' && outcome.afterSeconds === undefined);

/** The relay's code, if it is a plain word. */
const codeOf = (outcome: Result | undefined): string | undefined =>
  outcome !== undefined && outcome.kind !== 'accepted' && /^[\w.-]{1,60}$/.test(outcome.code) ? outcome.code : undefined;
