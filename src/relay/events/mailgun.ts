// Mailgun's webhooks. The signature is in the body and covers a timestamp and a token, not the event: each token is therefore one event.
// Sources: documentation.mailgun.com/docs/mailgun/user-manual/webhooks/securing-webhooks, …/webhooks/webhook-payloads.
import { createHmac } from 'node:crypto';
import {
  detailOf,
  emailOf,
  eventIdOf,
  type Fields,
  fieldsOf,
  invitationIdOf,
  isRecent,
  type RelayEvent,
  type RelayEventSource,
  type RelayEventType,
  readEvents,
  sameText,
  textOf,
  timeOf,
} from './event.ts';

/** Seconds. Mailgun tries again for some eight hours. */
const TOLERANCE = 43_200;

/** Reasons of a permanent failure that are not a bad mailbox: tried for too long, or refused for the sender's sake. */
const PERMANENT: Readonly<Record<string, RelayEventType>> = {
  old: 'soft_bounce',
  espblock: 'soft_bounce',
  'suppress-complaint': 'complaint',
  'suppress-unsubscribe': 'unsubscribe',
};

export const mailgun: RelayEventSource = {
  verify(rawBody, _headers, secret, now) {
    try {
      const { timestamp, token, signature } = fieldsOf(readEvents(rawBody)[0]?.signature);
      if (typeof token !== 'string' || token.length < 16 || typeof signature !== 'string') return false;
      if (!isRecent(String(timestamp), now, TOLERANCE)) return false;
      return sameText(signature, createHmac('sha256', secret).update(`${timestamp}${token}`).digest('hex'));
    } catch {
      return false;
    }
  },

  parse(rawBody): RelayEvent[] {
    // One event a request; a list would be more than the one that is signed.
    return readEvents(rawBody)
      .slice(0, 1)
      .flatMap((body) => {
        const event = fieldsOf(body['event-data']);
        const type = typeOf(event);
        const at = timeOf(event.timestamp);
        if (type === undefined || at === undefined) return [];
        const status = fieldsOf(event['delivery-status']);
        return {
          eventId: eventIdOf(fieldsOf(body.signature).token),
          relayMessageId: textOf(fieldsOf(fieldsOf(event.message).headers)['message-id']),
          invitationId: invitationIdOf(fieldsOf(event['user-variables']).invitation),
          email: emailOf(event.recipient),
          type,
          at,
          detail: detailOf(status.message, status.description, event.reason),
        };
      });
  },
};

function typeOf(event: Fields): RelayEventType | undefined {
  switch (event.event) {
    case 'delivered':
      return 'delivered';
    case 'complained':
      return 'complaint';
    case 'unsubscribed':
      return 'unsubscribe';
    case 'rejected':
      return 'soft_bounce';
    case 'failed':
      if (event.severity !== 'permanent') return 'soft_bounce';
      return PERMANENT[String(event.reason)] ?? 'hard_bounce';
    default:
      return undefined;
  }
}
