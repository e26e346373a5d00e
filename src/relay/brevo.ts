// Brevo's API: POST /v3/smtp/email. Sources: developers.brevo.com (send-transac-email, heterogenous-versions-batch-emails, api-limits),
// the types of @getbrevo/brevo@6.0.3, and the quirks that anymail/django-anymail (anymail/backends/brevo.py) has met.
import { createHash } from 'node:crypto';
import {
  type Address,
  classifyStatus,
  forEach,
  jsonBody,
  type Mails,
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
  // For 30 minutes.
  idempotency: 'error',
  listUnsubscribe: 'provider',

  build(mails, { apiKey }) {
    const versions = mails.map(({ to, subject, html, text }) => ({
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
        sender: address(mails[0].from),
        ...(mails.length === 1 && { to }),
        ...first,
        // It adds a List-Unsubscribe to every mail, and two would be none (RFC 8058 section 4).
        headers: {
          idempotencyKey: uuidOf(requestKey(mails)),
          // Comes back with each event. No header of a single version is documented: a batch's mails are known by the ids of the answer.
          ...(mails.length === 1 && { 'X-Mailin-custom': `invitation:${mails[0].id}` }),
        },
        ...(mails.length > 1 && { messageVersions: versions }),
      }),
    };
  },

  classify(response, mails, attempt) {
    return response.status === 201 ? accepted(response, mails) : forEach(mails, refused(response, attempt));
  },
};

/** Names of at most 70 characters; one with a comma vanishes if it is not ASCII. */
const address = ({ name, email }: Address) =>
  named({ email, name: [...(/[^ -~]/.test(name) ? name.replace(/\s*,\s*/g, ' ') : name)].slice(0, 70).join('') });

/** A UUID that stands for a text (RFC 9562 section 5.8). */
function uuidOf(text: string): string {
  const hash = createHash('sha256').update(text).digest();
  hash.writeUInt8((hash.readUInt8(6) & 0x0f) | 0x80, 6);
  hash.writeUInt8((hash.readUInt8(8) & 0x3f) | 0x80, 8);
  return hash.toString('hex', 0, 16).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

/** `{messageId}`, or `{messageIds: […]}` in the order of the versions. */
function accepted(response: RelayResponse, mails: Mails): Outcome[] {
  const { messageId, messageIds } = jsonBody(response) ?? {};
  const ids: unknown[] = Array.isArray(messageIds) ? messageIds : [messageId];
  return mails.map((_, index) => {
    const id = ids.length === mails.length ? ids[index] : undefined;
    if (typeof id === 'string') return { kind: 'accepted', messageId: id };
    return { kind: 'unknown', code: 'unrecognised_answer', detail: 'The relay answered 201 without an id for each mail.' };
  });
}

function refused(response: RelayResponse, attempt: number): Outcome {
  const { code: named, message } = jsonBody(response) ?? {};
  const { status } = response;
  const code = typeof named === 'string' ? named : `http_${status}`;
  const detail = typeof message === 'string' ? message : `The relay answered ${status}.`;
  if (status < 300) return { kind: 'unknown', code: 'unrecognised_answer', detail: `The relay answered ${status}, not 201.` };
  // It has had this key: at a later attempt that was an earlier one of ours.
  if (DUPLICATE.has(code)) return attempt > 1 ? { kind: 'accepted' } : { kind: 'unknown', code, detail };
  if (CONFIG.has(code) || (status === 400 && /\bsender\b/i.test(detail))) return { kind: 'config', code, detail };
  if (status === 400 && /(^| in )to\b/.test(detail)) return { kind: 'rejected', code: 'invalid_recipient', detail };
  return { ...classifyStatus(response, detail), code } as Outcome;
}
