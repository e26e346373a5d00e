// SendGrid's signed event webhook. Sources: twilio.com/docs/sendgrid/for-developers/tracking-events/event, …/getting-started-event-webhook-security-features.
import { createPublicKey, verify } from 'node:crypto';
import {
  detailOf,
  emailOf,
  eventIdOf,
  type Fields,
  headerOf,
  invitationIdOf,
  isRecent,
  type RelayEvent,
  type RelayEventSource,
  type RelayEventType,
  readEvents,
  textOf,
  timeOf,
} from './event.ts';

/** Seconds. SendGrid tries again for a day, and does not say whether it signs anew. */
const TOLERANCE = 90_000;

/** What SendGrid's own lists say of an address when it drops a mail. */
const DROPPED: Readonly<Record<string, RelayEventType>> = {
  'bounced address': 'hard_bounce',
  invalid: 'hard_bounce',
  'spam reporting address': 'complaint',
  'unsubscribed address': 'unsubscribe',
};

export const sendgrid: RelayEventSource = {
  verify(rawBody, headers, secret, now) {
    const timestamp = headerOf(headers, 'x-twilio-email-event-webhook-timestamp');
    const signature = headerOf(headers, 'x-twilio-email-event-webhook-signature');
    if (signature === '' || !isRecent(timestamp, now, TOLERANCE)) return false;
    try {
      const key = createPublicKey({ key: Buffer.from(secret, 'base64'), format: 'der', type: 'spki' });
      // An Ed25519 or RSA key would make `sha256` mean something else.
      if (key.asymmetricKeyType !== 'ec') return false;
      return verify('sha256', Buffer.concat([Buffer.from(timestamp), rawBody]), key, Buffer.from(signature, 'base64'));
    } catch {
      return false;
    }
  },

  parse(rawBody): RelayEvent[] {
    return readEvents(rawBody).flatMap((event) => {
      const type = typeOf(event);
      const at = timeOf(event.timestamp);
      if (type === undefined || at === undefined) return [];
      const messageId = textOf(event.sg_message_id);
      return {
        eventId: eventIdOf(event.sg_event_id ?? `${messageId}:${event.event}:${event.timestamp}`),
        // X-Message-Id, and what SendGrid's servers have added to it.
        relayMessageId: messageId?.split(/\.(?:filter|recvd)/)[0],
        invitationId: invitationIdOf(event.invitation),
        email: emailOf(event.email),
        type,
        at,
        detail: detailOf(event.reason, event.response),
      };
    });
  },
};

function typeOf(event: Fields): RelayEventType | undefined {
  switch (event.event) {
    case 'delivered':
      return 'delivered';
    case 'deferred':
      return 'soft_bounce';
    case 'bounce':
      return event.type === 'blocked' ? 'soft_bounce' : 'hard_bounce';
    case 'dropped':
      return DROPPED[String(event.reason).toLowerCase()] ?? 'soft_bounce';
    case 'spamreport':
      return 'complaint';
    case 'unsubscribe':
    case 'group_unsubscribe':
      return 'unsubscribe';
    default:
      return undefined;
  }
}
