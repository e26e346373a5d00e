// Amazon SES, which publishes through SNS: one event a request, with the Basic credentials of the subscription's address, in text/plain.
// Both of its formats: event publishing (eventType, with our tags) and the feedback notifications of an identity (notificationType, without).
// Sources: docs.aws.amazon.com/ses/latest/dg (event-publishing-retrieving-sns-contents, notification-contents),
// docs.aws.amazon.com/sns/latest/dg (sns-http-https-endpoint-as-subscriber, http-subscription-confirmation-json),
// repost.aws/knowledge-center/sns-topic-https-endpoints-notification.
import {
  BASIC,
  detailOf,
  emailOf,
  eventIdOf,
  type Fields,
  fieldsOf,
  hasBasic,
  invitationIdOf,
  type RelayEvent,
  type RelayEventSource,
  type RelayEventType,
  readEvents,
  textOf,
  timeOf,
} from './event.ts';

export const ses: RelayEventSource = {
  // SNS sends the credentials only after it was asked for them.
  challenge: BASIC,

  // SNS signs as well, with a certificate that would have to be fetched for it; the credentials say the same, and only AWS has them.
  verify: (_rawBody, headers, secret) => secret.includes(':') && hasBasic(headers, secret),

  confirmation(rawBody) {
    const [message = {}] = readEvents(rawBody);
    const url = message.Type === 'SubscriptionConfirmation' ? URL.parse(String(message.SubscribeURL)) : null;
    // Whatever else the body says: nothing but SNS is ever called.
    const isSns = url?.protocol === 'https:' && /^sns\.[a-z0-9-]+\.amazonaws\.com(\.cn)?$/.test(url.host);
    return isSns && url.searchParams.get('Action') === 'ConfirmSubscription' ? url : undefined;
  },

  parse(rawBody): RelayEvent[] {
    return readEvents(rawBody).flatMap((message) => {
      // With raw message delivery the event comes without SNS's envelope.
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
        invitationId: invitationIdOf(first(fieldsOf(mail.tags).invitation)),
        // Whom we mailed: the address that bounced may be another, to which the mail was forwarded.
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

/** The event in SNS's envelope; none if it is text for people, as the first message after the set-up is. */
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
    // It found a virus.
    case 'Reject':
      return 'soft_bounce';
    case 'Bounce':
      return report.bounceType === 'Permanent' ? 'hard_bounce' : 'soft_bounce';
    default:
      return undefined;
  }
}
