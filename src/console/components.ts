// The components of the console's pages. Pure.
import { type Html, html } from '../html/html.ts';
import { formatUtc, plural } from '../text.ts';

const UNITS: [unit: string, seconds: number][] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
];

export function age(at: Date, now: Date): string {
  const seconds = (now.getTime() - at.getTime()) / 1000;
  const [unit, size] = UNITS.find(([, size]) => Math.abs(seconds) >= size) ?? ['', 0];
  if (size === 0) return seconds >= 0 ? 'just now' : 'in a moment';
  const count = Math.floor(Math.abs(seconds) / size);
  const words = plural(count, unit);
  return seconds >= 0 ? `${words} ago` : `in ${words}`;
}

/** In UTC. console.js adds the reader's own time, which replaces it on a phone. */
export const moment = (at: Date | null, now: Date): Html =>
  at === null
    ? html`<span class="none">never</span>`
    : html`<span class="moment"><time datetime="${at.toISOString()}">${formatUtc(at, 'minute')} UTC</time> <span class="age">${age(at, now)}</span></span>`;

/**
 * A word in a pill.
 * @param kind Its color.
 */
export const badge = (text: string, kind: 'good' | 'wait' | 'bad' | 'plain' = 'plain', href?: string): Html =>
  href === undefined
    ? html`<span class="badge ${kind}">${text}</span>`
    : html`<a class="badge ${kind}" href="${href}">${text}</a>`;

const STATE_KINDS = { active: 'good', draft: 'wait', closed: 'plain' } as const;
export const stateBadge = (state: keyof typeof STATE_KINDS): Html => badge(state, STATE_KINDS[state]);

export const empty = (title: string, sentence: string): Html =>
  html`<div class="empty"><h2>${title}</h2><p>${sentence}</p></div>`;

/** After a last page that was full. */
export const ended = (what: string): Html => empty("You've reached the end", `There are no older ${what}.`);

/**
 * @param newest Undefined on the first page.
 * @param older Undefined on the last.
 */
export const pager = (what: string, newest: string | undefined, older: string | undefined): Html | '' =>
  newest === undefined && older === undefined
    ? ''
    : html`<nav class="pager" aria-label="Pages">${newest !== undefined && html`<a class="button quiet" href="${newest}">Newest ${what}</a>`}${older !== undefined && html`<a class="button quiet" href="${older}">Older ${what}</a>`}</nav>`;

type Cell = Html | string | number;

/** Cards on a phone, where each cell shows its column's name. Each row's first cell is its header. */
export const table = (
  caption: string,
  columns: readonly string[],
  rows: readonly (readonly Cell[])[],
): Html => html`<table class="cards">
<caption class="hidden">${caption}</caption>
<thead><tr>${columns.map((column) => html`<th scope="col">${column}</th>`)}</tr></thead>
<tbody>${rows.map((row) => html`<tr>${row.map((cell, index) => (index === 0 ? html`<th scope="row">${cell}</th>` : html`<td data-label="${columns[index]}">${cell}</td>`))}</tr>`)}</tbody>
</table>`;

export interface Field {
  readonly name: string;
  readonly label: string;
  readonly value?: string | undefined;
  readonly type?: string;
  readonly hint?: string;
  readonly error?: string | undefined;
  /** Worth a second look, but allowed. */
  readonly warning?: string | undefined;
  readonly more?: Html;
}

export const warningOf = (name: string, text: string | undefined): Html | '' =>
  text === undefined ? '' : html`<p class="warning" id="${name}-warning">${text}</p>`;

export function field({ name, label, value, type = 'text', hint, error, warning, more }: Field): Html {
  const described = [hint && `${name}-hint`, error && `${name}-error`, warning && `${name}-warning`].filter(Boolean).join(' ');
  return html`<div class="field">
<label for="${name}">${label}</label>
${hint && html`<p class="hint" id="${name}-hint">${hint}</p>`}
<input id="${name}" name="${name}" type="${type}" value="${value}"${described && html` aria-describedby="${described}"`}${error && html` aria-invalid="true"`}${more}>
${error && html`<p class="error" id="${name}-error" role="alert">${error}</p>`}
${warningOf(name, warning)}
</div>`;
}

/** @param id Where the page has several fields of this name. */
export const select = (
  name: string,
  label: string,
  options: readonly string[],
  chosen?: string,
  id = name,
): Html => html`<div class="field">
<label for="${id}">${label}</label>
<select id="${id}" name="${name}">${options.map((one) => html`<option${one === chosen && html` selected`}>${one}</option>`)}</select>
</div>`;

/** With the session's token. Posts to its own page, or to `action`. */
export const form = (csrf: string, content: Html, more: { action?: string; class?: string } = {}): Html =>
  html`<form method="post"${more.action && html` action="${more.action}"`}${more.class && html` class="${more.class}"`}><input type="hidden" name="csrf" value="${csrf}">${content}</form>`;
