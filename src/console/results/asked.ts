// What the address of a Results page asks for: period, filters, breakdown and columns. So an address is a saved view. Pure.
import type { Period, ResultCondition, ResultFilter, ResultPart } from '../../database/store.ts';
import { toStorable } from '../../text.ts';
import { dayIn } from '../zone.ts';
import { conditionText, mergeConditions, partText, readCondition, readPart } from './conditions.ts';

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

export type BreakdownPart = ResultPart | { readonly dimension: 'month'; readonly key?: undefined };
/** Empty: the lowest scores first, and months in their order. */
export type BreakdownSort = '' | 'highest' | 'responses' | 'rate' | 'name';
const SORTS: readonly string[] = ['highest', 'responses', 'rate', 'name'] satisfies BreakdownSort[];

export interface Asked {
  readonly period: PeriodName;
  /** The dates as entered, if the period is custom. */
  readonly from: string;
  readonly to: string;
  readonly conditions: readonly ResultCondition[];
  readonly question: string | undefined;
  readonly answers: readonly string[];
  /** Metadata keys that get their own column. */
  readonly columns: readonly string[];
  readonly by: BreakdownPart | undefined;
  /** Which score is broken down. Undefined: the first. */
  readonly scoreBy: string | undefined;
  readonly sort: BreakdownSort;
  /** A value that was entered without a key. It filters nothing. */
  readonly valueWithoutKey: string | undefined;
}

const MAX_ANSWERS = 50;
export const MAX_COLUMNS = 4;

const byText = (by: BreakdownPart): string => (by.dimension === 'month' ? '@month' : partText(by));

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
  // What the form adds. The links of the page have it among the filters.
  const typed: ResultCondition[] = key === '' ? [] : [{ dimension: 'metadata', key, ...(value !== '' && { values: [value] }) }];
  const excludes = text('match') === 'not';
  const added = [...texts('add').map(readCondition), ...typed].map((condition) =>
    excludes ? { ...condition, excludes } : condition,
  );
  const period = text('period');
  const [from, to] = [text('from'), text('to')];
  const known = Object.hasOwn(PERIODS, period) ? (period as PeriodName) : '';
  const by = texts('by')[0];
  const question = texts('question')[0];
  return {
    period: known === 'custom' && !(isDay(from) && isDay(to)) ? '' : known,
    from: isDay(from) ? from : '',
    to: isDay(to) ? to : '',
    conditions: mergeConditions([...texts('filter').map(readCondition), ...added]),
    question,
    answers: question === undefined ? [] : texts('answer').slice(0, MAX_ANSWERS),
    columns: [...new Set(texts('column'))].slice(0, MAX_COLUMNS),
    by: by === undefined ? undefined : by === '@month' ? { dimension: 'month' } : readPart(by),
    scoreBy: texts('score')[0],
    sort: SORTS.includes(text('sort')) ? (text('sort') as BreakdownSort) : '',
    valueWithoutKey: key === '' && value !== '' ? value : undefined,
  };
}

/** The query with its question mark. Empty if there is nothing to put into it. */
export function askedQuery(asked: Asked, extra: Readonly<Record<string, string>> = {}): string {
  const { period, from, to, conditions, question, answers, columns, by, scoreBy, sort } = asked;
  const pairs: [string, string][] = [];
  if (period !== '') pairs.push(['period', period]);
  if (period === 'custom') pairs.push(['from', from], ['to', to]);
  for (const condition of conditions) pairs.push(['filter', conditionText(condition)]);
  if (question !== undefined) pairs.push(['question', question]);
  for (const answer of answers) pairs.push(['answer', answer]);
  for (const column of columns) pairs.push(['column', column]);
  if (by !== undefined) pairs.push(['by', byText(by)]);
  if (scoreBy !== undefined) pairs.push(['score', scoreBy]);
  if (sort !== '') pairs.push(['sort', sort]);
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
export function filterOf({ conditions, question, answers }: Asked, period: Period | undefined): ResultFilter | undefined {
  if (conditions.length === 0 && question === undefined && period === undefined) return undefined;
  return { conditions, question, answers: answers.length === 0 ? undefined : answers, period };
}
