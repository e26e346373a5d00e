// The settings of a survey, and its deletion.
import { isAtLeast, type ShownEnds, type SurveyFrame, type SurveySettings } from '../../database/store.ts';
import { type Html, html } from '../../html/html.ts';
import type { RulesOfSurvey } from '../../rules.ts';
import { plural } from '../../text.ts';
import { copyable } from '../api-trigger/examples-view.ts';
import { checkbox, confirmation, field, form, formSection } from '../components.ts';
import type { PageContext } from '../frame.ts';
import { countUpTo } from '../invitations/parts-view.ts';
import { rulesPart } from '../rules/rules-view.ts';
import { sawTexts } from '../stale.ts';
import { outdatedLanguages } from '../translations/survey-texts.ts';
import { languageName } from '../words.ts';
import { buttonPanel, type SentButton } from './button-view.ts';
import { endsPanel, type SentEnds } from './ends-view.ts';

export const SETTINGS_FIELDS = ['title', 'publicUrl', 'thanks', 'openResponses'] as const;
export type SettingsField = (typeof SETTINGS_FIELDS)[number];

export interface SentSettings {
  readonly texts: Readonly<Record<SettingsField, string>>;
  readonly errors: Readonly<Partial<Record<SettingsField, string>>>;
}

/** What the fields show. */
export const settingsTexts = ({ title, publicUrl, thanks, openResponses }: SurveySettings): SentSettings['texts'] => ({
  title: title.trim(),
  publicUrl: (publicUrl ?? '').trim(),
  thanks: (thanks ?? '').trim(),
  openResponses: openResponses ? 'yes' : '',
});

interface Shown {
  readonly survey: SurveyFrame;
  readonly settings: SurveySettings;
  readonly ends: ShownEnds;
  readonly rules: RulesOfSurvey;
  /** The address where people respond. */
  readonly address: string;
  /** The id of the copy. If the form is submitted twice, it creates one copy. */
  readonly copyId: string;
}

export function surveySettingsMain(
  page: PageContext,
  { survey, settings, ends, rules, address, copyId }: Shown,
  sent?: SentSettings,
  sentEnds?: SentEnds,
  sentButton?: SentButton,
): Html {
  const { csrf } = page;
  const path = `/surveys/${survey.surveyId}`;
  const stored = settingsTexts(settings);
  const { texts = stored, errors = {} } = sent ?? {};
  return html`${formSection('public', 'Public link', [linkNote(survey, settings)], copyable('the public link', address))}
${formSection(
  'general',
  'General',
  [],
  form(
    csrf,
    html`<input type="hidden" name="action" value="save">${sawTexts(stored)}
${field({ name: 'title', label: 'Title', value: texts.title, error: errors.title, hint: 'Recipients read it in their email and on the survey page. Emails already sent keep the old one.', more: html` required maxlength="255" autocomplete="off"` })}
${field({ name: 'publicUrl', label: 'Your own survey page', value: texts.publicUrl, error: errors.publicUrl, hint: 'If empty, people respond on our page. Links in emails already sent stay as they are.', more: html` inputmode="url" maxlength="2000" autocomplete="off" placeholder="https://"` })}
${checkbox('openResponses', 'People may respond without a link from an email', texts.openResponses === 'yes', 'On our page. Otherwise each response comes from an invited person.')}
${field({ name: 'thanks', label: 'Thank-you text', value: texts.thanks, error: errors.thanks, rows: 4, hint: 'If empty: “Your response has been recorded. You can close this page.”' })}
<p class="actions"><button type="submit">Save</button></p>`,
  ),
)}
${buttonPanel(page, settings, sentButton)}
${endsPanel(page, ends, sentEnds)}
${rulesPart(path, rules)}
${formSection(
  'languages',
  'Languages',
  [
    html`Written in ${languageName(settings.language)}${
      Object.keys(settings.translations ?? {}).length > 0 &&
      html`, and translated into ${Object.keys(settings.translations ?? {})
        .map(languageName)
        .join(', ')}`
    }.`,
  ],
  html`${outdatedLanguages(settings).map(([language, texts]) => html`<p class="warning">${plural(texts, 'text')} changed since the translation into ${languageName(language)}.</p>`)}
<p class="actions"><a class="button quiet" href="${path}/languages">Change or translate</a></p>`,
)}
${formSection(
  'copy',
  'Duplicate',
  ['A draft with the same questions and settings; without tokens, invitations and responses.'],
  form(
    csrf,
    html`<input type="hidden" name="action" value="duplicate"><input type="hidden" name="copy" value="${copyId}">
${field({ name: 'copyTitle', label: 'Title of the copy', value: `Copy of ${settings.title}`.slice(0, 255), more: html` required maxlength="255" autocomplete="off"` })}
<button class="quiet" type="submit">Duplicate survey</button>`,
  ),
)}
${isAtLeast(survey.role, 'admin') && formSection('delete', 'Delete', ['Also deletes all invitations and responses.'], html`<p class="actions"><a class="button quiet danger" href="${path}/delete">Delete survey…</a></p>`)}`;
}

function linkNote({ state }: SurveyFrame, { publicUrl, openResponses }: SurveySettings): Html | string {
  if (publicUrl !== null) return 'Your own page. Recipients get it with invitation=… added.';
  if (!openResponses) return 'Works only with the part that each recipient gets by email.';
  return state === 'active'
    ? 'Anyone with this link can respond. Recipients of an email get a link of their own.'
    : 'Nobody can respond before the survey is active. Then anyone with this link can.';
}

export const deleteSurveyMain = (
  { csrf }: PageContext,
  { surveyId, title }: SurveyFrame,
  { responses }: SurveySettings,
  error?: string,
): Html =>
  confirmation(csrf, {
    title: `Delete “${title}”?`,
    content: html`<p><strong>All its responses (${countUpTo(responses)}), invitations and tokens are deleted for good.</strong> Unsent emails don't go out, and links in emails stop working.</p>
<p>To only stop it, <a href="/surveys/${surveyId}/invitations?confirm=closed">close it</a> instead.</p>`,
    inputs: field({ name: 'title', label: 'To confirm, enter its title', error, more: html` required autocomplete="off"` }),
    button: 'Delete survey for good',
    danger: true,
    keep: [`/surveys/${surveyId}/settings`, 'Keep it'],
  });
