// The tab Results.
import {
  isAtLeast,
  type Question,
  type Result,
  type ResultFilter,
  type ResultSummary,
  type SurveyFrame,
} from '../../database/store.ts';
import { type Html, html } from '../../html/html.ts';
import { plural } from '../../text.ts';
import { empty, ended, moment, pager, status, type Column as TableColumn, table } from '../components.ts';
import { type Column, columnsOf, filterQuery, keysOf, textOf, valueIn } from './columns.ts';
import { summarySection } from './summary-view.ts';

export interface ResultsView {
  readonly survey: SurveyFrame;
  readonly questions: readonly Question[];
  readonly filter: ResultFilter | undefined;
  readonly valueWithoutKey: string | undefined;
  readonly results: readonly Result[];
  readonly more: boolean;
  readonly summary: ResultSummary | undefined;
  readonly knownKeys: readonly string[];
  readonly now: Date;
}

export function resultsMain(view: ResultsView): Html {
  const { survey, questions, filter, results, more, summary, now } = view;
  const named = isAtLeast(survey.role, 'editor');
  const path = `/surveys/${survey.surveyId}/results`;
  if (results.length === 0 && filter === undefined && summary !== undefined) return nothingYet(survey, summary, named);
  const columns = columnsOf(
    questions,
    keysOf(results.map(({ answers }) => answers)),
    keysOf(results.map(({ metadata }) => metadata)),
  );
  return html`<h2 class="hidden">Results</h2>
${filterBar(view, path)}
${summary && results.length > 0 && summarySection(summary, questions)}
${results.length === 0 ? noneFound(filter, path) : resultTable({ results, questions, columns, named, now })}
${results.length > 0 && html`<p class="note">Long values are shortened here. Download the CSV for the full text.</p>`}
${pager('responses', summary === undefined ? path + filterQuery(filter) : undefined, more ? path + filterQuery(filter, { before: results.at(-1)?.id ?? '' }) : undefined)}`;
}

/** In the header. */
export const downloadLink = ({ surveyId }: SurveyFrame, filter: ResultFilter | undefined): Html =>
  html`<a class="button" href="/surveys/${surveyId}/results.csv${filterQuery(filter)}" download>Download CSV</a>`;

function filterBar({ filter, valueWithoutKey, knownKeys }: ResultsView, path: string): Html {
  const invalid = valueWithoutKey !== undefined && html` aria-invalid="true" aria-describedby="key-error" autofocus`;
  return html`<form class="bar" method="get" action="${path}" role="search" aria-label="Filter by metadata">
<div class="field"><label for="key">Metadata key</label><input type="text" id="key" name="key" list="keys" value="${filter?.key}" autocomplete="off" maxlength="1000"${invalid}></div>
<div class="field"><label for="value">Value</label><input type="text" id="value" name="value" value="${filter?.value ?? valueWithoutKey}" placeholder="any" autocomplete="off" maxlength="1000"></div>
<datalist id="keys">${knownKeys.map((key) => html`<option value="${key}"></option>`)}</datalist>
<button type="submit" class="quiet">Filter</button>
${filter && html`<a href="${path}">Clear filter</a>`}
${invalid && html`<p class="error" id="key-error" role="alert">Enter the metadata key of this value. No filter was applied.</p>`}
</form>`;
}

const noneFound = (filter: ResultFilter | undefined, path: string): Html =>
  filter === undefined
    ? ended('responses')
    : empty(
        'No responses match',
        html`No response has the metadata <code>${filter.key}${filter.value !== undefined && ` = ${filter.value}`}</code>. Keys and values are case-sensitive. <a href="${path}">Clear filter</a>`,
      );

/** By the survey's state. */
function nothingYet({ surveyId, state }: SurveyFrame, { invited }: ResultSummary, editor: boolean): Html {
  const tab = (name: string, label: string) => html`<a href="/surveys/${surveyId}/${name}">${label}</a>`;
  const sent = invited ?? 0;
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

/** Of metadata; the rest unfolds. */
const MAX_TAGS = 6;
/** Characters; the CSV has them all. */
const SHOWN = { answers: 280, metadata: 80 };
/** Characters of an answer; a longer one gets a line of its own. */
const LONG = 30;

export interface ResultTable {
  readonly results: readonly Result[];
  readonly questions: readonly Question[];
  readonly columns: { readonly answers: readonly Column[]; readonly metadata: readonly Column[] };
  /** As in csv-view.ts. */
  readonly named: boolean;
  readonly now: Date;
}

/** The first score stands alone, a text takes lines, everything else is a tag: no survey makes the table wider than the window. */
export function resultTable({ results, questions, columns, named, now }: ResultTable): Html {
  const score = questions.find(({ type }) => type === 'score');
  const texts = new Set(questions.filter(({ type }) => type === 'text').map(({ id }) => id));
  const others = columns.answers.filter(({ key }) => key !== score?.id);
  const heads: TableColumn[] = [
    ['Submitted', 'time'],
    ...(score === undefined ? [] : [['Score', 'number'] as const]),
    ['Answers', 'wide'],
    'From',
  ];
  const row = (result: Result) => [
    moment(result.submittedAt, now),
    ...(score === undefined ? [] : [html`<strong>${textOf(result.answers[score.id])}</strong>`]),
    answersOf(result, others, texts),
    html`${from(result, named)}<br>${tags(result, columns.metadata.slice(0, MAX_TAGS))}${more(result, columns.metadata.slice(MAX_TAGS))}`,
  ];
  return table('Responses, newest first', heads, results.map(row));
}

/** @param texts Ids of questions. */
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

/** A viewer sees only that it came through an invitation. */
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

function more(result: Result, columns: readonly Column[]): Html | '' {
  const present = columns.filter((column) => valueIn(result, column) !== undefined);
  if (present.length === 0) return '';
  return html`<details><summary>${present.length} more</summary>${tags(result, present)}</details>`;
}
