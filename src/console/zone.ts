// The reader's time zone. console.js stores it in a cookie, so that the server's days match the times that the page shows.
import type { IncomingMessage } from 'node:http';

const COOKIE = /(?:^|;\s*)zone=([A-Za-z0-9_+/-]{1,64})(?:;|$)/;

/** Zones by the name as it came, because asking for one takes as long as much of a page. There are some 600, in any case of letters. */
const known = new Map<string, string>();
const MAX_KNOWN = 2000;

/** UTC if there is no cookie, or if its value is not a time zone. */
export function readZone({ headers }: Pick<IncomingMessage, 'headers'>): string {
  const [, name = 'UTC'] = COOKIE.exec(headers.cookie ?? '') ?? [];
  const seen = known.get(name);
  if (seen !== undefined) return seen;
  try {
    const zone = new Intl.DateTimeFormat('en-US', { timeZone: name }).resolvedOptions().timeZone;
    // Names that aren't of a zone must not take the places.
    if (known.size < MAX_KNOWN) known.set(name, zone);
    return zone;
  } catch {
    return 'UTC';
  }
}

/** `YYYY-MM-DD`. */
export const dayIn = (zone: string, at: Date): string => new Intl.DateTimeFormat('en-CA', { timeZone: zone }).format(at);
