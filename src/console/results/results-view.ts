// The tab Results of a survey: filter, summary, responses, and what to do while there are none. Pure.
import {
  isAtLeast,
  type Question,
  type Result,
  type ResultFilter,
  type ResultSummary,
  type SurveyFrame,
} from '../../database/store.ts';
import { type Html, html } from '../../html/html.ts';
import { badge, ended, moment, pager } from '../components.ts';
import { type Column, columnsOf, filterQuery, keysOf, textOf, valueIn } from './columns.ts';
import { summarySection } from './summary-view.ts';

export interface ResultsView {
  readonly survey: SurveyFrame;
  readonly questions: readonly Question[];
  readonly filter: ResultFilter | undefined;
  /** A value that was to be looked for without a key. */
  readonly keyless: string | undefined;
  readonly results: readonly Result[];
  /** Whether there are older ones than these. */
  readonly more: boolean;
  /** Undefined: this is not the first page. */
  readonly summary: ResultSummary | undefined;
  /** Metadata keys that the filter offers; any other one can be typed. */
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
${results.length > 0 && html`<p class="note">Long values are cut off here; the CSV has them whole.</p>`}
${pager('responses', summary === undefined ? path + filterQuery(filter) : undefined, more ? path + filterQuery(filter, { before: results.at(-1)?.id ?? '' }) : undefined)}`;
}

/** The filter as a form that is a link, and the download of what it finds. */
function toolbar({ filter, keyless, knownKeys, results }: ResultsView, path: string): Html {
  const invalid = keyless !== undefined && html` aria-invalid="true" aria-describedby="key-error"`;
  return html`<div class="toolbar">
<form class="toolbar" method="get" action="${path}" role="search" aria-label="Filter by metadata">
<div class="field"><label for="key">Metadata key</label><input id="key" name="key" list="keys" value="${filter?.key}" autocomplete="off" maxlength="1000"${invalid}></div>
<div class="field"><label for="value">Value</label><input id="value" name="value" value="${filter?.value ?? keyless}" placeholder="any" autocomplete="off" maxlength="1000"></div>
<datalist id="keys">${knownKeys.map((key) => html`<option value="${key}"></option>`)}</datalist>
<button type="submit" class="quiet">Filter</button>
${filter && html`<a href="${path}">Show all</a>`}
${invalid && html`<p class="error" id="key-error" role="alert">A value is looked for under its metadata key: fill in the key. Nothing was filtered.</p>`}
</form>
${results.length > 0 && html`<a class="button" href="${path}.csv${filterQuery(filter)}" download>Download CSV</a>`}
</div>`;
}

const noneFound = (filter: ResultFilter | undefined, path: string): Html =>
  filter === undefined
    ? ended('responses')
    : html`<div class="empty"><h2>No response found</h2>
<p>No response has the metadata <code>${filter.key}${filter.value !== undefined && ` = ${filter.value}`}</code>. Keys and values are compared as they were sent, capitals included.</p>
<p><a href="${path}">Show all responses</a></p></div>`;

/** What is to be done before there are results, by how far the survey is. */
function nothingYet({ surveyId, state }: SurveyFrame, { invited }: ResultSummary, editor: boolean): Html {
  const tab = (name: string, label: string) => html`<a href="/surveys/${surveyId}/${name}">${label}</a>`;
  const sent = invited ?? 0;
  const advice = !editor
    ? html`Answers appear here as soon as they are sent.`
    : state === 'draft'
      ? html`The survey is a draft, and its invitations wait. Activate it on the tab ${tab('invitations', 'Invitations')}.`
      : sent > 0
        ? html`Invitations sent: ${sent}. Look at what became of them on the tab ${tab('invitations', 'Invitations')}.`
        : state === 'closed'
          ? html`The survey is closed, and no invitation was sent. It can be activated on the tab ${tab('invitations', 'Invitations')}.`
          : html`No invitation has been sent yet. The tab ${tab('invitations', 'Invitations')} shows what is waiting, and the tab ${tab('api-trigger', 'API trigger')} has the call that invites somebody.`;
  return html`<div class="empty"><h2>No responses yet</h2><p>${advice}</p>
${state === 'active' && html`<p><a href="/s/${surveyId}">Open the survey</a> as a respondent sees it.</p>`}</div>`;
}

/** Columns of answers, and of metadata, that stand beside each other; the rest unfolds in a last one. */
const MAX_COLUMNS = 6;
/** Characters of a value that are shown; the CSV has them all. */
const SHOWN = { answers: 280, metadata: 80 };
/** Characters from which on a column is given room, so that a sentence is not a word a line. */
const LONG = 30;

export interface ResultTable {
  readonly results: readonly Result[];
  readonly columns: { readonly answers: readonly Column[]; readonly metadata: readonly Column[] };
  /** Whether who looks may know who the recipients are. */
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

/** Whom a response is attributed to. A viewer is told only that it came through an invitation. */
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

/** What has no column of its own: named, behind a fold. */
function more(result: Result, columns: readonly Column[]): Html | '' {
  const present = columns.filter((column) => valueIn(result, column) !== undefined);
  if (present.length === 0) return '';
  return html`<details><summary>${present.length} more</summary><dl>${present.map((column) => html`<dt>${column.label}</dt><dd>${shortened(result, column)}</dd>`)}</dl></details>`;
}
