// Sends members the emails about what happened: low scores and the week. SQL decides which there are; each is claimed, read, sent and settled.
// Not through delivery: no invitation, count or metric includes them.

import { isNotReady } from '../database/pool.ts';
import type { ClaimedNotification, Store } from '../database/store.ts';
import { createLoop } from '../events/loop.ts';
import type { Log } from '../log.ts';
import { renderNotification } from '../mail/notification-email.ts';
import type { RenderOptions } from '../mail/render.ts';
import { logOutage } from '../outage.ts';
import { isTriedAgain, type MessageSender } from '../relay/relay.ts';

/** Emails that a worker has in flight. Workspaces take turns, so that a large one holds nobody up. */
const PLACES = 4;
/** Longer than reading, a request and its settling take. When the lease ends, another worker sends a lost worker's emails. */
const LEASE_SECONDS = 180;
/** Wait after a failed call. */
const RETRY_MS = 1_000;

export interface NotifierContext {
  readonly store: Pick<Store, 'prepareNotifications' | 'claimNotifications' | 'notificationContent' | 'settleNotification'>;
  readonly sender: MessageSender;
  readonly render: RenderOptions;
  readonly log: Log;
}

export interface Notifier {
  /** Starts sending what is due, until nothing is left. */
  wake(): void;
  /** Resolves when the emails in flight are settled. */
  stop(): Promise<void>;
}

export function createNotifier({ store, sender, render, log }: NotifierContext): Notifier {
  async function send(claimed: ClaimedNotification): Promise<void> {
    const found = await store.notificationContent(claimed.id);
    if (found === null) {
      await store.settleNotification(claimed, 'nothing', false);
      return;
    }
    const [outcome] = await sender.send([renderNotification(found, `notification.${claimed.id}`, render)], claimed.attempts);
    const kind = outcome?.kind ?? 'unknown';
    log.info(
      { notification: claimed.id, workspace: found.workspaceId, kind: found.kind, outcome: kind },
      'email to a member attempted',
    );
    // The relay's code, not its words, which may repeat the address.
    const code = outcome === undefined || outcome.kind === 'accepted' ? 'sent' : outcome.code;
    await store.settleNotification(claimed, code, isTriedAgain(kind));
  }

  const failed = (error: unknown) => {
    if (isNotReady(error)) logOutage(log, error, 'emails to members were not sent');
    else log.error({ err: error }, 'emails to members were not sent');
  };

  const loop = createLoop(async () => {
    try {
      await store.prepareNotifications();
      const claimed = await store.claimNotifications(PLACES, LEASE_SECONDS);
      // One that can't be settled is sent again when its lease ends; its key is the same.
      await Promise.all(claimed.map((one) => send(one).catch(failed)));
      return claimed.length > 0 ? 0 : undefined;
    } catch (error) {
      failed(error);
      return RETRY_MS;
    }
  });
  return {
    wake: loop.wake,
    async stop() {
      await loop.stop();
    },
  };
}
