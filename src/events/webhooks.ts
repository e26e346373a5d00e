// Sends events to webhook endpoints. It claims a limited number of due deliveries at a time, and settles each one when it ends.
import { isNotReady } from '../database/pool.ts';
import type { ClaimedWebhook, Store, WebhookOutcome } from '../database/store.ts';
import type { Log } from '../log.ts';
import { logOutage } from '../outage.ts';
import { type Keyring, SealedSecretError } from '../sealed.ts';
import { createLoop } from './loop.ts';
import { withResponseUrlText } from './response-url.ts';
import { type LowScoreMessage, slackBody, slackCode } from './slack.ts';
import { CONCURRENCY, TIMEOUT_SECONDS, type WebhookSender } from './webhook-sender.ts';

/** Longer than a request and its settling take. When the lease ends, another worker sends a lost worker's deliveries. */
const LEASE_SECONDS = 4 * TIMEOUT_SECONDS;
/** Wait after a failed call. */
const RETRY_MS = 1_000;
/** Minimum time between jobs that ask other workers for help. */
const HELP_MS = 1_000;

export interface WebhooksContext {
  readonly store: Pick<Store, 'claimWebhooks' | 'settleWebhook' | 'wakeWebhooks'>;
  readonly sender: WebhookSender;
  /** Where members find the pages. Undefined: events name no page. */
  readonly publicUrl?: string | undefined;
  readonly keys: Pick<Keyring, 'open'>;
  /** Seconds from each failed attempt to the next. */
  readonly schedule: readonly number[];
  readonly log: Log;
}

export interface Webhooks {
  /** Starts sending due deliveries, until none is left. */
  wake(): void;
  /** Resolves when the deliveries in flight are settled. Another worker sends the remaining ones. */
  stop(): Promise<void>;
}

export function createWebhooks({ store, sender, publicUrl, keys, schedule, log }: WebhooksContext): Webhooks {
  const sending = new Set<Promise<void>>();
  /** Endpoints whose secrets can't be read, each said once. */
  const unreadable = new Set<string>();
  let askedAt = Number.NEGATIVE_INFINITY;

  /** A secret that can't be read holds up its own endpoint only. What it can't send is tried again, as after any failure. */
  async function send(webhook: ClaimedWebhook): Promise<WebhookOutcome> {
    try {
      const owner = { kind: 'webhook', id: webhook.endpointId } as const;
      const secrets = webhook.secrets.map((secret) => keys.open(secret, owner));
      unreadable.delete(webhook.endpointId);
      if (webhook.format === 'slack') return await tellSlack(webhook, secrets);
      const body = publicUrl !== undefined && webhook.body !== null ? withResponseUrlText(webhook.body, publicUrl) : webhook.body;
      return await sender.send({ ...webhook, secrets, body });
    } catch (error) {
      if (!(error instanceof SealedSecretError)) throw error;
      if (!unreadable.has(webhook.endpointId)) {
        log.error({ code: error.code, endpoint: webhook.endpointId }, "a webhook's secret can't be read: see SECRET_KEYS");
      }
      unreadable.add(webhook.endpointId);
      return { errorCode: error.code };
    }
  }

  /** The address is the secret, so nothing that a receiver may have quoted of it is kept. */
  async function tellSlack(webhook: ClaimedWebhook, [url = '']: readonly string[]): Promise<WebhookOutcome> {
    const body = webhook.body === null ? null : slackBody(JSON.parse(webhook.body) as LowScoreMessage, publicUrl);
    const outcome = await sender.send({ ...webhook, url, secrets: [], body });
    return { ...outcome, responseStart: slackCode(outcome.responseStart) };
  }

  async function deliver(webhook: ClaimedWebhook): Promise<void> {
    const outcome = await send(webhook);
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

  const loop = createLoop(async () => {
    const places = CONCURRENCY - sending.size;
    // The next delivery that ends wakes the loop.
    if (places === 0) return undefined;
    try {
      const claimed = await store.claimWebhooks(places, LEASE_SECONDS);
      for (const webhook of claimed) {
        // A delivery that can't be settled is sent again when its lease ends.
        const delivery = deliver(webhook)
          .catch(failed)
          .finally(() => {
            sending.delete(delivery);
            loop.wake();
          });
        sending.add(delivery);
      }
      if (claimed.length === places && performance.now() - askedAt > HELP_MS) {
        askedAt = performance.now();
        await store.wakeWebhooks();
      }
      return undefined;
    } catch (error) {
      failed(error);
      return RETRY_MS;
    }
  });
  return {
    wake: loop.wake,
    async stop() {
      const wasBusy = (await loop.stop()) || sending.size > 0;
      await Promise.all(sending);
      if (wasBusy) await store.wakeWebhooks().catch(failed);
    },
  };
}
