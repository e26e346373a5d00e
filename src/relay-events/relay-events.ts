// POST /relay-events/<relay> records events that a relay reports. A repeated event gets 200 and is recorded once. The response is 404
// unless RELAY is this relay and RELAY_EVENTS_SECRET is set. This way one relay's secret never serves as another's: SendGrid's is a public
// key, so anyone could send it as the password of another relay.
import type { Request } from 'polka';
import { isNotReady } from '../database/pool.ts';
import type { Store } from '../database/store.ts';
import { ApiError } from '../errors.ts';
import { type Answer, json } from '../http/answer.ts';
import { readBody } from '../http/body.ts';
import type { AddressLimit } from '../http/rate-limit.ts';
import type { Readiness } from '../http/readiness.ts';
import type { Log } from '../log.ts';
import type { RelayEvent, RelayEventSource } from '../relay/event.ts';
import { recordEvents } from './record.ts';

/** Bytes. SendGrid sends the largest bodies, 768 KiB. */
export const MAX_EVENTS_BYTES = 2 * 1024 * 1024;

/** Milliseconds. SNS waits 15 seconds for our response. */
const CONFIRM_MS = 10_000;

export interface EventSettings {
  readonly relay: string;
  readonly source: RelayEventSource;
  readonly secret: string;
}

export interface WebhookContext {
  readonly store: Pick<Store, 'recordRelayEvents'>;
  readonly readiness: Readiness;
  /** Undefined: events are off. */
  readonly settings: EventSettings | undefined;
  /** Limits requests with missing or wrong credentials. */
  readonly limit: AddressLimit;
  readonly log: Log;
}

export function relayEvents({ store, readiness, settings, limit, log }: WebhookContext) {
  /** A relay that expects a challenge sends each event without credentials first. */
  const unsigned = ({ relay, source }: EventSettings, level: 'debug' | 'warn'): Answer => {
    log[level]({ relay }, 'a relay event was not signed with RELAY_EVENTS_SECRET');
    return json(
      401,
      { ok: false, message: 'The signature or the credentials are missing, wrong or too old.' },
      source.challenge === undefined ? {} : { 'www-authenticate': source.challenge },
    );
  };

  return async (request: Request): Promise<Answer> => {
    if (settings === undefined || request.params.relay !== settings.relay) {
      throw new ApiError('not_found', 'There is nothing at this address.');
    }
    const { relay, source, secret } = settings;
    if (source.challenge !== undefined && request.headers.authorization === undefined) return unsigned(settings, 'debug');
    limit.take(request);
    const body = await readBody(request, MAX_EVENTS_BYTES);
    if (!source.verify(body, request.headers, secret, new Date())) return unsigned(settings, 'warn');
    limit.giveBack(request);
    const { confirmation, events } = read(source, body);
    if (confirmation !== undefined) {
      await confirm(confirmation);
      log.info({ relay }, 'confirmed the subscription to relay events');
    }
    try {
      await readiness.ready();
      const recorded = await recordEvents(store, relay, events);
      for (const [type, some] of Map.groupBy(events, (event) => event.type)) {
        const invitations = some.flatMap(({ invitationId }) => invitationId ?? []);
        log.info({ relay, type, invitations }, 'relay events');
      }
      return json(200, { ok: true, events: events.length, recorded });
    } catch (error) {
      if (isNotReady(error)) readiness.invalidate(error);
      throw error;
    }
  };
}

function read(source: RelayEventSource, body: Buffer): { confirmation: URL | undefined; events: RelayEvent[] } {
  try {
    return { confirmation: source.confirmation?.(body), events: source.parse(body) };
  } catch {
    throw new ApiError('invalid_json', 'The body is not valid JSON.');
  }
}

/**
 * The address holds a token: never log it.
 * @throws {ApiError} not_ready, so that the relay tries again.
 */
async function confirm(address: URL): Promise<void> {
  const response = await fetch(address, { redirect: 'error', signal: AbortSignal.timeout(CONFIRM_MS) }).catch(() => undefined);
  await response?.body?.cancel();
  if (!response?.ok) {
    const reason = response === undefined ? 'cannot be reached' : `answered ${response.status}`;
    throw new ApiError('not_ready', `The subscription could not be confirmed: the relay ${reason}.`);
  }
}
