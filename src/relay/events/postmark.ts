// Postmark's webhooks: one event a request, unsigned, with Basic credentials. Source: postmarkapp.com/developer/webhooks/webhooks-overview.
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

/** Bounces of Postmark that say nothing of the address. */
const IGNORED = new Set(['AutoResponder', 'AddressChange', 'ChallengeVerification', 'OpenRelayTest', 'Subscribe']);
const BOUNCES: Readonly<Record<string, RelayEventType>> = {
  HardBounce: 'hard_bounce',
  BadEmailAddress: 'hard_bounce',
  ManuallyDeactivated: 'hard_bounce',
  SpamComplaint: 'complaint',
  Unsubscribe: 'unsubscribe',
  ManualSuppression: 'unsubscribe',
};

export const postmark: RelayEventSource = {
  challenge: BASIC,
  verify: (_rawBody, headers, secret) => secret.includes(':') && hasBasic(headers, secret),

  parse(rawBody): RelayEvent[] {
    return readEvents(rawBody).flatMap((event) => {
      const type = typeOf(event);
      const when = event.BouncedAt ?? event.DeliveredAt ?? event.ChangedAt;
      const at = timeOf(when);
      if (type === undefined || at === undefined) return [];
      return {
        eventId: eventIdOf(event.RecordType, event.ID ?? event.MessageID, event.Recipient ?? event.Email, when),
        relayMessageId: textOf(event.MessageID),
        invitationId: invitationIdOf(fieldsOf(event.Metadata).invitation),
        email: emailOf(event.Email ?? event.Recipient),
        type,
        at,
        detail: detailOf(event.Details, event.Description, event.SuppressionReason),
      };
    });
  },
};

function typeOf(event: Fields): RelayEventType | undefined {
  switch (event.RecordType) {
    case 'Delivery':
      return 'delivered';
    case 'SpamComplaint':
      return 'complaint';
    case 'SubscriptionChange':
      // False: the address was taken off Postmark's list. Ours is lifted by hand.
      return event.SuppressSending === true ? (BOUNCES[String(event.SuppressionReason)] ?? 'unsubscribe') : undefined;
    case 'Bounce': {
      const kind = String(event.Type);
      if (IGNORED.has(kind)) return undefined;
      // Inactive: Postmark itself will not mail it again.
      return BOUNCES[kind] ?? (event.Inactive === true ? 'hard_bounce' : 'soft_bounce');
    }
    default:
      return undefined;
  }
}
