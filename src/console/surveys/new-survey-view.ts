// A new survey.
import type { OwnWorkspace } from '../../database/store.ts';
import { type Html, html } from '../../html/html.ts';
import { field, form, formSection } from '../components.ts';
import type { PageContext } from '../frame.ts';
import { TEMPLATES, type TemplateName } from './templates.ts';

export interface NewSurvey {
  /** The id of the new survey. If the form is submitted twice, it creates one survey. */
  readonly id: string;
  readonly title: string;
  readonly template: TemplateName;
  readonly error?: string;
}

export const newSurveyMain = (
  { csrf }: PageContext,
  { id: workspaceId }: OwnWorkspace,
  { id, title, template, error }: NewSurvey,
): Html =>
  formSection(
    'new',
    'A draft',
    ['Nothing is sent, and nobody can respond yet.'],
    form(
      csrf,
      html`<input type="hidden" name="survey" value="${id}">
${field({ name: 'title', label: 'Title', value: title, error, hint: 'Recipients read it in their email and on the survey page', more: html` required maxlength="255" autocomplete="off"` })}
<fieldset class="options"><legend>Start with</legend>
${Object.entries(TEMPLATES).map(
  ([name, { name: label, description }]) =>
    html`<label><input type="radio" name="template" value="${name}"${name === template && html` checked`}><span>${label}<span class="sub">${description}</span></span></label>`,
)}
</fieldset>
<p class="actions"><button type="submit">Create survey</button> <a class="button quiet" href="/workspaces/${workspaceId}">Cancel</a></p>`,
    ),
  );
