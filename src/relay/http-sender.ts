// Sends messages through an adapter, with a limited number of connections and a deadline. It returns connection errors as outcomes.
import { Pool } from 'undici';
import { redact } from './redact.ts';
import {
  forEach,
  type MessageSender,
  type Messages,
  type Outcome,
  type RelayAdapter,
  type RelayConfig,
  type RelayResponse,
} from './relay.ts';

/** Bytes. The responses of all relays are much smaller. */
const MAX_ANSWER = 256 * 1024;

export interface HttpSenderOptions extends Omit<RelayConfig, 'url'> {
  readonly adapter: RelayAdapter;
  readonly url?: string | undefined;
  readonly connections: number;
  readonly timeoutSeconds: number;
  /** Messages in one request; by default 1 where the relay knows idempotency keys, else its maximum. */
  readonly batch?: number | undefined;
}

/** Errors that mean there was no connection. Source: Node.js system errors, undici Errors. */
export const NOT_CONNECTED = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);
export const BAD_CERTIFICATE = /^(CERT_|ERR_TLS_|DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT|UNABLE_TO_(GET|VERIFY))/;

export function createSender({ adapter, connections, timeoutSeconds, batch, ...options }: HttpSenderOptions): MessageSender {
  const config: RelayConfig = { ...options, url: options.url ?? adapter.defaultUrl };
  const base = new URL(config.url);
  const prefix = base.pathname.replace(/\/$/, '');
  const pool = new Pool(base.origin, {
    connections,
    pipelining: 1,
    allowH2: false,
    connect: { timeout: 5_000 },
    headersTimeout: timeoutSeconds * 1000,
    bodyTimeout: timeoutSeconds * 1000,
    // Shorter than the relays' own timeouts. A POST on a connection that the relay has just closed is reset, and its outcome is unknown.
    keepAliveTimeout: 4_000,
    keepAliveMaxTimeout: 10_000,
    maxResponseSize: MAX_ANSWER,
  });

  async function request(messages: Messages, attempt: number): Promise<Outcome[]> {
    let response: RelayResponse;
    try {
      const { path, headers, body } = adapter.build(messages, config, new Date());
      const answer = await pool.request({
        method: 'POST',
        path: prefix + path,
        headers: { 'user-agent': 'invitation-trigger-service', ...headers },
        body,
        // undici's own timeouts are only accurate to half a second.
        signal: AbortSignal.timeout(timeoutSeconds * 1000),
      });
      response = { status: answer.statusCode, headers: answer.headers, body: await answer.body.text() };
    } catch (error) {
      return forEach(messages, classifyFault(error));
    }
    return adapter.classify(response, messages, attempt).map((outcome) => redact(outcome, config.apiKey));
  }

  return {
    // With idempotency keys, one message per request. After a crash the same batch can't be rebuilt, so its key would protect nothing.
    maxBatch: Math.min(batch ?? (adapter.idempotency === 'none' ? adapter.maxBatch : 1), adapter.maxBatch),
    replaySeconds: adapter.replaySeconds,
    // send() repeats a batch once if all its outcomes are unknown.
    maxSeconds: 2 * timeoutSeconds,
    async send(messages, attempt) {
      const first = await request(messages, attempt);
      if (messages.length === 1 || adapter.idempotency === 'none' || first.some(({ kind }) => kind !== 'unknown')) return first;
      // Later attempts send each message on its own, under another key. So only this repeat lets the relay recognize the batch.
      const again = await request(messages, attempt + 1);
      return again.every(({ kind }) => kind === 'accepted') ? again : first;
    },
    close: () => pool.close(),
  };
}

/** Most error codes don't say whether the relay read the request, so most outcomes are unknown. */
function classifyFault(error: unknown): Outcome {
  const { code: raw, name, message } = error as { code?: unknown; name?: string; message?: string };
  const code = typeof raw === 'string' ? raw : (name ?? 'Error');
  if (NOT_CONNECTED.has(code)) return { kind: 'retry', code, detail: 'The relay cannot be reached.' };
  if (BAD_CERTIFICATE.test(code)) return { kind: 'config', code, detail: "The relay's certificate is not valid." };
  if (code === 'UND_ERR_INVALID_ARG') return { kind: 'rejected', code, detail: message ?? 'The request could not be built.' };
  if (name === 'TimeoutError' || code === 'UND_ERR_HEADERS_TIMEOUT' || code === 'UND_ERR_BODY_TIMEOUT') {
    return { kind: 'unknown', code: 'timeout', detail: 'The relay did not respond in time.' };
  }
  return { kind: 'unknown', code, detail: 'The connection to the relay broke before it responded.' };
}
