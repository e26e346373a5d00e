// Postmark's API: POST /email and /email/batch. Sources: postmarkapp.com/developer/api (overview, email-api), and how
// anymail/django-anymail (anymail/backends/postmark.py) reads its answers.
import {
  classifyStatus,
  forEach,
  headersWithoutId,
  jsonBody,
  mailbox,
  type Outcome,
  type OutgoingMail,
  type RelayAdapter,
  type RelayResponse,
} from './relay.ts';

/** Key, sender signature, credits, stream: no mail would fare better. */
const CONFIG = new Set([10, 400, 401, 405, 412, 413, 1235, 1236]);
/** Maintenance, too many requests. */
const RETRY = new Set([100, 429]);
const INACTIVE_RECIPIENT = 406;

export const postmark: RelayAdapter = {
  name: 'postmark',
  defaultUrl: 'https://api.postmarkapp.com',
  maxBatch: 500,
  idempotency: 'none',
  // On a broadcast stream Postmark puts its own, unless its support has allowed ours.
  listUnsubscribe: 'gated',

  build(mails, { apiKey, stream }) {
    const [mail] = mails;
    return {
      path: mails.length > 1 ? '/email/batch' : '/email',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json',
        'x-postmark-server-token': apiKey ?? '',
      },
      body: JSON.stringify(mails.length > 1 ? mails.map((one) => message(one, stream)) : message(mail, stream)),
    };
  },

  classify(response, mails) {
    const body: unknown = jsonBody(response);
    if (response.status !== 200 || mails.length === 1) return forEach(mails, classifyOne(body, response));
    // A batch is always 200, and each mail has its own answer, in the order of the request.
    const items = Array.isArray(body) && body.length === mails.length ? body : [];
    return mails.map((_, index) => classifyOne(items[index], response));
  },
};

const message = (mail: OutgoingMail, stream: string | undefined) => ({
  From: mailbox(mail.from),
  To: mailbox(mail.to),
  Subject: mail.subject,
  TextBody: mail.text,
  HtmlBody: mail.html,
  Headers: headersWithoutId(mail).map(([Name, Value]) => ({ Name, Value })),
  Metadata: { invitation: mail.id },
  ...(stream !== undefined && { MessageStream: stream }),
});

/** @param answer What Postmark says of one mail, or of the whole request. */
function classifyOne(answer: unknown, response: RelayResponse): Outcome {
  const { ErrorCode: error, Message: text, MessageID: id } = (answer ?? {}) as Record<string, unknown>;
  if (response.status === 200 && error === 0 && typeof id === 'string') return { kind: 'accepted', messageId: id };
  const detail = typeof text === 'string' ? text : `The relay answered ${response.status}.`;
  if (typeof error !== 'number' || error === 0) {
    if (response.status === 200)
      return { kind: 'unknown', code: 'unrecognised_answer', detail: 'The relay answered 200 without a MessageID.' };
    return classifyStatus(response, detail);
  }
  // Its codes look like statuses, and are not.
  const code = `postmark_${error}`;
  if (CONFIG.has(error)) return { kind: 'config', code, detail };
  if (error === INACTIVE_RECIPIENT) return { kind: 'suppressed', code, detail };
  if (RETRY.has(error)) return { ...classifyStatus({ ...response, status: 429 }, detail), code } as Outcome;
  // Postmark says of its own 500 that the message is usually lost, and asks for another try.
  if (response.status === 500 || response.status === 503) return { kind: 'retry', code, detail };
  if (error === 300 && /^(Invalid|Error parsing) '(To|Cc|Bcc)'/.test(detail))
    return { kind: 'rejected', code: 'invalid_recipient', detail };
  if (error === 300 && /^(Invalid|Error parsing) 'From'/.test(detail)) return { kind: 'config', code, detail };
  return { kind: 'rejected', code, detail };
}
