// Postmark's API: POST /email and /email/batch. Sources: postmarkapp.com/developer/api (overview, email-api), anymail/django-anymail
// (anymail/backends/postmark.py).
import {
  BASIC,
  detailOf,
  emailOf,
  eventIdOf,
  type Fields,
  fieldsOf,
  hasBasic,
  invitationOf,
  isBasic,
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
  mailbox,
  type Outcome,
  type OutgoingMessage,
  type RelayAdapter,
  type RelayResponse,
} from './relay.ts';

/** Error codes about the key, the sender signature, credits or the stream. */
const CONFIG = new Set([10, 400, 401, 405, 412, 413, 1235, 1236]);
/** Error codes for maintenance and for too many requests. */
const RETRY = new Set([100, 429]);
const INACTIVE_RECIPIENT = 406;

export const postmark: RelayAdapter = {
  name: 'postmark',
  defaultUrl: 'https://api.postmarkapp.com',
  maxBatch: 500,
  idempotency: 'none',
  // On a broadcast stream Postmark sets its own header, unless its support has allowed ours.
  listUnsubscribe: 'gated',

  build(messages, { apiKey, stream }) {
    const [message] = messages;
    return {
      path: messages.length > 1 ? '/email/batch' : '/email',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json',
        'x-postmark-server-token': apiKey ?? '',
      },
      body: JSON.stringify(messages.length > 1 ? messages.map((item) => toPostmark(item, stream)) : toPostmark(message, stream)),
    };
  },

  classify(response, messages) {
    const body: unknown = jsonBody(response);
    if (response.status !== 200 || messages.length === 1) return forEach(messages, classifyOne(body, response));
    // A batch always gets 200, with one result for each message, in the order of the request.
    const items = Array.isArray(body) && body.length === messages.length ? body : [];
    return messages.map((_, index) => classifyOne(items[index], response));
  },
};

const toPostmark = (message: OutgoingMessage, stream: string | undefined) => ({
  From: mailbox(message.from),
  ...(message.replyTo !== undefined && { ReplyTo: message.replyTo }),
  To: mailbox(message.to),
  Subject: message.subject,
  TextBody: message.text,
  HtmlBody: message.html,
  Headers: headersWithout(message, 'Message-ID', 'Feedback-ID').map(([Name, Value]) => ({ Name, Value })),
  Metadata: { invitation: invitationName(message) },
  ...(stream !== undefined && { MessageStream: stream }),
});

/** @param result For one message, or for the whole request. */
function classifyOne(result: unknown, response: RelayResponse): Outcome {
  const { ErrorCode: error, Message: text, MessageID: id } = (result ?? {}) as Record<string, unknown>;
  if (response.status === 200 && error === 0 && typeof id === 'string') return { kind: 'accepted', messageId: id };
  const detail = typeof text === 'string' ? text : `The relay returned ${response.status}.`;
  if (typeof error !== 'number' || error === 0) {
    if (response.status === 200)
      return { kind: 'unknown', code: 'unrecognized_response', detail: 'The relay returned 200 without a MessageID.' };
    return classifyStatus(response, detail);
  }
  // Postmark's codes look like HTTP statuses but aren't.
  const code = `postmark_${error}`;
  if (CONFIG.has(error)) return { kind: 'config', code, detail };
  if (error === INACTIVE_RECIPIENT) return { kind: 'suppressed', code, detail };
  if (RETRY.has(error)) return { ...classifyStatus({ ...response, status: 429 }, detail), code } as Outcome;
  // Postmark's docs: after a 500 the message is usually lost.
  if (response.status === 500 || response.status === 503) return { kind: 'retry', code, detail };
  if (error === 300 && /^(Invalid|Error parsing) '(To|Cc|Bcc)'/.test(detail))
    return { kind: 'rejected', code: 'invalid_recipient', detail };
  if (error === 300 && /^(Invalid|Error parsing) 'From'/.test(detail)) return { kind: 'config', code, detail };
  return { kind: 'rejected', code, detail };
}

// Events come one per request, unsigned, with Basic credentials. Source: postmarkapp.com/developer/webhooks/webhooks-overview.

/** Bounce types that say nothing about the address. */
const IGNORED = new Set(['AutoResponder', 'AddressChange', 'ChallengeVerification', 'OpenRelayTest', 'Subscribe']);
const BOUNCES: Readonly<Record<string, RelayEventType>> = {
  HardBounce: 'hard_bounce',
  BadEmailAddress: 'hard_bounce',
  ManuallyDeactivated: 'hard_bounce',
  SpamComplaint: 'complaint',
  Unsubscribe: 'unsubscribe',
  ManualSuppression: 'unsubscribe',
};

export const postmarkEvents: RelayEventSource = {
  challenge: BASIC,
  verify: (_rawBody, headers, secret) => isBasic(secret) && hasBasic(headers, secret),

  checkSecret: (secret) => (isBasic(secret) ? undefined : 'be user:password, as entered for the webhook at Postmark'),

  parse(rawBody): RelayEvent[] {
    return readEvents(rawBody).flatMap((event) => {
      const type = typeOf(event);
      const when = event.BouncedAt ?? event.DeliveredAt ?? event.ChangedAt;
      const at = timeOf(when);
      if (type === undefined || at === undefined) return [];
      return {
        eventId: eventIdOf(event.RecordType, event.ID ?? event.MessageID, event.Recipient ?? event.Email, when),
        relayMessageId: textOf(event.MessageID),
        ...invitationOf(fieldsOf(event.Metadata).invitation),
        email: emailOf(event.Email ?? event.Recipient),
        type,
        at,
        detail: detailOf(event.Details, event.Description, event.SuppressionReason),
      };
    });
  },
};

function typeOf(event: Fields): RelayEventType | undefined {
  switch (event.RecordType) {
    case 'Delivery':
      return 'delivered';
    case 'SpamComplaint':
      return 'complaint';
    case 'SubscriptionChange':
      // False: the address was taken off Postmark's suppression list. It stays on ours until a person removes it.
      return event.SuppressSending === true ? (BOUNCES[String(event.SuppressionReason)] ?? 'unsubscribe') : undefined;
    case 'Bounce': {
      const kind = String(event.Type);
      if (IGNORED.has(kind)) return undefined;
      // Inactive: Postmark won't email the address again.
      return BOUNCES[kind] ?? (event.Inactive === true ? 'hard_bounce' : 'soft_bounce');
    }
    default:
      return undefined;
  }
}
