// Amazon SES v2: POST /v2/email/outbound-emails, signed with SigV4. Sources: the API model in @aws-sdk/client-sesv2@3.1169.0,
// docs.aws.amazon.com/ses/latest/dg (manage-sending-quotas-errors, troubleshoot-error-messages). There are no batches, because SES needs
// templates for them.
import {
  BASIC,
  detailOf,
  emailOf,
  eventIdOf,
  type Fields,
  fieldsOf,
  hasBasic,
  invitationOf,
  isBasic,
  type RelayEvent,
  type RelayEventSource,
  type RelayEventType,
  readEvents,
  textOf,
  timeOf,
} from './event.ts';
import {
  type Address,
  classifyStatus,
  forEach,
  headersWithout,
  invitationName,
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

  build([message], { url, apiKey = '' }, now) {
    const base = new URL(url);
    const data = (text: string) => ({ Data: text, Charset: 'UTF-8' });
    const body = JSON.stringify({
      FromEmailAddress: asciiMailbox(message.from),
      ...(message.replyTo !== undefined && { ReplyToAddresses: [message.replyTo] }),
      Destination: { ToAddresses: [asciiMailbox(message.to)] },
      Content: {
        Simple: {
          Subject: data(message.subject),
          Body: { Text: data(message.text), Html: data(message.html) },
          Headers: headersWithout(message, 'Message-ID', 'Feedback-ID').map(([Name, Value]) => ({ Name, Value })),
        },
      },
      EmailTags: [{ Name: 'invitation', Value: invitationName(message) }],
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

  classify: (response, messages) => forEach(messages, classifyOne(response)),
};

/** The region in email.<region>.amazonaws.com and its FIPS and VPC forms; otherwise us-east-1. */
const regionOf = (host: string): string =>
  /(?:^|\.)email(?:-fips)?\.([a-z0-9-]+)\.(?:vpce\.)?amazonaws\.com(?:\.cn)?$/.exec(host)?.[1] ?? 'us-east-1';

/** SES takes only ASCII. Other names become encoded words of at most 75 characters (RFC 2047 section 2): 45 bytes are 60 in base64. */
function asciiMailbox({ name, email }: Address): string {
  if (/^[ -~]*$/.test(name)) return mailbox({ name, email });
  const parts = [''];
  for (const character of name) {
    if (Buffer.byteLength((parts.at(-1) ?? '') + character) > 45) parts.push('');
    parts[parts.length - 1] += character;
  }
  return `${parts.map((part) => `=?UTF-8?B?${Buffer.from(part).toString('base64')}?=`).join(' ')} <${email}>`;
}

function classifyOne(response: RelayResponse): Outcome {
  const { status, headers } = response;
  const body = jsonBody(response);
  if (status === 200 && typeof body?.MessageId === 'string') return { kind: 'accepted', messageId: body.MessageId };
  if (status === 200)
    return { kind: 'unknown', code: 'unrecognized_response', detail: 'The relay returned 200 without a MessageId.' };
  // A header or the body has the error type as "namespace#Type:address".
  const type = String(headers['x-amzn-errortype'] ?? body?.__type ?? '');
  const code = /^(?:[^:]*#)?(\w+)/.exec(type)?.[1] ?? `http_${status}`;
  const text = body?.message ?? body?.Message;
  const detail = typeof text === 'string' ? text : `The relay returned ${status}.`;
  if (/daily message quota/i.test(detail)) return { kind: 'retry', code, detail, afterSeconds: 3600 };
  if (RETRY.has(code)) return { ...classifyStatus({ ...response, status: 429 }, detail), code } as Outcome;
  // In the SES sandbox, an unverified recipient is a fault of the account too.
  if (CONFIG.has(code) || /not verified/i.test(detail)) return { kind: 'config', code, detail };
  return { ...classifyStatus(response, detail), code } as Outcome;
}

// Events come one per request through SNS, as text/plain, with Basic credentials. There are two formats: event publishing (eventType, with
// our tags) and feedback notifications (notificationType, without tags). Sources: docs.aws.amazon.com/ses/latest/dg
// (event-publishing-retrieving-sns-contents, notification-contents), docs.aws.amazon.com/sns/latest/dg
// (sns-http-https-endpoint-as-subscriber, http-subscription-confirmation-json),
// repost.aws/knowledge-center/sns-topic-https-endpoints-notification.

export const sesEvents: RelayEventSource = {
  // SNS sends credentials only when asked.
  challenge: BASIC,

  // SNS also signs, but we would have to fetch its certificate. The credentials prove the same.
  verify: (_rawBody, headers, secret) => isBasic(secret) && hasBasic(headers, secret),

  confirmation(rawBody) {
    const [message = {}] = readEvents(rawBody);
    const url = message.Type === 'SubscriptionConfirmation' ? URL.parse(String(message.SubscribeURL)) : null;
    // Whatever the body says, only SNS is called.
    const isSns = url?.protocol === 'https:' && /^sns\.[a-z0-9-]+\.amazonaws\.com(\.cn)?$/.test(url.host);
    return isSns && url.searchParams.get('Action') === 'ConfirmSubscription' ? url : undefined;
  },

  checkSecret: (secret) => (isBasic(secret) ? undefined : 'be user:password, as in the address of the subscription at SNS'),

  parse(rawBody): RelayEvent[] {
    return readEvents(rawBody).flatMap((message) => {
      // Raw message delivery has no envelope.
      const event = message.Type === undefined ? message : eventIn(message);
      const name = String(event.eventType ?? event.notificationType);
      const mail = fieldsOf(event.mail);
      const report = fieldsOf(event[name.charAt(0).toLowerCase() + name.slice(1)]);
      const type = typeOf(name, report);
      const at = timeOf(report.timestamp ?? mail.timestamp);
      if (type === undefined || at === undefined) return [];
      const recipient = fieldsOf(first(report.bouncedRecipients ?? report.delayedRecipients));
      return {
        eventId: eventIdOf(name, mail.messageId, report.feedbackId ?? at.toISOString()),
        relayMessageId: textOf(mail.messageId),
        ...invitationOf(first(fieldsOf(mail.tags).invitation)),
        // The address that we sent to. The address that bounced may be another one, to which the email was forwarded.
        email: emailOf(first(mail.destination)),
        type,
        at,
        detail: detailOf(
          recipient.diagnosticCode,
          report.bounceSubType,
          report.complaintFeedbackType,
          report.delayType,
          report.reason,
        ),
      };
    });
  },
};

const first = (value: unknown): unknown => (Array.isArray(value) ? value[0] : undefined);

/** The event in an SNS message. Empty: the message is plain text, as the first one after setup is. */
function eventIn(message: Fields): Fields {
  try {
    return message.Type === 'Notification' ? fieldsOf(JSON.parse(String(message.Message))) : {};
  } catch {
    return {};
  }
}

function typeOf(name: string, report: Fields): RelayEventType | undefined {
  switch (name) {
    case 'Delivery':
      return 'delivered';
    case 'Complaint':
      return report.complaintFeedbackType === 'not-spam' ? undefined : 'complaint';
    case 'DeliveryDelay':
    // SES found a virus.
    case 'Reject':
      return 'soft_bounce';
    case 'Bounce':
      return report.bounceType === 'Permanent' ? 'hard_bounce' : 'soft_bounce';
    default:
      return undefined;
  }
}
