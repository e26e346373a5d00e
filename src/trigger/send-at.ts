// Parses send_at. Text that can't be parsed is an error and never means "now". Pure.
import { formatUtc, parseUtc } from '../text.ts';
import { MAX_SECONDS_AHEAD, MAX_SECONDS_PAST } from './schema.ts';

/** A time with an offset, such as +02:00. It is refused, and the error suggests the time in UTC. */
const WITH_OFFSET = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}:\d{2})(?:\.\d{1,9})? ?([+-]\d{2}):?(\d{2})$/;

/** @returns The time; undefined for `now`; or an error, as the end of a sentence. */
export function parseSendAt(text: string, now: Date): Date | undefined | string {
  const trimmed = text.trim();
  if (trimmed === 'now') return undefined;
  const time = parseUtc(trimmed);
  if (time === undefined) {
    const meant = utcOf(trimmed);
    if (meant !== undefined) return `must be now or a UTC time: did you mean ${meant} UTC?`;
    return "must be now or a UTC time, such as 2030-01-31 09:00:00 UTC or 2030-01-31T09:00:00Z; other offsets aren't accepted";
  }
  if (time === null) return "isn't a date and time that exists";
  const ahead = (time.getTime() - now.getTime()) / 1000;
  if (ahead > MAX_SECONDS_AHEAD) return 'must be within a year from now';
  if (ahead < -MAX_SECONDS_PAST) return 'must not be more than 5 minutes in the past';
  return time;
}

function utcOf(text: string): string | undefined {
  const [, day, time, hours, minutes] = WITH_OFFSET.exec(text) ?? [];
  const at = new Date(`${day}T${time}${hours}:${minutes}`);
  return Number.isNaN(at.getTime()) ? undefined : formatUtc(at);
}
