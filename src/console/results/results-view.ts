// The tab Results.
import {
  type BreakdownLine,
  isAtLeast,
  type Period,
  type Question,
  type ResponseRate,
  type Result,
  type ResultCondition,
  type ResultSummary,
  type SurveyFrame,
} from '../../database/store.ts';
import { type Html, html } from '../../html/html.ts';
import { plural } from '../../text.ts';
import { empty, ended, pager, segments } from '../components.ts';
import { waysToInvite } from '../invitations/parts-view.ts';
import { languageName } from '../words.ts';
import { type Asked, askedQuery, MAX_COLUMNS, PERIODS } from './asked.ts';
import type { PeriodQuestions, Wordings } from './asked-questions.ts';
import { breakdownSection } from './breakdown-view.ts';
import { conditionLabel, conditionText, type Offers } from './conditions.ts';
import { responsesTable } from './responses-view.ts';
import { chartsSection, NPS_GROUPS, range, summarySection } from './summary-view.ts';

export interface ResultsView {
  readonly survey: SurveyFrame;
  /** All questions that were ever asked, the current ones first. */
  readonly questions: readonly Question[];
  readonly wordings: Wordings;
  readonly periodQuestions: PeriodQuestions;
  readonly asked: Asked;
  /** Undefined: all time. */
  readonly periods: { readonly period: Period; readonly before: Period } | undefined;
  readonly results: readonly Result[];
  readonly more: boolean;
  /** Only the first page has them. */
  readonly numbers: { readonly summary: ResultSummary; readonly rate: ResponseRate } | undefined;
  /** Undefined: none is asked for, or this isn't the first page. */
  readonly breakdown: readonly BreakdownLine[] | undefined;
  readonly knownKeys: readonly string[];
  readonly offers: Offers;
  readonly zone: string;
  readonly now: Date;
}

export function resultsMain(view: ResultsView): Html {
  const { survey, questions, wordings, periodQuestions, asked, periods, results, more, numbers, now } = view;
  const named = isAtLeast(survey.role, 'editor');
  const path = `/surveys/${survey.surveyId}/results`;
  if (results.length === 0 && numbers !== undefined && askedQuery(asked) === '' && asked.valueWithoutKey === undefined)
    return nothingYet(survey, numbers.rate, named);
  const narrowed = asked.conditions.length > 0 || asked.question !== undefined || asked.period !== '';
  const summarized = numbers &&
    Number(numbers.summary.responses) > 0 && { ...numbers, questions: periodQuestions, asked, path, before: periods?.before };
  return html`<h2 class="hidden">Results</h2>
${filterBar(view, path)}
${chips(view, path)}
${
  summarized &&
  html`${summarySection(summarized)}
${breakdownSection({ ...view, questions, path, summary: summarized.summary })}
${chartsSection(summarized)}`
}
<section aria-labelledby="responses"><div class="split"><h2 id="responses">Responses</h2>${results.length > 0 && downloadLink(survey, asked)}</div>
${listBar(view, path)}
${results.length === 0 ? (narrowed ? noneFound(path) : ended('responses')) : responsesTable({ results, questions, wordings, chosen: asked.columns, named, path: `/surveys/${survey.surveyId}/responses`, now })}
${results.length > 0 && html`<p class="note">Long texts are cut off here. A response’s page has all of it.</p>`}
${pager('responses', numbers === undefined ? path + askedQuery(asked) : undefined, more ? path + askedQuery(asked, { before: results.at(-1)?.id ?? '' }) : undefined)}
</section>`;
}

const downloadLink = ({ surveyId }: SurveyFrame, asked: Asked): Html =>
  html`<p class="actions"><a class="button quiet" href="/surveys/${surveyId}/results.csv${askedQuery({ ...asked, columns: [] })}" download>Download CSV</a></p>`;

/** On a phone, the button in the header opens the form. */
export const filterButton = ({ valueWithoutKey }: Asked): Html | false =>
  valueWithoutKey === undefined && html`<button class="quiet phone" type="button" popovertarget="filters">Filter</button>`;

/** Hidden inputs with the current filters that the form has no field for. */
const hiddenInputs = (asked: Asked, without: Partial<Asked>): Html => {
  const pairs = [...new URLSearchParams(askedQuery({ ...asked, ...without }))];
  return html`${pairs.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}`;
};

function filterBar({ asked, offers, knownKeys, zone }: ResultsView, path: string): Html {
  const invalid = asked.valueWithoutKey !== undefined && html` aria-invalid="true" aria-describedby="key-error" autofocus`;
  const day = (name: 'from' | 'to', label: string) =>
    html`<div class="field dates"><label for="${name}">${label}</label><input type="date" id="${name}" name="${name}" value="${asked[name]}"></div>`;
  return html`<form class="bar" id="filters"${!invalid && html` popover`} method="get" action="${path}" role="search" aria-label="Period and filters">
${hiddenInputs(asked, { period: '' })}
<div class="field"><label for="period">Period</label><select id="period" name="period">${Object.entries(PERIODS).map(([value, label]) => html`<option value="${value}"${value === asked.period && html` selected`}>${label}</option>`)}</select></div>
${day('from', 'From')}${day('to', 'To')}
${addFilter(offers)}
<details class="typed"${invalid && html` open`}><summary>Other metadata</summary>
<div class="field"><label for="key">Metadata key</label><input type="text" id="key" name="key" list="keys" autocomplete="off" maxlength="1000"${invalid}></div>
<div class="field"><label for="value">Value</label><input type="text" id="value" name="value" value="${asked.valueWithoutKey}" placeholder="any" autocomplete="off" maxlength="1000"></div>
<datalist id="keys">${knownKeys.map((key) => html`<option value="${key}"></option>`)}</datalist>
${invalid && html`<p class="error" id="key-error" role="alert">Enter the metadata key of this value. No filter was applied.</p>`}
</details>
<button type="submit" class="quiet">Apply</button>
<p class="note">Days are in ${zone.replaceAll('_', ' ')}.</p>
</form>`;
}

function addFilter({ metadata, languages, tokens, choices }: Offers): Html {
  const group = (label: string, conditions: readonly (readonly [condition: ResultCondition, label: string])[]) =>
    conditions.length > 0 &&
    html`<optgroup label="${label}">${conditions.map(([condition, name]) => html`<option value="${conditionText(condition)}">${label}: ${name}</option>`)}</optgroup>`;
  return html`<div class="field"><label for="add">Add a filter</label><select id="add" name="add"><option value="">None</option>${metadata.map(
    ({ key, values }) =>
      group(
        key,
        values.map((value) => [{ dimension: 'metadata', key, values: [value] }, value]),
      ),
  )}${choices.map(({ id, label, choices = [] }) =>
    group(
      label,
      choices.map((choice) => [{ dimension: 'answer', key: id, values: [choice] }, choice]),
    ),
  )}${group(
    'Language',
    languages.map((tag) => [{ dimension: 'language', values: [tag] }, languageName(tag)]),
  )}${group(
    'API trigger',
    tokens.map(({ id, name }) => [{ dimension: 'token', values: [id] }, name]),
  )}</select></div>
<div class="field match"><label for="match">Match</label><select id="match" name="match"><option value="">is</option><option value="not">is not</option></select></div>`;
}

/** The filters in use, each with a link that removes it. */
function chips({ asked, questions, offers }: ResultsView, path: string): Html | false {
  const { conditions, question, answers } = asked;
  const without = conditions.map((condition) => ({
    name: conditionLabel(condition, offers),
    href: path + askedQuery({ ...asked, conditions: conditions.filter((other) => other !== condition) }),
  }));
  const label = questions.find(({ id }) => id === question)?.label ?? question;
  if (question !== undefined)
    without.push({
      name: `${label} ${answers.length === 0 ? 'answered' : answers.join(', ')}`,
      href: path + askedQuery({ ...asked, question: undefined, answers: [] }),
    });
  if (without.length === 0) return false;
  return html`<p class="list">${without.map(({ name, href }) => html`<span class="tag"><b dir="auto">${name}</b> <a href="${href}">Remove<span class="hidden"> filter ${name}</span></a></span>`)}<a href="${path}${askedQuery({ ...asked, conditions: [], question: undefined, answers: [] })}">Clear filters</a></p>`;
}

/** Links that show responses of one kind, and the choice of columns. */
function listBar({ asked, questions, knownKeys }: ResultsView, path: string): Html {
  const link = (content: string, question: string | undefined, answers: readonly string[]) => ({
    href: `${path}${askedQuery({ ...asked, question, answers })}#responses`,
    content,
    current: asked.question === question && asked.answers.join() === answers.join(),
  });
  const nps = questions.find(({ nps }) => nps === true);
  const texts = questions.filter(({ type }) => type === 'text');
  const links = [
    link('All', undefined, []),
    ...texts
      .slice(0, 2)
      .map(({ id, label }) => link(texts.length === 1 ? 'With comment' : `With “${shorten(label, 30)}”`, id, [])),
    ...(nps === undefined ? [] : NPS_GROUPS.map(([name, from, to]) => link(name, nps.id, range(from, to)))),
  ];
  const boxes = [...new Set([...asked.columns, ...knownKeys])];
  return html`<div class="bar">${links.length > 1 && segments('Which responses', links)}
${
  boxes.length > 0 &&
  html`<details class="columns"><summary>Columns</summary><form method="get" action="${path}#responses">${hiddenInputs(asked, { columns: [] })}
<fieldset><legend>Metadata with a column of its own, at most ${MAX_COLUMNS}</legend>${boxes.map((key) => html`<label><input type="checkbox" name="column" value="${key}"${asked.columns.includes(key) && html` checked`}> ${key}</label>`)}</fieldset>
<button type="submit" class="quiet">Show columns</button></form></details>`
}</div>`;
}

const shorten = (text: string, length: number) => (text.length > length ? `${text.slice(0, length).toWellFormed()}…` : text);

const noneFound = (path: string): Html =>
  empty('No responses match', html`Keys and values of metadata are case-sensitive. <a href="${path}">Show all responses</a>`);

/** The text depends on the survey's state. */
function nothingYet({ surveyId, state }: SurveyFrame, { invited, recent }: ResponseRate, editor: boolean): Html {
  const tab = (name: string, label: string) => html`<a href="/surveys/${surveyId}/${name}">${label}</a>`;
  const sent = Number(invited) + Number(recent);
  const advice = !editor
    ? html`Responses appear here as they come in.`
    : state === 'draft'
      ? html`This survey is a draft. Nobody can respond before ${tab('invitations?confirm=active', 'you activate it')}.`
      : sent > 0
        ? html`${plural(sent, 'invitation')} sent. See their status under ${tab('invitations', 'Invitations')}.`
        : state === 'closed'
          ? html`This survey is closed and sent no invitations. You can ${tab('invitations?confirm=active', 'activate it')} again.`
          : html`No invitations have been sent yet. See what is waiting under ${tab('invitations', 'Invitations')}. ${waysToInvite(surveyId)}`;
  return empty(
    'No responses yet',
    html`${advice}${state === 'active' && html` <a href="/s/${surveyId}">Open the survey</a> as recipients see it.`}`,
  );
}
