// Prints the results and stores them in .data/bench/results.json.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { median, type Report, type Result, type Series } from './result.ts';

const RESULTS = new URL('../../.data/bench/results.json', import.meta.url);

/** Formats a number with about three significant digits. */
export function figure(value: number): string {
  if (!Number.isFinite(value)) return '–';
  if (Math.abs(value) >= 100) return Math.round(value).toLocaleString('en');
  return value.toFixed(Math.abs(value) >= 10 ? 1 : 2);
}

/** Formats the median, with minimum and maximum if they differ. */
export function spread(values: readonly number[]): string {
  const max = figure(Math.max(...values));
  const min = figure(Math.min(...values));
  return min === max ? max : `${figure(median(values))} (${min}–${max})`;
}

export const seriesLine = ({ values, unit, p99 }: Series): string =>
  `${spread(values)} ${unit}${p99 === undefined ? '' : `, p99 ${spread(p99)} ms`}`;

export const ratioLine = ({ ratio }: Series): string => (ratio === undefined ? '' : `${spread(ratio)} ×`);

export function print(results: readonly Result[]): void {
  for (const { title, used, series } of results) {
    console.log(`${title}  [${used}]`);
    for (const entry of series)
      console.log(`  ${entry.name.padEnd(44)} ${seriesLine(entry).padEnd(60)} ${ratioLine(entry)}`.trimEnd());
    console.log();
  }
}

export const readReport = (): Report | undefined =>
  existsSync(RESULTS) ? (JSON.parse(readFileSync(RESULTS, 'utf8')) as Report) : undefined;

/** Replaces the earlier results of a part, and saves the report. */
export function keep(report: Report, results: readonly Result[]): Report {
  const all = new Map([...report.results, ...results].map((result) => [result.part, result]));
  const merged = { ...report, results: [...all.values()] };
  mkdirSync(new URL('.', RESULTS), { recursive: true });
  writeFileSync(RESULTS, `${JSON.stringify(merged, null, 2)}\n`);
  return merged;
}
