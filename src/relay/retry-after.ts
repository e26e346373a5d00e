// How long a relay asks to wait, in the ways that relays say it.
import type { RelayResponse } from './relay.ts';

/** Longest time that a relay's word is taken for, in seconds: PostgreSQL reads it as an integer, and a larger number would spoil the whole settle. */
const MAX_RETRY_AFTER = 86_400;

const clamp = (seconds: number): number | undefined =>
  Number.isNaN(seconds) ? undefined : Math.min(Math.max(1, Math.ceil(seconds)), MAX_RETRY_AFTER);

/**
 * Seconds that a relay asks to wait; a day at the most. In order: Retry-After in seconds or as a date (RFC 9110 section 10.2.3);
 * a relative reset (Resend, Brevo); an absolute one in epoch seconds (SendGrid).
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

/** Seconds until a date; undefined without two dates. Both are the relay's own, so that a clock of ours that is wrong does no harm. */
export function secondsUntil(date: string, headers: RelayResponse['headers']): number | undefined {
  return clamp((Date.parse(date) - Date.parse(String(headers.date ?? ''))) / 1000);
}
