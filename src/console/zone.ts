// The reader's time zone, which console.js puts into a cookie: the server's days are then those that the page's times show.
import type { IncomingMessage } from 'node:http';

const COOKIE = /(?:^|;\s*)zone=([A-Za-z0-9_+/-]{1,64})(?:;|$)/;

/** UTC without the cookie, or if it names no zone. */
export function readZone({ headers }: Pick<IncomingMessage, 'headers'>): string {
  const [, name = 'UTC'] = COOKIE.exec(headers.cookie ?? '') ?? [];
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: name }).resolvedOptions().timeZone;
  } catch {
    return 'UTC';
  }
}

/** `YYYY-MM-DD`. */
export const dayIn = (zone: string, at: Date): string => new Intl.DateTimeFormat('en-CA', { timeZone: zone }).format(at);
