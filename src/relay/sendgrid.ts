// SendGrid's API: POST /v3/mail/send. Sources: twilio.com/docs/sendgrid/api-reference/mail-send, sendgrid/sendgrid-oai.
// Its personalizations share one body, and each of our mails has links of its own: no batches.
import { classifyStatus, forEach, jsonBody, named, type Outcome, type RelayAdapter, type RelayResponse } from './relay.ts';

export const sendgrid: RelayAdapter = {
  name: 'sendgrid',
  defaultUrl: 'https://api.sendgrid.com',
  maxBatch: 1,
  idempotency: 'none',
  listUnsubscribe: 'custom',

  build([mail], { apiKey }) {
    return {
      path: '/v3/mail/send',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json',
        authorization: `Bearer ${apiKey ?? ''}`,
      },
      body: JSON.stringify({
        personalizations: [{ to: [named(mail.to)], custom_args: { invitation: mail.id } }],
        from: named(mail.from),
        subject: mail.subject,
        // The text must come first.
        content: [
          { type: 'text/plain', value: mail.text },
          { type: 'text/html', value: mail.html },
        ],
        headers: mail.headers,
        // Else SendGrid puts a List-Unsubscribe of its own beside ours.
        tracking_settings: { subscription_tracking: { enable: false } },
      }),
    };
  },

  classify: (response, mails) => forEach(mails, classifyOne(response)),
};

function classifyOne(response: RelayResponse): Outcome {
  const { status, headers } = response;
  if (status === 202) {
    const id = headers['x-message-id'];
    if (typeof id === 'string') return { kind: 'accepted', messageId: id };
    return { kind: 'unknown', code: 'unrecognised_answer', detail: 'The relay answered 202 without an X-Message-Id.' };
  }
  if (status >= 200 && status < 300) {
    return { kind: 'unknown', code: 'unrecognised_answer', detail: `The relay answered ${status}, not 202.` };
  }
  const errors = jsonBody(response)?.errors;
  const { message, field } = ((Array.isArray(errors) && errors[0]) || {}) as Record<string, unknown>;
  const detail = typeof message === 'string' ? message : `The relay answered ${status}.`;
  if (status === 403 && /temporary block/i.test(detail))
    return { kind: 'retry', code: 'temporary_block', detail, afterSeconds: 900 };
  if (status === 400 && /^personalizations\.\d+\.to\b/.test(String(field)))
    return { kind: 'rejected', code: 'invalid_recipient', detail };
  if (status === 400 && /^from\b/.test(String(field))) return { kind: 'config', code: 'invalid_sender', detail };
  return classifyStatus(response, detail);
}
