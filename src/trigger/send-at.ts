// Reads send_at. Pure. A time that cannot be read is an error, never "now".
import { MAX_SECONDS_AHEAD, MAX_SECONDS_PAST } from './schema.ts';

// The zone is part of a T form (ISO 8601), and optional after a space, where the interface has always meant UTC.
const FORM =
  /^(\d{4})-(\d{2})-(\d{2})(?: (\d{2}):(\d{2}):(\d{2})(?: ?UTC|Z|\+00:00)?|T(\d{2}):(\d{2}):(\d{2})(?:\.\d{1,9})?(?:Z|\+00:?00))$/;

/**
 * @param text The value of send_at.
 * @param now The present time.
 * @returns The time; undefined for `now`; or what is wrong with it, as a sentence's end.
 */
export function parseSendAt(text: string, now: Date): Date | undefined | string {
  const trimmed = text.trim();
  if (trimmed === 'now') return undefined;
  const match = FORM.exec(trimmed);
  if (match === null) {
    return 'must be now, or a UTC time such as 2030-01-31 09:00:00 UTC or 2030-01-31T09:00:00Z; no other offset is accepted';
  }
  const [year, month, day, hour, minute, second] = match
    .slice(1)
    .filter((part) => part !== undefined)
    .map(Number) as [number, number, number, number, number, number];
  const time = new Date(Date.UTC(year, month - 1, day, hour, minute, second));
  // Date.UTC rolls over what does not exist; the parts then differ.
  const exists =
    time.getUTCFullYear() === year &&
    time.getUTCMonth() === month - 1 &&
    time.getUTCDate() === day &&
    time.getUTCHours() === hour &&
    time.getUTCMinutes() === minute &&
    time.getUTCSeconds() === second;
  if (!exists) return 'is not a date and time that exists';
  const ahead = (time.getTime() - now.getTime()) / 1000;
  if (ahead > MAX_SECONDS_AHEAD) return 'must not be more than a year ahead';
  if (ahead < -MAX_SECONDS_PAST) return 'must not be more than five minutes in the past';
  return time;
}
