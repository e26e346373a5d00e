// Writes docs/performance.md, between its markers, and docs/performance.svg from .data/bench/results.json: after a run of all parts, or
// by itself, as a program.
import { readFileSync, writeFileSync } from 'node:fs';
import { chart } from './chart.ts';
import { goalLine, goalOf, readReport, seriesLine } from './report.ts';
import { type Report, type Result, reached } from './result.ts';

const DOC = new URL('../../docs/performance.md', import.meta.url);
const CHART = new URL('../../docs/performance.svg', import.meta.url);
const BETWEEN = /(<!-- figures: written by make bench -->\n)[\s\S]*(<!-- end of the figures -->)/;

export function writeDocument(report: Report): void {
  const figures = [
    `${report.at}; ${report.machine}; ${report.versions}; \`BENCH_SCALE=${report.scale}\`.`,
    '![Figures beside their goals](performance.svg)',
    `| what | figure | goal | |\n|---|---|---|---|\n${report.results.flatMap(goalRows).join('\n')}`,
    `| what | figures |\n|---|---|\n${report.results.flatMap(seriesRows).join('\n')}`,
  ];
  const before = readFileSync(DOC, 'utf8');
  writeFileSync(
    DOC,
    before.replace(BETWEEN, (_, start: string, end: string) => `${start}\n${figures.join('\n\n')}\n\n${end}`),
  );
  writeFileSync(CHART, chart(report.results));
}

const goalRows = ({ title, goals }: Result): string[] =>
  goals.map(
    (goal) => `| ${title}: ${goal.what} | ${goalLine(goal)} | ${goalOf(goal)} | ${reached(goal) ? 'reached' : 'missed'} |`,
  );

const seriesRows = ({ title, used, series }: Result): string[] => [
  `| **${title}** | ${used} |`,
  ...series.map((one) => `| ${one.name} | ${seriesLine(one)} |`),
];

if (import.meta.main) {
  const report = readReport();
  if (report === undefined) throw new Error('there are no results: run make bench');
  writeDocument(report);
}
