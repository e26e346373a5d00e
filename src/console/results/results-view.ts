// The tab Results.
import {
  isAtLeast,
  type Period,
  type Question,
  type ResponseRate,
  type Result,
  type ResultOffer,
  type ResultSummary,
  type SurveyFrame,
} from '../../database/store.ts';
import { type Html, html } from '../../html/html.ts';
import { plural } from '../../text.ts';
import { empty, ended, moment, pager, segments, status, type Column as TableColumn, table } from '../components.ts';
import { type Asked, askedQuery, filterText, MAX_COLUMNS, PERIODS } from './asked.ts';
import type { PeriodQuestions, Wordings } from './asked-questions.ts';
import { type Column, columnsOf, keysOf, textOf, valueIn } from './columns.ts';
import { NPS_GROUPS, range, summarySection } from './summary-view.ts';

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
  readonly knownKeys: readonly string[];
  readonly offers: readonly ResultOffer[];
  readonly zone: string;
  readonly now: Date;
}

export function resultsMain(view: ResultsView): Html {
  const { survey, questions, wordings, periodQuestions, asked, periods, results, more, numbers, now } = view;
  const named = isAtLeast(survey.role, 'editor');
  const path = `/surveys/${survey.surveyId}/results`;
  if (results.length === 0 && numbers !== undefined && askedQuery(asked) === '' && asked.valueWithoutKey === undefined)
    return nothingYet(survey, numbers.rate, named);
  const columns = columnsOf(
    questions,
    keysOf(results.map(({ answers }) => answers)),
    keysOf(results.map(({ metadata }) => metadata)),
  );
  const narrowed = asked.metadata.length > 0 || asked.question !== undefined || asked.period !== '';
  return html`<h2 class="hidden">Results</h2>
${filterBar(view, path)}
${chips(view, path)}
${numbers && Number(numbers.summary.responses) > 0 && summarySection({ ...numbers, questions: periodQuestions, asked, path, before: periods?.before })}
<section aria-labelledby="responses"><h2 id="responses">Responses</h2>
${listBar(view, path)}
${results.length === 0 ? (narrowed ? noneFound(path) : ended('responses')) : resultTable({ results, questions, wordings, columns, chosen: asked.columns, named, path: `/surveys/${survey.surveyId}/responses`, now })}
${results.length > 0 && html`<p class="note">Long values are shortened here. Download the CSV for the full text.</p>`}
${pager('responses', numbers === undefined ? path + askedQuery(asked) : undefined, more ? path + askedQuery(asked, { before: results.at(-1)?.id ?? '' }) : undefined)}
</section>`;
}

/** The button in the header. */
export const downloadLink = ({ surveyId }: SurveyFrame, asked: Asked): Html =>
  html`<a class="button" href="/surveys/${surveyId}/results.csv${askedQuery({ ...asked, columns: [] })}" download>Download CSV</a>`;

/** Hidden inputs with the current filters that the form has no field for. */
const hiddenInputs = (asked: Asked, without: Partial<Asked>): Html => {
  const pairs = [...new URLSearchParams(askedQuery({ ...asked, ...without }))];
  return html`${pairs.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}`;
};

function filterBar({ asked, offers, knownKeys, zone }: ResultsView, path: string): Html {
  const invalid = asked.valueWithoutKey !== undefined && html` aria-invalid="true" aria-describedby="key-error" autofocus`;
  const day = (name: 'from' | 'to', label: string) =>
    html`<div class="field dates"><label for="${name}">${label}</label><input type="date" id="${name}" name="${name}" value="${asked[name]}"></div>`;
  return html`<form class="bar" method="get" action="${path}" role="search" aria-label="Period and filters">
${hiddenInputs(asked, { period: '' })}
<div class="field"><label for="period">Period</label><select id="period" name="period">${Object.entries(PERIODS).map(([value, label]) => html`<option value="${value}"${value === asked.period && html` selected`}>${label}</option>`)}</select></div>
${day('from', 'From')}${day('to', 'To')}
${
  offers.length > 0 &&
  html`<div class="field"><label for="filter">Add a filter</label><select id="filter" name="filter"><option value="">None</option>${offers.map(
    ({ key, values }) =>
      html`<optgroup label="${key}">${values.map((value) => html`<option value="${filterText({ key, value })}">${key}: ${value}</option>`)}</optgroup>`,
  )}</select></div>`
}
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

/** The filters in use, each with a link that removes it. */
function chips({ asked, questions }: ResultsView, path: string): Html | false {
  const { metadata, question, answers } = asked;
  const without = metadata.map((filter) => ({
    name: filter.value === undefined ? `${filter.key}: any` : `${filter.key}: ${filter.value}`,
    href: path + askedQuery({ ...asked, metadata: metadata.filter((other) => other !== filter) }),
  }));
  const label = questions.find(({ id }) => id === question)?.label ?? question;
  if (question !== undefined)
    without.push({
      name: `${label} ${answers.length === 0 ? 'answered' : answers.join(', ')}`,
      href: path + askedQuery({ ...asked, question: undefined, answers: [] }),
    });
  if (without.length === 0) return false;
  return html`<p class="list">${without.map(({ name, href }) => html`<span class="tag"><b dir="auto">${name}</b> <a href="${href}">Remove<span class="hidden"> filter ${name}</span></a></span>`)}<a href="${path}${askedQuery({ ...asked, metadata: [], question: undefined, answers: [] })}">Clear filters</a></p>`;
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
      ? html`This survey is a draft. Activate it under ${tab('invitations', 'Invitations')} to send its invitations.`
      : sent > 0
        ? html`${plural(sent, 'invitation')} sent. See their status under ${tab('invitations', 'Invitations')}.`
        : state === 'closed'
          ? html`This survey is closed and sent no invitations. You can activate it under ${tab('invitations', 'Invitations')}.`
          : html`No invitations have been sent yet. See what is waiting under ${tab('invitations', 'Invitations')}, or invite someone with the ${tab('api-trigger', 'API trigger')}.`;
  return empty(
    'No responses yet',
    html`${advice}${state === 'active' && html` <a href="/s/${surveyId}">Open the survey</a> as recipients see it.`}`,
  );
}

/** How many metadata tags a row shows. The rest is in a part that opens. */
const MAX_TAGS = 6;
/** How many characters of a value are shown. The CSV has the whole value. */
const SHOWN = { answers: 280, metadata: 80 };
/** An answer with more characters than this gets its own line. */
const LONG = 30;

export interface ResultTable {
  readonly results: readonly Result[];
  readonly questions: readonly Question[];
  readonly wordings: Wordings;
  readonly columns: { readonly answers: readonly Column[]; readonly metadata: readonly Column[] };
  /** Metadata keys that get their own column. If empty, all keys are shown as tags. */
  readonly chosen: readonly string[];
  /** Whether the member may see who the recipients are. */
  readonly named: boolean;
  /** Of the pages of responses. */
  readonly path: string;
  readonly now: Date;
}

/**
 * The first score has its own column, a text answer gets its own lines, and everything else is a tag. So the table never gets wider than
 * the window, even if a survey has many questions.
 */
function resultTable({ results, questions, wordings, columns, chosen, named, path, now }: ResultTable): Html {
  const score = questions.find(({ type }) => type === 'score');
  const texts = new Set(questions.filter(({ type }) => type === 'text').map(({ id }) => id));
  const others = columns.answers.filter(({ key }) => key !== score?.id);
  const heads: TableColumn[] = [
    ['Submitted', 'time'],
    ...(score === undefined ? [] : [['Score', 'number'] as const]),
    ['Answers', 'wide'],
    'From',
    ...chosen,
  ];
  const tagged = chosen.length === 0 ? columns.metadata : [];
  const row = (result: Result) => [
    html`<a href="${path}/${result.id}">${moment(result.submittedAt, now)}</a>`,
    ...(score === undefined ? [] : [html`<strong>${textOf(result.answers[score.id])}</strong>`]),
    html`${result.erasedAt && html`<span class="dim">Answers erased</span>`}${score && asAsked(result, score, wordings)}${answersOf(result, others.map(worded(result, wordings)), texts)}`,
    html`${from(result, named)}${result.clickedInEmail !== null && html`<span class="sub">Began with a click in the email</span>`}<br>${tags(result, tagged.slice(0, MAX_TAGS))}${foldedTags(result, tagged.slice(MAX_TAGS))}`,
    ...chosen.map((key) => html`<span dir="auto">${shortened(result, { of: 'metadata', key, label: key })}</span>`),
  ];
  return table('Responses, newest first', heads, results.map(row));
}

/** The column, labeled with the wording that this response's version asked. */
const worded =
  (result: Result, wordings: Wordings) =>
  (column: Column): Column => ({ ...column, label: wordings(result.questionsVersion, column.key) ?? column.label });

/** The wording of the score question, if it differed from the current one. The Score column has no room for it. */
function asAsked(result: Result, { id, label }: Question, wordings: Wordings): Html | false {
  const wording = wordings(result.questionsVersion, id);
  return (
    wording !== undefined &&
    wording !== label &&
    result.answers[id] !== undefined &&
    html`<span class="sub">Score asked as “${wording}”</span>`
  );
}

/** @param texts The ids of text questions. */
function answersOf(result: Result, columns: readonly Column[], texts: ReadonlySet<string>): Html {
  const isLong = (column: Column) => texts.has(column.key) || shortened(result, column).length > LONG;
  const given = columns.filter((column) => shortened(result, column) !== '');
  const long = given.filter(isLong);
  const label = (column: Column) =>
    columns.filter(isLong).length > 1
      ? html`<span class="sub">${column.label}</span>`
      : html`<span class="hidden">${column.label}: </span>`;
  return html`${long.map((column) => html`<p class="answer" dir="auto">${label(column)}${shortened(result, column)}</p>`)}${tags(
    result,
    given.filter((column) => !isLong(column)),
  )}`;
}

const tags = (result: Result, columns: readonly Column[]): Html =>
  html`${columns
    .filter((column) => valueIn(result, column) !== undefined)
    .map((column) => html`<span class="tag">${column.label} <b dir="auto">${shortened(result, column)}</b></span> `)}`;

/** Where the response came from. A viewer sees only that it came from an invitation. */
function from({ attribution, email, name }: Result, named: boolean): Html {
  if (attribution === 'direct') return status('direct', 'plain');
  if (!named) return status('invitation', 'good');
  return email === null
    ? html`${status('invitation', 'good')} <span class="dim">erased</span>`
    : html`${name && html`<strong>${name}</strong> `}${email}`;
}

function shortened(result: Result, column: Column): string {
  const text = textOf(valueIn(result, column));
  const shown = SHOWN[column.of];
  return text.length > shown ? `${text.slice(0, shown).toWellFormed()}…` : text;
}

function foldedTags(result: Result, columns: readonly Column[]): Html | '' {
  const present = columns.filter((column) => valueIn(result, column) !== undefined);
  if (present.length === 0) return '';
  return html`<details><summary>${present.length} more</summary>${tags(result, present)}</details>`;
}
