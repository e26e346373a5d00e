// What a relay reports of a mail that it took, and what each relay's webhook is: two pure functions. Here too: what they share.
import { createHash, timingSafeEqual } from 'node:crypto';

/**
 * What is reported. hard_bounce: there is no such mailbox, or the relay will not mail it again. soft_bounce: not delivered, or not yet; the
 * address may be good. complaint: the recipient called it spam.
 */
export type RelayEventType = 'hard_bounce' | 'soft_bounce' | 'complaint' | 'delivered' | 'unsubscribe';

export interface RelayEvent {
  /** The same for each repeat of an event. */
  readonly eventId: string;
  /** The relay's id of the mail. */
  readonly relayMessageId?: string | undefined;
  /** Our id, given back by the relay from the mail's metadata. */
  readonly invitationId?: string | undefined;
  readonly email?: string | undefined;
  readonly type: RelayEventType;
  readonly at: Date;
  /** The relay's words, without web addresses. */
  readonly detail: string;
}

/** Names in lower case. */
export type EventHeaders = Readonly<Record<string, string | string[] | undefined>>;

/** One relay's webhook. Its functions are pure. */
export interface RelayEventSource {
  /** What WWW-Authenticate says to a request without the right credentials, where it is credentials that are checked. */
  readonly challenge?: string;
  /** Whether the relay, or whoever has the secret, sent this body. Never throws. @param secret RELAY_EVENTS_SECRET. */
  verify(rawBody: Buffer, headers: EventHeaders, secret: string, now: Date): boolean;
  /** The address to be called, once, for events to come here, if that is what a body asks for. @throws {SyntaxError} As parse. */
  confirmation?(rawBody: Buffer): URL | undefined;
  /** The events in a body; those of a type that we do not know are left out. @throws {SyntaxError} If the body is not JSON. */
  parse(rawBody: Buffer): RelayEvent[];
}

export type Fields = Readonly<Record<string, unknown>>;

/** A JSON object's fields; none if it is something else. */
export const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};

/** The objects of a body that is one event, or a list of events. */
export function readEvents(rawBody: Buffer): Fields[] {
  const value: unknown = JSON.parse(rawBody.toString('utf8'));
  return (Array.isArray(value) ? value : [value]).map(fieldsOf);
}

/** A string or number as one line that PostgreSQL can store; undefined if it is neither, or empty. */
export function textOf(value: unknown, most = 255): string | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined;
  const text = String(value)
    .toWellFormed()
    .replace(/\p{Cc}+/gu, ' ')
    .trim();
  // In code points: a cut through a surrogate pair is what PostgreSQL cannot store.
  return [...text.slice(0, most * 2)].slice(0, most).join('').toWellFormed() || undefined;
}

/** The first of the values that is text, without web addresses: a relay may quote the mail, and its link is a secret. */
export const detailOf = (...values: unknown[]): string => {
  const found = values.map((value) => textOf(value, 2000)).find((text) => text !== undefined) ?? '';
  return textOf(found.replace(/https?:\/\/\S+/gi, '(address removed)'), 500) ?? '';
};

/** An id of ours, as the mails carry it. */
export const invitationIdOf = (value: unknown): string | undefined => /^\d{1,18}$/.exec(textOf(value) ?? '')?.[0];

/** `ada@example.com` of that or of `Ada <ada@example.com>`. */
export const emailOf = (value: unknown): string | undefined => {
  const text = textOf(value, 600);
  return textOf(/<([^<>]+)>\s*$/.exec(text ?? '')?.[1] ?? text, 254);
};

/** A time from text, or from a number of such units since 1970; undefined if it is none, or beyond what PostgreSQL is asked to keep. */
export function timeOf(value: unknown, unit: 'seconds' | 'milliseconds' = 'seconds'): Date | undefined {
  const number = typeof value === 'number' || /^\d+(\.\d+)?$/.test(String(value)) ? Number(value) : undefined;
  const ms = number === undefined ? Date.parse(String(value)) : unit === 'seconds' ? number * 1000 : number;
  return ms >= 0 && ms < Date.parse('3000-01-01') ? new Date(ms) : undefined;
}

/** An id of the parts that tell an event apart; hashed when it would be too long to be a key. */
export function eventIdOf(...parts: unknown[]): string {
  const id = parts.map((part) => textOf(part, 1000) ?? '').join(':');
  return id.length <= 200 ? id : createHash('sha256').update(id).digest('hex');
}

/** Compares without telling by its duration where two texts differ. */
export const sameText = (one: string, other: string): boolean => timingSafeEqual(sha256(one), sha256(other));

/** One value of a header; empty if it is missing or repeated. */
export const headerOf = (headers: EventHeaders, name: string): string => {
  const value = headers[name];
  return typeof value === 'string' ? value : '';
};

/** Whether a time in whole seconds lies at most so many seconds from now. */
export const isRecent = (seconds: string, now: Date, tolerance: number): boolean =>
  /^\d{1,12}$/.test(seconds) && Math.abs(now.getTime() / 1000 - Number(seconds)) <= tolerance;

export const BASIC = 'Basic realm="relay events"';

/** Whether the request has the credentials `user:password` (RFC 7617). */
export const hasBasic = (headers: EventHeaders, secret: string): boolean => {
  const given = /^Basic +([\w+/=-]+) *$/i.exec(headerOf(headers, 'authorization'))?.[1] ?? '';
  return sameText(Buffer.from(given, 'base64').toString('utf8'), secret);
};

const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest();
