// Sends events to webhook endpoints: claims what is due, so many at a time, and settles each as it comes.
import { isNotReady } from '../database/pool.ts';
import type { ClaimedWebhook, Store } from '../database/store.ts';
import { type Log, logOutage } from '../log.ts';
import { TIMEOUT_SECONDS, type WebhookSender } from './webhook-sender.ts';

/** In flight in this process. */
const CONCURRENCY = 50;
/** Longer than a request and its settling: a lost worker's come again then. */
const LEASE_SECONDS = 4 * TIMEOUT_SECONDS;
const IDLE_MS = 400;

export interface WebhooksContext {
  readonly store: Pick<Store, 'claimWebhooks' | 'settleWebhook'>;
  readonly sender: WebhookSender;
  /** Seconds from each failed attempt to the next. */
  readonly schedule: readonly number[];
  readonly log: Log;
}

/** Begins at once. stop resolves when what is in flight has been settled. */
export function startWebhooks({ store, sender, schedule, log }: WebhooksContext): { stop(): Promise<void> } {
  const sending = new Set<Promise<void>>();
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;

  async function deliver(webhook: ClaimedWebhook): Promise<void> {
    const outcome = await sender.send(webhook);
    const { status, errorCode } = outcome;
    log.debug(
      { endpoint: webhook.endpointId, event: webhook.eventId, attempt: webhook.attempts, status, code: errorCode },
      'webhook sent',
    );
    await store.settleWebhook(webhook, schedule, outcome);
  }

  const failed = (error: unknown) => {
    if (isNotReady(error)) logOutage(log, error, 'webhooks were not delivered');
    else log.error({ err: error }, 'webhooks were not delivered');
  };

  async function claim(): Promise<void> {
    let claimed: ClaimedWebhook[] = [];
    try {
      claimed = sending.size < CONCURRENCY ? await store.claimWebhooks(CONCURRENCY - sending.size, LEASE_SECONDS) : [];
    } catch (error) {
      failed(error);
    }
    for (const webhook of claimed) {
      // If it can't be settled, its lease ends, and it is sent again.
      const one = deliver(webhook)
        .catch(failed)
        .finally(() => {
          sending.delete(one);
          if (!stopped && sending.size < CONCURRENCY) wake(0);
        });
      sending.add(one);
    }
    if (!stopped) wake(IDLE_MS);
  }
  let claiming: Promise<void> | undefined;
  let again = false;
  const run = () => {
    if (claiming !== undefined) {
      again = true;
      return;
    }
    claiming = claim().finally(() => {
      claiming = undefined;
      if (again && !stopped) wake(0);
      again = false;
    });
  };
  const wake = (ms: number) => {
    clearTimeout(timer);
    timer = setTimeout(run, ms);
  };
  run();
  return {
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await claiming;
      await Promise.all(sending);
    },
  };
}
