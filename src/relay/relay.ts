// What a relay is: the mail it is given, what may become of it, and the two pure functions of an adapter. See docs/relays.md.

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

/**
 * What became of one attempt.
 * accepted: the relay has it. retry: certainly not sent, try later. unknown: it may have been sent. config: the relay, its key or
 * the sender's set-up is at fault, not this mail. suppressed: the relay will not mail this address. rejected: it will never take this mail.
 */
export type Outcome =
  | { readonly kind: 'accepted'; readonly messageId?: string | undefined }
  | { readonly kind: 'retry'; readonly code: string; readonly detail: string; readonly afterSeconds?: number | undefined }
  | { readonly kind: 'unknown' | 'config' | 'suppressed' | 'rejected'; readonly code: string; readonly detail: string };

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

/** One relay's HTTP API. Both functions are pure: no clock, no I/O. */
export interface RelayAdapter {
  readonly name: string;
  /** Where the API is unless RELAY_URL says otherwise. */
  readonly defaultUrl: string;
  /** @param apiKey RELAY_API_KEY. */
  build(mail: OutgoingMail, apiKey: string | undefined): RelayRequest;
  /** @param attempt 1 for the first attempt at this mail. */
  classify(response: RelayResponse, attempt: number): Outcome;
}

/** Something that sends mails: a relay, or a stand-in in a test. */
export interface MailSender {
  /** Never rejects: every fault is an outcome. @param attempt 1 for the first attempt at this mail. */
  send(mail: OutgoingMail, attempt: number): Promise<Outcome>;
  close(): Promise<void>;
}

/** `Name <address>` for an API that takes one string; the name is quoted if it needs to be (RFC 5322 section 3.4). */
export function mailbox({ name, email }: Address): string {
  if (name === '') return email;
  const phrase = /^[\p{L}\p{N} !#$%&'*+/=?^_`{|}~-]+$/u.test(name) ? name : `"${name.replace(/[\\"]/g, '\\$&')}"`;
  return `${phrase} <${email}>`;
}

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

/** Longest time that a relay's word is taken for, in seconds: PostgreSQL reads it as an integer, and a larger number would spoil the whole settle. */
const MAX_RETRY_AFTER = 86_400;

/** Seconds that a relay asks to wait: Retry-After in seconds or as a date (RFC 9110 section 10.2.3); a day at the most. */
function retryAfter(headers: RelayResponse['headers']): number | undefined {
  const value = String(headers['retry-after'] ?? '');
  if (/^\d+$/.test(value)) return Math.min(Number(value), MAX_RETRY_AFTER);
  const until = Date.parse(value);
  const from = Date.parse(String(headers.date ?? ''));
  // Both times are the relay's own, so that a clock of ours that is wrong does no harm.
  if (Number.isNaN(until) || Number.isNaN(from)) return undefined;
  return Math.min(Math.max(1, Math.ceil((until - from) / 1000)), MAX_RETRY_AFTER);
}
