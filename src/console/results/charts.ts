// Charts as SVG, each with a table of its numbers. Colors are classes in charts.css, for light and dark mode. Pure.
import { type Html, html } from '../../html/html.ts';
import { formatNumber } from '../../text.ts';

export interface Bar {
  /** The label in the table. */
  readonly label: string;
  /** The label under the bar. Left out if there are too many bars. */
  readonly tick: string;
  /** One value per series, stacked from the bottom. */
  readonly values: readonly number[];
  /** Leads to the responses that the bar counts. */
  readonly href?: string;
  /** Gives the bar its own color. */
  readonly kind?: 'detractor' | 'passive' | 'promoter' | undefined;
}

export interface BarChart {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly series: readonly string[];
  readonly bars: readonly Bar[];
  readonly unit?: string;
  /** The top of the scale. By default the largest sum, rounded up. */
  readonly top?: number;
}

const [WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM] = [360, 180, 36, 16, 16, 20];
const TICK_WIDTH = 40;

/**
 * Rounds up to 1, 2, 4, 6, 8, 10, 20, 40 and so on, so that the top and the middle of the scale are round numbers.
 * @param value At least 0.
 */
export function roundUp(value: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(value, 1)));
  return power * ([1, 2, 4, 6, 8, 10].find((step) => step * power >= value) ?? 10);
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
const fixed = (value: number): string => String(Math.round(value * 100) / 100);

export function barChart(chart: BarChart): Html {
  const { id, title, description, series, bars, unit = '' } = chart;
  const top = chart.top ?? roundUp(Math.max(0, ...bars.map(({ values }) => sum(values))));
  const step = (WIDTH - LEFT - RIGHT) / Math.max(bars.length, 1);
  const y = (value: number) => TOP + (HEIGHT - TOP - BOTTOM) * (1 - value / top);
  // Leave out labels that would overlap.
  const every = Math.max(1, Math.ceil(Math.max(...bars.map(({ tick }) => tick.length * 8), TICK_WIDTH / 2) / step));
  const column = ({ label, tick, values, href, kind }: Bar, index: number) => {
    const x = LEFT + index * step;
    let below = 0;
    const rects = values.map((value, place) => {
      const [from, to] = [y(below), y(below + value)];
      below += value;
      return (
        value > 0 &&
        html`<rect class="bar ${kind ?? `s${place + 1}`}" x="${fixed(x + step * 0.12)}" y="${fixed(to)}" width="${fixed(step * 0.76)}" height="${fixed(from - to)}"/>`
      );
    });
    const shown =
      index % every === 0 &&
      html`<text class="tick" x="${fixed(x + step / 2)}" y="${HEIGHT - 5}" text-anchor="middle">${tick}</text>`;
    const total =
      step >= 22 &&
      below > 0 &&
      html`<text class="value" x="${fixed(x + step / 2)}" y="${fixed(y(below) - 4)}" text-anchor="middle">${formatNumber(below)}</text>`;
    const link =
      href === undefined || below === 0
        ? rects
        : html`<a href="${href}" aria-label="${label}: ${formatNumber(below)}">${rects}</a>`;
    return html`${link}${shown}${total}`;
  };
  const line = (value: number) =>
    html`<line class="grid" x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${fixed(y(value))}" y2="${fixed(y(value))}"/><text class="tick" x="${LEFT - 5}" y="${fixed(y(value) + 4)}" text-anchor="end">${formatNumber(value)}${unit}</text>`;
  return html`<figure class="chart">
<figcaption><strong>${title}</strong>${series.length > 1 && html`<span class="legend">${series.map((name, place) => html`<span class="key s${place + 1}">${name}</span>`)}</span>`}</figcaption>
<svg role="${bars.some(({ href }) => href) ? 'group' : 'img'}" aria-labelledby="${id}-title ${id}-desc" viewBox="0 0 ${WIDTH} ${HEIGHT}"><title id="${id}-title">${title}</title><desc id="${id}-desc">${description}</desc>${[0, top / 2, top].filter(Number.isInteger).map(line)}${bars.map(column)}</svg>
${numbers(chart)}
</figure>`;
}

export interface Point {
  readonly label: string;
  readonly tick: string;
  /** Null: a gap. */
  readonly value: number | null;
  readonly low: number | null;
  readonly high: number | null;
  readonly responses: number | null;
}

export interface LineChart {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly points: readonly Point[];
  readonly bottom: number;
  readonly top: number;
  format(value: number): string;
}

/** A line through the points, with their 95% intervals as a band. */
export function lineChart({ id, title, description, points, bottom, top, format }: LineChart): Html {
  const step = (WIDTH - LEFT - RIGHT) / Math.max(points.length, 1);
  const x = (index: number) => fixed(LEFT + (index + 0.5) * step);
  const y = (value: number) =>
    fixed(TOP + (HEIGHT - TOP - BOTTOM) * (1 - (Math.min(Math.max(value, bottom), top) - bottom) / (top - bottom)));
  const every = Math.max(1, Math.ceil(Math.max(...points.map(({ tick }) => tick.length * 8), TICK_WIDTH / 2) / step));
  // A gap ends a line, and the next point starts another.
  const runs: number[][] = [];
  for (const [index, { value }] of points.entries()) {
    if (value === null) continue;
    const last = runs.at(-1);
    if (last?.at(-1) === index - 1) last.push(index);
    else runs.push([index]);
  }
  const corner = (index: number, end: 'low' | 'high') => `${x(index)},${y(points[index]?.[end] ?? points[index]?.value ?? 0)}`;
  const band = (run: readonly number[]) =>
    html`<polygon class="band" points="${[...run.map((index) => corner(index, 'high')), ...run.toReversed().map((index) => corner(index, 'low'))].join(' ')}"/>`;
  const line = (run: readonly number[]) =>
    html`<polyline class="line" points="${run.map((index) => `${x(index)},${y(points[index]?.value ?? 0)}`).join(' ')}"/>`;
  const point = ({ tick, value }: Point, index: number) =>
    html`${value !== null && html`<circle class="point" cx="${x(index)}" cy="${y(value)}" r="2.5"/>`}${index % every === 0 && html`<text class="tick" x="${x(index)}" y="${HEIGHT - 5}" text-anchor="middle">${tick}</text>`}`;
  const rule = (value: number) =>
    html`<line class="grid" x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${y(value)}" y2="${y(value)}"/><text class="tick" x="${LEFT - 5}" y="${Number(y(value)) + 4}" text-anchor="end">${format(value)}</text>`;
  const cell = (value: number | null) => html`<td>${value === null ? '–' : format(value)}</td>`;
  return html`<figure class="chart">
<figcaption><strong>${title}</strong></figcaption>
<svg role="img" aria-labelledby="${id}-title ${id}-desc" viewBox="0 0 ${WIDTH} ${HEIGHT}"><title id="${id}-title">${title}</title><desc id="${id}-desc">${description}</desc>${[bottom, (bottom + top) / 2, top].map(rule)}${runs.map(band)}${runs.map(line)}${points.map(point)}</svg>
<details class="numbers"><summary>Show as table<span class="hidden">: ${title}</span></summary>
<table><thead><tr><td></td><th scope="col">Value</th><th scope="col">From</th><th scope="col">To</th><th scope="col">Responses</th></tr></thead>
<tbody>${points.map(({ label, value, low, high, responses }) => html`<tr><th scope="row">${label}</th>${[value, low, high].map(cell)}<td>${formatNumber(responses ?? 0)}</td></tr>`)}</tbody></table></details>
</figure>`;
}

const numbers = ({ title, series, bars, unit = '' }: BarChart): Html =>
  html`<details class="numbers"><summary>Show as table<span class="hidden">: ${title}</span></summary>
<table><thead><tr><td></td>${series.map((name) => html`<th scope="col">${name}</th>`)}</tr></thead>
<tbody>${bars.map(({ label, values, href }) => html`<tr><th scope="row">${href === undefined ? label : html`<a href="${href}">${label}</a>`}</th>${values.map((value) => html`<td>${formatNumber(value)}${unit}</td>`)}</tr>`)}</tbody></table></details>`;

/** @param share From 0 to 1. */
export const shareBar = (share: number): Html =>
  html`<svg class="share" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true"><rect class="rail" width="100" height="8"/><rect class="bar s1" width="${fixed(share * 100)}" height="8"/></svg>`;
