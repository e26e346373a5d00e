// Charts as SVG, each with a table of its numbers. Heights and texts are in pixels, and horizontal places in percent, so that a chart fills its
// card and its texts keep their size. Each mark shows its value when the mouse or the focus is on it. Colors are classes in charts.css. Pure.
import { type Html, html } from '../../html/html.ts';
import { formatNumber, formatShort } from '../../text.ts';

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
}

/** The plot between the room for values above and for labels below, in pixels. */
const [HEIGHT, TOP, BOTTOM] = [184, 18, 22];
const PLOT = HEIGHT - TOP - BOTTOM;
const RADIUS = 4;
/** Few bars don't become broader than this part of the width. */
const MIN_SLOTS = 8;
/** Pixels of a character of a label, and of the narrowest plots: on a phone, in a card, and of full width. */
const [CHARACTER, PHONE, CARD, FULL] = [6.5, 250, 420, 720];

/**
 * Rounds up to 1, 2, 4, 6, 8, 10, 20, 40 and so on, so that the top and the middle of the scale are round numbers.
 * @param value At least 0.
 */
export function roundUp(value: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(value, 1)));
  return power * ([1, 2, 4, 6, 8, 10].find((step) => step * power >= value) ?? 10);
}

/**
 * The lines of a scale that the data fill: at most five, at round numbers, within the ends.
 * @param ends The lowest and the highest value that there can be.
 */
export function scaleLines(values: readonly number[], ends: readonly [number, number]): number[] {
  const [low, high] = [Math.max(Math.min(...values), ends[0]), Math.min(Math.max(...values), ends[1])];
  // Finer steps would have the same labels.
  const steps = [0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 25, 50].filter((step) => step >= (ends[1] - ends[0]) / 100);
  for (const step of steps) {
    const [first, last] = [Math.floor(low / step + 1e-9), Math.ceil(high / step - 1e-9)];
    if (last - first <= 4) {
      const count = Math.max(last - first, 1);
      return Array.from({ length: count + 1 }, (_, index) => Number(((first + index) * step).toFixed(1)));
    }
  }
  return [ends[0], (ends[0] + ends[1]) / 2, ends[1]];
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
const fixed = (value: number): string => String(Math.round(value * 100) / 100);

/** The labels below. Those that only a wide plot has room for are hidden in a narrow one. */
function tickLabels(ticks: readonly string[], slots: number, wide: boolean): Html {
  const size = Math.max(1, ...ticks.map((tick) => tick.length * CHARACTER + 8));
  const every = (width: number) => Math.max(1, Math.ceil((size * slots) / width));
  const shown = every(wide ? FULL : CARD);
  const always = shown * Math.max(1, Math.ceil(every(PHONE) / shown));
  return html`${ticks.map(
    (tick, index) =>
      index % shown === 0 &&
      html`<text class="tick${index % always > 0 && ' extra'}" x="${fixed((100 * (index + 0.5)) / slots)}%" y="${HEIGHT - 5}" text-anchor="middle">${tick}</text>`,
  )}`;
}

/** A text above a mark, which stays within the plot. @param x In percent. @param y In pixels. */
const above = (name: string, text: string, x: number, y: number): Html =>
  html`<text class="${name}" x="${fixed(x)}%" y="${fixed(Math.max(y - 6, 12))}" text-anchor="${name === 'value' || (x >= 12 && x <= 88) ? 'middle' : x < 12 ? 'start' : 'end'}">${text}</text>`;

/** The lines of the scale, from the lowest, and their labels beside the plot. */
const axis = (labels: readonly string[]): Html =>
  html`<div class="axis" aria-hidden="true">${labels.toReversed().map((label) => html`<span>${label}</span>`)}</div>`;

const gridLines = (count: number): Html =>
  html`${Array.from({ length: count }, (_, index) => {
    const y = Math.round(TOP + (PLOT * index) / (count - 1)) + 0.5;
    return html`<line class="grid" x1="0" x2="100%" y1="${y}" y2="${y}"/>`;
  })}`;

interface Figure {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly legend: Html | false;
  readonly labels: readonly string[];
  readonly marks: Html;
  readonly ticks: Html;
  readonly numbers: Html;
  readonly wide?: boolean | undefined;
}

const figure = ({ id, title, description, legend, labels, marks, ticks, numbers, wide }: Figure): Html =>
  html`<figure class="chart${wide && ' wide'}">
<figcaption><strong>${title}</strong>${legend}</figcaption>
<div class="plot">${axis(labels)}<svg role="group" aria-labelledby="${id}-title ${id}-desc" height="${HEIGHT}"><title id="${id}-title">${title}</title><desc id="${id}-desc">${description}</desc>${gridLines(labels.length)}${marks}${ticks}</svg></div>
${numbers}
</figure>`;

export function barChart(chart: BarChart): Html {
  const { series, bars, unit = '' } = chart;
  const top = roundUp(Math.max(0, ...bars.map(({ values }) => sum(values))));
  const slots = Math.max(bars.length, MIN_SLOTS);
  const slot = 100 / slots;
  const height = (value: number) => (PLOT * value) / top;
  const mark = ({ label, values, href, kind }: Bar, index: number) => {
    const total = sum(values);
    const [x, y] = [index * slot, TOP + PLOT - height(total)];
    // From the top to the bottom: each covers the lower, square end of the one above it.
    const rects = values.map((value, place) => {
      const upTo = sum(values.slice(0, place + 1));
      const isTop = upTo === total;
      return (
        value > 0 &&
        html`<rect class="bar ${kind ?? `s${place + 1}`}" x="${fixed(x + slot * 0.2)}%" y="${fixed(TOP + PLOT - height(upTo))}" width="${fixed(slot * 0.6)}%" height="${fixed(height(value) + (isTop ? RADIUS : 0))}"${isTop && html` rx="${RADIUS}"`}/>`
      );
    });
    const shown = `${formatShort(total)}${unit}`;
    const exact = `${formatNumber(total)}${unit}`;
    const parts = series.map((name, place) => `${formatNumber(values[place] ?? 0)} ${name}`);
    // Who speaks to the browser says what stands above the bar, so its name contains it.
    const said = shown === exact ? exact : `${shown} (${exact})`;
    const name = `${label}: ${series.length > 1 ? [shown, ...parts].join(', ') : said}`;
    const content = html`<rect class="hit" x="${fixed(x)}%" y="${TOP}" width="${fixed(slot)}%" height="${PLOT}"/><svg class="cut" width="100%" height="${TOP + PLOT}">${rects.toReversed()}</svg>${above(bars.length <= MIN_SLOTS + 4 && total > 0 ? 'value' : 'tip', shown, x + slot / 2, y)}`;
    return href === undefined || total === 0
      ? html`<g class="mark" tabindex="0" role="img" aria-label="${name}">${content}</g>`
      : html`<a class="mark" href="${href}" aria-label="${name}">${content}</a>`;
  };
  const lines = [0, top / 2, top].filter(Number.isInteger);
  return figure({
    ...chart,
    legend:
      series.length > 1 &&
      html`<span class="legend">${series.map((name, place) => html`<span class="key s${place + 1}">${name}</span>`)}</span>`,
    labels: lines.map((value) => `${formatShort(value)}${unit}`),
    marks: html`${bars.map(mark)}`,
    ticks: tickLabels(
      bars.map(({ tick }) => tick),
      slots,
      false,
    ),
    numbers: barNumbers(chart),
  });
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
  /** The lowest and the highest value that there can be. The scale is that of the data. */
  readonly ends: readonly [number, number];
  /** A value to compare with, as a line across the chart. */
  readonly before?: { readonly label: string; readonly value: number } | undefined;
  /** What is counted: `Responses`. */
  readonly counted?: string;
  /** Whether it takes the full width of the page. */
  readonly wide?: boolean;
  format(value: number): string;
}

/** A line through the points, with their 95% intervals as a band. */
export function lineChart(chart: LineChart): Html {
  const { points, ends, before, format, wide = false } = chart;
  const found = points.flatMap(({ value, low, high }) => (value === null ? [] : [value, low ?? value, high ?? value]));
  const lines = scaleLines([...found, ...(before ? [before.value] : [])], ends);
  const [bottom, top] = [lines[0] ?? 0, lines.at(-1) ?? 1];
  const x = (index: number) => (100 * (index + 0.5)) / Math.max(points.length, 1);
  const part = (value: number) => 1 - (Math.min(Math.max(value, bottom), top) - bottom) / (top - bottom);
  const y = (value: number) => TOP + PLOT * part(value);
  const corner = (index: number, value: number) => `${fixed(x(index))},${fixed(100 * part(value))}`;
  const at = (index: number) => points[index]?.value ?? 0;
  const band = (run: readonly number[]) =>
    html`<polygon class="band" points="${[...run.map((index) => corner(index, points[index]?.high ?? at(index))), ...run.toReversed().map((index) => corner(index, points[index]?.low ?? at(index)))].join(' ')}"/>`;
  const line = (run: readonly number[]) =>
    html`<polyline class="line" points="${run.map((index) => corner(index, at(index))).join(' ')}"/>`;
  const slot = 100 / Math.max(points.length, 1);
  const mark = ({ label, value, low, high }: Point, index: number) => {
    if (value === null) return '';
    const range =
      low === null || high === null ? '' : ` (${format(Math.max(low, ends[0]))} to ${format(Math.min(high, ends[1]))})`;
    return html`<g class="mark" tabindex="0" role="img" aria-label="${label}: ${format(value)}${range}"><rect class="hit" x="${fixed(index * slot)}%" y="${TOP}" width="${fixed(slot)}%" height="${PLOT}"/><circle class="point" cx="${fixed(x(index))}%" cy="${fixed(y(value))}" r="3.5"/>${above('tip', `${format(value)}${range}`, x(index), y(value))}</g>`;
  };
  const runs = runsOf(points);
  return figure({
    ...chart,
    legend:
      before !== undefined &&
      html`<span class="legend"><span class="key before">${before.label} ${format(before.value)}</span></span>`,
    labels: lines.map(format),
    marks: html`<svg y="${TOP}" width="100%" height="${PLOT}" viewBox="0 0 100 100" preserveAspectRatio="none">${runs.map(band)}${runs.map(line)}</svg>${before !== undefined && html`<line class="before" x1="0" x2="100%" y1="${fixed(y(before.value))}" y2="${fixed(y(before.value))}"/>`}${points.map(mark)}`,
    ticks: tickLabels(
      points.map(({ tick }) => tick),
      points.length,
      wide,
    ),
    numbers: pointNumbers(chart),
    wide,
  });
}

/** The indexes of points that follow each other without a gap. */
function runsOf(points: readonly Point[]): number[][] {
  const runs: number[][] = [];
  for (const [index, { value }] of points.entries()) {
    if (value === null) continue;
    const last = runs.at(-1);
    if (last?.at(-1) === index - 1) last.push(index);
    else runs.push([index]);
  }
  return runs;
}

const asTable = (title: string, content: Html): Html =>
  html`<details class="numbers"><summary>Show as table<span class="hidden">: ${title}</span></summary>
<table>${content}</table></details>`;

function pointNumbers({ title, points, format, counted = 'Responses' }: LineChart): Html {
  const cell = (value: number | null) => html`<td>${value === null ? '–' : format(value)}</td>`;
  return asTable(
    title,
    html`<thead><tr><td></td><th scope="col">Value</th><th scope="col">From</th><th scope="col">To</th><th scope="col">${counted}</th></tr></thead>
<tbody>${points.map(({ label, value, low, high, responses }) => html`<tr><th scope="row">${label}</th>${[value, low, high].map(cell)}<td>${formatNumber(responses ?? 0)}</td></tr>`)}</tbody>`,
  );
}

const barNumbers = ({ title, series, bars, unit = '' }: BarChart): Html =>
  asTable(
    title,
    html`<thead><tr><td></td>${series.map((name) => html`<th scope="col">${name}</th>`)}</tr></thead>
<tbody>${bars.map(({ label, values, href }) => html`<tr><th scope="row">${href === undefined ? label : html`<a href="${href}">${label}</a>`}</th>${values.map((value) => html`<td>${formatNumber(value)}${unit}</td>`)}</tr>`)}</tbody>`,
  );

/** @param share From 0 to 1. */
export const shareBar = (share: number): Html =>
  html`<svg class="share" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true"><rect class="rail" width="100" height="8"/><rect class="bar s1" width="${fixed(share * 100)}" height="8"/></svg>`;

/**
 * A value with its interval on a scale, beside the value of all.
 * @param scale The lowest and the highest value on it.
 */
export function rangeMark(
  { value, low, high }: Pick<Point, 'value' | 'low' | 'high'>,
  all: number | null,
  [bottom, top]: readonly [number, number],
): Html {
  const x = (at: number) => fixed(Math.min(Math.max(top > bottom ? 4 + (92 * (at - bottom)) / (top - bottom) : 50, 0), 100));
  if (value === null) return html``;
  return html`<svg class="range" height="16" aria-hidden="true">${all !== null && html`<line class="all" x1="${x(all)}%" x2="${x(all)}%" y1="0" y2="16"/>`}<line class="interval" x1="${x(low ?? value)}%" x2="${x(high ?? value)}%" y1="8" y2="8"/><circle class="point" cx="${x(value)}%" cy="8" r="4"/></svg>`;
}
