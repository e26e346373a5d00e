// The frame in which members see the survey page, and how it is shown there: beside the editor, and where the links of a test email lead.
import type { SurveyFrame, SurveySettings } from '../../database/store.ts';
import { type Html, html } from '../../html/html.ts';
import { GROUP_NAMES } from '../../score-groups.ts';
import { field } from '../components.ts';
import { languageName } from '../words.ts';

/**
 * The choices work without scripts, too: the width is a matter of style sheets alone, and the others are sent to the frame by a button. It is in a
 * frame, and not a part of this page, so that it is exactly what recipients get.
 *
 * @param hasScore Whether it asks for a score, after which another thank-you text may be shown.
 * @param first How it is shown first. fixed: parameters of each address in the frame.
 */
export function previewPart(
  { surveyId }: SurveyFrame,
  { language, translations }: SurveySettings,
  hasScore: boolean,
  first: { readonly language?: string | undefined; readonly fixed?: Readonly<Record<string, string>> } = {},
): Html {
  const path = `/surveys/${surveyId}/page`;
  const shown = first.language ?? language;
  const languages = [...new Set([language, ...Object.keys(translations ?? {}), shown])];
  const query = new URLSearchParams({ ...first.fixed, ...(first.language !== undefined && { language: shown }) }).toString();
  const choice = (name: string, value: string, label: string, checked: boolean) =>
    html`<label><input type="radio" name="${name}" value="${value}"${checked && html` checked`}> ${label}</label>`;
  return html`<section class="card panel beside device" aria-labelledby="preview"><h2 id="preview">Preview</h2>
<form class="look" method="get" action="${path}" target="survey-page">
${Object.entries(first.fixed ?? {}).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
<fieldset><legend class="hidden">Width</legend>${choice('width', 'phone', 'Phone', true)}${choice('width', 'desktop', 'Desktop', false)}</fieldset>
<fieldset><legend class="hidden">Colors</legend>${choice('scheme', 'light', 'Light', true)}${choice('scheme', 'dark', 'Dark', false)}</fieldset>
<fieldset><legend class="hidden">Page</legend>${choice('view', 'questions', 'Questions', true)}${choice('view', 'answered', 'Thank-you page', false)}</fieldset>
${hasScore && html`<div class="score-shown">${field({ name: 'score', label: 'After', value: '', options: [['', 'no score'], ...GROUP_NAMES.map((group) => [group, `a ${group} score`] as const)] })}</div>`}
${languages.length > 1 && field({ name: 'language', label: 'Language', value: shown, options: languages.map((tag) => [tag, languageName(tag)]) })}
<button class="quiet" type="submit">Show</button></form>
<div class="screen"><iframe name="survey-page" title="Survey page" src="${path}${query && `?${query}`}"></iframe></div></section>`;
}
