// The reader's time zone. console.js stores it in a cookie, so that the server's days match the times that the page shows.
import type { IncomingMessage } from 'node:http';

const COOKIE = /(?:^|;\s*)zone=([A-Za-z0-9_+/-]{1,64})(?:;|$)/;

/** UTC if there is no cookie, or if its value is not a time zone. */
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
