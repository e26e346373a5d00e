// Mailpit's API (v1.30: POST /api/v1/send). The development outbox has the same API.
import { classifyStatus, forEach, jsonBody, type Outcome, type RelayAdapter, type RelayResponse } from './relay.ts';

export const mailpit: RelayAdapter = {
  name: 'mailpit',
  defaultUrl: 'http://127.0.0.1:8025',
  maxBatch: 1,
  // A repeated Message-ID is dropped only with --ignore-duplicate-ids.
  idempotency: 'none',
  listUnsubscribe: 'custom',

  build([message], { apiKey }) {
    return {
      path: '/api/v1/send',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json',
        ...(apiKey !== undefined && { authorization: `Basic ${Buffer.from(apiKey).toString('base64')}` }),
      },
      body: JSON.stringify({
        From: { Name: message.from.name, Email: message.from.email },
        ...(message.replyTo !== undefined && { ReplyTo: [{ Email: message.replyTo }] }),
        To: [{ Name: message.to.name, Email: message.to.email }],
        Subject: message.subject,
        Text: message.text,
        HTML: message.html,
        Headers: message.headers,
      }),
    };
  },

  classify: (response, messages) => forEach(messages, classifyOne(response)),
};

function classifyOne(response: RelayResponse): Outcome {
  const body = jsonBody(response);
  if (response.status === 200 && typeof body?.ID === 'string') {
    // An empty ID means that Mailpit ignored a duplicate.
    return { kind: 'accepted', messageId: body.ID || undefined };
  }
  if (response.status === 200)
    return { kind: 'unknown', code: 'unrecognized_response', detail: 'The relay returned 200 without an ID.' };
  const detail = typeof body?.Error === 'string' ? body.Error : `The relay returned ${response.status}.`;
  if (response.status === 400 && /invalid to address/i.test(detail))
    return { kind: 'rejected', code: 'invalid_recipient', detail };
  return classifyStatus(response, detail);
}
