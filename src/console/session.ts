// The cookies for sessions and for signing in, and the checks that a form was sent by our own pages. A cookie holds a secret, and the
// database stores only its hash.
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { isKey, isNonce } from '../secret.ts';

/** In seconds. The database also limits how long a session lasts. */
const MAX_AGE = { session: 14 * 24 * 3600, 'sign-in': 3600 };

/** `sign-in`: this browser requested a sign-in link, so it may open the link without a warning. */
type CookieName = keyof typeof MAX_AGE;

/** With https, the prefix `__Host-` makes browsers require Secure, Path=/ and no Domain (RFC 6265bis, section 4.1.3). */
const cookieName = (name: CookieName, https: boolean): string => (https ? `__Host-${name}` : name);

/** An empty key deletes the cookie. */
const cookie = (name: CookieName, key: string, https: boolean): string =>
  `${cookieName(name, https)}=${key}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${key === '' ? 0 : MAX_AGE[name]}${https ? '; Secure' : ''}`;

export const sessionCookie = (key: string, https: boolean): string => cookie('session', key, https);
export const signInCookie = (key: string, https: boolean): string => cookie('sign-in', key, https);

export const readSessionKey = (request: IncomingMessage, https: boolean) => readKey('session', request, https);
export const readSignInKey = (request: IncomingMessage, https: boolean) => readKey('sign-in', request, https);

function readKey(name: CookieName, { headers }: IncomingMessage, https: boolean): string | undefined {
  const prefix = `${cookieName(name, https)}=`;
  const cookies = (headers.cookie ?? '').split(';').map((cookie) => cookie.trim());
  return cookies
    .filter((cookie) => cookie.startsWith(prefix))
    .map((cookie) => cookie.slice(prefix.length))
    .find(name === 'session' ? isKey : isNonce);
}

const MASK = 32;

const csrfHash = (key: string): Buffer => createHmac('sha256', key).update('csrf').digest();

const xor = (one: Buffer, other: Buffer): Buffer => Buffer.from(one.map((byte, index) => byte ^ (other[index] ?? 0)));

/**
 * Each page gets the token under a different mask. If the token repeated, an attacker could guess it from the lengths of compressed pages
 * (BREACH).
 */
export function csrfToken(key: string): string {
  const mask = randomBytes(MASK);
  return Buffer.concat([mask, xor(mask, csrfHash(key))]).toString('base64url');
}

export function isCsrfToken(given: string | null, key: string): boolean {
  const bytes = Buffer.from(given ?? '', 'base64url');
  if (bytes.length !== 2 * MASK) return false;
  return timingSafeEqual(xor(bytes.subarray(0, MASK), bytes.subarray(MASK)), csrfHash(key));
}

/**
 * Rejects what the browser reports as coming from another origin. The browser sends the origin `null` for pages without a referrer, such as
 * ours. It sends Sec-Fetch-Site only with https and on localhost. In the remaining cases only the form's CSRF token decides.
 */
export function isSameOrigin({ headers }: IncomingMessage, publicUrl: string): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin' || site === 'none';
  const { origin, host } = headers;
  if (origin === undefined || origin === 'null') return true;
  const sent = URL.parse(origin)?.host;
  return sent !== undefined && (sent === host || sent === URL.parse(publicUrl)?.host);
}
