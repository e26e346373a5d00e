// Relays: their conditions and their events.
import type { Queries } from './mapping.ts';

/** A relay that isn't healthy. Times are ISO 8601. */
export interface RelayCondition {
  readonly relay: string;
  readonly condition: 'busy' | 'fault';
  readonly since: string;
  readonly paused_until: string | null;
  readonly code: string | null;
}

export interface RelayEventRecord {
  readonly event_id: string;
  /** Null: any other type, of which only the id is used. */
  readonly type: 'hard_bounce' | 'soft_bounce' | 'complaint' | 'delivered' | 'unsubscribe' | null;
  /** ISO 8601. */
  readonly occurred_at: string;
  /** Of the invitation's workspace. Undefined: the report doesn't say which invitation it is about. */
  readonly home?: string | undefined;
  readonly invitation_id?: string | undefined;
  readonly relay_message_id?: string | undefined;
  readonly email?: string | undefined;
  readonly detail?: string | undefined;
}

export function relaysCalls({ sql, value, json }: Queries) {
  return {
    relayConditions: () => value<RelayCondition[]>(sql`select invite.relay_conditions()`),

    /** Records events of one database, and suppresses addresses if an event requires it. Returns how many events were new. */
    recordRelayEvents: (relay: string, events: readonly RelayEventRecord[]) =>
      value<number>(sql`select invite.record_relay_events(${relay}, ${json(events)})`),

    /** Attributes events that arrived before their message was settled. Returns how many. */
    matchRelayEvents: () => value<number>(sql`select invite.match_relay_events()`),
  };
}
