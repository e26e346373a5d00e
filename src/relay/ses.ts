// Amazon SES v2: POST /v2/email/outbound-emails, signed with SigV4. Sources: the API model in @aws-sdk/client-sesv2@3.1169.0,
// docs.aws.amazon.com/ses/latest/dg (manage-sending-quotas-errors, troubleshoot-error-messages). Its batches want templates: none here.
import {
  type Address,
  classifyStatus,
  forEach,
  headersWithoutId,
  jsonBody,
  mailbox,
  type Outcome,
  type RelayAdapter,
  type RelayResponse,
} from './relay.ts';
import { sign } from './sigv4.ts';

const PATH = '/v2/email/outbound-emails';
const CONFIG = new Set([
  'AccountSuspendedException',
  'SendingPausedException',
  'MailFromDomainNotVerifiedException',
  'NotFoundException',
]);
const RETRY = new Set(['TooManyRequestsException', 'ThrottlingException', 'Throttling', 'LimitExceededException']);

export const ses: RelayAdapter = {
  name: 'ses',
  defaultUrl: 'https://email.us-east-1.amazonaws.com',
  maxBatch: 1,
  idempotency: 'none',
  listUnsubscribe: 'custom',

  build([mail], { url, apiKey = '' }, now) {
    const base = new URL(url);
    const data = (text: string) => ({ Data: text, Charset: 'UTF-8' });
    const body = JSON.stringify({
      FromEmailAddress: asciiMailbox(mail.from),
      Destination: { ToAddresses: [asciiMailbox(mail.to)] },
      Content: {
        Simple: {
          Subject: data(mail.subject),
          Body: { Text: data(mail.text), Html: data(mail.html) },
          Headers: headersWithoutId(mail).map(([Name, Value]) => ({ Name, Value })),
        },
      },
      EmailTags: [{ Name: 'invitation', Value: mail.id }],
    });
    const [, accessKeyId = '', secret = ''] = /^([^:]*):(.*)$/s.exec(apiKey) ?? [];
    const path = base.pathname.replace(/\/$/, '') + PATH;
    const signed = sign({
      host: base.host,
      path,
      body,
      region: regionOf(base.hostname),
      service: 'ses',
      accessKeyId,
      secret,
      now,
    });
    return { path: PATH, headers: { 'content-type': 'application/json', accept: 'application/json', ...signed }, body };
  },

  classify: (response, mails) => forEach(mails, classifyOne(response)),
};

/** email.<region>.amazonaws.com, its FIPS and VPC forms; us-east-1 for what is not AWS. */
const regionOf = (host: string): string =>
  /(?:^|\.)email(?:-fips)?\.([a-z0-9-]+)\.(?:vpce\.)?amazonaws\.com(?:\.cn)?$/.exec(host)?.[1] ?? 'us-east-1';

/** SES takes addresses in ASCII: a name that is not is sent as encoded words of at most 75 characters (RFC 2047 section 2). */
function asciiMailbox({ name, email }: Address): string {
  if (/^[ -~]*$/.test(name)) return mailbox({ name, email });
  const words = [''];
  for (const character of name) {
    if (Buffer.byteLength((words.at(-1) ?? '') + character) > 45) words.push('');
    words[words.length - 1] += character;
  }
  return `${words.map((word) => `=?UTF-8?B?${Buffer.from(word).toString('base64')}?=`).join(' ')} <${email}>`;
}

function classifyOne(response: RelayResponse): Outcome {
  const { status, headers } = response;
  const body = jsonBody(response);
  if (status === 200 && typeof body?.MessageId === 'string') return { kind: 'accepted', messageId: body.MessageId };
  if (status === 200)
    return { kind: 'unknown', code: 'unrecognised_answer', detail: 'The relay answered 200 without a MessageId.' };
  // "namespace#Type:address", wherever the type stands.
  const type = String(headers['x-amzn-errortype'] ?? body?.__type ?? '');
  const code = /^(?:[^:]*#)?(\w+)/.exec(type)?.[1] ?? `http_${status}`;
  const text = body?.message ?? body?.Message;
  const detail = typeof text === 'string' ? text : `The relay answered ${status}.`;
  if (/daily message quota/i.test(detail)) return { kind: 'retry', code, detail, afterSeconds: 3600 };
  if (RETRY.has(code)) return { ...classifyStatus({ ...response, status: 429 }, detail), code } as Outcome;
  // In the sandbox it is the recipient who is not verified: the account's fault all the same.
  if (CONFIG.has(code) || /not verified/i.test(detail)) return { kind: 'config', code, detail };
  return { ...classifyStatus(response, detail), code } as Outcome;
}
