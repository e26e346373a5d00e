// The types and functions that all relay adapters share. See docs/relays.md.
import { sha256 } from '../secret.ts';

export interface Address {
  readonly email: string;
  readonly name: string;
}

/** An email to exactly one recipient. */
export interface OutgoingMessage {
  /** The invitation's id. */
  readonly id: string;
  /** The home of the invitation's workspace. Undefined: it is no invitation. */
  readonly home?: string | undefined;
  /** Of the invitation's messages: 0 is the invitation, from 1 on its reminders. Undefined: it is no invitation. */
  readonly number?: number | undefined;
  /** The same at every attempt; at most 256 ASCII characters. */
  readonly idempotencyKey: string;
  readonly from: Address;
  /** Undefined: replies go to the sender's address. */
  readonly replyTo?: string | undefined;
  readonly to: Address;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** Printable ASCII, one line each. */
  readonly headers: Readonly<Record<string, string>>;
}

/** What a message carries under the name `invitation`, and the relay's reports repeat. invitationOf reads it. */
export const invitationName = ({ home, id }: OutgoingMessage): string => (home === undefined ? id : `${home}-${id}`);

export type Messages = readonly [OutgoingMessage, ...OutgoingMessage[]];

/**
 * accepted: the relay has the message. retry: certainly not sent, try later. unknown: may have been sent. config: the relay, its key or
 * the sender's setup is at fault. suppressed: the relay refuses this address. rejected: the relay will never take this message.
 */
export type Outcome =
  | { readonly kind: 'accepted'; readonly messageId?: string | undefined }
  | { readonly kind: 'retry'; readonly code: string; readonly detail: string; readonly afterSeconds?: number | undefined }
  | { readonly kind: 'unknown' | 'config' | 'suppressed' | 'rejected'; readonly code: string; readonly detail: string };

export const isTriedAgain = (kind: Outcome['kind']): boolean => kind === 'retry' || kind === 'config' || kind === 'unknown';

export interface RelayRequest {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface RelayResponse {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

export interface RelayConfig {
  /** RELAY_URL, or the adapter's default. */
  readonly url: string;
  readonly apiKey?: string | undefined;
  readonly domain?: string | undefined;
  readonly stream?: string | undefined;
}

/** One relay's HTTP API. Both functions are pure: no clock, no I/O. */
export interface RelayAdapter {
  readonly name: string;
  /** Used unless RELAY_URL is set. */
  readonly defaultUrl: string;
  readonly maxBatch: number;
  /** What a repeated request does: it gets the first response (replay), gets an error, or sends another email (none). */
  readonly idempotency: 'replay' | 'error' | 'none';
  /** How long a repeated request gets the first response. Only set for replay. */
  readonly replaySeconds?: number;
  /** Whose List-Unsubscribe the email has: ours (custom), the relay's (provider), or ours once the relay's support allows it (gated). */
  readonly listUnsubscribe: 'custom' | 'provider' | 'gated';
  /**
   * @param messages At most maxBatch.
   * @param now For adapters that send or sign the time.
   */
  build(messages: Messages, config: RelayConfig, now: Date): RelayRequest;
  /**
   * @param attempt 1 for the first.
   * @returns One per message, in order.
   */
  classify(response: RelayResponse, messages: Messages, attempt: number): Outcome[];
}

export interface MessageSender {
  readonly maxBatch: number;
  /** How long a message can be repeated without arriving twice; undefined: not at all. */
  readonly replaySeconds?: number | undefined;
  /** The longest time that one call takes. */
  readonly maxSeconds?: number | undefined;
  /**
   * Never rejects.
   * @returns One per message, in order.
   */
  send(messages: Messages, attempt: number): Promise<Outcome[]>;
  close(): Promise<void>;
}

/** The same outcome for each message. If a relay refuses a batch, none of its messages was sent, and each is tried again on its own. */
export function forEach(messages: Messages, outcome: Outcome): Outcome[] {
  const isRefusedBatch = messages.length > 1 && (outcome.kind === 'rejected' || outcome.kind === 'suppressed');
  return messages.map(() => (isRefusedBatch ? { ...outcome, kind: 'retry' } : outcome));
}

/** The idempotency key of one message, or a key for exactly these messages in this order. */
export function requestKey(messages: Messages): string {
  const keys = messages.map(({ idempotencyKey }) => idempotencyKey);
  if (keys.length === 1) return keys.join();
  return `batch.${sha256(JSON.stringify(keys)).toString('hex')}`;
}

/** Quotes the name if it must be quoted (RFC 5322 section 3.4). */
export function mailbox({ name, email }: Address): string {
  if (name === '') return email;
  const phrase = /^[\p{L}\p{N} !#$%&'*+/=?^_`{|}~-]+$/u.test(name) ? name : `"${name.replace(/[\\"]/g, '\\$&')}"`;
  return `${phrase} <${email}>`;
}

export const named = ({ name, email }: Address): { email: string; name?: string } => (name === '' ? { email } : { email, name });

/** The headers without those that the relay sets itself. Gmail wants only one Feedback-ID. */
export const headersWithout = ({ headers }: OutgoingMessage, ...names: ('Message-ID' | 'Feedback-ID')[]) =>
  Object.entries(headers).filter(([name]) => !names.some((omitted) => omitted === name));

export function jsonBody({ body }: RelayResponse): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

/** The default outcome of a status, for responses that an adapter doesn't recognize. A 2xx is unknown: only an adapter knows success. */
export function classifyStatus({ status, headers }: RelayResponse, detail: string): Outcome {
  const code = `http_${status}`;
  if (status === 429 || status === 420) return { kind: 'retry', code, detail, afterSeconds: retryAfter(headers) };
  if (status === 408 || status === 421) return { kind: 'retry', code, detail };
  // 405 and 407 come from another server than the relay's: a wrong address, or a proxy.
  if ([401, 402, 403, 404, 405, 407].includes(status) || (status >= 300 && status < 400)) return { kind: 'config', code, detail };
  if (status >= 400 && status < 500) return { kind: 'rejected', code, detail };
  return { kind: 'unknown', code, detail };
}

/** Seconds. SQL reads this number as an integer: one that is too large would fail the call that settles all messages. */
const MAX_RETRY_AFTER = 86_400;

const clamp = (seconds: number): number | undefined =>
  Number.isNaN(seconds) ? undefined : Math.min(Math.max(1, Math.ceil(seconds)), MAX_RETRY_AFTER);

/**
 * Seconds to wait, from the first that is present: Retry-After in seconds or as a date (RFC 9110 section 10.2.3), a reset in seconds from
 * now (Resend, Brevo), a reset in epoch seconds (SendGrid).
 */
export function retryAfter(headers: RelayResponse['headers']): number | undefined {
  const value = String(headers['retry-after'] ?? '');
  if (/^\d+$/.test(value)) return Math.min(Number(value), MAX_RETRY_AFTER);
  const dated = secondsUntil(value, headers);
  if (dated !== undefined) return dated;
  const reset = String(headers['ratelimit-reset'] ?? headers['x-sib-ratelimit-reset'] ?? '');
  if (/^\d+$/.test(reset)) return clamp(Number(reset));
  const epoch = String(headers['x-ratelimit-reset'] ?? '');
  return /^\d{9,11}$/.test(epoch) ? secondsUntil(new Date(Number(epoch) * 1000).toUTCString(), headers) : undefined;
}

/** Counts from the response's own Date header, because our clock may be wrong. Undefined: one of the two dates is missing. */
export function secondsUntil(date: string, headers: RelayResponse['headers']): number | undefined {
  return clamp((Date.parse(date) - Date.parse(String(headers.date ?? ''))) / 1000);
}
