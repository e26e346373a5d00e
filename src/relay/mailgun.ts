// Mailgun's API: POST /v3/<domain>/messages, as a form. Sources: documentation.mailgun.com (messages, responses), mailgun/mailgun.js.
// Its batches share one body, and each of our mails has links of its own: no batches.
import { classifyStatus, forEach, jsonBody, mailbox, type Outcome, type RelayAdapter, type RelayResponse } from './relay.ts';
import { secondsUntil } from './retry-after.ts';

export const mailgun: RelayAdapter = {
  name: 'mailgun',
  defaultUrl: 'https://api.mailgun.net',
  maxBatch: 1,
  idempotency: 'none',
  listUnsubscribe: 'custom',

  build([mail], { apiKey, domain }) {
    const form = new URLSearchParams({
      from: mailbox(mail.from),
      to: mailbox(mail.to),
      subject: mail.subject,
      text: mail.text,
      html: mail.html,
    });
    for (const [name, value] of Object.entries(mail.headers)) form.append(`h:${name}`, value);
    form.append('v:invitation', mail.id);
    return {
      path: `/v3/${encodeURIComponent(domain ?? mail.from.email.replace(/^.*@/, ''))}/messages`,
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        accept: 'application/json',
        authorization: `Basic ${Buffer.from(`api:${apiKey ?? ''}`).toString('base64')}`,
      },
      body: form.toString(),
    };
  },

  classify: (response, mails) => forEach(mails, classifyOne(response)),
};

function classifyOne(response: RelayResponse): Outcome {
  const { status, headers } = response;
  const { id, message } = jsonBody(response) ?? {};
  // A wrong path is a 200 as well, and says "Mailgun Magnificent API".
  if (status === 200 && typeof id === 'string' && /^Queued/.test(String(message))) return { kind: 'accepted', messageId: id };
  if (status === 200) return { kind: 'unknown', code: 'unrecognised_answer', detail: 'The relay answered 200 without queueing.' };
  const detail = typeof message === 'string' ? message : `The relay answered ${status}.`;
  if (status === 420 || status === 429) {
    const outcome = classifyStatus(response, detail) as Outcome & { afterSeconds?: number };
    // "… recipient limit exceeded, try again after Wed, 22 Feb 2023 10:04:01 UTC"
    const date = /try again after (.+)$/.exec(detail)?.[1] ?? '';
    return { ...outcome, afterSeconds: outcome.afterSeconds ?? secondsUntil(date, headers) } as Outcome;
  }
  if (status === 400 && /^'?to'? parameter/i.test(detail)) return { kind: 'rejected', code: 'invalid_recipient', detail };
  if (status === 400 && /^'?from'? parameter/i.test(detail)) return { kind: 'config', code: 'invalid_sender', detail };
  return classifyStatus(response, detail);
}
