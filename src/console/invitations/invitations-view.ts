// The tab Invitations.
import {
  type BatchLine,
  type Forecast,
  type HoldReason,
  type InvitationFilter,
  type InvitationLine,
  type InvitationOutcome,
  type InvitationStatus,
  MAX_COUNT,
  type ShownEnds,
  STATUSES,
  type SurveyCounts,
  type SurveyFrame,
  type SurveySettings,
  type WorkspaceRules,
} from '../../database/store.ts';
import { Html, html } from '../../html/html.ts';
import { rulesInWords } from '../../rules.ts';
import { formatNumber, plural } from '../../text.ts';
import { capital, confirmation, empty, ended, figures, moment, notice, pager, segments, table } from '../components.ts';
import { forecastParts, forecastPath } from '../forecast/forecast-view.ts';
import type { PageContext } from '../frame.ts';
import { REASONS } from '../reasons.ts';
import { endsNote, hasEnded } from '../surveys/ends-view.ts';
import { missingNotes } from '../surveys/missing-translations.ts';
import { HOLD_REASONS, INVITATION_OUTCOMES, INVITATION_STATUSES } from '../words.ts';
import { batchHead, batchPanel, batchQuestion } from './batches-view.ts';
import { breakable, countUpTo, emails, lineStatus, nextEmail, unsentNote, waysToInvite } from './parts-view.ts';

type State = SurveyFrame['state'];

export type Confirmation = State | 'cancel' | 'retry' | 'remind';

export interface InvitationsView {
  readonly survey: SurveyFrame;
  readonly ends: ShownEnds;
  readonly counts: SurveyCounts;
  readonly filter: InvitationFilter;
  readonly lines: readonly InvitationLine[];
  /** The rules that hold for the survey. */
  readonly rules: WorkspaceRules;
  readonly batch: BatchLine | undefined;
  readonly confirm: Confirmation | undefined;
  readonly forecast: Forecast | undefined;
  /** How many people a reminder would reach now: of the batch, or of the survey's first MAX_COUNT sent invitations. */
  readonly remindable: number | undefined;
  /** Before the survey is activated. */
  readonly settings: SurveySettings | undefined;
  /** How many invitations a full page has. After a full page there may be another. */
  readonly pageSize: number;
}

export function invitationsMain(page: PageContext, view: InvitationsView): Html {
  const { survey, ends, counts, filter, lines, rules, batch, confirm, forecast, remindable, settings, pageSize } = view;
  const leaving = rulesInWords(rules);
  if (remindable !== undefined) return reminderQuestion(page.csrf, survey, batch, remindable, counts.counts.sent);
  if (batch !== undefined && (confirm === 'cancel' || confirm === 'retry'))
    return batchQuestion(page.csrf, survey, batch, confirm, page.now);
  if (confirm === 'active' && hasEnded(ends, page.now)) return endedQuestion(page, survey, ends);
  if (forecast !== undefined && (confirm === 'active' || confirm === 'closed' || confirm === 'draft'))
    return stateQuestion(page, survey, counts, confirm, forecast, settings);
  const last = lines.at(-1);
  return html`${batch === undefined ? html`${stateNotice(survey, counts)}${endsNote(page, ends)}` : html`${batchHead(survey, batch)}${batchPanel(survey, batch, page.now)}`}
${batch === undefined && funnel(counts.counts)}
${batch === undefined && leaving && html`<p class="note">${leaving}</p>`}
${batch === undefined && counts.counts.queued + counts.counts.waiting > 0 && html`<p class="note"><a href="${forecastPath(survey.surveyId)}">Forecast: what leaves when</a></p>`}
<section aria-labelledby="list"><h2 id="list" class="hidden">Invitations</h2>
${searchBar((batch ?? counts).counts, filter)}
${lines.length === 0 ? nothing(page, survey, filter) : invitationTable(page, survey, lines, batch === undefined)}
${filter.search && !batch && lines.length < pageSize && html`<p class="note">Can't find someone? Enter the full address: a short search covers only the first 5,000 matches.</p>`}
${pager('invitations', filter.before && linkTo(filter, { before: undefined }), last && lines.length === pageSize ? linkTo(filter, { before: last.id }) : undefined)}
</section>`;
}

function linkTo(filter: InvitationFilter, change: Partial<InvitationFilter>): string {
  const entries = Object.entries({ ...filter, ...change }).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return `?${new URLSearchParams(entries)}`;
}

/** @param counts Counts of the survey, or of the batch that is shown. */
function searchBar(counts: Readonly<Record<InvitationStatus, number>>, filter: InvitationFilter): Html {
  const { search, status, outcome, delayed, batch } = filter;
  const segment = (status: InvitationStatus | undefined, label: string, count?: number) => ({
    href: linkTo(filter, { status, outcome: undefined, delayed: undefined, before: undefined }),
    content: html`${label}${count !== undefined && ` ${countUpTo(count)}`}`,
    current: status === filter.status && (outcome ?? delayed) === undefined,
  });
  const chosen = (content: string) => ({ href: linkTo(filter, { before: undefined }), content, current: true });
  return html`<div class="bar">
<form class="bar" role="search">
${status && html`<input type="hidden" name="status" value="${status}">`}${outcome && html`<input type="hidden" name="outcome" value="${outcome}">`}${delayed && html`<input type="hidden" name="delayed" value="${delayed}">`}${batch && html`<input type="hidden" name="batch" value="${batch}">`}
<div class="field"><label class="hidden" for="search">Email starts with</label><input id="search" name="search" type="search" value="${search}" placeholder="Email starts with" maxlength="254" autocomplete="off" spellcheck="false"></div>
<button class="quiet" type="submit">Search</button>
${search && html`<a href="${linkTo({ status, outcome, delayed, batch }, {})}">Clear search</a>`}
</form>
${segments('Status', [segment(undefined, 'Any status'), ...STATUSES.filter((choice) => counts[choice] > 0 || choice === status).map((choice) => segment(choice, capital(INVITATION_STATUSES[choice]), counts[choice])), ...(outcome === undefined ? [] : [chosen(capital(INVITATION_OUTCOMES[outcome]))]), ...(delayed === undefined ? [] : [chosen('Delayed by a rule')])])}
</div>`;
}

/** Each number leads to the list of the invitations that it counts. */
function funnel(counts: SurveyCounts['counts']): Html | false {
  if (STATUSES.every((status) => counts[status] === 0)) return false;
  const { sent_total: sent, responded_total: responded, delivered, bounced, complained } = counts;
  // Those that were sent have a counter. Of the others so many are counted.
  const unsent = STATUSES.filter((status) => status !== 'sent').map((status) => counts[status]);
  const invited = unsent.reduce((sum, number) => sum + number, counts.sent > MAX_COUNT ? sent : counts.sent);
  const all = unsent.every((number) => number <= MAX_COUNT) ? formatNumber(invited) : countUpTo(MAX_COUNT + 1);
  // Not every relay reports, and some report only bounces.
  const silent = delivered + bounced + counts.soft_bounced + complained === 0;
  const number = (name: string, outcome: InvitationOutcome, note?: Html | string | false, unknown = false) => ({
    name,
    value: unknown ? '–' : countUpTo(counts[outcome]),
    note: unknown ? 'not reported' : note,
    href: `?outcome=${outcome}`,
  });
  return figures([
    { name: 'Invited', value: all, href: '?' },
    { name: 'Sent', value: formatNumber(sent), href: '?status=sent' },
    number('Delivered', 'delivered', delivered <= MAX_COUNT && sent > 0 && `${percent(delivered, sent)}%`, delivered === 0),
    number('Bounced', 'bounced', false, silent),
    // Results have the rate: of those that had three days to answer.
    { name: 'Responded', value: formatNumber(responded), href: '?outcome=responded' },
    number(
      'Unsubscribed',
      'unsubscribed',
      complained > 0 && html`<a href="?outcome=complained">${countUpTo(complained)} reported as spam</a>`,
    ),
  ]);
}

const percent = (part: number, whole: number): number => Math.min(100, Math.round((100 * part) / whole));

function nothing(
  { isTest }: PageContext,
  { surveyId }: SurveyFrame,
  { status, outcome, delayed, search, batch, before }: InvitationFilter,
): Html {
  if (before !== undefined) return ended('invitations');
  if ((status ?? outcome ?? delayed ?? search ?? batch) === undefined) {
    return empty(
      'No invitations yet',
      html`${waysToInvite(surveyId)}${!isTest && html` To see the email first, <a href="/surveys/${surveyId}/test-invitation">send yourself a test</a>.`}`,
    );
  }
  const all = batch !== undefined && (status ?? outcome ?? delayed ?? search) !== undefined ? linkTo({ batch }, {}) : '?';
  return empty('No invitations match', html`<a href="${all}">Clear filters</a>`);
}

/** A sentence that another word precedes. */
const lowered = (text: Html | string): Html => {
  const sentence = html`${text}`.toString();
  return new Html(sentence.charAt(0).toLowerCase() + sentence.slice(1));
};

/** Says why an email isn't sent. For a reminder, the note begins with `Reminder:`. */
const note = (line: InvitationLine, now: Date): Html | undefined => {
  const text = unsentNote(line, now);
  return text === undefined
    ? undefined
    : html`<span class="sub">${line.messageKind === 'reminder' ? html`Reminder: ${lowered(text)}` : text}</span>`;
};

/** @param batches Whether the invitations may belong to several batches. */
const invitationTable = (
  { now }: PageContext,
  { surveyId }: SurveyFrame,
  lines: readonly InvitationLine[],
  batches: boolean,
): Html =>
  table(
    'Invitations',
    ['Recipient', 'Status', ...(batches ? ['Batch'] : []), ['Next email', 'time'], ['Sent', 'time'], ['Responded', 'time']],
    lines.map((line) => [
      html`<a href="/surveys/${surveyId}/invitations/${line.id}">${line.email === null ? 'erased' : breakable(line.email)}</a>${line.name && html`<span class="sub">${line.name}</span>`}`,
      html`${lineStatus(line)}${note(line, now)}`,
      ...(batches ? [html`<a href="/surveys/${surveyId}/invitations?batch=${line.batchId}">…${line.batchId.slice(-6)}</a>`] : []),
      nextEmail(line, now),
      html`${line.sentAt && moment(line.sentAt, now)}${line.remindedAt && html`<span class="sub">reminder ${moment(line.remindedAt, now)}</span>`}`,
      html`${line.respondedAt && moment(line.respondedAt, now)}`,
    ]),
  );

const VERBS: Record<State, string> = { active: 'Activate survey', closed: 'Close survey', draft: 'Return to draft' };
const KEEP: Record<State, string> = { active: 'Keep active', closed: 'Keep closed', draft: 'Keep as draft' };
/** Its state says the first two, and the bar above each page says the others. */
const SAID: readonly (HoldReason | null)[] = [
  ...(['survey_draft', 'survey_closed'] as const),
  ...(['sending_paused', 'workspace_guarded', 'workspace_paused', 'survey_paused'] as const),
];

/** Why email is on hold, unless the page says it elsewhere. */
const otherReason = ({ holdReason }: SurveyFrame): string | null =>
  holdReason === null || SAID.includes(holdReason) ? null : HOLD_REASONS[holdReason];

/** Says why email is on hold. Empty if email goes out as planned. */
function stateNotice({ state, ...survey }: SurveyFrame, { counts }: SurveyCounts): Html | '' {
  const other = otherReason({ state, ...survey });
  const held = counts.waiting + counts.reminders_waiting;
  const waiting = held > 0 && ` ${emails(held)} ${held === 1 ? 'is' : 'are'} waiting for you to activate it.`;
  const why =
    other && html` <strong>On hold:</strong> ${other}. ${survey.holdReason && REASONS.hold_reason[survey.holdReason].next}`;
  if (state === 'draft') return notice('warn', html`<strong>Draft.</strong> No email goes out yet.${waiting}${why}`);
  if (state === 'closed')
    return notice('warn', html`<strong>Closed.</strong> No email goes out, and nobody can respond.${waiting}${why}`);
  if (other === null) return '';
  return notice('warn', html`${why}${held > 0 && ` ${emails(held)} ${held === 1 ? 'is' : 'are'} waiting.`}`);
}

/** @param sent How many invitations of the survey were sent. Of a survey with more than MAX_COUNT, only the first are counted. */
function reminderQuestion(
  csrf: string,
  survey: SurveyFrame,
  batch: BatchLine | undefined,
  remindable: number,
  sent: number,
): Html {
  const path = `/surveys/${survey.surveyId}`;
  const [list, action, name] =
    batch === undefined
      ? [`${path}/invitations`, `${path}/invitations`, `everyone invited to “${survey.title}”`]
      : [`${path}/invitations?batch=${batch.id}`, `${path}/batches/${batch.id}`, `batch …${batch.id.slice(-6)}`];
  const partial = batch === undefined && sent > MAX_COUNT;
  // Nobody of the first ones: the others are looked at when the button is pressed.
  const unknown = partial && remindable === 0;
  const people = unknown ? 'all whom it may reach' : `${partial ? 'at least ' : ''}${plural(remindable, 'person', 'people')}`;
  const held = survey.holdReason === null ? 'now' : `once sending resumes (on hold: ${HOLD_REASONS[survey.holdReason]})`;
  const nobody = remindable === 0 && !partial;
  return confirmation(csrf, {
    title: `Remind ${name} now?`,
    content: html`<p>${nobody ? 'There is nobody to remind.' : html`A reminder goes to <strong>${people}</strong> ${held}.`}</p>
<p class="note">People who responded, who must not be emailed, who got an email in the last 24 hours, or who got five reminders are left out. Later reminders keep their days.</p>`,
    button: nobody ? undefined : `Remind ${people}`,
    action,
    fields: { action: 'remind' },
    keep: [list, "Don't remind"],
  });
}

function stateQuestion(
  { csrf }: PageContext,
  survey: SurveyFrame,
  counts: SurveyCounts,
  to: State,
  forecast: Forecast,
  settings: SurveySettings | undefined,
): Html {
  const path = `/surveys/${survey.surveyId}/invitations`;
  const title = {
    active: `Activate “${survey.title}”?`,
    closed: `Close “${survey.title}”?`,
    draft: `Return “${survey.title}” to draft?`,
  };
  return confirmation(csrf, {
    title: title[to],
    content:
      to === 'active'
        ? html`${survey.hasDraft && notice('warn', html`<a href="/surveys/${survey.surveyId}/questions">Its questions</a> have changes that aren't published: people won't see them.`)}${settings && missingNotes(survey.surveyId, settings)}${activating(survey, forecast)}`
        : holding(survey, to, forecast, counts),
    button: buttonOf(to, forecast, otherReason(survey)),
    action: path,
    fields: { state: to },
    keep: [path, KEEP[survey.state]],
  });
}

/** Instead of the question, because the answer would be refused. */
function endedQuestion(page: PageContext, survey: SurveyFrame, ends: ShownEnds): Html {
  const { surveyId, title, state } = survey;
  return confirmation(page.csrf, {
    title: `“${title}” has ended`,
    content: html`${endsNote(page, ends)}
<p>To open it again, <a href="/surveys/${surveyId}/settings#ends">change when it ends</a> first.</p>`,
    button: undefined,
    keep: [`/surveys/${surveyId}/invitations`, KEEP[state]],
  });
}

/** The button's label, for example `Close survey and hold 12 emails`. */
function buttonOf(to: State, { lookedAt, atOnce }: Forecast, other: string | null): string {
  if (to !== 'active') return lookedAt === 0 ? VERBS[to] : `${VERBS[to]} and hold ${emails(lookedAt)}`;
  return atOnce === 0 || other !== null ? VERBS[to] : `${VERBS[to]} and send ${emails(atOnce)}`;
}

function activating(survey: SurveyFrame, forecast: Forecast): Html {
  const { lookedAt, atOnce, later, delayed } = forecast;
  const other = otherReason(survey);
  const path = forecastPath(survey.surveyId);
  const parts = html`${lookedAt > MAX_COUNT && html`<p>Of the first ${formatNumber(MAX_COUNT)}:</p>`}${forecastParts(forecast, path)}
${lookedAt > 0 && html`<p class="note"><a href="${path}">Who gets an email when</a></p>`}`;
  if (other !== null) {
    const then = atOnce > 0 && `Once that changes, ${atOnce === 1 ? '1 email goes' : `${emails(atOnce)} go`} out.`;
    return html`<p>Activating sends nothing yet: ${other}. ${then}</p>${parts}`;
  }
  if (lookedAt === 0)
    return html`<p>No email is waiting or scheduled, so activating sends nothing now. People can respond once the survey is active.</p>`;
  const due =
    later > 0 &&
    html` and <strong>${countUpTo(later)}</strong> ${delayed > 0 ? 'later' : `when ${later === 1 ? 'it is' : 'they are'} due`}`;
  return html`<p>Activating sends <strong>${emails(atOnce)}</strong> now${due}. People can respond once the survey is active.</p>${parts}`;
}

function holding(survey: SurveyFrame, to: State, { lookedAt: held }: Forecast, { counts }: SurveyCounts): Html {
  const leaving = counts.sending + counts.reminders_sending;
  const sending = leaving > 0 && ` ${emails(leaving)} being sent now may still arrive.`;
  const reopen = `if you ${survey.state === 'active' ? 'reopen' : 'activate'} the survey`;
  return html`<p>${
    held === 0
      ? 'No email is scheduled.'
      : html`<strong>${emails(held, 'scheduled email')}</strong> will be held. ${held === 1 ? 'It goes' : 'They go'} out ${reopen}.`
  }${sending} Links in emails will say that the survey ${to === 'closed' ? 'is closed' : "isn't open yet"}.</p>`;
}
