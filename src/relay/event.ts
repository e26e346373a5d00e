// The events that relays report to our webhook, and pure functions to check and read them.

import { timingSafeEqual } from 'node:crypto';
import { sha256 } from '../secret.ts';
import { toPlainLine } from '../text.ts';

/**
 * hard_bounce: no such mailbox, or the relay won't email it again. soft_bounce: not delivered, or not yet. complaint: reported as spam.
 */
export type RelayEventType = 'hard_bounce' | 'soft_bounce' | 'complaint' | 'delivered' | 'unsubscribe';

export interface RelayEvent {
  /** The same whenever the relay repeats the event. */
  readonly eventId: string;
  readonly relayMessageId?: string | undefined;
  /** The home of the invitation's workspace, and its id, from the message's metadata. */
  readonly home?: string | undefined;
  readonly invitationId?: string | undefined;
  readonly email?: string | undefined;
  /** Null: a type that we don't use. Only the event's id is recorded. */
  readonly type: RelayEventType | null;
  readonly at: Date;
  /** Without web addresses. */
  readonly detail: string;
}

/** Names in lower case. */
export type EventHeaders = Readonly<Record<string, string | string[] | undefined>>;

/** All functions are pure. */
export interface RelayEventSource {
  /** The WWW-Authenticate header, for a relay whose credentials are checked. */
  readonly challenge?: string;
  /**
   * Whether the body comes from somebody who has the secret. Never throws.
   * @param secret RELAY_EVENTS_SECRET.
   */
  verify(rawBody: Buffer, headers: EventHeaders, secret: string, now: Date): boolean;
  /**
   * The address to call once to confirm a subscription.
   * @throws {SyntaxError} The body isn't JSON, as for parse.
   */
  confirmation?(rawBody: Buffer): URL | undefined;
  /** Why the secret is invalid, as the words after "must". Undefined: it is valid. */
  checkSecret(secret: string): string | undefined;
  /**
   * Leaves out events of unknown types.
   * @throws {SyntaxError} The body isn't JSON.
   */
  parse(rawBody: Buffer): RelayEvent[];
}

export type Fields = Readonly<Record<string, unknown>>;

export const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};

export function readEvents(rawBody: Buffer): Fields[] {
  const value: unknown = JSON.parse(rawBody.toString('utf8'));
  return (Array.isArray(value) ? value : [value]).map(fieldsOf);
}

/**
 * A string or number as one line. Undefined: the value is neither, or is empty.
 * @param max In code points.
 */
export function textOf(value: unknown, max = 255): string | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined;
  const text = toPlainLine(String(value));
  // By code points: PostgreSQL can't store half a surrogate pair.
  return [...text.slice(0, max * 2)].slice(0, max).join('').toWellFormed() || undefined;
}

/** The first value that is text, without web addresses: a relay may quote a link, and links are secret. */
export const detailOf = (...values: unknown[]): string => {
  const found = values.map((value) => textOf(value, 2000)).find((text) => text !== undefined) ?? '';
  return textOf(found.replace(/https?:\/\/\S+/gi, '(address removed)'), 500) ?? '';
};

/** Reads what invitationName makes. */
export function invitationOf(value: unknown): Pick<RelayEvent, 'home' | 'invitationId'> {
  const [, home, invitationId] = /^([a-z0-9]{8})-(\d{1,18})$/.exec(textOf(value) ?? '') ?? [];
  return { home, invitationId };
}

export const emailOf = (value: unknown): string | undefined => {
  const text = textOf(value, 600);
  return textOf(/<([^<>]+)>\s*$/.exec(text ?? '')?.[1] ?? text, 254);
};

/** A time from text, or from a number counted since 1970. Undefined: it is no time, or is after the year 2999. */
export function timeOf(value: unknown, unit: 'seconds' | 'milliseconds' = 'seconds'): Date | undefined {
  const number = typeof value === 'number' || /^\d+(\.\d+)?$/.test(String(value)) ? Number(value) : undefined;
  const ms = number === undefined ? Date.parse(String(value)) : unit === 'seconds' ? number * 1000 : number;
  return ms >= 0 && ms < Date.parse('3000-01-01') ? new Date(ms) : undefined;
}

/** Joins the parts, and hashes the id if it is too long for a key. */
export function eventIdOf(...parts: unknown[]): string {
  const id = parts.map((part) => textOf(part, 1000) ?? '').join(':');
  return id.length <= 200 ? id : sha256(id).toString('hex');
}

/** Compares in constant time. */
export const sameText = (text: string, other: string): boolean => timingSafeEqual(sha256(text), sha256(other));

/** A header's value. Empty: the header is missing or repeated. */
export const headerOf = (headers: EventHeaders, name: string): string => {
  const value = headers[name];
  return typeof value === 'string' ? value : '';
};

/** @param tolerance Seconds, before or after now. */
export const isRecent = (seconds: string, now: Date, tolerance: number): boolean =>
  /^\d{1,12}$/.test(seconds) && Math.abs(now.getTime() / 1000 - Number(seconds)) <= tolerance;

export const BASIC = 'Basic realm="relay events"';

/** Whether a secret is `user:password`. */
export const isBasic = (secret: string): boolean => /^[^:]+:./.test(secret);

/** Whether a request has these Basic credentials (RFC 7617). */
export const hasBasic = (headers: EventHeaders, secret: string): boolean => {
  const given = /^Basic +([\w+/=-]+) *$/i.exec(headerOf(headers, 'authorization'))?.[1] ?? '';
  return sameText(Buffer.from(given, 'base64').toString('utf8'), secret);
};
