// Hours of the week and closed days: between PostgreSQL's multiranges, the lists of pages and HTTP, and what people write. Pure.

export const DAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;
export type Day = (typeof DAYS)[number];

/** from: `08:00`. to: `20:00`, at most `24:00`; up to `from` it is of the next day. Both are local, in quarters of an hour. */
export interface Hours {
  readonly day: Day;
  readonly from: string;
  readonly to: string;
}

/** Two ISO dates, the last one included. */
export interface ClosedDays {
  readonly from: string;
  readonly to: string;
}

export type HoursErrorCode =
  | ('invalid_hours' | 'unknown_day' | 'invalid_time' | 'invalid_quarter' | 'no_hours')
  | ('invalid_line' | 'invalid_date' | 'reversed_dates' | 'not_whole_days' | 'repeating_event' | 'incomplete_event')
  | 'too_many_ranges';

/** What somebody wrote is wrong. The message is a sentence that says what, and where. */
export class HoursError extends Error {
  override readonly name = 'HoursError';
  readonly code: HoursErrorCode;
  /** For closed days: counts from 1. */
  readonly line: number | undefined;

  constructor(code: HoursErrorCode, message: string, line?: number) {
    super(line === undefined ? message : `Line ${line}: ${message}`);
    this.code = code;
    this.line = line;
  }
}

/** In minutes or days, the end not included. */
export type Range = readonly [from: number, to: number];

/** In minutes. */
export const DAY = 1440;
const WEEK = 7 * DAY;
const MAX_RANGES = 1000;

/** Sorted, with those that touch or overlap as one. */
function merged(ranges: readonly Range[]): Range[] {
  const result: [number, number][] = [];
  for (const [from, to] of [...ranges].sort(([a], [b]) => a - b)) {
    const last = result.at(-1);
    if (last !== undefined && from <= last[1]) last[1] = Math.max(last[1], to);
    else result.push([from, to]);
  }
  return result;
}

/** The pairs of a multirange: `{[480,1200),[1920,2640)}`. */
const pairsOf = (multirange: string): [from: string, to: string][] =>
  [...multirange.matchAll(/\[([^,]+),([^)]+)\)/g)].map(([, from = '', to = '']) => [from, to]);

const multirange = (ranges: readonly Range[], text: (bound: number) => string | number): string =>
  `{${ranges.map(([from, to]) => `[${text(from)},${text(to)})`).join()}}`;

/** The minutes of a time such as 08:15. NaN: it isn't a time. */
export function minutesIn(time: string): number {
  const [, hours, minutes] = /^(\d{1,2}):([0-5]\d)$/.exec(time) ?? [];
  return Number(hours) * 60 + Number(minutes);
}

/** @throws {HoursError} */
function minutesOf(time: string): number {
  const result = minutesIn(time);
  if (!(result <= DAY)) throw new HoursError('invalid_time', `${time} isn't a time from 00:00 to 24:00.`);
  if (result % 15 !== 0) throw new HoursError('invalid_quarter', `${time} isn't a quarter of an hour, such as 08:00 or 08:15.`);
  return result;
}

const timeOf = (minutes: number): string =>
  `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;

/** @throws {HoursError} */
function dayIndex(name: string): number {
  const index = DAYS.indexOf(name.toLowerCase() as Day);
  if (index < 0) throw new HoursError('unknown_day', `${name} isn't a day: write Mon, Tue, Wed, Thu, Fri, Sat or Sun.`);
  return index;
}

/** A range that goes on after Sunday goes on on Monday. @throws {HoursError} */
function rangesOf({ day, from, to }: Hours): Range[] {
  const [start, end] = [minutesOf(from), minutesOf(to)];
  if (start === DAY) throw new HoursError('invalid_time', `${from} can't be a start: write 00:00 of the next day.`);
  if (start === end) throw new HoursError('no_hours', `${from}-${to} is empty: its end must not be its start.`);
  const first = dayIndex(day) * DAY;
  const last = first + end + (end < start ? DAY : 0);
  return last <= WEEK
    ? [[first + start, last]]
    : [
        [first + start, WEEK],
        [0, last - WEEK],
      ];
}

/**
 * The int4multirange of these hours: minutes of the week since Monday 00:00. Null: always.
 * @throws {HoursError}
 */
export function toOpenHours(hours: readonly Hours[]): string | null {
  if (hours.length === 0) throw new HoursError('no_hours', 'Give hours such as Mon-Fri 08:00-20:00, or always.');
  const ranges = merged(hours.flatMap(rangesOf));
  const [[from, to] = []] = ranges;
  return from === 0 && to === WEEK ? null : multirange(ranges, (bound) => bound);
}

/** The hours by day, none of them beyond midnight. Null: always. */
export function fromOpenHours(openHours: string | null): Hours[] | null {
  if (openHours === null) return null;
  return pairsOf(openHours).flatMap(([lower, upper]) => {
    const [from, to] = [Number(lower), Number(upper)];
    return DAYS.flatMap((day, index) => {
      const [start, end] = [Math.max(from - index * DAY, 0), Math.min(to - index * DAY, DAY)];
      return start < end ? [{ day, from: timeOf(start), to: timeOf(end) }] : [];
    });
  });
}

const ITEM = /^(\p{L}+)(?:\s*[-–]\s*(\p{L}+))?((?:\s+[\d:]+\s*[-–]\s*[\d:]+)+)$/u;
const TIMES = /([\d:]+)\s*[-–]\s*([\d:]+)/g;

/**
 * Reads `Mon-Fri 08:00-12:00 13:00-17:00, Sat 22:00-02:00` or `always`.
 * @returns The int4multirange. Null: always.
 * @throws {HoursError}
 */
export function parseOpenHours(text: string): string | null {
  if (text.trim().toLowerCase() === 'always') return null;
  return toOpenHours(
    text.split(',').flatMap((part) => {
      const [, first, last = first, times = ''] = ITEM.exec(part.trim()) ?? [];
      if (first === undefined || last === undefined) {
        throw new HoursError('invalid_hours', `"${part.trim()}" isn't hours: write Mon-Fri 08:00-20:00, or always.`);
      }
      const [start, end] = [dayIndex(first), dayIndex(last)];
      const days = Array.from({ length: ((end - start + 7) % 7) + 1 }, (_, index) => DAYS[(start + index) % 7] ?? 'mon');
      return days.flatMap((day) => [...times.matchAll(TIMES)].map(([, from = '', to = '']) => ({ day, from, to })));
    }),
  );
}

/** Writes what parseOpenHours reads, with days that follow each other and have the same hours as one. */
export function formatOpenHours(openHours: string | null): string {
  const list = fromOpenHours(openHours);
  if (list === null) return 'always';
  const groups: { from: Day; to: Day; index: number; times: string }[] = [];
  for (const [index, day] of DAYS.entries()) {
    const hours = list.filter((one) => one.day === day);
    if (hours.length === 0) continue;
    const times = hours.map(({ from, to }) => `${from}-${to}`).join(' ');
    const before = groups.at(-1);
    if (before?.times === times && before.index === index - 1) Object.assign(before, { to: day, index });
    else groups.push({ from: day, to: day, index, times });
  }
  const name = (day: Day) => `${day.charAt(0).toUpperCase()}${day.slice(1)}`;
  const written = groups.map(({ from, to, times }) => `${from === to ? name(from) : `${name(from)}-${name(to)}`} ${times}`);
  return written.join(', ') === 'Mon-Sun 00:00-24:00' ? 'always' : written.join(', ');
}

const MILLISECONDS = 86_400_000;

/** Days since 1970. @param date 2026-12-24, or 20261224. @throws {HoursError} */
function dayNumber(date: string, line?: number): number {
  const [, year, , month, day] = /^(\d{4,})(-?)(\d\d)\2(\d\d)$/.exec(date) ?? [];
  const number = Date.UTC(Number(year), Number(month) - 1, Number(day)) / MILLISECONDS;
  // JavaScript takes February 30 for March 2, and the year 26 for 1926.
  if (Number.isNaN(number) || dateOf(number) !== `${year}-${month}-${day}`) {
    throw new HoursError('invalid_date', `${date} isn't a date such as 2026-12-24.`, line);
  }
  return number;
}

function dateOf(number: number): string {
  const date = new Date(number * MILLISECONDS);
  const digits = (value: number, length = 2) => String(value).padStart(length, '0');
  return `${digits(date.getUTCFullYear(), 4)}-${digits(date.getUTCMonth() + 1)}-${digits(date.getUTCDate())}`;
}

/** @throws {HoursError} */
function daysOf(text: string, line: number): Range {
  const [from = '', to = from, ...more] = text.split('..').map((date) => date.trim());
  if (from === '' || to === '' || more.length > 0 || /\s/.test(from + to)) {
    throw new HoursError('invalid_line', 'Write one date a line, such as 2026-12-24 or 2026-12-24..2026-12-26.', line);
  }
  const range = [dayNumber(from, line), dayNumber(to, line) + 1] as const;
  if (range[0] >= range[1]) throw new HoursError('reversed_dates', `${from} is after ${to}.`, line);
  return range;
}

/** The lines of an event in a calendar, as far as they say when it is. */
interface CalendarEvent {
  start?: string;
  end?: string;
  line: number;
}

/** @throws {HoursError} */
function eventRange({ start, end, line }: CalendarEvent): Range {
  if (start === undefined)
    throw new HoursError('incomplete_event', "This event has no DTSTART, so its first day isn't known.", line);
  const first = dayNumber(start, line);
  // RFC 5545, section 3.6.1: the end isn't part of the event, and without it the event is a day.
  const range = [first, end === undefined ? first + 1 : dayNumber(end, line)] as const;
  if (range[0] >= range[1])
    throw new HoursError('reversed_dates', 'DTEND must be after DTSTART: it is the day after the last one.', line);
  return range;
}

/** Reads the events of iCalendar lines (RFC 5545), which may be a whole file or only lines with DTSTART and DTEND. */
function calendarReader() {
  const ranges: Range[] = [];
  /** The components that have begun. */
  const inside: string[] = [];
  let event: CalendarEvent | undefined;
  const finish = () => {
    if (event !== undefined) ranges.push(eventRange(event));
    event = undefined;
  };
  const read = (name: string, value: string, line: number) => {
    if (name === 'BEGIN') {
      inside.push(value);
      if (value === 'VEVENT') {
        finish();
        event = { line };
      }
    }
    if (name === 'END') {
      if (value === 'VEVENT') finish();
      inside.pop();
    }
    // A time zone has times, and an alarm has a duration.
    if (inside.length > 0 && inside.at(-1) !== 'VEVENT') return;
    if (name === 'RRULE' || name === 'RDATE') {
      throw new HoursError('repeating_event', 'This event repeats: enter each of its dates.', line);
    }
    if (name === 'DURATION') throw new HoursError('incomplete_event', 'This event has a duration: give its DTEND instead.', line);
    if (name !== 'DTSTART' && name !== 'DTEND') return;
    if (!/^\d{8}$/.test(value)) {
      throw new HoursError('not_whole_days', `${name} must be a date such as 20261224: only whole days can be closed.`, line);
    }
    if (name === 'DTSTART') {
      if (inside.length === 0) finish();
      event = { ...event, start: value, line };
    } else {
      event = { ...event, end: value, line };
    }
  };
  return { read, finish, ranges };
}

/**
 * Reads dates, one a line, as `2026-12-24`, `2026-12-24..2026-12-26` or lines of an iCalendar file.
 * @returns The datemultirange. Null: no days.
 * @throws {HoursError}
 */
export function parseClosedDays(text: string): string | null {
  const calendar = calendarReader();
  const ranges: Range[] = [];
  let continues = false;
  for (const [index, raw] of text.split(/\r\n|\n|\r/).entries()) {
    // A long line of a calendar is folded: the rest begins with a space.
    if (continues && /^[ \t]/.test(raw)) continue;
    const line = raw.trim();
    const [, name, value = ''] = /^([A-Z][A-Z0-9-]*)(?:;[^:]*)?:(.*)$/i.exec(line) ?? [];
    continues = name !== undefined;
    if (name !== undefined) calendar.read(name.toUpperCase(), value.trim(), index + 1);
    else if (line !== '') ranges.push(daysOf(line, index + 1));
  }
  calendar.finish();
  const days = merged([...ranges, ...calendar.ranges]);
  if (days.length > MAX_RANGES) throw new HoursError('too_many_ranges', 'There are more than 1,000 closed periods.');
  return days.length === 0 ? null : multirange(days, dateOf);
}

/** @param closedDays A datemultirange, as PostgreSQL writes it with ISO dates. */
export const fromClosedDays = (closedDays: string | null): ClosedDays[] =>
  pairsOf(closedDays ?? '').map(([from, to]) => ({ from, to: dateOf(dayNumber(to) - 1) }));

/** Writes what parseClosedDays reads, one period a line. */
export const formatClosedDays = (closedDays: string | null): string =>
  fromClosedDays(closedDays)
    .map(({ from, to }) => (from === to ? from : `${from}..${to}`))
    .join('\n');
