// The preview of a CSV file of texts: what it would change, before anything is changed. Pure.
import { type Html, html } from '../../html/html.ts';
import { directionOf } from '../../languages/languages.ts';
import { plural } from '../../text.ts';
import { form, refusal, table } from '../components.ts';
import type { PageContext } from '../frame.ts';
import { sawField } from '../saw.ts';

export interface TextChange {
  readonly name: string;
  readonly label: string;
  /** Empty: there is none yet. */
  readonly before: string;
  readonly after: string;
  /** As shownDigest, of the original that the file has, or else of the one that there is. Undefined: originals don't change here. */
  readonly saw?: string;
  /** Why this text can't be taken. */
  readonly error?: string | undefined;
}

interface Shown {
  readonly language: string;
  readonly changes: readonly TextChange[];
  /** Names in the file that no text has. */
  readonly unknown: readonly string[];
  readonly back: string;
}

/** The form's field with the texts that are taken, as JSON: see textsInJson. */
export const TAKEN = 'taken';

export function importMain({ csrf }: PageContext, { language, changes, unknown, back }: Shown): Html {
  const taken = changes.filter(({ error }) => error === undefined);
  const wrong = changes.length - taken.length;
  const text = (value: string) =>
    value === ''
      ? html`<span class="dim">none</span>`
      : html`<span class="text" lang="${language}" dir="${directionOf(language)}">${value}</span>`;
  const cancel = html`<a class="button quiet" href="${back}">Cancel</a>`;
  return html`${wrong > 0 && refusal(`${plural(wrong, 'text')} can't be taken. Correct the file and choose it again, or take the others.`)}
<section class="card panel" aria-labelledby="changes"><h2 id="changes">${taken.length === 0 ? 'The file changes nothing' : `The file changes ${plural(taken.length, 'text')}`}</h2>
<p class="note">Texts that are empty in the file stay as they are.${unknown.length > 0 && html` These names of the file aren't texts here: ${unknown.slice(0, 20).join(', ')}${unknown.length > 20 && ' …'}.`}</p>
${
  changes.length > 0 &&
  html`<div class="text-changes">${table(
    'What the file changes',
    ['Text', ['Now', 'wide'], ['In the file', 'wide']],
    changes.map(({ label, before, after, error }) => [
      label,
      text(before),
      error === undefined ? text(after) : html`${text(after)}<p class="error">${error}</p>`,
    ]),
  )}</div>`
}
${
  taken.length === 0
    ? html`<p class="actions">${cancel}</p>`
    : form(
        csrf,
        html`<input type="hidden" name="action" value="take"><input type="hidden" name="language" value="${language}"><input type="hidden" name="${TAKEN}" value="${JSON.stringify(Object.fromEntries(taken.map(({ name, after }) => [name, after])))}">${sawField(Object.fromEntries(taken.flatMap(({ name, saw }) => (saw === undefined ? [] : [[name, saw]]))))}<p class="actions"><button type="submit">Change ${plural(taken.length, 'text')}</button> ${cancel}</p>`,
        { action: back },
      )
}
</section>`;
}

/** The links and the form for CSV files. The form posts to its own page. */
export const csvPanel = ({ csrf }: PageContext, language: string, download: string, error?: string): Html =>
  html`<section class="card panel" aria-labelledby="csv"><h2 id="csv">Translate in a spreadsheet</h2>
<p class="note">The file has a line for each text: its name, the original, and the text. Fill in the column <i>text</i>, and choose the file here. You see what changes before it is changed.</p>
<p><a class="button quiet" href="${download}">Download the CSV</a></p>
<form method="post" enctype="multipart/form-data"><input type="hidden" name="csrf" value="${csrf}"><input type="hidden" name="action" value="import"><input type="hidden" name="language" value="${language}">
<div class="field"><label for="file">CSV file</label>
<input id="file" name="file" type="file" required accept=".csv,.tsv,.txt,text/csv,text/tab-separated-values,text/plain"${error && html` aria-invalid="true" aria-describedby="file-error" autofocus`}>
${error && html`<p class="error" id="file-error" role="alert">${error}</p>`}</div>
<p class="actions"><button class="quiet" type="submit">Look at the changes</button></p></form>
</section>`;
