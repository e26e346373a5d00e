// Resend's webhook, signed as Standard Webhooks (Svix). Sources: resend.com/docs/webhooks, docs.svix.com/receiving/verifying-payloads/how-manual.
import { createHmac } from 'node:crypto';
import {
  detailOf,
  emailOf,
  eventIdOf,
  type Fields,
  fieldsOf,
  headerOf,
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

/** Seconds, of Standard Webhooks. */
const TOLERANCE = 300;

export const resend: RelayEventSource = {
  verify(rawBody, headers, secret, now) {
    const header = (name: string) => headerOf(headers, `svix-${name}`) || headerOf(headers, `webhook-${name}`);
    const [id, timestamp] = [header('id'), header('timestamp')];
    if (id === '' || !isRecent(timestamp, now, TOLERANCE)) return false;
    const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
    // Without a key anybody could sign.
    if (key.length < 16) return false;
    const expected = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(rawBody).digest('base64');
    // Several while the secret is being rotated.
    return header('signature')
      .split(' ')
      .some((signature) => sameText(signature, `v1,${expected}`));
  },

  parse(rawBody): RelayEvent[] {
    return readEvents(rawBody).flatMap((event) => {
      const data = fieldsOf(event.data);
      const bounce = fieldsOf(data.bounce);
      const type = typeOf(event.type, bounce);
      const at = timeOf(event.created_at);
      if (type === undefined || at === undefined) return [];
      return {
        // Svix's own id is a header; the time of the event is the same in each repeat.
        eventId: eventIdOf(event.type, data.email_id, event.created_at),
        relayMessageId: textOf(data.email_id),
        invitationId: invitationIdOf(tagOf(data.tags)),
        email: emailOf(Array.isArray(data.to) ? data.to[0] : data.to),
        type,
        at,
        detail: detailOf(bounce.message, fieldsOf(data.suppressed).message),
      };
    });
  },
};

function typeOf(type: unknown, bounce: Fields): RelayEventType | undefined {
  switch (type) {
    case 'email.delivered':
      return 'delivered';
    case 'email.complained':
      return 'complaint';
    case 'email.delivery_delayed':
      return 'soft_bounce';
    // Resend has the address on its own suppression list.
    case 'email.suppressed':
      return 'hard_bounce';
    case 'email.bounced':
      return bounce.type === 'Transient' || bounce.type === 'Undetermined' ? 'soft_bounce' : 'hard_bounce';
    default:
      return undefined;
  }
}

/** Sent as a list of {name, value}; given back as an object. */
const tagOf = (tags: unknown): unknown =>
  Array.isArray(tags) ? tags.map(fieldsOf).find((tag) => tag.name === 'invitation')?.value : fieldsOf(tags).invitation;
