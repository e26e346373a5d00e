// What the address of a Results page asks for: period, filters and columns. Pure.
import type { Period, ResultFilter } from '../../database/store.ts';
import { toStorable } from '../../text.ts';
import { dayIn } from '../zone.ts';

export const PERIODS = {
  '': 'All time',
  month: 'This month',
  'last-month': 'Last month',
  '7': 'Last 7 days',
  '30': 'Last 30 days',
  '90': 'Last 90 days',
  custom: 'Custom dates',
} as const;

type PeriodName = keyof typeof PERIODS;

export interface MetadataFilter {
  readonly key: string;
  /** Undefined: any value. */
  readonly value?: string | undefined;
}

export interface Asked {
  readonly period: PeriodName;
  /** The dates as entered, if the period is custom. */
  readonly from: string;
  readonly to: string;
  readonly metadata: readonly MetadataFilter[];
  readonly question: string | undefined;
  readonly answers: readonly string[];
  /** Metadata keys that get their own column. */
  readonly columns: readonly string[];
  /** A value that was entered without a key. It filters nothing. */
  readonly valueWithoutKey: string | undefined;
}

const MAX_FILTERS = 8;
const MAX_ANSWERS = 50;
export const MAX_COLUMNS = 4;

/** A filter as one value of the address's parameter `filter`: `key=value` or `key`, each part percent-encoded. */
export const filterText = ({ key, value }: MetadataFilter): string =>
  encodeURIComponent(key) + (value === undefined ? '' : `=${encodeURIComponent(value)}`);

function readFilterText(text: string): MetadataFilter {
  const sign = text.indexOf('=');
  const decoded = (part: string) => toStorable(decode(part));
  return sign < 0 ? { key: decoded(text) } : { key: decoded(text.slice(0, sign)), value: decoded(text.slice(sign + 1)) };
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

const DAY_FORM = /^(?:19|20|21)\d\d-\d\d-\d\d$/;
const isDay = (text: string) => DAY_FORM.test(text) && !Number.isNaN(Date.parse(`${text}T00:00:00Z`));

/** Values that can't be understood are ignored. */
export function readAsked(query: URLSearchParams): Asked {
  const text = (name: string) => toStorable(query.get(name) ?? '').trim();
  const texts = (name: string) =>
    query
      .getAll(name)
      .map(toStorable)
      .filter((entry) => entry !== '');
  const [key, value] = [text('key'), text('value')];
  const typed = key === '' ? [] : [{ key, value: value === '' ? undefined : value }];
  const period = text('period');
  const [from, to] = [text('from'), text('to')];
  const known = Object.hasOwn(PERIODS, period) ? (period as PeriodName) : '';
  const given = [...texts('filter').map(readFilterText), ...typed].slice(-MAX_FILTERS);
  const metadata = [...new Map(given.map((filter) => [filterText(filter), filter])).values()];
  const question = texts('question')[0];
  return {
    period: known === 'custom' && !(isDay(from) && isDay(to)) ? '' : known,
    from: isDay(from) ? from : '',
    to: isDay(to) ? to : '',
    metadata,
    question,
    answers: question === undefined ? [] : texts('answer').slice(0, MAX_ANSWERS),
    columns: [...new Set(texts('column'))].slice(0, MAX_COLUMNS),
    valueWithoutKey: key === '' && value !== '' ? value : undefined,
  };
}

/** The query with its question mark. Empty if there is nothing to put into it. */
export function askedQuery(asked: Asked, extra: Readonly<Record<string, string>> = {}): string {
  const { period, from, to, metadata, question, answers, columns } = asked;
  const pairs: [string, string][] = [];
  if (period !== '') pairs.push(['period', period]);
  if (period === 'custom') pairs.push(['from', from], ['to', to]);
  for (const filter of metadata) pairs.push(['filter', filterText(filter)]);
  if (question !== undefined) pairs.push(['question', question]);
  for (const answer of answers) pairs.push(['answer', answer]);
  for (const column of columns) pairs.push(['column', column]);
  const query = new URLSearchParams([...pairs, ...Object.entries(extra)]).toString();
  return query === '' ? '' : `?${query}`;
}

const DAY = 86_400_000;
const dateOf = (day: string) => new Date(`${day}T00:00:00Z`);
const dayOf = (date: Date) => date.toISOString().slice(0, 10);
const plus = (day: string, days: number) => dayOf(new Date(dateOf(day).getTime() + days * DAY));

/** The first day of the day's month, or of the month so many months later. */
function month(day: string, months: number): string {
  const date = dateOf(day);
  return dayOf(new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months)));
}

const min = (one: string, other: string) => (one < other ? one : other);
const max = (one: string, other: string) => (one > other ? one : other);

/**
 * The period, and the earlier period to compare with. This month is compared with the same days of last month, last month with the month
 * before, and any other period with the same number of days before it. Undefined: all time, which has no comparison.
 */
export function periodOf({ period, from, to }: Asked, zone: string, now: Date): { period: Period; before: Period } | undefined {
  const today = dayIn(zone, now);
  const of = (firstDay: string, lastDay: string): Period => ({ firstDay, lastDay, zone });
  const days = (firstDay: string, lastDay: string) => {
    const length = (dateOf(lastDay).getTime() - dateOf(firstDay).getTime()) / DAY + 1;
    return { period: of(firstDay, lastDay), before: of(plus(firstDay, -length), plus(firstDay, -1)) };
  };
  if (period === '') return undefined;
  if (period === 'custom') return days(min(from, to), max(from, to));
  if (period === 'month') {
    const [first, last] = [month(today, 0), month(today, -1)];
    const passed = Number(today.slice(8)) - 1;
    return { period: of(first, today), before: of(last, min(plus(last, passed), plus(first, -1))) };
  }
  if (period === 'last-month') {
    const first = month(today, -1);
    const before = month(today, -2);
    return { period: of(first, plus(month(today, 0), -1)), before: of(before, plus(first, -1)) };
  }
  return days(plus(today, 1 - Number(period)), today);
}

/** Undefined: all responses. */
export function filterOf({ metadata, question, answers }: Asked, period: Period | undefined): ResultFilter | undefined {
  if (metadata.length === 0 && question === undefined && period === undefined) return undefined;
  return { metadata, question, answers: answers.length === 0 ? undefined : answers, period };
}
