// The form of the button below a survey's thank-you text, among its settings.
import type { SurveySettings } from '../../database/store.ts';
import { type Html, html } from '../../html/html.ts';
import { field, form, formSection } from '../components.ts';
import type { PageContext } from '../frame.ts';
import { sawTexts } from '../stale.ts';

export const BUTTON_FIELDS = ['buttonLabel', 'buttonUrl'] as const;
export type ButtonField = (typeof BUTTON_FIELDS)[number];

/** What was refused. */
export interface SentButton {
  readonly texts: Readonly<Record<ButtonField, string>>;
  readonly errors: Readonly<Partial<Record<ButtonField, string>>>;
}

/** What the fields show. */
export const buttonTexts = ({ buttonLabel, buttonUrl }: SurveySettings): SentButton['texts'] => ({
  buttonLabel: buttonLabel ?? '',
  buttonUrl: buttonUrl ?? '',
});

export function buttonPanel({ csrf }: PageContext, settings: SurveySettings, sent?: SentButton): Html {
  const stored = buttonTexts(settings);
  const { texts = stored, errors = {} } = sent ?? {};
  return formSection(
    'button',
    'Button after the response',
    [
      'For example to a page for reviews. Everybody gets it, whatever their score: several countries forbid asking only happy customers for a public review.',
    ],
    form(
      csrf,
      html`<input type="hidden" name="action" value="button">${sawTexts(stored)}
${field({ name: 'buttonLabel', label: 'Text', value: texts.buttonLabel, error: errors.buttonLabel, more: html` maxlength="100" autocomplete="off"` })}
${field({ name: 'buttonUrl', label: 'Address', value: texts.buttonUrl, error: errors.buttonUrl, hint: 'If both are empty, there is no button.', more: html` inputmode="url" maxlength="2000" autocomplete="off" placeholder="https://"` })}
<p class="actions"><button type="submit">Save the button</button></p>`,
    ),
  );
}
