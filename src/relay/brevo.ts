// Brevo's API: POST /v3/smtp/email. Sources: developers.brevo.com (send-transac-email, heterogenous-versions-batch-emails, api-limits),
// types of @getbrevo/brevo@6.0.3, anymail/django-anymail (anymail/backends/brevo.py).
import { bearerOf, sha256 } from '../secret.ts';
import {
  BASIC,
  detailOf,
  emailOf,
  eventIdOf,
  hasBasic,
  headerOf,
  invitationOf,
  isBasic,
  type RelayEvent,
  type RelayEventSource,
  type RelayEventType,
  readEvents,
  sameText,
  textOf,
  timeOf,
} from './event.ts';
import {
  type Address,
  classifyStatus,
  forEach,
  invitationName,
  jsonBody,
  type Messages,
  named,
  type Outcome,
  type RelayAdapter,
  type RelayResponse,
  requestKey,
} from './relay.ts';

const CONFIG = new Set([
  'unauthorized',
  'permission_denied',
  'account_under_validation',
  'not_enough_credits',
  'method_not_allowed',
  'document_not_found',
]);
const DUPLICATE = new Set(['duplicate_parameter', 'duplicate_request']);

export const brevo: RelayAdapter = {
  name: 'brevo',
  defaultUrl: 'https://api.brevo.com',
  maxBatch: 1000,
  // Brevo remembers a key for 30 minutes.
  idempotency: 'error',
  listUnsubscribe: 'provider',

  /** All messages have the same sender: delivery never puts different senders in one batch. */
  build(messages, { apiKey }) {
    const versions = messages.map(({ to, subject, html, text }) => ({
      to: [address(to)],
      subject,
      htmlContent: html,
      textContent: text,
    }));
    const [{ to, ...first }] = versions as [(typeof versions)[0]];
    return {
      path: '/v3/smtp/email',
      headers: { 'content-type': 'application/json', accept: 'application/json', 'api-key': apiKey ?? '' },
      body: JSON.stringify({
        sender: address(messages[0].from),
        ...(messages[0].replyTo !== undefined && { replyTo: { email: messages[0].replyTo } }),
        ...(messages.length === 1 && { to }),
        ...first,
        // Ours are left out: Brevo adds its own List-Unsubscribe, and two of them count as none (RFC 8058 section 4).
        headers: {
          idempotencyKey: uuidOf(requestKey(messages)),
          // Brevo returns this header with each event, but doesn't document it for batches. Their events are matched by message id.
          ...(messages.length === 1 && { 'X-Mailin-custom': `invitation:${invitationName(messages[0])}` }),
        },
        ...(messages.length > 1 && { messageVersions: versions }),
      }),
    };
  },

  classify(response, messages, attempt) {
    return response.status === 201 ? accepted(response, messages) : forEach(messages, refused(response, attempt));
  },
};

/** Brevo allows names of at most 70 characters, and drops a name that has both a comma and non-ASCII letters. */
const address = ({ name, email }: Address) =>
  named({ email, name: [...(/[^ -~]/.test(name) ? name.replace(/\s*,\s*/g, ' ') : name)].slice(0, 70).join('') });

/** A UUID that is derived from a text (RFC 9562 section 5.8). */
function uuidOf(text: string): string {
  const hash = sha256(text);
  hash.writeUInt8((hash.readUInt8(6) & 0x0f) | 0x80, 6);
  hash.writeUInt8((hash.readUInt8(8) & 0x3f) | 0x80, 8);
  return hash.toString('hex', 0, 16).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

/** The body is `{messageId}`, or `{messageIds: […]}` in the order of the versions. */
function accepted(response: RelayResponse, messages: Messages): Outcome[] {
  const { messageId, messageIds } = jsonBody(response) ?? {};
  const ids: unknown[] = Array.isArray(messageIds) ? messageIds : [messageId];
  return messages.map((_, index) => {
    const id = ids.length === messages.length ? ids[index] : undefined;
    if (typeof id === 'string') return { kind: 'accepted', messageId: id };
    return { kind: 'unknown', code: 'unrecognized_response', detail: 'The relay returned 201 without an id for each message.' };
  });
}

function refused(response: RelayResponse, attempt: number): Outcome {
  const { code: brevoCode, message } = jsonBody(response) ?? {};
  const { status } = response;
  const code = typeof brevoCode === 'string' ? brevoCode : `http_${status}`;
  const detail = typeof message === 'string' ? message : `The relay returned ${status}.`;
  if (status < 300) return { kind: 'unknown', code: 'unrecognized_response', detail: `The relay returned ${status}, not 201.` };
  // Brevo has seen this key before. At a later attempt, it was in our earlier request.
  if (DUPLICATE.has(code)) return attempt > 1 ? { kind: 'accepted' } : { kind: 'unknown', code, detail };
  if (CONFIG.has(code) || (status === 400 && /\bsender\b/i.test(detail))) return { kind: 'config', code, detail };
  if (status === 400 && /(^| in )to\b/.test(detail)) return { kind: 'rejected', code: 'invalid_recipient', detail };
  return { ...classifyStatus(response, detail), code } as Outcome;
}

// Events come one per request, unsigned, with Basic credentials or a bearer token. Sources:
// developers.brevo.com/docs/transactional-webhooks, …/secured-webhooks.

const TYPES: Readonly<Record<string, RelayEventType>> = {
  delivered: 'delivered',
  soft_bounce: 'soft_bounce',
  deferred: 'soft_bounce',
  error: 'soft_bounce',
  hard_bounce: 'hard_bounce',
  invalid_email: 'hard_bounce',
  // The address is on Brevo's own blocklist.
  blocked: 'hard_bounce',
  spam: 'complaint',
  complaint: 'complaint',
  unsubscribe: 'unsubscribe',
  unsubscribed: 'unsubscribe',
};

export const brevoEvents: RelayEventSource = {
  challenge: BASIC,

  verify(_rawBody, headers, secret) {
    const bearer = bearerOf(headerOf(headers, 'authorization'));
    return bearer === undefined ? hasBasic(headers, secret) : sameText(bearer, secret);
  },

  checkSecret: (secret) =>
    isBasic(secret) || /^[^\s:]+$/.test(secret) ? undefined : 'be a token without spaces, or user:password, as entered at Brevo',

  parse(rawBody): RelayEvent[] {
    return readEvents(rawBody).flatMap((event) => {
      const name = String(event.event);
      const type = Object.hasOwn(TYPES, name) ? TYPES[name] : undefined;
      // The only time in the event that is in UTC.
      const at = timeOf(event.ts_epoch, 'milliseconds');
      if (type === undefined || at === undefined) return [];
      return {
        eventId: eventIdOf(name, event['message-id'], event.email, event.ts_epoch),
        relayMessageId: textOf(event['message-id']),
        // build() sets it.
        ...invitationOf(/^invitation:(.+)$/.exec(textOf(event['X-Mailin-custom']) ?? '')?.[1]),
        email: emailOf(event.email),
        type,
        at,
        detail: detailOf(event.reason),
      };
    });
  },
};
