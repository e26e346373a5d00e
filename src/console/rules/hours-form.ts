// Opening hours in a form: per day a checkbox, and pairs of times. hoursGrid() shows them. Pure.
// Stored hours are the text of an int4multirange, of minutes of the week: 0 is Monday, 00:00. A range doesn't include its end. Null: at
// any time.
import { DAY, DAYS, type Day, fromOpenHours, minutesIn, type Range, toOpenHours } from '../../hours.ts';

const QUARTER = 15;

/** Times as they were typed, or as they are stored. */
export type Pair = readonly [from: string, to: string];

export interface DayDraft {
  readonly day: Day;
  readonly open: boolean;
  readonly pairs: readonly Pair[];
}

export interface DayError {
  /**
   * never_open: no day is open. no_times: an open day has no times. incomplete: a start without an end, or an end without a start.
   * unreadable: not a time. not_quarter: not a quarter hour. order: the end isn't after the start.
   */
  readonly code: 'never_open' | 'no_times' | 'incomplete' | 'unreadable' | 'not_quarter' | 'order';
  readonly day: Day;
  /** Counts from 0, without pairs of two empty fields. */
  readonly pair: number;
  readonly end: 'from' | 'to';
}

/** What a closed day suggests when somebody opens it. */
const SUGGESTED: Pair = ['08:00', '20:00'];

/** @param value Stored hours. The end of a day is 00:00, since browsers don't know 24:00. */
export function draftOf(value: string | null): DayDraft[] {
  const hours = fromOpenHours(value) ?? DAYS.map((day) => ({ day, from: '00:00', to: '24:00' }));
  return DAYS.map((day) => {
    const pairs = hours.filter((one) => one.day === day).map(({ from, to }): Pair => [from, to === '24:00' ? '00:00' : to]);
    return { day, open: pairs.length > 0, pairs: pairs.length > 0 ? pairs : [SUGGESTED] };
  });
}

/** The names of a day's fields. Each pair of times repeats the names `from` and `to`. */
export const namesOf = (name: string, day: Day) => ({
  open: `${name}-${day}`,
  from: `${name}-${day}-from`,
  to: `${name}-${day}-to`,
});

/** Leaves out pairs of two empty fields. */
export const readDraft = (form: URLSearchParams, name: string): DayDraft[] =>
  DAYS.map((day) => {
    const names = namesOf(name, day);
    const [from, to] = [form.getAll(names.from), form.getAll(names.to)];
    const pairs = Array.from(
      { length: Math.max(from.length, to.length) },
      (_, index): Pair => [(from[index] ?? '').trim(), (to[index] ?? '').trim()],
    );
    return { day, open: form.get(names.open) === 'yes', pairs: pairs.filter(([from, to]) => from !== '' || to !== '') };
  });

type Fault = Pick<DayError, 'code' | 'end'>;
const isRange = (found: Range | Fault): found is Range => !('code' in found);

/** In minutes of the day. 00:00 as the end of a pair is the end of the day, and so is 24:00. */
function rangeOf([from, to]: Pair): Range | Fault {
  if (from === '') return { code: 'incomplete', end: 'from' };
  if (to === '') return { code: 'incomplete', end: 'to' };
  const [start, end] = [minutesIn(from), minutesIn(to) === 0 ? DAY : minutesIn(to)];
  if (!(start < DAY)) return { code: 'unreadable', end: 'from' };
  if (!(end <= DAY)) return { code: 'unreadable', end: 'to' };
  if (start % QUARTER !== 0) return { code: 'not_quarter', end: 'from' };
  if (end % QUARTER !== 0) return { code: 'not_quarter', end: 'to' };
  return start < end ? [start, end] : { code: 'order', end: 'to' };
}

/** The open minutes of a day, as far as its times are valid. */
export const openMinutes = ({ open, pairs }: DayDraft): Range[] => (open ? pairs.map(rangeOf).filter(isRange) : []);

function errorOf({ day, open, pairs }: DayDraft): DayError[] {
  if (!open) return [];
  if (pairs.length === 0) return [{ code: 'no_times', day, pair: 0, end: 'from' }];
  return pairs.flatMap((times, pair) => {
    const found = rangeOf(times);
    return isRange(found) ? [] : [{ ...found, day, pair }];
  });
}

/**
 * Reads what hoursGrid() shows. The times of a closed day don't count.
 * @returns The hours to store, or the first error of each day.
 */
export function parseHours(form: URLSearchParams, name = 'hours'): { value: string | null } | { errors: DayError[] } {
  const days = readDraft(form, name);
  const errors = days.flatMap((draft) => errorOf(draft).slice(0, 1));
  if (errors.length > 0) return { errors };
  const hours = days.flatMap(({ day, open, pairs }) =>
    open ? pairs.map(([from, to]) => ({ day, from, to: minutesIn(to) === 0 ? '24:00' : to })) : [],
  );
  return hours.length === 0
    ? { errors: [{ code: 'never_open', day: 'mon', pair: 0, end: 'from' }] }
    : { value: toOpenHours(hours) };
}
