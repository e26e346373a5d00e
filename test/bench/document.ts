// Copies the figures from .data/bench/results.json to docs/performance.md, between the markers. It runs after a run of all parts, or as a
// program.
import { readFileSync, writeFileSync } from 'node:fs';
import { ratioLine, readReport, seriesLine } from './report.ts';
import type { Report, Result } from './result.ts';

const DOC = new URL('../../docs/performance.md', import.meta.url);
/** These parts are only printed. docs/performance.md covers them in a sentence or in its table of capacity. */
const UNPUBLISHED = new Set([
  'cpu',
  'accept-32',
  'slow',
  'accept-workspace',
  'many-10000',
  'pairs-servers',
  'pairs-workers',
  'growth',
  'hot',
  'events-accept',
  'events-deliver',
  'events-webhooks',
  'wal',
  'disk',
]);
const BETWEEN = /(<!-- figures: written by make bench -->\n)[\s\S]*(<!-- end of the figures -->)/;

export function writeDocument(report: Report): void {
  const figures = `${report.at}; ${report.machine}; ${report.versions}; \`BENCH_SCALE=${report.scale}\`.

| | figures |
|---|---|
${report.results
  .filter(({ part }) => !UNPUBLISHED.has(part))
  .flatMap(rows)
  .join('\n')}`;
  const before = readFileSync(DOC, 'utf8');
  writeFileSync(
    DOC,
    before.replace(BETWEEN, (_, start: string, end: string) => `${start}\n${figures}\n\n${end}`),
  );
}

const rows = ({ title, used, series }: Result): string[] => [
  `| **${title}** | ${used} |`,
  ...series.map((entry) => `| ${entry.name} | ${seriesLine(entry)}${entry.ratio ? `; ours: ${ratioLine(entry)}` : ''} |`),
];

if (import.meta.main) {
  const report = readReport();
  if (report === undefined) throw new Error('no results: run make bench');
  writeDocument(report);
}
