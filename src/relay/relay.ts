// What a relay is: the mail it is given, what may become of it, and the two pure functions of an adapter. See docs/relays.md.
import { createHash } from 'node:crypto';
import { retryAfter } from './retry-after.ts';

export interface Address {
  readonly email: string;
  readonly name: string;
}

/** A rendered mail to exactly one recipient. */
export interface OutgoingMail {
  /** The invitation's id. */
  readonly id: string;
  /** Stable over all attempts at this mail; at most 256 ASCII characters. */
  readonly idempotencyKey: string;
  readonly from: Address;
  readonly to: Address;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** Printable ASCII in one line each. */
  readonly headers: Readonly<Record<string, string>>;
}

/** The mails of one request: one at least. */
export type Mails = readonly [OutgoingMail, ...OutgoingMail[]];

/**
 * What became of one attempt.
 * accepted: the relay has it. retry: certainly not sent, try later. unknown: it may have been sent. config: the relay, its key or
 * the sender's set-up is at fault, not this mail. suppressed: the relay will not mail this address. rejected: it will never take this mail.
 */
export type Outcome =
  | { readonly kind: 'accepted'; readonly messageId?: string | undefined }
  | { readonly kind: 'retry'; readonly code: string; readonly detail: string; readonly afterSeconds?: number | undefined }
  | { readonly kind: 'unknown' | 'config' | 'suppressed' | 'rejected'; readonly code: string; readonly detail: string };

/** Whether a mail whose attempt ended so has not surely left, and is to be tried again. */
export const isTriedAgain = (kind: Outcome['kind']): boolean => kind === 'retry' || kind === 'config' || kind === 'unknown';

export interface RelayRequest {
  /** Appended to the path of the relay's address. */
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

/** What an adapter is given of the settings. */
export interface RelayConfig {
  /** The API's address in effect: RELAY_URL, or the adapter's own. */
  readonly url: string;
  /** RELAY_API_KEY. */
  readonly apiKey?: string | undefined;
  /** RELAY_DOMAIN. */
  readonly domain?: string | undefined;
  /** RELAY_STREAM. */
  readonly stream?: string | undefined;
}

/** One relay's HTTP API. Both functions are pure: no clock, no I/O. */
export interface RelayAdapter {
  readonly name: string;
  /** Where the API is unless RELAY_URL says otherwise. */
  readonly defaultUrl: string;
  /** Mails in one request at the most. */
  readonly maxBatch: number;
  /** What the relay does with a request that it has had already: give the same answer, give an error, or send another mail. */
  readonly idempotency: 'replay' | 'error' | 'none';
  /** For how long it surely replays, in seconds; only of a relay that does. */
  readonly replaySeconds?: number;
  /** Whose List-Unsubscribe a mail bears: ours, the relay's own, or ours if the relay's support has allowed it. */
  readonly listUnsubscribe: 'custom' | 'provider' | 'gated';
  /** @param mails One to maxBatch mails. @param now For what the relay wants dated or signed with the time. */
  build(mails: Mails, config: RelayConfig, now: Date): RelayRequest;
  /**
   * @param mails What the request was built from.
   * @param attempt 1 for the first attempt at these mails.
   * @returns One outcome a mail, in the same order.
   */
  classify(response: RelayResponse, mails: Mails, attempt: number): Outcome[];
}

/** Something that sends mails: a relay, or a stand-in in a test. */
export interface MailSender {
  /** Mails in one call at the most. */
  readonly maxBatch: number;
  /** For how long a single mail may be sent again without being doubled, in seconds. None: not at all. */
  readonly replaySeconds?: number | undefined;
  /**
   * Never rejects: every fault is an outcome.
   * @param mails One to maxBatch mails.
   * @param attempt 1 for the first attempt at these mails.
   * @returns One outcome a mail, in the same order.
   */
  send(mails: Mails, attempt: number): Promise<Outcome[]>;
  close(): Promise<void>;
}

/**
 * One outcome for every mail of a request. A request of several that is refused as a whole says nothing of the single mail: none
 * has left, and each is tried again by itself.
 */
export function forEach(mails: Mails, outcome: Outcome): Outcome[] {
  const whole = mails.length > 1 && (outcome.kind === 'rejected' || outcome.kind === 'suppressed');
  return mails.map(() => (whole ? { ...outcome, kind: 'retry' } : outcome));
}

/** The idempotency key of a request: that of its mail, or one that stands for exactly these mails in this order. */
export function requestKey(mails: Mails): string {
  const keys = mails.map(({ idempotencyKey }) => idempotencyKey);
  if (keys.length === 1) return keys.join();
  return `batch.${createHash('sha256').update(JSON.stringify(keys)).digest('hex')}`;
}

/** `Name <address>` for an API that takes one string; the name is quoted if it needs to be (RFC 5322 section 3.4). */
export function mailbox({ name, email }: Address): string {
  if (name === '') return email;
  const phrase = /^[\p{L}\p{N} !#$%&'*+/=?^_`{|}~-]+$/u.test(name) ? name : `"${name.replace(/[\\"]/g, '\\$&')}"`;
  return `${phrase} <${email}>`;
}

/** An address for an API that takes name and address apart; no name if there is none. */
export const named = ({ name, email }: Address): { email: string; name?: string } => (name === '' ? { email } : { email, name });

/** A mail's headers for a relay that makes the Message-ID itself. */
export const headersWithoutId = ({ headers }: OutgoingMail): [name: string, value: string][] =>
  Object.entries(headers).filter(([name]) => name.toLowerCase() !== 'message-id');

/** The JSON object in a response's body; undefined if there is none. */
export function jsonBody({ body }: RelayResponse): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

/**
 * What a status means where the adapter has nothing more exact to say. A 2xx is not among them: only an adapter knows what its
 * relay's success looks like, and an unrecognised one is unknown.
 */
export function classifyStatus({ status, headers }: RelayResponse, detail: string): Outcome {
  const code = `http_${status}`;
  if (status === 429 || status === 420) return { kind: 'retry', code, detail, afterSeconds: retryAfter(headers) };
  if (status === 408 || status === 421) return { kind: 'retry', code, detail };
  if ([401, 402, 403, 404].includes(status) || (status >= 300 && status < 400)) return { kind: 'config', code, detail };
  if (status >= 400 && status < 500) return { kind: 'rejected', code, detail };
  return { kind: 'unknown', code, detail };
}
