// Claim → render → relay → settle. No transaction is open while a message is being sent. Workspaces take turns, so a large batch takes
// only its part.
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { MAX_ATTEMPTS } from '../database/deliveries.ts';
import { errorCode, isNotReady } from '../database/pool.ts';
import type { ClaimedInvitation, Store, WorkerLimits } from '../database/store.ts';
import { type Log, logOutage } from '../log.ts';
import { type RenderOptions, render } from '../mail/render.ts';
import { EmailTooLargeError } from '../mail/size.ts';
import type { Recorder } from '../metrics.ts';
import type { MessageSender, Messages, Outcome, OutgoingMessage } from '../relay/relay.ts';
import { FairQueue } from './fair-queue.ts';
import { createPace } from './pace.ts';
import { countRejections, type Rejections } from './rejections.ts';
import { createSettler, type Result, settlement } from './settler.ts';

export interface DeliverySettings extends WorkerLimits {
  readonly sender: MessageSender;
  readonly render: RenderOptions;
  readonly concurrency: number;
  /** Whether a message that may have been sent is held as unconfirmed. */
  readonly holdUnknown?: boolean | undefined;
}

export interface DeliveryContext extends DeliverySettings {
  readonly store: Pick<Store, 'workspacesOf' | 'claimInvitations' | 'putOffInvitations' | 'settleInvitations' | 'requeueSends'>;
  readonly workerId: string;
  /** Whether this worker's lease covers a send: without one, others may send the same message. */
  readonly canStartSend?: (() => boolean) | undefined;
  readonly log: Log;
  readonly recorder?: Pick<Recorder, 'attempt'> | undefined;
}

export interface Delivery {
  /** Resolves when they are in the list, or given back because it is full. */
  add(invitationIds: readonly number[]): Promise<void>;
  /** Starts no more sends and gives the rest back. Resolves when sends in flight are settled. */
  stop(): Promise<void>;
  /** Asked for and not settled. */
  openClaims(): string[];
  /** In the list and not claimed. */
  unclaimed(): number;
}

/** In the list of one process. */
const MAX_READY = 100_000;
/** How long a job waits for room, and how much later it looks again. Emails to members wait for jobs to end. */
const FULL_MS = 2_000;
const FULL_SECONDS = 10;
const MAX_CLAIMS = 4;
const MAX_CLAIM = 100;
/** Claimed and not settled: of all workspaces together, so of each less, the more there are. */
const MAX_HELD = 1_000;
const MAX_SHARE = 400;
const MIN_SHARE = 25;
/** After a claim that failed. */
const RETRY_MS = 1_000;

/** Of one claim and workspace: one request, or several in turn if they are large. */
interface Sending {
  readonly invitations: readonly ClaimedInvitation[];
  readonly pausesAtClaim: number;
  readonly rejections: Rejections;
  readonly settled: PromiseWithResolvers<void>;
}

export function createDelivery(context: DeliveryContext): Delivery {
  const { store, sender, workerId, log, recorder, relay, holdUnknown } = context;
  const settle = createSettler(store, relay, log);
  /** Not claimed; and claimed, waiting for the relay. */
  const ready = new FairQueue<number>();
  const sendings = new FairQueue<Sending>();
  const held = createCounts();
  const pace = createPace(relay?.rate);
  const running = new Set<Promise<void>>();
  const open = new Set<string>();
  let freeSlots = context.concurrency;
  let claiming = 0;
  let retry: NodeJS.Timeout | undefined;
  let stopping = false;
  let room = Promise.withResolvers<void>();

  /** Pauses the relay has asked for: what was claimed before the last and not started is released. */
  let pauses = 0;

  /** Call it when there may be room. */
  function claimMore(): void {
    while (!stopping && retry === undefined && ready.size > 0 && claiming < MAX_CLAIMS && held.total() < MAX_HELD) {
      const allowed = Math.min(MAX_CLAIM, pace.allowed());
      if (allowed < 1) {
        claimLater(pace.msUntil(Math.min(MAX_CLAIM, ready.size)));
        break;
      }
      const share = Math.max(MIN_SHARE, Math.floor(MAX_SHARE / Math.max(ready.lanes, held.workspaces())));
      const turn = ready.take(allowed, (workspace, waiting) => {
        const free = share - held.of(workspace);
        // Not for every message sent: the claim would cost more than the sending.
        return free >= Math.min(share / 2, MAX_CLAIM, waiting) ? free : 0;
      });
      if (turn.length === 0) break;
      pace.spend(turn.length);
      const done = claimAndSend(turn).finally(() => running.delete(done));
      running.add(done);
    }
    if (ready.size >= MAX_READY) return;
    room.resolve();
    room = Promise.withResolvers();
  }

  function claimLater(ms: number): void {
    if (stopping) return;
    retry ??= setTimeout(() => {
      retry = undefined;
      claimMore();
    }, ms);
  }

  async function claimAndSend(turn: readonly (readonly [workspace: string, id: number])[]): Promise<void> {
    for (const [workspace] of turn) held.add(workspace, 1);
    claiming += 1;
    const id = randomUUID();
    // Before asking: the answer may be lost although the claim holds (recover_claims).
    open.add(id);
    const claimed = await claim(id, turn);
    claiming -= 1;
    const ids = new Set(claimed.map((invitation) => invitation.id));
    for (const [workspace, one] of turn) if (!ids.has(String(one))) held.add(workspace, -1);

    const workspaces = new Map(turn.map(([workspace, one]) => [String(one), workspace]));
    const rejections = countRejections();
    const settled: Promise<void>[] = [];
    for (const [workspace, some] of Map.groupBy(claimed, (invitation) => workspaces.get(invitation.id) ?? '')) {
      for (const invitations of requestsOf(some, sender.maxBatch)) {
        const sending = { invitations, pausesAtClaim: pauses, rejections, settled: Promise.withResolvers<void>() };
        sendings.add(workspace, sending);
        settled.push(sending.settled.promise.finally(() => held.add(workspace, -invitations.length)).finally(claimMore));
      }
    }
    sendMore();
    claimMore();
    for (const result of await Promise.allSettled(settled)) {
      // The next heartbeat finds it: `sending`, but not open here.
      if (result.status === 'rejected') log.error({ err: result.reason }, "a result can't be written");
    }
    open.delete(id);
  }

  async function claim(id: string, turn: readonly (readonly [workspace: string, id: number])[]): Promise<ClaimedInvitation[]> {
    const invitationIds = turn.map(([, one]) => one);
    try {
      const claimed = await store.claimInvitations(invitationIds, workerId, id);
      logClaim(log, invitationIds, claimed);
      if (claimed.length < turn.length) await putOff(turn, claimed);
      return claimed;
    } catch (error) {
      // 55000: counted as lost; the next heartbeat registers again.
      if (!isNotReady(error) && errorCode(error) !== '55000') {
        log.error({ err: error, invitations: invitationIds }, "emails can't be claimed; the sweep looks at them again");
        return [];
      }
      logOutage(log, error, "emails can't be claimed now; trying again", { invitations: turn.length });
      putBack(turn);
      claimLater(RETRY_MS);
      return [];
    }
  }

  /** What the rate turned down keeps its place here: as a job, it would cost another one each time. */
  async function putOff(
    turn: readonly (readonly [workspace: string, id: number])[],
    claimed: readonly ClaimedInvitation[],
  ): Promise<void> {
    const taken = new Set(claimed.map((invitation) => Number(invitation.id)));
    const left = turn.map(([, one]) => one).filter((one) => !taken.has(one));
    try {
      const kept = await store.putOffInvitations(left, workerId);
      pace.refund(left.length - kept.length);
      putBack(turn, new Set(kept));
    } catch (error) {
      // What is due is found by the sweep.
      log.warn({ err: error, invitations: left.length }, "emails can't be put off");
    }
  }

  function putBack(turn: readonly (readonly [workspace: string, id: number])[], ids?: ReadonlySet<number>): void {
    const some = ids === undefined ? turn : turn.filter(([, id]) => ids.has(id));
    for (const [workspace, entries] of Map.groupBy(some, ([lane]) => lane)) {
      ready.putBack(
        workspace,
        entries.map(([, id]) => id),
      );
    }
  }

  async function releaseReady(): Promise<void> {
    const left = ready.take(ready.size).map(([, id]) => id);
    if (left.length === 0) return;
    // If this fails, the sweep finds them.
    await store
      .requeueSends(left, 0)
      .catch((error: unknown) => log.warn({ err: error, invitations: left.length }, "emails can't be released"));
  }

  /** Call it when there may be a free slot. While stopping, what waits is released. */
  function sendMore(): void {
    while (sendings.size > 0 && (freeSlots > 0 || stopping)) {
      for (const [, sending] of sendings.take(1)) {
        freeSlots -= 1;
        send(sending).then(sending.settled.resolve, sending.settled.reject);
      }
    }
  }

  async function send({ invitations, pausesAtClaim, rejections }: Sending): Promise<void> {
    const canStart = (invitation: ClaimedInvitation) =>
      !stopping && pauses === pausesAtClaim && context.canStartSend?.() !== false && !rejections.stop(invitation);
    const outcomes = new Map<ClaimedInvitation, Result>();
    let settled: Promise<void>[] = [];
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
      settled = invitations.map((invitation) => {
        const outcome = outcomes.get(invitation);
        if (outcome === undefined) recorder?.attempt(invitation.messageKind, 'released', undefined);
        logOutcome(log, invitation, outcome);
        return settle(settlement(invitation, outcome));
      });
    } finally {
      freeSlots += 1;
      sendMore();
    }
    await all(settled);
  }

  /** Whether the relay still recognizes a message that may have been sent, and won't send it twice. */
  const isReplayed = ({ unconfirmedSince }: ClaimedInvitation): boolean =>
    Date.now() - (unconfirmedSince?.getTime() ?? Date.now()) < (sender.replaySeconds ?? 0) * 1000;

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

  /** Returns the outcomes of those tried. */
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

  return {
    async add(invitationIds) {
      if (stopping) throw new Error(STOPPING);
      if (ready.size >= MAX_READY) await Promise.race([room.promise, delay(FULL_MS)]);
      if (ready.size >= MAX_READY) return store.requeueSends(invitationIds, FULL_SECONDS);
      const found = await store.workspacesOf(invitationIds);
      // Stopped meanwhile: the list was given back.
      if (stopping) return store.requeueSends(invitationIds, 0);
      for (const { workspaceId, ids } of found) for (const id of ids) ready.add(workspaceId, id);
      logNotQueued(log, invitationIds, found);
      claimMore();
    },
    async stop() {
      stopping = true;
      clearTimeout(retry);
      sendMore();
      await releaseReady();
      await Promise.all(running);
      // What a claim has put back meanwhile.
      await releaseReady();
    },
    openClaims: () => [...open],
    unclaimed: () => ready.size,
  };
}

/** Characters of text and HTML. Far below what relays take (Postmark: 50 MB), because each request in flight is kept in memory. */
const MAX_REQUEST_LENGTH = 2 * 1024 * 1024;

/** Fails a job that comes too late; another worker takes it. */
export const STOPPING = 'the worker is stopping';

/** The sender returned none: it may have been sent. */
const NO_OUTCOME: Outcome = { kind: 'unknown', code: 'no_outcome', detail: 'The relay said nothing about this message.' };

/** Came due too late to be repeated under a key that the relay knows. */
const NO_LONGER_REPLAYED: Result = {
  kind: 'unconfirmed',
  code: 'not_repeated',
  detail: 'An earlier attempt may have got through, and the relay would no longer recognize a repeated one.',
};

/**
 * First attempts with the same sender share requests. Later ones go alone: a rejected message then can't hold up others twice, and a repeated request has the
 * same bytes.
 */
function requestsOf(claimed: readonly ClaimedInvitation[], maxBatch: number): ClaimedInvitation[][] {
  const fresh = claimed.filter(({ attempts }) => attempts === 1);
  const alike = Map.groupBy(fresh, ({ sender }) => (sender === null ? '' : JSON.stringify(sender)));
  const batches = [...alike.values()].flatMap((some) =>
    Array.from({ length: Math.ceil(some.length / maxBatch) }, (_, index) => some.slice(index * maxBatch, (index + 1) * maxBatch)),
  );
  return [...batches, ...claimed.filter(({ attempts }) => attempts !== 1).map((invitation) => [invitation])];
}

async function all(promises: Promise<void>[]): Promise<void> {
  const failed = (await Promise.allSettled(promises)).find((result) => result.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
}

function createCounts() {
  const counts = new Map<string, number>();
  let total = 0;
  return {
    add(workspace: string, more: number): void {
      const count = (counts.get(workspace) ?? 0) + more;
      if (count > 0) counts.set(workspace, count);
      else counts.delete(workspace);
      total += more;
    },
    of: (workspace: string): number => counts.get(workspace) ?? 0,
    total: () => total,
    workspaces: () => counts.size,
  };
}

const isPause = (outcome: Result): boolean =>
  outcome.kind === 'config' || (outcome.kind === 'retry' && outcome.afterSeconds !== undefined);

// Lines name the invitation by id, failures at info, the rest at debug. Never the relay's text, which may quote an address.

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

function logNotQueued(log: Log, asked: readonly number[], found: readonly { readonly ids: readonly number[] }[]): void {
  if (!log.isLevelEnabled('debug')) return;
  const queued = new Set(found.flatMap(({ ids }) => ids));
  for (const id of asked.filter((one) => !queued.has(one))) {
    log.debug({ invitation: String(id) }, 'email not claimed: it is no longer queued');
  }
}

/** Undefined: not started. */
function logOutcome(log: Log, { id, messageKind, attempts }: ClaimedInvitation, outcome: Result | undefined): void {
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
