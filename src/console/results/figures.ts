// Numbers of Results as people read them: scores with their intervals, changes. Pure.
import type { Estimate, Question } from '../../database/store.ts';
import { type Html, html } from '../../html/html.ts';

export const percent = (part: number, whole: number): number => (whole === 0 ? 0 : Math.round((100 * part) / whole));

/** With a minus sign and not a hyphen, and without a sign before 0: `−3`, `0`. */
export const minus = (text: string): string => text.replace(/^-(?=0(?:\.0*)?$)/, '').replace('-', '−');

/** `+16`, `−3` or `0`. */
export const signed = (value: number): string => `${Math.round(value) > 0 ? '+' : ''}${minus(String(Math.round(value)))}`;
export const decimal = (value: number): string => minus(value.toFixed(1));
export const formatOf = ({ nps }: Pick<Question, 'nps'>) => (nps === true ? signed : decimal);
export const scoreName = ({ nps }: Pick<Question, 'nps'>): string => (nps === true ? 'NPS' : 'Average');

/** The ends of the scale on which a score is summarized. */
export const scaleOf = ({ nps, min = 0, max = 10 }: Question): readonly [bottom: number, top: number] =>
  nps === true ? [-100, 100] : [min, max];

/** The 95% interval, cut off at the ends of the scale: `+9 to +27`. Empty: there is none. */
export const interval = (
  { low, high }: Pick<Estimate, 'low' | 'high'>,
  format: (value: number) => string,
  [min, max]: readonly [number, number] = [-100, 100],
): string => (low === null || high === null ? '' : `${format(Math.max(low, min))} to ${format(Math.min(high, max))}`);

/** How far the value may be off, by the wider side of its 95% interval: `±9`. Empty: there is no interval. */
export function margin(
  { value, low, high }: Pick<Estimate, 'value' | 'low' | 'high'>,
  format: (value: number) => string,
): string {
  if (value === null || low === null || high === null) return '';
  return `±${format(Math.max(high - value, value - low)).replace('+', '')}`;
}

/** For example `▲ 7 from +9`. Screen readers read "up" or "down" instead of the sign. */
export function change(now: number, before: number, format: (value: number) => string, unit = ''): Html {
  const [shown, was] = [format(now), format(before)];
  if (shown === was) return html`same as before`;
  const size = format(Math.abs(now - before)).replace('+', '');
  return html`<span aria-hidden="true">${now > before ? '▲' : '▼'}</span> ${size}${unit === '%' && ' points'} <span class="hidden">${now > before ? 'up' : 'down'}</span> from ${was}${unit}`;
}

export const changeOf = (now: Estimate, before: Estimate | null, format: (value: number) => string): Html | false =>
  now.value !== null && typeof before?.value === 'number' && change(now.value, before.value, format);

/**
 * Whether a group's score differs from that of all by more than chance explains: the interval of the difference, made of the two intervals
 * (R. G. Newcombe, "Interval estimation for the difference between independent proportions", Statistics in Medicine 17 (1998), 873-890, method 10),
 * doesn't contain 0. The group is part of all, so that a small difference of a large group is called none.
 */
export function compare(group: Estimate, all: Estimate): 'lower' | 'higher' | 'none' {
  const gap = (higher: Estimate, lower: Estimate) =>
    (higher.value ?? 0) - (lower.value ?? 0) >
    Math.hypot((higher.value ?? 0) - (higher.low ?? -Infinity), (lower.high ?? Infinity) - (lower.value ?? 0));
  if (group.value === null || all.value === null) return 'none';
  return gap(all, group) ? 'lower' : gap(group, all) ? 'higher' : 'none';
}
