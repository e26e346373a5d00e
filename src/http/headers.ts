// The headers of our answers, and what we read from a request's.
import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Answer } from './answer.ts';

const policy = (scripts: string): Record<string, string> => ({
  'content-security-policy': `default-src 'none'; style-src 'self'; ${scripts}img-src 'self' data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
});

const PAGE_HEADERS = {
  ...policy(''),
  // A page's address may hold a link token, which must not leave as a Referer.
  'referrer-policy': 'no-referrer',
  'x-frame-options': 'DENY',
};

/** For a console page: it may also run the script that shows times in the reader's time zone. */
export const CONSOLE_HEADERS = policy("script-src 'self'; ");

/** For a console page that shows another of our pages in a frame. */
export const FRAMING_HEADERS = policy("script-src 'self'; frame-src 'self'; ");

/** For the page in that frame: an email with its own styles. Sandboxed, wherever it is opened. */
export const FRAMED_HEADERS: Record<string, string> = {
  'content-security-policy':
    "default-src 'none'; style-src 'self' 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'; sandbox",
  'x-frame-options': 'SAMEORIGIN',
};

export const headersOf = ({ type, headers }: Answer, requestId: string): Record<string, string> => ({
  'content-type': type === 'application/json' ? type : `${type}; charset=utf-8`,
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'x-request-id': requestId,
  ...(type === 'text/html' && PAGE_HEADERS),
  ...headers,
});

/** The caller's X-Request-Id if it is valid, otherwise a new one. */
export function readRequestId(request: IncomingMessage): string {
  const given = request.headers['x-request-id'];
  return typeof given === 'string' && /^[\w.:-]{1,128}$/.test(given) ? given : randomUUID();
}

/** The client's address; behind proxies, the one that the outermost trusted proxy saw. */
export function clientAddress(request: IncomingMessage, trustedProxies: number): string {
  const direct = request.socket.remoteAddress ?? '';
  if (trustedProxies === 0) return direct;
  const forwarded = String(request.headers['x-forwarded-for'] ?? '')
    .split(',')
    .map((address) => address.trim())
    .filter(Boolean);
  return forwarded.at(-trustedProxies) ?? forwarded[0] ?? direct;
}
