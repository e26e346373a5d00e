// The switch of languages on a survey's page. Pure. The links work without scripts; the browser keeps answers that were entered.
import { type Html, html } from '../html/html.ts';
import { directionOf, ownName, type Voice } from '../languages/languages.ts';

/**
 * Nothing unless there are two languages or more. Each calls itself by its own name.
 * @param languages That the page can be shown in.
 * @param shown The one that it is shown in.
 * @param kept Parameters of the page's address that the links keep: the invitation's token, and an answer that was clicked in an email.
 */
export function languageSwitch(
  { languages, surveyId }: { readonly languages: readonly string[]; readonly surveyId: string },
  shown: string,
  voice: Voice,
  kept: Readonly<Record<string, string>>,
): Html | false {
  if (languages.length < 2) return false;
  const address = (tag: string) => `/s/${encodeURIComponent(surveyId)}?${new URLSearchParams({ ...kept, language: tag })}`;
  const entry = (tag: string) =>
    html`<li><a href="${address(tag)}" lang="${tag}" dir="${directionOf(tag)}" hreflang="${tag}"${tag === shown && html` aria-current="true"`}>${ownName(tag)}</a></li>`;
  return html`<nav class="languages" aria-label="${voice.say('language')}"><ul>
${languages.toSorted((a, b) => ownName(a).localeCompare(ownName(b), 'en')).map(entry)}
</ul></nav>
`;
}
