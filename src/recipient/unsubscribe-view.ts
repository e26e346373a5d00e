// The unsubscribe page.
import type { RecipientChoice, UnsubscribePage } from '../database/store.ts';
import { type Html, html } from '../html/html.ts';
import type { Icon } from '../html/icons.ts';
import { noticePage } from '../html/layout.ts';
import type { Speech, Voice } from '../languages/languages.ts';
import { frameFor, inLanguage, voiceFor } from './words.ts';

/** With how its workspace speaks. Undefined: without words of its own. */
export type ShownUnsubscribe = UnsubscribePage & { readonly speech?: Speech };

/**
 * @param token The token of the link, for the addresses that the forms post to.
 * @param done What the recipient has just done: resubscribed, or made or taken back a choice.
 */
export function unsubscribePage(shown: ShownUnsubscribe, token: string, done?: 'subscribed' | 'saved'): string {
  const { workspaceName, email, unsubscribed, canResubscribe, title, titleLanguage } = shown;
  const voice = voiceFor(shown);
  const values = {
    workspace: workspaceName,
    email: html`<b class="address"${voice.direction === 'rtl' && html` dir="ltr"`}>${email}</b>`,
    title: inLanguage({ text: title, language: titleLanguage }, voice),
  };
  const notice = (icon: Icon, name: 'erased' | 'unsubscribed' | 'resubscribed' | 'saved' | 'unsubscribe', content: Html) =>
    noticePage(icon, voice.say(`${name}Title`), content, frameFor(shown, voice));
  if (email === null) return notice('closed', 'erased', html`<p>${voice.put('erased', values)}</p>`);
  if (unsubscribed) {
    const resubscribing = canResubscribe
      ? html`<p class="apart">${voice.say('mistake')}</p>${button(`/u/${token}/subscribe`, voice.say('resubscribe'), 'quiet')}`
      : html`<p class="note">${voice.put('askWorkspace', values)}</p>`;
    return notice('done', 'unsubscribed', html`<p>${voice.put('unsubscribed', values)}</p>\n${resubscribing}`);
  }
  const unsubscribe = (kind?: string) => button(`/u/${token}`, voice.say('unsubscribe'), kind);
  const choices = choicesOf(shown, token, voice, values);
  if (done === 'saved')
    return notice(
      'done',
      'saved',
      html`${choices}\n<p class="apart">${voice.put('unsubscribeQuestion', values)}</p>\n${unsubscribe('quiet')}`,
    );
  if (done === 'subscribed')
    return notice('done', 'resubscribed', html`<p>${voice.put('resubscribed', values)}</p>\n${unsubscribe('quiet')}\n${choices}`);
  const content = html`<p>${voice.put('unsubscribeQuestion', values)}</p>
${unsubscribe()}
<p class="note">${voice.put('unsubscribeScope', values)}</p>
${choices}`;
  return notice('mail', 'unsubscribe', content);
}

/** What is chosen instead of unsubscribing, with a button that takes it back; then a button for each of the others. */
function choicesOf({ choices }: UnsubscribePage, token: string, voice: Voice, values: Record<string, Html | string>): Html {
  const address = (verb: 'choose' | 'take-back', choice: RecipientChoice) => `/u/${token}/${verb}/${choice.replaceAll('_', '-')}`;
  const [chosen, others] = [
    OFFERS.filter(([choice]) => choices.includes(choice)),
    OFFERS.filter(([choice]) => !choices.includes(choice)),
  ];
  return html`${chosen.map(
    ([choice, , text, undo]) => html`<p class="apart">${voice.put(text, values)}</p>
${button(address('take-back', choice), voice.say(undo), 'quiet')}\n`,
  )}${others.length > 0 && html`<p class="apart">${voice.say('fewer')}</p>\n`}${others.map(
    ([choice, offer]) => html`${button(address('choose', choice), voice.say(offer), 'quiet')}\n`,
  )}${!choices.includes('not_this_survey') && html`<p class="note">${voice.put('thisSurvey', values)}</p>`}`;
}

/** The words of each choice: on its button, once it is chosen, and on the button that takes it back. */
const OFFERS = [
  ['once_a_month', 'onceAMonth', 'onceAMonthChosen', 'noLimit'],
  ['not_this_survey', 'notThisSurvey', 'notThisSurveyChosen', 'thisSurveyAgain'],
] as const satisfies (readonly [RecipientChoice, ...unknown[]])[];

const button = (action: string, text: string, kind?: string): Html =>
  html`<form method="post" action="${action}"><button type="submit"${kind && html` class="${kind}"`}>${text}</button></form>`;
