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
import { badge, ended, moment, pager } from '../components.ts';
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
${toolbar(view, path)}
${summary && results.length > 0 && summarySection(summary, questions)}
${results.length === 0 ? noneFound(filter, path) : resultTable({ results, columns, named, now })}
${results.length > 0 && html`<p class="note">Long values are shortened here. Download the CSV for the full text.</p>`}
${pager('responses', summary === undefined ? path + filterQuery(filter) : undefined, more ? path + filterQuery(filter, { before: results.at(-1)?.id ?? '' }) : undefined)}`;
}

function toolbar({ filter, valueWithoutKey, knownKeys, results }: ResultsView, path: string): Html {
  const invalid = valueWithoutKey !== undefined && html` aria-invalid="true" aria-describedby="key-error"`;
  return html`<div class="toolbar">
<form class="toolbar" method="get" action="${path}" role="search" aria-label="Filter by metadata">
<div class="field"><label for="key">Metadata key</label><input id="key" name="key" list="keys" value="${filter?.key}" autocomplete="off" maxlength="1000"${invalid}></div>
<div class="field"><label for="value">Value</label><input id="value" name="value" value="${filter?.value ?? valueWithoutKey}" placeholder="any" autocomplete="off" maxlength="1000"></div>
<datalist id="keys">${knownKeys.map((key) => html`<option value="${key}"></option>`)}</datalist>
<button type="submit" class="quiet">Filter</button>
${filter && html`<a href="${path}">Clear filter</a>`}
${invalid && html`<p class="error" id="key-error" role="alert">Enter the metadata key of this value. No filter was applied.</p>`}
</form>
${results.length > 0 && html`<a class="button" href="${path}.csv${filterQuery(filter)}" download>Download CSV</a>`}
</div>`;
}

const noneFound = (filter: ResultFilter | undefined, path: string): Html =>
  filter === undefined
    ? ended('responses')
    : html`<div class="empty"><h2>No responses match</h2>
<p>No response has the metadata <code>${filter.key}${filter.value !== undefined && ` = ${filter.value}`}</code>. Keys and values are case-sensitive.</p>
<p><a href="${path}">Clear filter</a></p></div>`;

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
  return html`<div class="empty"><h2>No responses yet</h2><p>${advice}</p>
${state === 'active' && html`<p><a href="/s/${surveyId}">Open the survey</a> as recipients see it.</p>`}</div>`;
}

/** Of answers, and of metadata. The last column unfolds the rest. */
const MAX_COLUMNS = 6;
/** Characters; the CSV has them all. */
const SHOWN = { answers: 280, metadata: 80 };
/** Characters; a column with a longer value gets more width. */
const LONG = 30;

export interface ResultTable {
  readonly results: readonly Result[];
  readonly columns: { readonly answers: readonly Column[]; readonly metadata: readonly Column[] };
  /** As in csv-view.ts. */
  readonly named: boolean;
  readonly now: Date;
}

export function resultTable({ results, columns, named, now }: ResultTable): Html {
  const answers = columns.answers.slice(0, MAX_COLUMNS);
  const metadata = columns.metadata.slice(0, MAX_COLUMNS);
  const rest = [...columns.answers.slice(MAX_COLUMNS), ...columns.metadata.slice(MAX_COLUMNS)];
  const head = ({ label, of }: Column) => html`<th scope="col" class="${of}">${label}</th>`;
  const isLong = (column: Column) => results.some((result) => shortened(result, column).length > LONG);
  const long = new Set([...answers, ...metadata].filter(isLong));
  const cell = (result: Result) => (column: Column) =>
    html`<td data-label="${column.label}" class="${column.of}${long.has(column) && ' long'}">${shortened(result, column)}</td>`;
  const row = (result: Result) => html`<tr><th scope="row">${moment(result.submittedAt, now)}</th>
<td data-label="From">${from(result, named)}</td>${answers.map(cell(result))}${metadata.map(cell(result))}${rest.length > 0 && html`<td>${more(result, rest)}</td>`}</tr>`;
  return html`<div class="wide" role="region" aria-label="Responses" tabindex="0"><table class="cards results">
<caption class="hidden">Responses, newest first</caption>
<thead><tr class="groups"><td colspan="2"></td>${answers.length > 0 && html`<th scope="colgroup" colspan="${answers.length}">Answers</th>`}${metadata.length > 0 && html`<th scope="colgroup" colspan="${metadata.length}">Hidden metadata</th>`}${rest.length > 0 && html`<td></td>`}</tr>
<tr><th scope="col">Submitted</th><th scope="col">From</th>${answers.map(head)}${metadata.map(head)}${rest.length > 0 && html`<th scope="col">More</th>`}</tr></thead>
<tbody>${results.map(row)}</tbody>
</table></div>`;
}

/** A viewer sees only that it came through an invitation. */
function from({ attribution, email, name }: Result, named: boolean): Html {
  if (attribution === 'direct') return badge('direct');
  if (!named) return badge('invitation', 'good');
  return email === null
    ? html`${badge('invitation', 'good')} <span class="note">erased</span>`
    : html`${name && html`<strong class="detail">${name}</strong> `}${email}`;
}

function shortened(result: Result, column: Column): string {
  const text = textOf(valueIn(result, column));
  const shown = SHOWN[column.of];
  return text.length > shown ? `${text.slice(0, shown).toWellFormed()}…` : text;
}

function more(result: Result, columns: readonly Column[]): Html | '' {
  const present = columns.filter((column) => valueIn(result, column) !== undefined);
  if (present.length === 0) return '';
  return html`<details><summary>${present.length} more</summary><dl>${present.map((column) => html`<dt>${column.label}</dt><dd>${shortened(result, column)}</dd>`)}</dl></details>`;
}
