// The headers of responses, and the request headers that are read.
import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { styleSources } from '../html/inline-style.ts';
import type { Answer } from './answer.ts';

const policy = (styles: string, more: string, forms = 'self', ancestors = 'none'): Record<string, string> => ({
  'content-security-policy': `default-src 'none'; style-src ${styles}; ${more}img-src 'self' data:; form-action '${forms}'; base-uri 'none'; frame-ancestors '${ancestors}'`,
});

/** Keeps other sites from embedding a response. Style sheets don't get it: an email's sandboxed page has no origin and loads them. */
const NOT_EMBEDDED = { 'cross-origin-resource-policy': 'same-origin', 'x-frame-options': 'DENY' };

const PAGE_HEADERS = {
  ...NOT_EMBEDDED,
  ...policy(styleSources(), ''),
  // A page's address may hold a token, which must not leave as a Referer.
  'referrer-policy': 'no-referrer',
};

const DATA_TYPES: ReadonlySet<string> = new Set<Answer['type']>(['application/json', 'text/csv', 'text/plain']);

/** For data, so that no browser runs it. */
const DATA_HEADERS = {
  ...NOT_EMBEDDED,
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
};

/** Sent over https. For a year, browsers then use only https. */
export const HTTPS_HEADER = ['strict-transport-security', 'max-age=31536000'] as const;

/** A recipient's page. @param accentColor Of its workspace. @param hasScript Whether it is a survey's questions. */
export const recipientHeaders = (accentColor: string | null, hasScript = false): Record<string, string> =>
  policy(styleSources(accentColor), hasScript ? "script-src 'self'; " : '');

/** The console's pages: their search asks for suggestions. */
export const CONSOLE_HEADERS = policy("'self'", "script-src 'self'; font-src 'self'; connect-src 'self'; ");

/** Console pages that frame another of our pages. The editor of questions also sends what is typed. */
export const FRAMING_HEADERS = policy("'self'", "script-src 'self'; font-src 'self'; frame-src 'self'; connect-src 'self'; ");

/** The survey page in that frame: as strict as for recipients, and nothing can be submitted. */
export const previewHeaders = (accentColor: string | null): Record<string, string> => ({
  ...policy(styleSources(accentColor), "script-src 'self'; ", 'none', 'self'),
  'x-frame-options': 'SAMEORIGIN',
});

/** The page in that frame: an email with its own styles and logo, always sandboxed. */
export const FRAMED_HEADERS: Record<string, string> = {
  'content-security-policy':
    "default-src 'none'; style-src 'self' 'unsafe-inline'; img-src 'self' https:; base-uri 'none'; form-action 'none'; frame-ancestors 'self'; sandbox",
  'x-frame-options': 'SAMEORIGIN',
};

export const headersOf = ({ type, headers }: Answer, requestId: string): Record<string, string> => ({
  'content-type': /^text|svg/.test(type) ? `${type}; charset=utf-8` : type,
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'x-request-id': requestId,
  'cross-origin-opener-policy': 'same-origin',
  ...(type === 'text/html' ? PAGE_HEADERS : DATA_TYPES.has(type) && DATA_HEADERS),
  ...headers,
});

/** The caller's request id if it is valid, otherwise a new one. */
export function readRequestId(request: IncomingMessage): string {
  const given = request.headers['x-request-id'];
  return typeof given === 'string' && /^[\w.:-]{1,128}$/.test(given) ? given : randomUUID();
}
