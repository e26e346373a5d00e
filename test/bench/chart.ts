// The chart of docs/performance.md: each goal as a bar, the line where it is reached in the same place for all. Readable on light and dark.
import { goalLine, goalOf } from './report.ts';
import { type Goal, median, type Result, reached } from './result.ts';

const WIDTH = 950;
const LABEL = 430;
const BAR = 230;
const ROW = 22;
const TITLE = 30;
/** Share of the bar at which a goal is reached. */
const GOAL_AT = 0.5;

/**
 * How far a figure is on its way, 0.5 being the goal and 1 the bar's end: what is to be large by how much of the goal it has, what is to be
 * small by how much of it is left.
 */
export function progress({ values, atLeast, atMost }: Goal): number {
  const figure = median(values);
  const share = atLeast !== undefined ? figure / atLeast : (atMost ?? 0) / figure;
  return Math.min(1, Math.max(0.01, GOAL_AT * share));
}

const escaped = (text: string): string => text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');

/** An SVG; its colours follow the reader's scheme. */
export function chart(results: readonly Result[]): string {
  const rows: string[] = [];
  let y = 24;
  for (const { title, goals } of results.filter((result) => result.goals.length > 0)) {
    rows.push(`<text class="title" x="10" y="${y + 14}">${escaped(title)}</text>`);
    y += TITLE;
    for (const goal of goals) {
      const bar = Math.round(progress(goal) * BAR);
      rows.push(
        `<text x="${LABEL - 10}" y="${y + 12}" text-anchor="end">${escaped(goal.what)}</text>`,
        `<rect class="${reached(goal) ? 'reached' : 'missed'}" x="${LABEL}" y="${y + 2}" width="${bar}" height="13"/>`,
        `<line x1="${LABEL + BAR * GOAL_AT}" x2="${LABEL + BAR * GOAL_AT}" y1="${y - 1}" y2="${y + 18}"/>`,
        `<text x="${LABEL + BAR + 10}" y="${y + 12}">${escaped(goalLine(goal))}, goal ${escaped(goalOf(goal))}</text>`,
      );
      y += ROW;
    }
    y += 8;
  }
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${y + 10}" viewBox="0 0 ${WIDTH} ${y + 10}" role="img">
<title>Figures of the benchmark beside their goals</title>
<style>
  text { font: 12px system-ui, sans-serif; fill: #1f2328 }
  .title { font-weight: 600 }
  .reached { fill: #2da44e }
  .missed { fill: #bf8700 }
  line { stroke: #1f2328; stroke-width: 1.5 }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3 }
    line { stroke: #e6edf3 }
  }
</style>
<text x="${LABEL + BAR * GOAL_AT}" y="14" text-anchor="middle">goal</text>
${rows.join('\n')}
</svg>
`;
}
