// The session's cookie, and the checks that a form comes from our pages. The cookie has the secret; the database has its hash.
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { isKey } from '../secret.ts';

/** Seconds. The database also ends the session. */
const MAX_AGE = 14 * 24 * 3600;

/** Under https the name promises Secure, Path=/ and no Domain, and browsers hold it to that (RFC 6265bis, section 4.1.3). */
const cookieName = (https: boolean): string => (https ? '__Host-session' : 'session');

/** The header that sets the session's cookie; an empty key deletes it. */
export const sessionCookie = (key: string, https: boolean): string =>
  `${cookieName(https)}=${key}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${key === '' ? 0 : MAX_AGE}${https ? '; Secure' : ''}`;

export function readSessionKey({ headers }: IncomingMessage, https: boolean): string | undefined {
  const prefix = `${cookieName(https)}=`;
  const cookies = (headers.cookie ?? '').split(';').map((cookie) => cookie.trim());
  return cookies
    .filter((cookie) => cookie.startsWith(prefix))
    .map((cookie) => cookie.slice(prefix.length))
    .find(isKey);
}

/** The token that each form of a session carries. */
export const csrfToken = (key: string): string => createHmac('sha256', key).update('csrf').digest('base64url');

export function isCsrfToken(given: string | null, key: string): boolean {
  const [one, other] = [Buffer.from(given ?? ''), Buffer.from(csrfToken(key))];
  return one.length === other.length && timingSafeEqual(one, other);
}

/**
 * Whether a POST comes from our pages, as far as the browser tells. The origin is `null` for pages that send no referrer, as ours do;
 * browsers send Sec-Fetch-Site only under https and on localhost. The form's token decides what these leave open.
 */
export function isSameOrigin({ headers }: IncomingMessage, publicUrl: string): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin' || site === 'none';
  const { origin, host } = headers;
  if (origin === undefined || origin === 'null') return true;
  const sent = URL.parse(origin)?.host;
  return sent !== undefined && (sent === host || sent === URL.parse(publicUrl)?.host);
}
