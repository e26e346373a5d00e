// SendGrid's API: POST /v3/mail/send. Sources: twilio.com/docs/sendgrid/api-reference/mail-send, sendgrid/sendgrid-oai. There are no
// batches, because personalizations share one body.
import { createPublicKey, verify } from 'node:crypto';
import {
  detailOf,
  emailOf,
  eventIdOf,
  type Fields,
  headerOf,
  invitationOf,
  isRecent,
  type RelayEvent,
  type RelayEventSource,
  type RelayEventType,
  readEvents,
  textOf,
  timeOf,
} from './event.ts';
import {
  classifyStatus,
  forEach,
  headersWithout,
  invitationName,
  jsonBody,
  named,
  type Outcome,
  type RelayAdapter,
  type RelayResponse,
} from './relay.ts';

export const sendgrid: RelayAdapter = {
  name: 'sendgrid',
  defaultUrl: 'https://api.sendgrid.com',
  maxBatch: 1,
  idempotency: 'none',
  listUnsubscribe: 'custom',

  build([message], { apiKey }) {
    return {
      path: '/v3/mail/send',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json',
        authorization: `Bearer ${apiKey ?? ''}`,
      },
      body: JSON.stringify({
        personalizations: [{ to: [named(message.to)], custom_args: { invitation: invitationName(message) } }],
        from: named(message.from),
        ...(message.replyTo !== undefined && { reply_to: { email: message.replyTo } }),
        subject: message.subject,
        // SendGrid requires the text part first.
        content: [
          { type: 'text/plain', value: message.text },
          { type: 'text/html', value: message.html },
        ],
        headers: Object.fromEntries(headersWithout(message, 'Feedback-ID')),
        // Otherwise SendGrid adds a second List-Unsubscribe.
        tracking_settings: { subscription_tracking: { enable: false } },
      }),
    };
  },

  classify: (response, messages) => forEach(messages, classifyOne(response)),
};

function classifyOne(response: RelayResponse): Outcome {
  const { status, headers } = response;
  if (status === 202) {
    const id = headers['x-message-id'];
    if (typeof id === 'string') return { kind: 'accepted', messageId: id };
    return { kind: 'unknown', code: 'unrecognized_response', detail: 'The relay returned 202 without an X-Message-Id.' };
  }
  if (status >= 200 && status < 300) {
    return { kind: 'unknown', code: 'unrecognized_response', detail: `The relay returned ${status}, not 202.` };
  }
  const errors = jsonBody(response)?.errors;
  const { message, field } = ((Array.isArray(errors) && errors[0]) || {}) as Record<string, unknown>;
  const detail = typeof message === 'string' ? message : `The relay returned ${status}.`;
  if (status === 403 && /temporary block/i.test(detail))
    return { kind: 'retry', code: 'temporary_block', detail, afterSeconds: 900 };
  if (status === 400 && /^personalizations\.\d+\.to\b/.test(String(field)))
    return { kind: 'rejected', code: 'invalid_recipient', detail };
  if (status === 400 && /^from\b/.test(String(field))) return { kind: 'config', code: 'invalid_sender', detail };
  return classifyStatus(response, detail);
}

// Events, signed. Sources: twilio.com/docs/sendgrid/for-developers/tracking-events/event,
// …/getting-started-event-webhook-security-features.

/** Seconds. SendGrid retries for a day, and doesn't say whether it signs each retry again. */
const TOLERANCE = 90_000;

/** Reasons that mean the address is on one of SendGrid's own lists. */
const DROPPED: Readonly<Record<string, RelayEventType>> = {
  'bounced address': 'hard_bounce',
  invalid: 'hard_bounce',
  'spam reporting address': 'complaint',
  'unsubscribed address': 'unsubscribe',
};

/** Only EC keys are valid: with an Ed25519 or RSA key, `sha256` would mean another algorithm. */
function publicKeyOf(secret: string) {
  try {
    const key = createPublicKey({ key: Buffer.from(secret, 'base64'), format: 'der', type: 'spki' });
    return key.asymmetricKeyType === 'ec' ? key : undefined;
  } catch {
    return undefined;
  }
}

export const sendgridEvents: RelayEventSource = {
  verify(rawBody, headers, secret, now) {
    const timestamp = headerOf(headers, 'x-twilio-email-event-webhook-timestamp');
    const signature = headerOf(headers, 'x-twilio-email-event-webhook-signature');
    if (signature === '' || !isRecent(timestamp, now, TOLERANCE)) return false;
    const key = publicKeyOf(secret);
    if (key === undefined) return false;
    try {
      return verify('sha256', Buffer.concat([Buffer.from(timestamp), rawBody]), key, Buffer.from(signature, 'base64'));
    } catch {
      return false;
    }
  },

  checkSecret: (secret) =>
    publicKeyOf(secret) ? undefined : 'be the verification key that SendGrid shows for the Event Webhook, in Base64',

  parse(rawBody): RelayEvent[] {
    return readEvents(rawBody).flatMap((event) => {
      const type = typeOf(event);
      const at = timeOf(event.timestamp);
      if (type === undefined || at === undefined) return [];
      const messageId = textOf(event.sg_message_id);
      return {
        eventId: eventIdOf(event.sg_event_id ?? `${messageId}:${event.event}:${event.timestamp}`),
        // The id from X-Message-Id. SendGrid's servers add a suffix, which is cut off here.
        relayMessageId: messageId?.split(/\.(?:filter|recvd)/)[0],
        ...invitationOf(event.invitation),
        email: emailOf(event.email),
        type,
        at,
        detail: detailOf(event.reason, event.response),
      };
    });
  },
};

function typeOf(event: Fields): RelayEventType | undefined {
  switch (event.event) {
    case 'delivered':
      return 'delivered';
    case 'deferred':
      return 'soft_bounce';
    case 'bounce':
      return event.type === 'blocked' ? 'soft_bounce' : 'hard_bounce';
    case 'dropped':
      return DROPPED[String(event.reason).toLowerCase()] ?? 'soft_bounce';
    case 'spamreport':
      return 'complaint';
    case 'unsubscribe':
    case 'group_unsubscribe':
      return 'unsubscribe';
    default:
      return undefined;
  }
}
