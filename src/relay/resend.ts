// Resend's API: POST /emails and /emails/batch. Sources: resend.com/docs/api-reference (introduction, errors), resend.com/docs/dashboard/emails/idempotency-keys.
import {
  classifyStatus,
  forEach,
  jsonBody,
  type Mails,
  mailbox,
  type Outcome,
  type OutgoingMail,
  type RelayAdapter,
  type RelayResponse,
  requestKey,
} from './relay.ts';

/** Faults of the account, its key or its domain: no mail would fare better. */
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
  // Keys live for 24 hours; an hour is left for clocks that differ, and for outcomes that are written late.
  replaySeconds: 23 * 3600,
  listUnsubscribe: 'custom',

  build(mails, { apiKey }) {
    const [mail] = mails;
    return {
      path: mails.length > 1 ? '/emails/batch' : '/emails',
      headers: {
        'content-type': 'application/json',
        authorization: `Bearer ${apiKey ?? ''}`,
        'idempotency-key': requestKey(mails),
        // All or none of a batch, which is also what Resend does unless told: an answer then never speaks of a part.
        ...(mails.length > 1 && { 'x-batch-validation': 'strict' }),
      },
      body: JSON.stringify(mails.length > 1 ? mails.map(message) : message(mail)),
    };
  },

  classify(response, mails, attempt) {
    if (mails.length === 1) return forEach(mails, classifyOne(response, attempt));
    return response.status === 200 ? acceptedBatch(response, mails) : forEach(mails, refusedBatch(response, attempt));
  },
};

const message = (mail: OutgoingMail) => ({
  from: mailbox(mail.from),
  to: [mailbox(mail.to)],
  subject: mail.subject,
  text: mail.text,
  html: mail.html,
  headers: mail.headers,
  tags: [{ name: 'invitation', value: mail.id }],
});

/** `{data: [{id}, …]}`, in the order of the request. */
function acceptedBatch(response: RelayResponse, mails: Mails): Outcome[] {
  const data = jsonBody(response)?.data;
  const ids = Array.isArray(data) && data.length === mails.length ? data : [];
  return mails.map((_, index) => {
    const id: unknown = ids[index]?.id;
    if (typeof id === 'string') return { kind: 'accepted', messageId: id };
    return { kind: 'unknown', code: 'unrecognised_answer', detail: 'The relay answered 200 without an id for each mail.' };
  });
}

/**
 * A batch's mails are tried again one by one, under keys of their own: what is safe to repeat under the same key, because it may
 * have got through, is unknown here.
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
    return { kind: 'unknown', code: 'unrecognised_answer', detail: 'The relay answered 200 without an id.' };
  }
  const code = typeof body?.name === 'string' ? body.name : `http_${response.status}`;
  const detail = typeof body?.message === 'string' ? body.message : `The relay answered ${response.status}.`;
  if (code === 'invalid_idempotent_request') {
    // The key is known with other bytes: an earlier attempt got through, before a name or title changed.
    if (attempt > 1) return { kind: 'accepted' };
    return { kind: 'rejected', code, detail };
  }
  if (CONFIG.has(code) || (code === 'validation_error' && response.status === 403)) return { kind: 'config', code, detail };
  if (RETRY.has(code)) return { ...classifyStatus({ ...response, status: 429 }, detail), code } as Outcome;
  // With an idempotency key a repeated request is safe: what the relay's own error says was not sent can be sent again.
  if (SERVER.has(code)) return { kind: 'retry', code, detail };
  // Its sentences name the field in backticks: "Invalid `to` field. The email address needs to follow …".
  if (/`from`/.test(detail)) return { kind: 'config', code, detail };
  if (/`to`/.test(detail)) return { kind: 'rejected', code: 'invalid_recipient', detail };
  return { ...classifyStatus(response, detail), code } as Outcome;
}
