// The components of the console's pages. Pure.
// A new page needs:
// 1. A view: a function that builds the main part from these components, without an h1 (the frame has it).
// 2. A handler: it reads with request.session and returns request.page({ title, workspace or survey, tab, actions }, main). If it refuses a
// form, it shows the form again with status 422. The error goes into field(), or into refusal() if it is about no field. A form with values that
// are stored saves those that were changed: see stale.ts.
// 3. A line in routes.ts, and one in the sidebar or the tabs of frame.ts. A form posts, then redirects by done() with a code of flashes.ts.
// formSection() is a form with its title and help beside it. confirmation() asks on its own page before anything that can't be undone. Its
// style sheets are in components/; a new rule is an exception, and belongs to the style sheet beside the view.
import { type Html, html } from '../html/html.ts';
import { formatNumber, formatUtc, plural } from '../text.ts';

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
  const duration = plural(count, unit);
  return seconds >= 0 ? `${duration} ago` : `in ${duration}`;
}

/** `Mon, 4 Jan 2027, 10:00 UTC`: what the clock of a test workspace says, in everyone's browser. */
export const clockTime = (at: Date): string =>
  at.toUTCString().replace(/ 0?(\d+) (\w+) (\d+) (\d\d:\d\d):.*/, ' $1 $2 $3, $4 UTC');

const MONTH = new Intl.DateTimeFormat('en-US', { month: 'short', timeZone: 'UTC' });

/** `18 Nov`, for axes. UTC. */
export const shortDay = (at: Date): string => `${at.getUTCDate()} ${MONTH.format(at)}`;

/** `18 Nov 2026`, the format of all dates. UTC. */
export const day = (at: Date): string => `${shortDay(at)} ${at.getUTCFullYear()}`;

/** `18 Nov 2026, 14:05 UTC`. */
const dayAndTime = (at: Date): string => `${day(at)}, ${formatUtc(at, 'minute').slice(11)} UTC`;

export const NONE = html`<span class="dim none">–</span>`;

/** The time in UTC. console.js changes it to the reader's time zone. */
export const moment = (at: Date | null, now: Date): Html =>
  at === null
    ? html`<span class="dim">never</span>`
    : html`<time datetime="${at.toISOString()}" title="${age(at, now)}">${dayAndTime(at)}</time>`;

/** How long ago it was. Its title is the time, in UTC and, by console.js, in the reader's time zone. */
export const ago = (at: Date, now: Date): Html =>
  html`<time datetime="${at.toISOString()}" title="${dayAndTime(at)}" data-age>${age(at, now)}</time>`;

/** The time, followed by how long ago it was. */
export const fullMoment = (at: Date | null, now: Date): Html =>
  at === null ? moment(at, now) : html`${moment(at, now)} <span class="dim">${age(at, now)}</span>`;

/**
 * good: it worked, or it works. info: it continues by itself. warn: somebody should look at it. bad: it failed. off: it ended, or is
 * switched off. plain: none of these.
 */
export type Kind = 'good' | 'info' | 'warn' | 'bad' | 'off' | 'plain';

export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** A dot and a word. With a count, for example `8 sent`. */
export function status(
  word: string,
  kind: Kind,
  options: { count?: number | string | undefined; href?: string | undefined } = {},
): Html {
  const { count } = options;
  const text = count === undefined ? capital(word) : `${typeof count === 'number' ? formatNumber(count) : count} ${word}`;
  return options.href === undefined
    ? html`<span class="status ${kind}">${text}</span>`
    : html`<a class="status ${kind}" href="${options.href}">${text}</a>`;
}

const STATE_KINDS = { active: 'good', draft: 'warn', closed: 'off' } as const;
export const stateStatus = (state: keyof typeof STATE_KINDS): Html => status(state, STATE_KINDS[state]);

export const empty = (title: string, content: Html | string): Html =>
  html`<div class="empty"><h2>${title}</h2><p>${content}</p></div>`;

/** Shown on an empty page that follows a full last page. */
export const ended = (what: string): Html => empty("You've reached the end", `There are no older ${what}.`);

/**
 * @param newest Link to the first page. Undefined on the first page.
 * @param older Link to the next page. Undefined on the last page.
 */
export const pager = (what: string, newest: string | undefined, older: string | undefined): Html | '' =>
  newest === undefined && older === undefined
    ? ''
    : html`<nav class="pager" aria-label="Pages">${newest !== undefined && html`<a class="button quiet" href="${newest}">Newest ${what}</a>`}${older !== undefined && html`<a class="button quiet" href="${older}">Older ${what}</a>`}</nav>`;

/** A message about the whole page: what a form did, or what needs attention. */
export const notice = (kind: 'good' | 'warn', content: Html | string): Html =>
  html`<div class="notice-line ${kind}" role="${kind === 'good' ? 'status' : 'note'}">${content}</div>`;

/** What a form did. It takes the focus, so it scrolls into view and screen readers read it. */
export const flashNotice = (text: string): Html =>
  html`<div class="notice-line good" role="status" tabindex="-1" autofocus>${text}</div>`;

/**
 * Says why a form was refused, for reasons that aren't about one field. It takes the focus, so it scrolls into view and screen readers read
 * it.
 */
export const refusal = (text: string): Html =>
  html`<div class="notice-line bad" role="alert" tabindex="-1" autofocus>${text}</div>`;

const shown = (value: Html | string | number): Html | string => (typeof value === 'number' ? formatNumber(value) : value);

/** A list of names and values. wide: the value is a sentence. */
export const facts = (
  entries: readonly (readonly [name: string, value: Html | string | number, kind?: 'wide'] | false | undefined | null | '')[],
): Html =>
  html`<dl class="facts">${entries.map((entry) => entry && html`<div${entry[2] && html` class="${entry[2]}"`}><dt>${entry[0]}</dt><dd>${shown(entry[1])}</dd></div>`)}</dl>`;

/** Large numbers. @param href Leads to the rows that the number counts. */
export const figures = (
  entries: readonly {
    readonly name: Html | string;
    readonly value: string;
    readonly note?: Html | string | false | undefined;
    readonly href?: string;
  }[],
): Html =>
  html`<dl class="card figures">${entries.map(
    ({ name, value, note, href }) =>
      html`<div><dt>${name}</dt><dd>${href === undefined ? html`<strong>${value}</strong>` : html`<a href="${href}"><strong>${value}</strong></a>`}${note && html` <span class="dim">${note}</span>`}</dd></div>`,
  )}</dl>`;

/** Links that filter a list. */
export const segments = (
  label: string,
  links: readonly { readonly href: string; readonly content: Html | string; readonly current: boolean }[],
): Html =>
  html`<nav class="segments" aria-label="${label}">${links.map(({ href, content, current }) => html`<a href="${href}"${current && html` aria-current="true"`}>${content}</a>`)}</nav>`;

type Cell = Html | string | number;

/** number: aligned to the end of its column. wide: takes the most width. menu: has no visible heading. */
export type Column = string | readonly [label: string, kind: 'number' | 'text' | 'time' | 'wide' | 'menu'];

/** A heading of more characters may take several lines: metadata keys, which others choose. */
const LONG = 24;

/** Each row's first cell is its header. On a phone each row becomes a block, and each cell shows its column's name. */
export function table(caption: string, columns: readonly Column[], rows: readonly (readonly Cell[])[]): Html {
  const parts = columns.map((column) => (typeof column === 'string' ? ([column, ''] as const) : column));
  const head = ([label, kind]: (typeof parts)[number]) =>
    html`<th scope="col"${kind && html` class="${kind}"`}${label.length > LONG && html` data-long`}>${kind === 'menu' ? html`<span class="hidden">${label}</span>` : label}</th>`;
  const cell = (content: Cell, index: number) => {
    const [label = '', kind = ''] = parts[index] ?? [];
    return index === 0
      ? html`<th scope="row">${shown(content)}</th>`
      : html`<td${kind && html` class="${kind}"`}${kind !== 'menu' && html` data-label="${label}"`}>${shown(content)}</td>`;
  };
  return html`<table class="card rows">
<caption class="hidden">${caption}</caption>
<thead><tr>${parts.map(head)}</tr></thead>
<tbody>${rows.map((row) => html`<tr>${row.map(cell)}</tr>`)}</tbody>
</table>`;
}

/** A row's actions. console.js closes the menu on Escape, and when another menu opens. @param of Completes the label `Actions: …`. */
export const menu = (of: string, items: readonly (Html | false | undefined | '')[]): Html | '' =>
  items.some(Boolean)
    ? html`<details class="menu" name="menu"><summary><span class="hidden">Actions: ${of}</span></summary><div>${items}</div></details>`
    : '';

export interface Field {
  readonly name: string;
  readonly label: string;
  readonly value?: string | undefined;
  readonly type?: string;
  readonly hint?: Html | string;
  readonly error?: string | undefined;
  /** How many lines a text area has. */
  readonly rows?: number;
  /** The options of a selection. */
  readonly options?: readonly (string | readonly [value: string, label: string])[];
  readonly more?: Html;
}

/**
 * An input, text area or selection. After a form is refused, the field with the error has the focus, so it scrolls into view and screen
 * readers read it.
 */
export function field({ name, label, value, type = 'text', hint, error, rows, options, more }: Field): Html {
  const described = [hint && `${name}-hint`, error && `${name}-error`].filter(Boolean).join(' ');
  const attributes = html`id="${name}" name="${name}"${described && html` aria-describedby="${described}"`}${error && html` aria-invalid="true" autofocus`}${more}`;
  const control =
    options !== undefined
      ? html`<select ${attributes}>${options.map((choice) => option(typeof choice === 'string' ? [choice, choice] : choice, value))}</select>`
      : rows === undefined
        ? html`<input type="${type}" value="${value}" ${attributes}>`
        : // HTML drops a line break right after the tag, so add one.
          html`<textarea rows="${rows}" ${attributes}>\n${value}</textarea>`;
  return html`<div class="field">
<label for="${name}">${label}</label>
${hint && html`<p class="hint" id="${name}-hint">${hint}</p>`}
${control}
${error && html`<p class="error" id="${name}-error" role="alert">${error}</p>`}
</div>`;
}

/** A checkbox. Its value is `yes`. */
export function checkbox(name: string, label: Html | string, checked: boolean, hint?: string, error?: string): Html {
  const described = [hint && `${name}-hint`, error && `${name}-error`].filter(Boolean).join(' ');
  const attributes = html`${checked && html` checked`}${described && html` aria-describedby="${described}"`}${error && html` aria-invalid="true" autofocus`}`;
  return html`<div class="field check"><label><input type="checkbox" name="${name}" value="yes"${attributes}> ${label}</label>${hint && html`<p class="hint" id="${name}-hint">${hint}</p>`}${error && html`<p class="error" id="${name}-error" role="alert">${error}</p>`}</div>`;
}

const option = ([value, label]: readonly [string, string], chosen: string | undefined): Html =>
  html`<option value="${value}"${value === chosen && html` selected`}>${label}</option>`;

/** A button in a list's header that leads to the form for a new entry below. The form's section has the id `add`. */
export const addBelow = (label: string): Html => html`<a class="button quiet" href="#add">${label}</a>`;

/**
 * A form with the session's CSRF token. It posts to its own page, or to `action`. unsaved: it holds input that isn't stored yet (see
 * console.js).
 */
export const form = (csrf: string, content: Html, options: { action?: string; class?: string; unsaved?: boolean } = {}): Html =>
  html`<form method="post"${options.action && html` action="${options.action}"`}${options.class && html` class="${options.class}"`}${options.unsaved && html` data-unsaved`}><input type="hidden" name="csrf" value="${csrf}">${content}</form>`;

/**
 * A part of a page with a form, as a card of two columns: what it is for, then its fields.
 * @param id Of its heading.
 * @param notes Paragraphs below the heading.
 */
export const formSection = (id: string, title: Html | string, notes: readonly (Html | string | false)[], content: Html): Html =>
  html`<section class="card panel two" aria-labelledby="${id}">
<div class="about"><h2 id="${id}">${title}</h2>${notes.map((note) => note && html`<p class="note">${note}</p>`)}</div>
<div>${content}</div>
</section>`;

export interface Confirmation {
  /** A question that names the object. */
  readonly title: string;
  readonly content: Html;
  /** Says what the button does to which object, or to how many. Undefined: there is nothing to do. */
  readonly button: string | undefined;
  readonly danger?: boolean;
  readonly action?: string;
  readonly fields?: Readonly<Record<string, string>>;
  /** Fields to fill in. */
  readonly inputs?: Html;
  /** The link that cancels. */
  readonly keep: readonly [href: string, label: string];
}

/** A separate page that asks before anything that can't be undone. */
export const confirmation = (
  csrf: string,
  { title, content, button, danger, action, fields, inputs, keep }: Confirmation,
): Html => {
  const back = html`<a class="button quiet" href="${keep[0]}">${keep[1]}</a>`;
  const hidden = Object.entries(fields ?? {}).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`);
  return html`<section class="card panel ask${danger && ' danger'}" aria-labelledby="ask"><h2 id="ask">${title}</h2>
${content}
${button === undefined ? html`<p>${back}</p>` : form(csrf, html`${hidden}${inputs}<p class="actions"><button${danger && html` class="danger"`} type="submit">${button}</button> ${back}</p>`, action === undefined ? {} : { action })}
</section>`;
};
