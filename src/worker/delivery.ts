// An email's way through the worker, joined from its parts: ready-list.ts, claims.ts (as turns.ts allows), sends.ts (each request by
// attempt.ts), settler.ts. No transaction is open while a message is being sent.
import type { Store, WorkerLimits } from '../database/store.ts';
import { Speeches } from '../languages/speeches.ts';
import { Claims } from './claims.ts';
import { ReadyList } from './ready-list.ts';
import { type SendContext, Sends } from './sends.ts';
import { createSettler } from './settler.ts';

export interface DeliverySettings extends WorkerLimits, Pick<SendContext, 'sender' | 'render' | 'concurrency' | 'holdUnknown'> {}

export interface DeliveryContext extends DeliverySettings, Pick<SendContext, 'canStartSend' | 'log' | 'recorder'> {
  readonly store: Pick<
    Store,
    'workspacesOf' | 'claimInvitations' | 'putOffInvitations' | 'settleInvitations' | 'requeueSends' | 'findWording'
  >;
  readonly workerId: string;
}

export interface Delivery {
  /** Resolves when they are in the list, or given back because it is full. Rejects once it stops. */
  add(invitationIds: readonly number[]): Promise<void>;
  /** Starts no more sends and gives the rest back. Resolves when sends in flight are settled. */
  stop(): Promise<void>;
  /** Asked for and not settled. */
  openClaims(): string[];
  /** In the list and not claimed. */
  unclaimed(): number;
}

export function createDelivery(context: DeliveryContext): Delivery {
  const { store, relay, log } = context;
  const ready = new ReadyList(store, log);
  const sends = new Sends({ ...context, speeches: new Speeches(store.findWording), settle: createSettler(store, relay, log) });
  const claims = new Claims({ ...context, ready, sends });
  return {
    add: (invitationIds) => ready.add(invitationIds, () => claims.claimMore()),
    async stop() {
      ready.close();
      sends.stop();
      await ready.release();
      await claims.stop();
      // What a claim has put back meanwhile.
      await ready.release();
    },
    openClaims: () => claims.open,
    unclaimed: () => ready.size,
  };
}
