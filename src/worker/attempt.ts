// One attempt at claimed messages: it renders them, makes one request, and says what became of each.
import type { ClaimedInvitation } from '../database/store.ts';
import type { Speech } from '../languages/languages.ts';
import type { Speeches } from '../languages/speeches.ts';
import type { Log } from '../log.ts';
import { type RenderOptions, render } from '../mail/render.ts';
import { EmailTooLargeError } from '../mail/size.ts';
import type { Recorder } from '../metrics.ts';
import type { MessageSender, Messages, Outcome, OutgoingMessage } from '../relay/relay.ts';
import type { Result } from './settler.ts';

export interface AttemptContext {
  readonly sender: MessageSender;
  readonly render: RenderOptions;
  /** How the workspaces speak. */
  readonly speeches: Pick<Speeches, 'of'>;
  /** Whether a message that may have been sent is held as unconfirmed. */
  readonly holdUnknown?: boolean | undefined;
  readonly log: Log;
  readonly recorder?: Pick<Recorder, 'attempt'> | undefined;
}

/** Characters of text and HTML. Far below what relays take (Postmark: 50 MB), because each request in flight is kept in memory. */
const MAX_REQUEST_LENGTH = 2 * 1024 * 1024;

/** The sender returned none: it may have been sent. */
const NO_OUTCOME: Outcome = { kind: 'unknown', code: 'no_outcome', detail: 'The relay said nothing about this message.' };

/** Came due too late to be repeated under a key that the relay knows. */
const NO_LONGER_REPLAYED: Result = {
  kind: 'unconfirmed',
  code: 'not_repeated',
  detail: 'An earlier attempt may have got through, and the relay would no longer recognize a repeated one.',
};

/**
 * Removes from left what it is done with: the others are too large for the same request.
 * @param canStart Asked just before each message is rendered.
 * @returns The outcomes of those tried.
 */
export async function attempt(
  context: AttemptContext,
  left: ClaimedInvitation[],
  canStart: (invitation: ClaimedInvitation) => boolean,
): Promise<Map<ClaimedInvitation, Result>> {
  const { sender, holdUnknown, recorder } = context;
  const outcomes = new Map<ClaimedInvitation, Result>();
  const rendered: { invitation: ClaimedInvitation; message: OutgoingMessage }[] = [];
  for (let length = 0; left[0] !== undefined; left.shift()) {
    const [invitation] = left;
    if (!canStart(invitation)) continue;
    const message = invitation.wording === null ? renderOne(context, invitation) : await renderWorded(context, invitation);
    if ('kind' in message) {
      outcomes.set(invitation, message);
      continue;
    }
    length += message.text.length + message.html.length;
    if (rendered.length > 0 && length > MAX_REQUEST_LENGTH) break;
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
    const isHeld = holdUnknown && outcome.kind === 'unknown' && !(messages.length === 1 && isReplayed(sender, invitation));
    outcomes.set(invitation, isHeld ? { ...outcome, kind: 'unconfirmed' } : outcome);
  }
  return outcomes;
}

/** Of a workspace with words of its own. If they can't be loaded now, the message is tried again later. */
async function renderWorded(context: AttemptContext, invitation: ClaimedInvitation): Promise<OutgoingMessage | Result> {
  try {
    const speech = await context.speeches.of(invitation.wording);
    return renderOne(context, { ...invitation, speech });
  } catch (error) {
    return notRendered(context, invitation, error);
  }
}

function renderOne(context: AttemptContext, invitation: ClaimedInvitation & { speech?: Speech }): OutgoingMessage | Result {
  const { sender, holdUnknown } = context;
  if (holdUnknown && invitation.unconfirmedSince !== null && !isReplayed(sender, invitation)) return NO_LONGER_REPLAYED;
  try {
    return render(invitation, context.render);
  } catch (error) {
    return notRendered(context, invitation, error);
  }
}

function notRendered({ log, recorder }: AttemptContext, invitation: ClaimedInvitation, error: unknown): Result {
  const isTooLarge = error instanceof EmailTooLargeError;
  if (!isTooLarge) log.error({ err: error, invitation: invitation.id }, 'rendering failed');
  const outcome: Result = isTooLarge
    ? { kind: 'rejected', code: 'message_too_large', detail: `Not sent: ${error.message}.` }
    : { kind: 'retry', code: 'render_failed', detail: 'The message could not be rendered.' };
  recorder?.attempt(invitation.messageKind, outcome.kind, undefined);
  return outcome;
}

/** Whether the relay still recognizes a message that may have been sent, and won't send it twice. */
const isReplayed = ({ replaySeconds = 0 }: MessageSender, { unconfirmedSince }: ClaimedInvitation): boolean =>
  Date.now() - (unconfirmedSince?.getTime() ?? Date.now()) < replaySeconds * 1000;
