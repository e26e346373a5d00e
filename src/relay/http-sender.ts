// Sends mails through an adapter: one bounded undici pool a relay, a deadline, and every transport fault as an outcome.
import { Pool } from 'undici';
import { tidy } from './redact.ts';
import {
  forEach,
  type MailSender,
  type Mails,
  type Outcome,
  type RelayAdapter,
  type RelayConfig,
  type RelayResponse,
} from './relay.ts';

/** Larger answers are cut off: no relay's answer to one mail is anywhere near this. Bytes. */
const MAX_ANSWER = 256 * 1024;

export interface SenderOptions extends Omit<RelayConfig, 'url'> {
  readonly adapter: RelayAdapter;
  /** The API's address; the adapter's own unless given. */
  readonly url?: string | undefined;
  /** Connections at the most. */
  readonly connections: number;
  /** Longest time for one request. */
  readonly timeoutSeconds: number;
  /** Mails in one request at the most. Unless given: one where the relay knows idempotency keys, otherwise as many as it takes. */
  readonly batch?: number | undefined;
}

/** Nothing was sent: the connection was never there. Source: Node.js system errors, undici Errors. */
export const NOT_CONNECTED = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);
export const BAD_CERTIFICATE = /^(CERT_|ERR_TLS_|DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT|UNABLE_TO_(GET|VERIFY))/;

/** Opens a sender. Close it when nothing is in flight any more. */
export function createSender({ adapter, connections, timeoutSeconds, batch, ...options }: SenderOptions): MailSender {
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
    // Shorter than the servers': a connection that the server has just closed is a reset POST, and a reset POST is an unknown.
    keepAliveTimeout: 4_000,
    keepAliveMaxTimeout: 10_000,
    maxResponseSize: MAX_ANSWER,
  });

  async function request(mails: Mails, attempt: number): Promise<Outcome[]> {
    let response: RelayResponse;
    try {
      const { path, headers, body } = adapter.build(mails, config, new Date());
      const answer = await pool.request({
        method: 'POST',
        path: prefix + path,
        headers: { 'user-agent': 'invitation-trigger-service', ...headers },
        body,
        // undici's own time-outs are exact to half a second at best; this is the deadline.
        signal: AbortSignal.timeout(timeoutSeconds * 1000),
      });
      response = { status: answer.statusCode, headers: answer.headers, body: await answer.body.text() };
    } catch (error) {
      return forEach(mails, classifyFault(error));
    }
    return adapter.classify(response, mails, attempt).map((outcome) => tidy(outcome, config.apiKey));
  }

  return {
    // A key covers a mail for good only if the mail is always asked for alone: who is left of a killed worker's batch cannot be told.
    maxBatch: Math.min(batch ?? (adapter.idempotency === 'none' ? adapter.maxBatch : 1), adapter.maxBatch),
    replaySeconds: adapter.replaySeconds,
    async send(mails, attempt) {
      const first = await request(mails, attempt);
      if (mails.length === 1 || adapter.idempotency === 'none' || first.some(({ kind }) => kind !== 'unknown')) return first;
      // Later attempts go one by one, under other keys: now is the only time at which the relay can tell that it has had this batch.
      const again = await request(mails, attempt + 1);
      return again.every(({ kind }) => kind === 'accepted') ? again : first;
    },
    close: () => pool.close(),
  };
}

/** What a transport fault means; the code alone cannot tell whether the request had been read. */
export function classifyFault(error: unknown): Outcome {
  const { code: raw, name, message } = error as { code?: unknown; name?: string; message?: string };
  const code = typeof raw === 'string' ? raw : (name ?? 'Error');
  if (NOT_CONNECTED.has(code)) return { kind: 'retry', code, detail: 'The relay cannot be reached.' };
  if (BAD_CERTIFICATE.test(code)) return { kind: 'config', code, detail: "The relay's certificate is not valid." };
  if (code === 'UND_ERR_INVALID_ARG') return { kind: 'rejected', code, detail: message ?? 'The request could not be built.' };
  if (name === 'TimeoutError' || code === 'UND_ERR_HEADERS_TIMEOUT' || code === 'UND_ERR_BODY_TIMEOUT') {
    return { kind: 'unknown', code: 'timeout', detail: 'The relay did not answer in time.' };
  }
  return { kind: 'unknown', code, detail: 'The connection to the relay broke before it had answered.' };
}
