// Resend's API: POST /emails and /emails/batch. Sources: resend.com/docs/api-reference (introduction, errors),
// resend.com/docs/dashboard/emails/idempotency-keys.
import { createHmac } from 'node:crypto';
import {
  detailOf,
  emailOf,
  eventIdOf,
  type Fields,
  fieldsOf,
  headerOf,
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
  headersWithout,
  invitationName,
  jsonBody,
  type Messages,
  mailbox,
  type Outcome,
  type OutgoingMessage,
  type RelayAdapter,
  type RelayResponse,
  requestKey,
} from './relay.ts';

/** Errors that every message would get. */
const CONFIG = new Set([
  'missing_api_key',
  'restricted_api_key',
  'invalid_api_key',
  'invalid_from_address',
  'invalid_access',
  'invalid_region',
  'monthly_quota_exceeded',
  'not_found',
  'method_not_allowed',
]);
const RETRY = new Set(['rate_limit_exceeded', 'daily_quota_exceeded', 'concurrent_idempotent_requests']);
const SERVER = new Set(['application_error', 'internal_server_error']);
const SAME_KEY = new Set(['invalid_idempotent_request', 'concurrent_idempotent_requests']);

export const resend: RelayAdapter = {
  name: 'resend',
  defaultUrl: 'https://api.resend.com',

  maxBatch: 100,
  idempotency: 'replay',
  // Resend keeps keys for 24 hours. One hour is margin for clocks and late writes.
  replaySeconds: 23 * 3600,
  listUnsubscribe: 'custom',

  build(messages, { apiKey }) {
    const [message] = messages;
    return {
      path: messages.length > 1 ? '/emails/batch' : '/emails',
      headers: {
        'content-type': 'application/json',
        authorization: `Bearer ${apiKey ?? ''}`,
        'idempotency-key': requestKey(messages),
        // Resend's default, stated here: it accepts all messages or none.
        ...(messages.length > 1 && { 'x-batch-validation': 'strict' }),
      },
      body: JSON.stringify(messages.length > 1 ? messages.map(toResend) : toResend(message)),
    };
  },

  classify(response, messages, attempt) {
    if (messages.length === 1) return forEach(messages, classifyOne(response, attempt));
    return response.status === 200 ? acceptedBatch(response, messages) : forEach(messages, refusedBatch(response, attempt));
  },
};

const toResend = (message: OutgoingMessage) => ({
  from: mailbox(message.from),
  ...(message.replyTo !== undefined && { reply_to: message.replyTo }),
  to: [mailbox(message.to)],
  subject: message.subject,
  text: message.text,
  html: message.html,
  headers: Object.fromEntries(headersWithout(message, 'Feedback-ID')),
  tags: [{ name: 'invitation', value: invitationName(message) }],
});

/** The body is `{data: [{id}, …]}`, in the order of the request. */
function acceptedBatch(response: RelayResponse, messages: Messages): Outcome[] {
  const data = jsonBody(response)?.data;
  const ids = Array.isArray(data) && data.length === messages.length ? data : [];
  return messages.map((_, index) => {
    const id: unknown = ids[index]?.id;
    if (typeof id === 'string') return { kind: 'accepted', messageId: id };
    return { kind: 'unknown', code: 'unrecognized_response', detail: 'The relay returned 200 without an id for each message.' };
  });
}

/**
 * After a refused batch, each message is tried again on its own, under its own key. The batch may have got through, and Resend wouldn't
 * recognize its messages under other keys. So errors that are safe to retry for one message are unknown for a batch.
 */
function refusedBatch(response: RelayResponse, attempt: number): Outcome {
  const outcome = classifyOne(response, attempt);
  if (outcome.kind === 'accepted') return outcome;
  const { code, detail } = outcome;
  return SERVER.has(code) || SAME_KEY.has(code) ? { kind: 'unknown', code, detail } : outcome;
}

function classifyOne(response: RelayResponse, attempt: number): Outcome {
  const body = jsonBody(response);
  if (response.status === 200) {
    if (typeof body?.id === 'string') return { kind: 'accepted', messageId: body.id };
    return { kind: 'unknown', code: 'unrecognized_response', detail: 'The relay returned 200 without an id.' };
  }
  const code = typeof body?.name === 'string' ? body.name : `http_${response.status}`;
  const detail = typeof body?.message === 'string' ? body.message : `The relay returned ${response.status}.`;
  if (code === 'invalid_idempotent_request') {
    // Resend knows the key with another body: an earlier attempt got through, and a name or title has changed since.
    if (attempt > 1) return { kind: 'accepted' };
    return { kind: 'rejected', code, detail };
  }
  if (CONFIG.has(code) || (code === 'validation_error' && response.status === 403)) return { kind: 'config', code, detail };
  if (RETRY.has(code)) return { ...classifyStatus({ ...response, status: 429 }, detail), code } as Outcome;
  // The idempotency key makes a retry safe.
  if (SERVER.has(code)) return { kind: 'retry', code, detail };
  // The message has the field in backticks: "Invalid `to` field. The email address needs to follow …".
  if (/`from`/.test(detail)) return { kind: 'config', code, detail };
  if (/`to`/.test(detail)) return { kind: 'rejected', code: 'invalid_recipient', detail };
  return { ...classifyStatus(response, detail), code } as Outcome;
}

// Events, signed as Standard Webhooks (Svix). Sources: resend.com/docs/webhooks, docs.svix.com/receiving/verifying-payloads/how-manual.

/** Seconds; from Standard Webhooks. */
const TOLERANCE = 300;

export const resendEvents: RelayEventSource = {
  verify(rawBody, headers, secret, now) {
    const header = (name: string) => headerOf(headers, `svix-${name}`) || headerOf(headers, `webhook-${name}`);
    const [id, timestamp] = [header('id'), header('timestamp')];
    if (id === '' || !isRecent(timestamp, now, TOLERANCE)) return false;
    const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
    // With an empty key, anyone could sign.
    if (key.length < 16) return false;
    const expected = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(rawBody).digest('base64');
    // There are several signatures while the secret is being rotated.
    return header('signature')
      .split(' ')
      .some((signature) => sameText(signature, `v1,${expected}`));
  },

  checkSecret: (secret) =>
    /^whsec_[\w+/-]{22,}=*$/.test(secret) ? undefined : 'be the signing secret that Resend shows for the webhook, whsec_…',

  parse(rawBody): RelayEvent[] {
    return readEvents(rawBody).flatMap((event) => {
      const data = fieldsOf(event.data);
      const bounce = fieldsOf(data.bounce);
      const type = typeOf(event.type, bounce);
      const at = timeOf(event.created_at);
      if (type === undefined || at === undefined) return [];
      return {
        // Svix's id is in a header, which isn't passed to parse(). These fields are the same in each repeat.
        eventId: eventIdOf(event.type, data.email_id, event.created_at),
        relayMessageId: textOf(data.email_id),
        ...invitationOf(tagOf(data.tags)),
        email: emailOf(Array.isArray(data.to) ? data.to[0] : data.to),
        type,
        at,
        detail: detailOf(bounce.message, fieldsOf(data.suppressed).message),
      };
    });
  },
};

function typeOf(type: unknown, bounce: Fields): RelayEventType | undefined {
  switch (type) {
    case 'email.delivered':
      return 'delivered';
    case 'email.complained':
      return 'complaint';
    case 'email.delivery_delayed':
      return 'soft_bounce';
    // The address is on Resend's own suppression list.
    case 'email.suppressed':
      return 'hard_bounce';
    case 'email.bounced':
      return bounce.type === 'Transient' || bounce.type === 'Undetermined' ? 'soft_bounce' : 'hard_bounce';
    default:
      return undefined;
  }
}

/** The invitation's tag. Tags are sent as a list of {name, value}, and reported as an object. */
const tagOf = (tags: unknown): unknown =>
  Array.isArray(tags) ? tags.map(fieldsOf).find((tag) => tag.name === 'invitation')?.value : fieldsOf(tags).invitation;
