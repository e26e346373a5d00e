// Mailpit's send API, spoken by our development outbox and by a real Mailpit (v1.30: POST /api/v1/send).
import { classifyStatus, forEach, jsonBody, type Outcome, type RelayAdapter, type RelayResponse } from './relay.ts';

export const mailpit: RelayAdapter = {
  name: 'mailpit',
  defaultUrl: 'http://127.0.0.1:8025',
  maxBatch: 1,
  // Mailpit drops a repeated Message-ID only where it runs with --ignore-duplicate-ids.
  idempotency: 'none',
  listUnsubscribe: 'custom',

  build([mail], { apiKey }) {
    return {
      path: '/api/v1/send',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json',
        ...(apiKey !== undefined && { authorization: `Basic ${Buffer.from(apiKey).toString('base64')}` }),
      },
      body: JSON.stringify({
        From: { Name: mail.from.name, Email: mail.from.email },
        To: [{ Name: mail.to.name, Email: mail.to.email }],
        Subject: mail.subject,
        Text: mail.text,
        HTML: mail.html,
        Headers: mail.headers,
      }),
    };
  },

  classify: (response, mails) => forEach(mails, classifyOne(response)),
};

function classifyOne(response: RelayResponse): Outcome {
  const body = jsonBody(response);
  if (response.status === 200 && typeof body?.ID === 'string') {
    // An empty ID: Mailpit runs with --ignore-duplicate-ids and has this Message-ID already.
    return { kind: 'accepted', messageId: body.ID || undefined };
  }
  if (response.status === 200)
    return { kind: 'unknown', code: 'unrecognised_answer', detail: 'The relay answered 200 without an ID.' };
  const detail = typeof body?.Error === 'string' ? body.Error : `The relay answered ${response.status}.`;
  if (response.status === 400 && /invalid to address/i.test(detail))
    return { kind: 'rejected', code: 'invalid_recipient', detail };
  return classifyStatus(response, detail);
}
