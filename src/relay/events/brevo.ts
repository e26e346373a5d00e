// Brevo's transactional webhooks: one event a request, unsigned, with Basic credentials or a bearer token.
// Sources: developers.brevo.com/docs/transactional-webhooks, developers.brevo.com/docs/secured-webhooks.
import {
  BASIC,
  detailOf,
  emailOf,
  eventIdOf,
  hasBasic,
  headerOf,
  invitationIdOf,
  type RelayEvent,
  type RelayEventSource,
  type RelayEventType,
  readEvents,
  sameText,
  textOf,
  timeOf,
} from './event.ts';

const TYPES: Readonly<Record<string, RelayEventType>> = {
  delivered: 'delivered',
  soft_bounce: 'soft_bounce',
  deferred: 'soft_bounce',
  error: 'soft_bounce',
  hard_bounce: 'hard_bounce',
  invalid_email: 'hard_bounce',
  // Brevo has the address on its own list.
  blocked: 'hard_bounce',
  spam: 'complaint',
  complaint: 'complaint',
  unsubscribe: 'unsubscribe',
  unsubscribed: 'unsubscribe',
};

export const brevo: RelayEventSource = {
  challenge: BASIC,

  verify(_rawBody, headers, secret) {
    const bearer = /^Bearer +(\S+) *$/i.exec(headerOf(headers, 'authorization'))?.[1];
    return bearer === undefined ? hasBasic(headers, secret) : sameText(bearer, secret);
  },

  parse(rawBody): RelayEvent[] {
    return readEvents(rawBody).flatMap((event) => {
      const name = String(event.event);
      const type = Object.hasOwn(TYPES, name) ? TYPES[name] : undefined;
      // The only one of its times that is in UTC; milliseconds.
      const at = timeOf(event.ts_epoch, 'milliseconds');
      if (type === undefined || at === undefined) return [];
      return {
        eventId: eventIdOf(name, event['message-id'], event.email, event.ts_epoch),
        relayMessageId: textOf(event['message-id']),
        // The header that the mail was given (src/relay/brevo.ts).
        invitationId: invitationIdOf(/^invitation:(\d+)$/.exec(textOf(event['X-Mailin-custom']) ?? '')?.[1]),
        email: emailOf(event.email),
        type,
        at,
        detail: detailOf(event.reason),
      };
    });
  },
};
