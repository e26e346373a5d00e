// Sends one event to an endpoint as Standard Webhooks define it. The request is signed, follows no redirects, and reaches only allowed
// addresses.
import { createHmac } from 'node:crypto';
import { isIP } from 'node:net';
import { Agent, request } from 'undici';
import type { ClaimedWebhook, WebhookOutcome } from '../database/store.ts';
import { toPlainLine } from '../text.ts';
import { createNetworks, FORBIDDEN_ADDRESS, ForbiddenAddressError, lookupOnly } from './networks.ts';

/** Seconds for the whole request. */
export const TIMEOUT_SECONDS = 15;
/** Requests that a worker has in flight, and connections to one host. They are equal, so no workspace waits for another's connections. */
export const CONCURRENCY = 50;
/** Bytes of a response that are read, and characters that are stored. */
const MAX_READ = 4_096;
const MAX_KEPT = 500;
/** Seconds. It keeps the number within an SQL integer; settle_webhook then allows at most a day. */
const MAX_RETRY_AFTER = 1e6;

export interface WebhookSender {
  /** The secrets are no longer sealed. Without any, the request isn't signed. */
  send(webhook: Omit<ClaimedWebhook, 'format'>): Promise<WebhookOutcome>;
  close(): Promise<void>;
}

/** @param allow Private networks that may be reached, over http too. @param timeoutSeconds For tests. */
export function createWebhookSender(allow: readonly string[] = [], timeoutSeconds = TIMEOUT_SECONDS): WebhookSender {
  const networks = createNetworks(allow);
  const createAgent = (isAllowed: (address: string) => boolean) => ({
    isAllowed,
    agent: new Agent({
      connect: { timeout: 5_000, lookup: lookupOnly(isAllowed) },
      connections: CONCURRENCY,
      pipelining: 1,
      allowH2: false,
      keepAliveTimeout: 4_000,
      keepAliveMaxTimeout: 10_000,
    }),
  });
  const secure = createAgent(networks.isAllowed);
  const plain = createAgent(networks.isNamed);

  return {
    async send({ url, secrets, eventId, body }) {
      if (body === null) return { errorCode: 'event_expired' };
      try {
        const target = new URL(url);
        const { agent, isAllowed } = target.protocol === 'https:' ? secure : plain;
        // An IP address in the URL needs no lookup, so it is checked here.
        const host = target.hostname.replace(/^\[|\]$/g, '');
        if (isIP(host) !== 0 && !isAllowed(host)) throw new ForbiddenAddressError();
        const timestamp = String(Math.floor(Date.now() / 1000));
        const response = await request(target, {
          method: 'POST',
          dispatcher: agent,
          headers: {
            'content-type': 'application/json',
            'user-agent': 'invitation-trigger-service',
            'webhook-id': eventId,
            'webhook-timestamp': timestamp,
            ...(secrets.length > 0 && {
              'webhook-signature': secrets.map((secret) => sign(secret, eventId, timestamp, body)).join(' '),
            }),
          },
          body,
          signal: AbortSignal.timeout(timeoutSeconds * 1000),
        });
        const status = response.statusCode;
        const retryAfter = Number(response.headers['retry-after']);
        return {
          status,
          responseStart: await startOf(response.body),
          ...((status === 429 || status === 503) &&
            retryAfter > 0 && { retryAfterSeconds: Math.ceil(Math.min(retryAfter, MAX_RETRY_AFTER)) }),
        };
      } catch (error) {
        return { errorCode: codeOf(error) };
      }
    },
    async close() {
      await Promise.all([secure.agent.destroy(), plain.agent.destroy()]);
    },
  };
}

/** The signature that Standard Webhooks define. @param secret whsec_ followed by base64. */
export function sign(secret: string, id: string, timestamp: string, body: string): string {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
}

/** The start of a response, as text that can be stored and shown. The rest isn't read. A response that breaks off still counts. */
async function startOf(body: AsyncIterable<Buffer>): Promise<string> {
  const parts: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const part of body) {
      parts.push(part);
      bytes += part.length;
      if (bytes >= MAX_READ) break;
    }
  } catch {
    // The part that arrived is used.
  }
  return toPlainLine(Buffer.concat(parts).toString('utf8')).slice(0, MAX_KEPT).toWellFormed();
}

function codeOf(error: unknown): string {
  const { code, name } = error as { code?: unknown; name?: string };
  if (name === 'TimeoutError') return 'timeout';
  if (error instanceof ForbiddenAddressError) return FORBIDDEN_ADDRESS;
  return typeof code === 'string' ? code.toLowerCase().slice(0, 100) : (name ?? 'error').toLowerCase();
}
