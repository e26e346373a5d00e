// Gives relay events to the database that knows their invitation.
import type { Store } from '../database/store.ts';
import type { RelayEvent } from '../relay/event.ts';

/**
 * By database, so that a slow one delays no events of others. Nobody knows which one an event without an invitation is for.
 * @returns How many events were new.
 */
export async function recordEvents(
  store: Pick<Store, 'recordRelayEvents'>,
  relay: string,
  events: readonly RelayEvent[],
): Promise<number> {
  const groups = Map.groupBy(events, ({ home }) => home?.slice(0, 4));
  const calls = [...groups.values()].map((group) => store.recordRelayEvents(relay, group.map(asRecord)));
  // All are waited for: the relay repeats its report if one fails.
  await Promise.allSettled(calls);
  return (await Promise.all(calls)).reduce((sum, recorded) => sum + recorded, 0);
}

const asRecord = (event: RelayEvent) => ({
  event_id: event.eventId,
  type: event.type,
  occurred_at: event.at.toISOString(),
  home: event.home,
  invitation_id: event.invitationId,
  relay_message_id: event.relayMessageId,
  email: event.email,
  detail: event.detail,
});
