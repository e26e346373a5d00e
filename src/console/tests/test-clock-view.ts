// The clock of a test workspace, and what happened when it last moved.
import type { OwnWorkspace, TestClockCard, TestEvent } from '../../database/store.ts';
import { type Html, html } from '../../html/html.ts';
import { formatNumber } from '../../text.ts';
import { age, clockTime, empty, facts, field, form, NONE, table } from '../components.ts';
import type { PageContext } from '../frame.ts';
import { breakable } from '../invitations/parts-view.ts';
import { EVENTS } from '../words.ts';

/** How many events an advance keeps. */
const MAX_EVENTS = 1000;
/** The most that a clock moves at a time. */
export const MAX_DAYS = 400;

export interface WrongAdvance {
  readonly field: 'days' | 'until';
  readonly value: string;
  readonly text: string;
}

export const testClockMain = (page: PageContext, { id }: OwnWorkspace, clock: TestClockCard, wrong?: WrongAdvance): Html =>
  html`<section class="card panel" aria-labelledby="clock"><h2 id="clock">${clockTime(clock.now)}</h2>
${
  clock.isMoving
    ? html`<div class="notice-line info" role="status" data-reload>A worker moves the clock${clock.until !== null && ` to ${clockTime(clock.until)}`}. <a href="/workspaces/${id}/clock">Reload</a> to see how far it is.</div>`
    : html`<p>${next(clock)}</p>
${moveForms(page, clock, wrong)}`
}
</section>
${!clock.isMoving && clock.since !== null && happened(clock)}`;

const next = ({ now, nextAt }: TestClockCard): Html =>
  nextAt === null
    ? html`Nothing happens by itself. Invite people with a token of one of its surveys, then move the clock.`
    : html`Something next happens ${nextAt.getTime() === now.getTime() ? 'now' : html`${age(nextAt, now)}: ${clockTime(nextAt)}`}.`;

/** The field of a form and its button. `YYYY-MM-DDTHH:MM`. */
const fieldTime = (at: Date): string => at.toISOString().slice(0, 16);

function moveForms({ csrf }: PageContext, { now, nextAt }: TestClockCard, wrong: WrongAdvance | undefined): Html {
  const seen = html`<input type="hidden" name="now" value="${now.toISOString()}">`;
  const button = (by: string, label: string, quiet = true) =>
    html`<button${quiet && html` class="quiet"`} type="submit" name="by" value="${by}">${label}</button>`;
  const entered = (name: WrongAdvance['field']) => (wrong?.field === name ? { value: wrong.value, error: wrong.text } : {});
  const latest = new Date(now.getTime() + MAX_DAYS * 86_400_000);
  return html`<h3>Move it</h3>
${form(csrf, html`${seen}${nextAt !== null && button('next', 'To the next thing', false)}${button('hour', '1 hour')}${button('day', '1 day')}${button('week', '1 week')}`, { class: 'actions once' })}
${form(
  csrf,
  html`${seen}${field({ name: 'days', label: 'By days', type: 'number', more: html` required min="1" max="${MAX_DAYS}" inputmode="numeric"`, ...entered('days') })}
${button('days', 'Move by days')}`,
  { class: 'bar once' },
)}
${form(
  csrf,
  html`${seen}${field({ name: 'until', label: 'To a time (UTC)', type: 'datetime-local', more: html` required min="${fieldTime(now)}" max="${fieldTime(latest)}"`, ...entered('until') })}
${button('until', 'Move to this time')}`,
  { class: 'bar once' },
)}
<p class="note">All that is due meanwhile happens in order: emails, reminders, what simulated people do, closing dates. The clock never goes back.</p>`;
}

function happened({ since, until, counts, happened }: TestClockCard): Html {
  const entries = Object.entries(counts ?? {}).sort(([one], [other]) => ORDER.indexOf(one) - ORDER.indexOf(other));
  const period = since && until && html`<p class="note">From ${clockTime(since)} to ${clockTime(until)}.</p>`;
  if (entries.length === 0)
    return html`<h2>What happened</h2>
${period}
${empty('Nothing happened', 'Nothing was due in this time.')}`;
  const total = entries.reduce((sum, [, number]) => sum + number, 0);
  return html`<h2>What happened</h2>
${period}
<div class="card panel">${facts(entries.map(([type, number]) => [inWords(type), number]))}</div>
${table('What happened, in order', ['When (UTC)', 'What', ['Who', 'text'], 'Why'], (happened ?? []).map(eventRow))}
${total > MAX_EVENTS && html`<p class="note">The first ${formatNumber(MAX_EVENTS)} of ${formatNumber(total)} are listed.</p>`}`;
}

const ORDER = Object.keys(EVENTS);

const inWords = (type: string): string => (EVENTS as Readonly<Record<string, string>>)[type] ?? type;

const eventRow = ({ type, at, survey_id: survey, invitation_id: invitation, email, code }: TestEvent) => [
  clockTime(new Date(at)).replace(' UTC', ''),
  inWords(type),
  invitation === undefined
    ? NONE
    : html`<a href="/surveys/${survey}/invitations/${String(invitation)}">${email === undefined ? 'erased' : breakable(email)}</a>`,
  code === undefined ? NONE : html`<code>${code}</code>`,
];
