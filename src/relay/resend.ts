// Resend's API: POST /emails. Sources: resend.com/docs/api-reference (introduction, errors), resend.com/docs/dashboard/emails/idempotency-keys.
import {
  classifyStatus,
  jsonBody,
  mailbox,
  type Outcome,
  type OutgoingMail,
  type RelayAdapter,
  type RelayResponse,
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

export const resend: RelayAdapter = {
  name: 'resend',
  defaultUrl: 'https://api.resend.com',

  build(mail: OutgoingMail, apiKey) {
    return {
      path: '/emails',
      headers: {
        'content-type': 'application/json',
        authorization: `Bearer ${apiKey ?? ''}`,
        'idempotency-key': mail.idempotencyKey,
      },
      body: JSON.stringify({
        from: mailbox(mail.from),
        to: [mailbox(mail.to)],
        subject: mail.subject,
        text: mail.text,
        html: mail.html,
        headers: mail.headers,
        tags: [{ name: 'invitation', value: mail.id }],
      }),
    };
  },

  classify(response: RelayResponse, attempt): Outcome {
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
  },
};
