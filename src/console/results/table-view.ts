// The table of responses: when, from whom, the answers, the hidden metadata. Pure.
import type { Result } from '../../database/store.ts';
import { type Html, html } from '../../html/html.ts';
import { badge, moment } from '../components.ts';
import { type Column, textOf, valueIn } from './columns.ts';

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
