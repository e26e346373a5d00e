// Mailgun's API: POST /v3/<domain>/messages, as a form. Sources: documentation.mailgun.com (messages, responses), mailgun/mailgun.js.
// There are no batches, because the messages of a batch would share one body.
import { createHmac } from 'node:crypto';
import {
  detailOf,
  emailOf,
  eventIdOf,
  type Fields,
  fieldsOf,
  invitationOf,
  isRecent,
  type RelayEvent,
  type RelayEventSource,
  type RelayEventType,
  readEvents,
  sameText,
  textOf,
  timeOf,
} from './event.ts';
import {
  classifyStatus,
  forEach,
  invitationName,
  jsonBody,
  mailbox,
  type Outcome,
  type RelayAdapter,
  type RelayResponse,
  secondsUntil,
} from './relay.ts';

export const mailgun: RelayAdapter = {
  name: 'mailgun',
  defaultUrl: 'https://api.mailgun.net',
  maxBatch: 1,
  idempotency: 'none',
  listUnsubscribe: 'custom',

  build([message], { apiKey, domain }) {
    const form = new URLSearchParams({
      from: mailbox(message.from),
      to: mailbox(message.to),
      subject: message.subject,
      text: message.text,
      html: message.html,
    });
    if (message.replyTo !== undefined) form.append('h:Reply-To', message.replyTo);
    for (const [name, value] of Object.entries(message.headers)) form.append(`h:${name}`, value);
    form.append('v:invitation', invitationName(message));
    return {
      path: `/v3/${encodeURIComponent(domain ?? message.from.email.replace(/^.*@/, ''))}/messages`,
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        accept: 'application/json',
        authorization: `Basic ${Buffer.from(`api:${apiKey ?? ''}`).toString('base64')}`,
      },
      body: form.toString(),
    };
  },

  classify: (response, messages) => forEach(messages, classifyOne(response)),
};

function classifyOne(response: RelayResponse): Outcome {
  const { status, headers } = response;
  const { id, message } = jsonBody(response) ?? {};
  // A wrong path also gets 200, with "Mailgun Magnificent API".
  if (status === 200 && typeof id === 'string' && /^Queued/.test(String(message))) return { kind: 'accepted', messageId: id };
  if (status === 200)
    return { kind: 'unknown', code: 'unrecognized_response', detail: 'The relay returned 200 without queueing.' };
  const detail = typeof message === 'string' ? message : `The relay returned ${status}.`;
  if (status === 420 || status === 429) {
    const outcome = classifyStatus(response, detail) as Outcome & { afterSeconds?: number };
    // "… recipient limit exceeded, try again after Wed, 22 Feb 2023 10:04:01 UTC"
    const date = /try again after (.+)$/.exec(detail)?.[1] ?? '';
    return { ...outcome, afterSeconds: outcome.afterSeconds ?? secondsUntil(date, headers) } as Outcome;
  }
  if (status === 400 && /^'?to'? parameter/i.test(detail)) return { kind: 'rejected', code: 'invalid_recipient', detail };
  if (status === 400 && /^'?from'? parameter/i.test(detail)) return { kind: 'config', code: 'invalid_sender', detail };
  return classifyStatus(response, detail);
}

// Events. The signature covers a timestamp and a token, but not the event. So we record each token, even if the event's type isn't used:
// otherwise an attacker could send the same signature with a forged event. Sources:
// documentation.mailgun.com/docs/mailgun/user-manual/webhooks/securing-webhooks, …/webhook-payloads.

/** Seconds. Mailgun retries for about eight hours. */
const TOLERANCE = 43_200;

/** Permanent failures that don't show a bad mailbox: Mailgun gave up, the receiver blocks the sender, or Mailgun's own list has it. */
const PERMANENT: Readonly<Record<string, RelayEventType>> = {
  old: 'soft_bounce',
  espblock: 'soft_bounce',
  'suppress-complaint': 'complaint',
  'suppress-unsubscribe': 'unsubscribe',
};

export const mailgunEvents: RelayEventSource = {
  verify(rawBody, _headers, secret, now) {
    try {
      const { timestamp, token, signature } = fieldsOf(readEvents(rawBody)[0]?.signature);
      if (typeof token !== 'string' || token.length < 16 || typeof signature !== 'string') return false;
      if (!isRecent(String(timestamp), now, TOLERANCE)) return false;
      return sameText(signature, createHmac('sha256', secret).update(`${timestamp}${token}`).digest('hex'));
    } catch {
      return false;
    }
  },

  checkSecret: (secret) =>
    /^[A-Za-z0-9-]+$/.test(secret) ? undefined : "be Mailgun's HTTP webhook signing key: letters, digits and hyphens",

  parse(rawBody): RelayEvent[] {
    // Mailgun sends one event per request. In a list, only the first event would be signed.
    return readEvents(rawBody)
      .slice(0, 1)
      .flatMap((body) => {
        const event = fieldsOf(body['event-data']);
        const type = typeOf(event);
        const signature = fieldsOf(body.signature);
        const eventId = eventIdOf(signature.token);
        const signedAt = timeOf(signature.timestamp);
        const at = timeOf(event.timestamp) ?? signedAt;
        if (at === undefined) return [];
        if (type === undefined) return { eventId, type: null, at, detail: '' };
        const status = fieldsOf(event['delivery-status']);
        return {
          eventId,
          relayMessageId: textOf(fieldsOf(fieldsOf(event.message).headers)['message-id']),
          ...invitationOf(fieldsOf(event['user-variables']).invitation),
          email: emailOf(event.recipient),
          type,
          at,
          detail: detailOf(status.message, status.description, event.reason),
        };
      });
  },
};

function typeOf(event: Fields): RelayEventType | undefined {
  switch (event.event) {
    case 'delivered':
      return 'delivered';
    case 'complained':
      return 'complaint';
    case 'unsubscribed':
      return 'unsubscribe';
    case 'rejected':
      return 'soft_bounce';
    case 'failed':
      if (event.severity !== 'permanent') return 'soft_bounce';
      return PERMANENT[String(event.reason)] ?? 'hard_bounce';
    default:
      return undefined;
  }
}
