// The form's part for opening hours: a week with a checkbox and times for each day, and beside them a picture of the day. week-painter.js
// redraws the picture while times change, and lets a mouse paint on it. Pure.

import type { Day } from '../../hours.ts';
import { asset } from '../../html/assets.ts';
import { type Html, html } from '../../html/html.ts';
import { type DayDraft, type DayError, draftOf, namesOf, openMinutes, type Pair, readDraft } from './hours-form.ts';

export interface HoursGrid {
  /** The start of the fields' names: parseHours() takes the same. */
  readonly name?: string;
  readonly label: string;
  readonly hint?: Html | string;
  /** The stored hours. Null: at any time. */
  readonly value: string | null;
  /** The form that was refused; it is shown instead of the stored hours. */
  readonly sent?: URLSearchParams | undefined;
  readonly errors?: readonly DayError[] | undefined;
}

const MESSAGES: Readonly<Record<DayError['code'], string>> = {
  never_open: 'Check at least one day. Otherwise no email would ever go out.',
  no_times: 'Enter times, or uncheck the day.',
  incomplete: 'Enter both a start and an end.',
  unreadable: 'Enter a time such as 08:30.',
  not_quarter: 'Enter full quarter hours, such as 08:15.',
  order: 'The end must be after the start. To go past midnight, end at 00:00 and start the next day at 00:00.',
};

const DAY_NAMES: Readonly<Record<Day, string>> = {
  mon: 'Monday',
  tue: 'Tuesday',
  wed: 'Wednesday',
  thu: 'Thursday',
  fri: 'Friday',
  sat: 'Saturday',
  sun: 'Sunday',
};

/** Hours that a button fills in. */
const PRESETS: readonly (readonly [label: string, value: string])[] = [
  ['Mon–Fri 08:00–20:00', everyDay(5)],
  ['Every day 08:00–20:00', everyDay(7)],
  ['Any time', '{[0,10080)}'],
];

function everyDay(days: number): string {
  return `{${Array.from({ length: days }, (_, day) => `[${day * 1440 + 480},${day * 1440 + 1200})`).join(',')}}`;
}

/** How many pairs of times a day offers. A day that has as many or more offers one more. */
const PAIRS = 3;

export function hoursGrid({ name = 'hours', label, hint, value, sent, errors = [] }: HoursGrid): Html {
  const days = sent === undefined ? draftOf(value) : readDraft(sent, name);
  const never = errors.find(({ code }) => code === 'never_open');
  const described = [`${name}-hint`, never && `${name}-error`].filter(Boolean).join(' ');
  return html`<fieldset class="hours" aria-describedby="${described}">
<legend>${label}</legend>
<p class="hint" id="${name}-hint">${hint && html`${hint} `}Check the days, then enter their times. An end of 00:00 is midnight.</p>
<p class="presets">${PRESETS.map(([text, hours]) => html`<button class="quiet" type="button" data-hours="${hours}">${text}</button> `)}<button class="quiet" type="button" data-hours="monday">Copy Monday to Tue–Fri</button></p>
${never && html`<p class="error" id="${name}-error" role="alert">${MESSAGES.never_open}</p>`}
<div class="week">
<div class="scale" aria-hidden="true">${[0, 6, 12, 18, 24].map((hour) => html`<span>${String(hour).padStart(2, '0')}</span>`)}</div>
${days.map((draft) => dayRow(name, draft, errors))}
<p class="hint brush">With a mouse, drag over the picture to open or close hours.</p>
<p class="painting" aria-hidden="true" hidden></p>
</div>
<p class="hidden" role="status"></p>
</fieldset>
<script type="module" src="${asset('week-painter.js')}"></script>`;
}

function dayRow(name: string, draft: DayDraft, errors: readonly DayError[]): Html {
  const { day, open, pairs } = draft;
  const names = namesOf(name, day);
  const error = errors.find((error) => error.day === day);
  const isFirst = error !== undefined && error === errors[0];
  const id = error?.code === 'never_open' ? `${name}-error` : `${names.open}-error`;
  const invalid = html` aria-invalid="true" aria-describedby="${id}"${isFirst && html` autofocus`}`;
  const input = (label: string, end: keyof Omit<typeof names, 'open'>, pair: number, value: string) => {
    const isWrong = error !== undefined && error.code !== 'never_open' && error.pair === pair && error.end === end;
    return html`<input type="time" name="${names[end]}" value="${value}" aria-label="${DAY_NAMES[day]} ${label}${pair > 0 && ` (${pair + 1})`}"${isWrong && invalid}>`;
  };
  const times = ([from, to]: Pair, pair: number) =>
    html`<div class="from-to">${input('from', 'from', pair, from)}<span aria-hidden="true">–</span>${input('to', 'to', pair, to)}</div>`;
  const shown = pairs.length === 0 ? [['', ''] as const] : pairs;
  const spare = Array.from({ length: Math.max(PAIRS - shown.length, 1) }, (): Pair => ['', '']);
  return html`<div class="day">
<div class="check"><label><input type="checkbox" name="${names.open}" value="yes"${open && html` checked`}${error?.code === 'never_open' && invalid}> ${DAY_NAMES[day]}</label></div>
<p class="closed">Closed</p>
<div class="times">${shown.map(times)}<details><summary title="More times"><span class="hidden">More times on ${DAY_NAMES[day]}</span></summary>${spare.map((pair, index) => times(pair, shown.length + index))}</details></div>
<div class="track" aria-hidden="true"><svg focusable="false">${openMinutes(draft).map(([from, to]) => html`<rect x="${percent(from)}" width="${percent(to - from)}"/>`)}</svg></div>
${error && error.code !== 'never_open' && html`<p class="error" id="${id}"${isFirst && html` role="alert"`}>${MESSAGES[error.code]}</p>`}
</div>`;
}

const percent = (minutes: number): string => `${Math.round((minutes / 1440) * 1e4) / 100}%`;
