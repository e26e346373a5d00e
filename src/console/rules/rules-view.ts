// When emails leave: the form of a workspace's or survey's rules, and the page that says what they would do before they are saved. Pure.
import type { Forecast, WorkspaceRules } from '../../database/store.ts';
import { formatClosedDays, formatOpenHours } from '../../hours.ts';
import { type Html, html } from '../../html/html.ts';
import { formatDelay, type RulesOfSurvey, rulesInWords, rulesOfSurvey, suggestedRules } from '../../rules.ts';
import { formatNumber, plural } from '../../text.ts';
import { facts, field, form, formSection, moment, refusal } from '../components.ts';
import { forecastParts } from '../forecast/forecast-view.ts';
import type { PageContext } from '../frame.ts';
import { emails } from '../invitations/parts-view.ts';
import { sawField, sawIn } from '../saw.ts';
import { sawTexts } from '../stale.ts';
import { closedDaysField } from './closed-days-field.ts';
import type { DayError } from './hours-form.ts';
import { hoursGrid } from './hours-grid.ts';

export type Rule = keyof WorkspaceRules;

/** A form that was refused, and what is wrong with it. */
export interface SentRules {
  /** What it sent, if that can't be read as rules. */
  readonly form?: URLSearchParams | undefined;
  readonly error?: { readonly rule: Rule; readonly text: string } | undefined;
  readonly hours?: readonly DayError[] | undefined;
}

interface Shown {
  /** What holds now. For a survey, its own. */
  readonly stored: WorkspaceRules;
  /** What the fields show: what holds, or what was changed and not saved. */
  readonly values: WorkspaceRules;
  /** The rules of the survey's workspace. Undefined: the form is the workspace's. */
  readonly workspace?: WorkspaceRules | undefined;
  readonly zones: readonly string[];
  /** The suggestion with the reader's time zone. Undefined: it holds already, or the form is a survey's. */
  readonly suggestion?: WorkspaceRules | undefined;
}

/** Of the given rules. */
export const ruleTexts = <T extends Partial<WorkspaceRules>>(rules: T) =>
  Object.fromEntries(Object.entries(rules).map(([rule, value]) => [rule, String(value ?? '')])) as {
    readonly [R in keyof T]: string;
  };

export const NO_RULE = 'No rule is set: emails leave when they are due.';

export function rulesMain(
  { csrf }: PageContext,
  { stored, values, workspace, zones, suggestion }: Shown,
  sent?: SentRules,
): Html {
  const error = (rule: Rule) => (sent?.error?.rule === rule ? sent.error.text : undefined);
  // A form that can't be read is shown as it was sent, so it has the values of before.
  const saw = sent?.form === undefined ? sawTexts(ruleTexts(stored)) : sawField(sawIn(sent.form));
  const isUnsaved = sent !== undefined || values !== stored;
  const text = (rule: 'restDays' | 'timeZone' | 'maxDelayHours', value: string, label: string, hint: string, more: Html) =>
    field({ name: rule, label, hint, value: sent?.form?.get(rule) ?? value, error: error(rule), more });
  const delay = values.maxDelayHours === null ? '' : formatDelay(values.maxDelayHours);
  const unset = workspace === undefined ? 'it waits as long as it takes; with a rest, at most that long' : delayOf(workspace);
  const zone = workspace === undefined ? 'UTC' : (workspace.timeZone ?? 'UTC');
  return html`${suggestion && suggestionPart(csrf, stored, suggestion)}
${formSection(
  'rules',
  workspace === undefined ? 'Rules' : 'Rules of this survey',
  [
    rulesInWords(workspace === undefined ? stored : rulesOfSurvey({ workspace, own: stored })) ?? NO_RULE,
    'Before you save, we show what a change would do.',
  ],
  html`${refusalOf(error('openHours'))}
${form(
  csrf,
  html`${saw}${
    workspace === undefined &&
    html`${text('restDays', String(values.restDays ?? ''), 'Rest', 'Days between two invitations to the same address, over all surveys. Reminders don’t count. If empty, no rest.', html` inputmode="numeric" maxlength="3" autocomplete="off"`)}
${hoursGrid({ label: 'Hours', hint: 'In the recipient’s time zone.', value: values.openHours, sent: sent?.form, errors: sent?.hours })}
${closedDaysField(sent?.form?.get('closedDays') ?? formatClosedDays(values.closedDays), error('closedDays'))}`
  }
${text('timeZone', values.timeZone ?? '', 'Time zone', `For recipients whose own isn’t known. If empty, ${zone}.`, html` list="zones" maxlength="64" autocomplete="off" autocapitalize="off" spellcheck="false" placeholder="${zone}"`)}
<datalist id="zones">${zones.map((name) => html`<option value="${name}"></option>`)}</datalist>
${text('maxDelayHours', delay, 'Maximum delay', `Such as 7 days or 36 hours. An email that can’t leave in this time is skipped. If empty, ${unset}.`, html` maxlength="20" autocomplete="off"`)}
<p class="actions"><button type="submit" name="action" value="preview">Preview changes</button></p>`,
  { unsaved: isUnsaved },
)}`,
)}`;
}

const refusalOf = (text: string | undefined): Html | false => text !== undefined && refusal(text);

/** What holds for a survey without a maximum delay of its own. */
const delayOf = ({ maxDelayHours, restDays }: WorkspaceRules): string => {
  if (maxDelayHours !== null) return `the workspace’s: ${formatDelay(maxDelayHours)}`;
  return restDays === null ? 'it waits as long as it takes' : `the workspace’s rest: ${plural(restDays, 'day')}`;
};

const suggestionPart = (csrf: string, stored: WorkspaceRules, suggestion: WorkspaceRules): Html =>
  formSection(
    'suggestion',
    'Suggestion',
    [],
    html`<p>${rulesInWords(suggestion)}</p>
${form(csrf, html`${sawTexts(ruleTexts(stored))}<p class="actions"><button class="quiet" type="submit" name="action" value="suggest">Use the suggestion</button></p>`)}`,
  );

export const suggestedFor = (stored: WorkspaceRules, zone: string | null, retentionDays: number | undefined): WorkspaceRules => ({
  ...stored,
  ...suggestedRules(retentionDays),
  timeZone: stored.timeZone ?? zone,
});

/** How a rule is called, and how its value is written. `own`: what counts if it is null. */
const RULES: { readonly [R in Rule]: readonly [name: string, write: (value: never) => string, unset: string] } = {
  restDays: ['Rest', (days: number) => plural(days, 'day'), 'none'],
  openHours: ['Hours', (hours: string) => formatOpenHours(hours).replaceAll('-', '–'), 'always'],
  closedDays: ['Closed days', closedDaysInWords, 'none'],
  timeZone: ['Time zone', (zone: string) => zone, 'UTC'],
  maxDelayHours: ['Maximum delay', (hours: number) => formatDelay(hours), 'none'],
};

/** @param unset What null means. */
export const ruleInWords = (rule: Rule, value: WorkspaceRules[Rule], unset: string): string =>
  value === null ? unset : RULES[rule][1](value as never);

/** A year of days would fill the page. */
function closedDaysInWords(days: string): string {
  const lines = formatClosedDays(days).split('\n');
  return lines.length > 12 ? `${lines.slice(0, 10).join(', ')} and ${formatNumber(lines.length - 10)} more` : lines.join(', ');
}

interface Preview {
  readonly stored: WorkspaceRules;
  readonly changes: Partial<WorkspaceRules>;
  readonly forecast: Forecast;
  /** The most emails that the forecast looks at. */
  readonly maxCount: number;
  readonly isSurvey: boolean;
  readonly path: string;
}

export function previewMain({ csrf, now }: PageContext, { stored, changes, forecast, maxCount, isSurvey, path }: Preview): Html {
  const isMore = forecast.lookedAt > maxCount;
  const skipped = Math.min(forecast.skipped, maxCount);
  const changed = (Object.keys(RULES) as Rule[]).flatMap((rule) => {
    const after = changes[rule];
    if (after === undefined) return [];
    const [name, , unset] = RULES[rule];
    const words = (value: WorkspaceRules[Rule]) => ruleInWords(rule, value, isSurvey ? 'as the workspace' : unset);
    return [[name, html`${words(stored[rule])} → <strong>${words(after)}</strong>`, 'wide'] as const];
  });
  return html`<section class="card panel ask${skipped > 0 && ' danger'}" aria-labelledby="ask"><h2 id="ask">Save these rules?</h2>
${facts(changed)}
${effect({ ...forecast, skipped }, maxCount, now)}
${forecastParts(forecast)}
${form(
  csrf,
  html`<input type="hidden" name="rules" value="${JSON.stringify(changes)}">${sawTexts(ruleTexts(stored))}
<p class="actions"><button${skipped > 0 && html` class="danger"`} type="submit" name="action" value="save">${skipped === 0 ? 'Save rules' : `Save rules and skip ${isMore ? `${formatNumber(skipped)} or more emails` : emails(skipped)}`}</button> <button class="quiet" type="submit" name="action" value="edit">Change them</button> <a class="button quiet" href="${path}">Cancel</a></p>`,
)}
</section>`;
}

function effect({ lookedAt, skipped, delayed, delayedUntil, reasons }: Forecast, maxCount: number, now: Date): Html {
  if (lookedAt === 0) return html`<p>No email is waiting or scheduled now, so they count from the next request on.</p>`;
  const isMore = lookedAt > maxCount;
  const ended = reasons.reduce((sum, { emails }) => sum + emails, 0);
  if (ended + delayed === 0 && !isMore)
    return html`<p>${emails(lookedAt)} ${lookedAt === 1 ? 'is' : 'are'} waiting or scheduled, and would leave as planned.</p>`;
  const all = isMore
    ? html`<p>More than ${formatNumber(maxCount)} emails are waiting or scheduled. Of the first ${formatNumber(maxCount)}:</p>`
    : html`<p>Of ${emails(lookedAt)} waiting or scheduled:</p>`;
  const planned = Math.min(lookedAt - ended, maxCount) - delayed;
  return html`${all}
<ul>
${skipped > 0 && html`<li><strong>${formatNumber(skipped)} would be skipped</strong>: ${skipped === 1 ? 'it' : 'they'} couldn’t leave in time. You can still send skipped emails by hand.</li>`}
${delayed > 0 && html`<li>${formatNumber(delayed)} would leave later than planned${delayedUntil && html`, the last ${moment(delayedUntil, now)}`}.</li>`}
${planned > 0 && html`<li>${formatNumber(planned)} would leave as planned.</li>`}
</ul>`;
}

/** In the settings of a survey: the sentence, and the way to the form. */
export const rulesPart = (path: string, rules: RulesOfSurvey): Html =>
  formSection(
    'leave',
    'When emails leave',
    [rulesInWords(rulesOfSurvey(rules)) ?? NO_RULE],
    html`<p class="actions"><a class="button quiet" href="${path}/rules">Time zone and maximum delay</a></p>`,
  );
