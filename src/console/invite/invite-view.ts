// Where a list is pasted or uploaded, and the lists of a survey.
import type { OwnWorkspace, SurveyFrame, SurveyTitle, UploadCard } from '../../database/store.ts';
import { type Html, html } from '../../html/html.ts';
import { formatNumber } from '../../text.ts';
import { empty, field, formSection, moment, stateStatus, table } from '../components.ts';
import type { PageContext } from '../frame.ts';
import { uploadStatus } from './list-words.ts';

export interface WrongList {
  readonly field: 'list' | 'file';
  readonly text: string;
  readonly pasted: string;
}

export function inviteMain(
  { csrf, now, realNow }: PageContext,
  survey: SurveyFrame,
  uploads: readonly UploadCard[],
  wrong?: WrongList,
): Html {
  const error = (name: WrongList['field']) => (wrong?.field === name ? wrong.text : undefined);
  return html`${formSection(
    'list-title',
    'Whom to invite',
    ['The next page shows what will happen to each line, and the email. Nothing is sent before you say so.'],
    html`<form method="post" enctype="multipart/form-data" class="once"><input type="hidden" name="csrf" value="${csrf}">
${field({ name: 'list', label: 'Addresses, or cells copied from a sheet', rows: 6, value: wrong?.pasted ?? '', error: error('list'), hint: 'One address, several with commas or on lines of their own, or a table with headings such as Email and Name.' })}
${field({ name: 'file', label: 'Or a CSV file', type: 'file', error: error('file'), hint: 'Commas, semicolons or tabs. At most 20,000 lines and 16 MiB. From Excel or Google Sheets, save as CSV.', more: html` accept=".csv,.tsv,.txt,text/csv,text/tab-separated-values,text/plain"` })}
<p class="actions"><button type="submit">Check the list</button></p>
</form>`,
  )}
${
  uploads.length > 0 &&
  html`<h2>Lists</h2>
${uploadsTable(survey, uploads, now, realNow)}
<p class="note">Lists that aren’t sent are deleted after a day.</p>`
}`;
}

const uploadsTable = (survey: SurveyFrame, uploads: readonly UploadCard[], now: Date, realNow: Date): Html =>
  table(
    'Lists, newest first',
    ['List', 'State', ['Uploaded', 'time'], 'By', ['People', 'number'], ['Invited', 'number'], ['Send at', 'time']],
    uploads.map((upload) => [
      html`<a href="/surveys/${survey.surveyId}/invite/${upload.id}">${upload.name}</a>`,
      uploadStatus(upload),
      moment(upload.createdAt, realNow),
      upload.sentBy ?? upload.createdBy,
      formatNumber(upload.people),
      formatNumber(upload.accepted),
      upload.sendAt === null ? html`<span class="dim">right away</span>` : moment(upload.sendAt, now),
    ]),
  );

export const chooseSurveyMain = ({ id }: OwnWorkspace, surveys: readonly SurveyTitle[]): Html =>
  surveys.length === 0
    ? empty(
        'No surveys yet',
        html`People are invited to a survey.<br><a class="button" href="/workspaces/${id}/surveys/new">New survey</a>`,
      )
    : html`<h2>To which survey?</h2>
${table(
  'Surveys',
  ['Survey', 'State'],
  surveys.map(({ surveyId, title, state }) => [html`<a href="/surveys/${surveyId}/invite">${title}</a>`, stateStatus(state)]),
)}`;
