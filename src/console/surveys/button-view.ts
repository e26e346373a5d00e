// The form of the button below a survey's thank-you text, among its settings.
import type { SurveySettings } from '../../database/store.ts';
import { type Html, html } from '../../html/html.ts';
import { field, form, formSection } from '../components.ts';
import type { PageContext } from '../frame.ts';

export type ButtonField = 'buttonLabel' | 'buttonUrl';

/** What was refused. */
export type SentButton = Readonly<Record<ButtonField, string>> & {
  readonly error: { readonly field: ButtonField; readonly text: string };
};

export function buttonPanel({ csrf }: PageContext, settings: SurveySettings, sent?: SentButton): Html {
  const value = (name: ButtonField) => (sent ?? settings)[name] ?? '';
  const error = (name: ButtonField) => (sent?.error.field === name ? sent.error.text : undefined);
  return formSection(
    'button',
    'Button after the response',
    [
      'For example to a page for reviews. Everybody gets it, whatever their score: several countries forbid asking only happy customers for a public review.',
    ],
    form(
      csrf,
      html`<input type="hidden" name="action" value="button">
${field({ name: 'buttonLabel', label: 'Text', value: value('buttonLabel'), error: error('buttonLabel'), more: html` maxlength="100" autocomplete="off"` })}
${field({ name: 'buttonUrl', label: 'Address', value: value('buttonUrl'), error: error('buttonUrl'), hint: 'If both are empty, there is no button.', more: html` inputmode="url" maxlength="2000" autocomplete="off" placeholder="https://"` })}
<p class="actions"><button type="submit">Save the button</button></p>`,
    ),
  );
}
