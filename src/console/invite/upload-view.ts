// A list that is checked, being sent, sent or cancelled.
import {
  type Forecast,
  LEFT_OUT,
  LINE_OUTCOMES,
  type LineOutcome,
  type SurveyFrame,
  type Upload,
  type UploadColumn,
  type UploadLine,
} from '../../database/store.ts';
import { type Html, html } from '../../html/html.ts';
import { formatNumber, plural } from '../../text.ts';
import type { LineRules } from '../../uploads/recipients.ts';
import {
  checkbox,
  confirmation,
  empty,
  facts,
  field,
  figures,
  form,
  moment,
  notice,
  pager,
  refusal,
  segments,
  table,
} from '../components.ts';
import { forecastParts } from '../forecast/forecast-view.ts';
import type { PageContext } from '../frame.ts';
import { breakable } from '../invitations/parts-view.ts';
import { HOLD_REASONS } from '../words.ts';
import { LINE_GROUPS, lineFate, uploadStatus, waitsInWords } from './list-words.ts';

/** A time that was refused, or a question that wasn't answered. */
export interface SentTime {
  /** Undefined: now. */
  readonly at: string | undefined;
  readonly again: boolean;
  readonly field: 'at' | 'again' | undefined;
  readonly text: string;
}

interface Shown {
  readonly survey: SurveyFrame;
  readonly upload: Upload;
  readonly path: string;
  readonly lines: readonly UploadLine[];
  readonly outcome: LineOutcome | undefined;
  readonly after: number;
  readonly pageSize: number;
  readonly rules: LineRules;
  /** Undefined: the list is sent. */
  readonly forecast: Forecast | undefined;
  readonly sent: SentTime | undefined;
}

export const uploadMain = (page: PageContext & { zone: string }, shown: Shown): Html =>
  html`${shown.sent && shown.sent.field === undefined && refusal(`${shown.sent.text}.`)}
${holdNote(shown.survey)}
${shown.upload.state === 'checked' ? checkedParts(page, shown) : sentParts(page, shown)}`;

const people = (count: number): string => plural(count, 'person', 'people');

const holdNote = ({ surveyId, holdReason }: SurveyFrame): Html | false =>
  holdReason !== null &&
  notice(
    'warn',
    html`<p><strong>These emails wait:</strong> ${HOLD_REASONS[holdReason]}.${(holdReason === 'survey_draft' || holdReason === 'survey_closed') && html` They go out once <a href="/surveys/${surveyId}/invitations?confirm=active">you activate it</a>.`}</p>`,
  );

const sum = ({ counts }: Upload, outcomes: readonly LineOutcome[]): number =>
  outcomes.reduce((total, outcome) => total + (counts[outcome] ?? 0), 0);

function checkedParts(page: PageContext & { zone: string }, shown: Shown): Html {
  const { upload, path, survey } = shown;
  const hasEmail = upload.columns.some(({ as }) => as === 'email');
  // Of one column there is nothing to choose.
  const hasName = upload.columns.length === 1 || upload.columns.some(({ as }) => as === 'name');
  const later = sum(upload, ['resting', 'outside_hours', 'capped']);
  const out = sum(upload, [...LEFT_OUT, 'unsent']);
  return html`<div class="split"><h2>${upload.name}</h2>${uploadStatus(upload)}${upload.people > 0 && html`<div class="actions"><a class="button quiet" href="#send">Review and send</a></div>`}</div>
${figures([
  { name: 'Lines', value: formatNumber(upload.lines) },
  { name: 'Will be invited', value: formatNumber(upload.people), note: later > 0 && `${formatNumber(later)} of them later` },
  {
    name: 'Won’t get an email',
    value: formatNumber(out),
    note: out > 0 && html`<a href="${path}/not-invited.csv">Download (CSV)</a>`,
  },
])}
${columnsPart(page, shown, !hasEmail || !hasName || upload.people === 0)}
${linesPart(page, shown)}
${
  upload.people > 0 &&
  html`${emailPart(survey, upload, path)}
${sendPart(page, shown)}`
}
${form(page.csrf, html`<input type="hidden" name="action" value="discard"><button class="quiet danger" type="submit">Discard this list</button>`, { class: 'once', action: path })}`;
}

const MEANINGS: readonly (readonly [value: string, label: string])[] = [
  ['', 'Leave out'],
  ['email', 'Email address'],
  ['name', 'Name'],
  ['language', 'Language'],
  ['time_zone', 'Time zone'],
  ['metadata', 'Detail for Results'],
];

function columnsPart({ csrf }: PageContext, { upload, lines, path }: Shown, isOpen: boolean): Html {
  const example = (place: number) => lines.find(({ cells }) => cells[place])?.cells[place];
  const label = ({ name }: UploadColumn, place: number) => name || `Column ${place + 1}`;
  const labels = (isUsed: boolean): string =>
    upload.columns.flatMap((column, place) => ((column.as !== null) === isUsed ? [label(column, place)] : [])).join(', ');
  const [used, left] = [labels(true), labels(false)];
  return html`<details class="card panel"${isOpen && html` open`}><summary>Columns: ${used || 'none is known'}${left && `. Left out: ${left}`}</summary>
<p class="note">What each column is. Several names are joined, such as first and last. Details stand beside the answers in Results, and can filter them: no secrets.</p>
${form(
  csrf,
  html`<input type="hidden" name="action" value="columns">
<fieldset class="columns"><legend class="hidden">Columns</legend>${upload.columns.map((column, place) =>
    field({
      name: `column${place}`,
      label: label(column, place),
      value: column.as ?? '',
      options: MEANINGS,
      hint: example(place)?.slice(0, 60) ?? '',
    }),
  )}</fieldset>
<p class="actions"><button class="quiet" type="submit">Use these columns</button></p>`,
  { action: path },
)}
</details>`;
}

function linesPart({ now }: PageContext, { upload, path, lines, outcome, after, pageSize, rules }: Shown): Html {
  const present = LINE_OUTCOMES.filter((one) => upload.counts[one]);
  const all = sum(upload, LINE_OUTCOMES);
  const nameAt = upload.columns.flatMap(({ as }, place) => (as === 'name' ? [place] : []));
  const to = (query: Record<string, string>) => `${path}?${new URLSearchParams(query)}#lines`;
  const filter = outcome === undefined ? {} : { outcome };
  const rows = lines.map((line) => [
    line.email === null
      ? line.cells.filter(Boolean).join(' · ').slice(0, 120) || '–'
      : breakable(line.recipient?.email ?? line.email),
    line.recipient?.name ??
      nameAt
        .map((place) => line.cells[place])
        .filter(Boolean)
        .join(' '),
    lineFate(line, rules, now),
    formatNumber(line.number),
  ]);
  return html`<section aria-labelledby="lines"><div class="split"><h2 id="lines">Lines</h2></div>
${
  present.length > 1 &&
  segments('Lines', [
    { href: to({}), content: `All ${formatNumber(all)}`, current: outcome === undefined },
    ...present.map((one) => ({
      href: to({ outcome: one }),
      content: `${LINE_GROUPS[one]} ${formatNumber(upload.counts[one] ?? 0)}`,
      current: one === outcome,
    })),
  ])
}
${rows.length === 0 ? empty('No lines here', 'There are no more lines of this kind.') : table('Lines', ['Email address', ['Name', 'text'], ['What will happen', 'wide'], ['Line', 'number']], rows)}
${pager('lines', after > 0 ? to(filter) : undefined, lines.length === pageSize ? to({ ...filter, after: String(lines.at(-1)?.number) }) : undefined)}
</section>`;
}

const emailPart = ({ surveyId }: SurveyFrame, { tokenId }: Upload, path: string): Html =>
  html`<section class="card panel" aria-labelledby="email"><div class="split"><h2 id="email">The first email</h2>${tokenId !== null && html`<div class="actions"><a class="button quiet" href="/surveys/${surveyId}/api-trigger/${tokenId}">Edit the email</a></div>`}</div>
<p class="note">You can change its text, send reminders, and ask the first question in the email.</p>
<div class="stage"><iframe title="The first email" sandbox="" src="${path}/email"></iframe></div>
</section>`;

/** As `datetime-local` has it. */
const localTime = (at: Date, zone: string): string =>
  new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'short' }).format(at).replace(' ', 'T');

function sendPart(page: PageContext & { zone: string }, { upload, forecast, sent, path }: Shown): Html {
  const { zone, now, realNow } = page;
  const at = sent?.at ?? (upload.sendAt === null ? '' : localTime(upload.sendAt, zone));
  const isLater = sent === undefined ? upload.sendAt !== null : sent.at !== undefined;
  const radio = (value: string, label: string, checked: boolean) =>
    html`<label><input type="radio" name="when" value="${value}"${checked && html` checked`}><span>${label}</span></label>`;
  const { acceptedUntil, sentBeforeAt, sentBeforeBy } = upload;
  const again =
    sentBeforeAt !== null &&
    html`<p><strong>The same list has been sent to this survey:</strong> ${moment(sentBeforeAt, realNow)}, by ${sentBeforeBy}.</p>
${checkbox('again', 'Send it once more', sent?.again ?? false, 'These people then get a second invitation.', sent?.field === 'again' ? `${sent.text}.` : undefined)}`;
  return html`<section class="card panel" aria-labelledby="send"><h2 id="send">Send</h2>
${forecast && forecastParts(forecast)}
${acceptedUntil !== null && html`<p>More people than your workspace may invite in an hour: the rest follows by itself, the last by ${moment(acceptedUntil, now)}. Your backend keeps a fifth of the quota.</p>`}
${form(
  page.csrf,
  html`${again}<fieldset class="options"><legend>When</legend>${radio('now', 'Now', !isLater)}${radio('later', 'At a time', isLater)}</fieldset>
${field({ name: 'at', label: `Date and time (${zone.replaceAll('_', ' ')})`, type: 'datetime-local', value: at, error: sent?.field === 'at' ? `${sent.text}.` : undefined })}
<p>By sending you confirm that these people may be invited: they are your customers or have agreed, and none has asked you not to write.</p>
<p class="actions"><button type="submit" name="action" value="send">Invite ${people(upload.people)}</button> <button class="quiet" type="submit" name="action" value="check">Update the forecast</button></p>`,
  { action: `${path}#send`, class: 'once' },
)}
</section>`;
}

function sentParts(page: PageContext, shown: Shown): Html {
  const { upload, path, survey } = shown;
  const { state, accepted, people: total, acceptedUntil } = upload;
  const { now, realNow } = page;
  const isMoving = state === 'reading' || state === 'cancelling' || (state === 'sending' && upload.waitsFor === null);
  const left = sum(upload, LEFT_OUT);
  return html`<div class="split"><h2>${upload.name}</h2>${uploadStatus(upload)}${(state === 'sending' || state === 'sent') && html`<div class="actions"><a class="button quiet danger" href="${path}?confirm=cancel">Cancel this list…</a></div>`}</div>
${isMoving && html`<div class="notice-line info" role="status" data-reload><p>${state === 'sending' ? 'The people are being invited' : state === 'reading' ? 'The list is being read' : 'The emails are being cancelled'}. <a href="${path}">Reload</a> to see how far it is.</p></div>`}
${state === 'sending' && upload.waitsFor !== null && notice('warn', waitsInWords(upload) ?? '')}
<section class="card panel" aria-label="List">
${state === 'sending' && html`<p><progress max="${total}" value="${accepted}" aria-label="People invited"></progress> ${formatNumber(accepted)} of ${people(total)}${acceptedUntil !== null && html`, the last by ${moment(acceptedUntil, now)}`}</p>`}
${facts([
  ['Invited', `${formatNumber(accepted)} of ${formatNumber(upload.lines)} lines`],
  ['Send at', upload.sendAt === null ? 'right away' : moment(upload.sendAt, now)],
  upload.sentBy !== null && ['Sent by', html`${upload.sentBy}, ${moment(upload.sentAt, realNow)}`],
  ['Batches', html`<a href="/surveys/${survey.surveyId}/batches">${upload.batches}</a>`],
])}
</section>
<p class="actions"><a class="button" href="/surveys/${survey.surveyId}/invitations">See the invitations</a> <a class="button quiet" href="/surveys/${survey.surveyId}/invite">Invite more people</a></p>
${
  left > 0 &&
  html`<h2>Not invited</h2>
<p>${left === 1 ? '1 line was' : `${formatNumber(left)} lines were`} not invited. <a href="${path}/not-invited.csv">Download (CSV)</a>. Kept for 7 days.</p>
${state !== 'sending' && linesPart(page, shown)}`
}`;
}

export const cancelUploadMain = ({ csrf }: PageContext, upload: Upload, path: string): Html =>
  confirmation(csrf, {
    title: `Cancel “${upload.name}”?`,
    content: html`<p>${upload.people > upload.accepted && `${people(upload.people - upload.accepted)} won’t be invited. `}Of the ${people(upload.accepted)} invited so far, nobody gets another email: what hasn’t been sent is cancelled, reminders too. This can’t be undone.</p>`,
    button: 'Cancel this list',
    danger: true,
    action: path,
    fields: { action: 'cancel' },
    keep: [path, 'Keep sending'],
  });
