// The unsubscribe page.
import type { UnsubscribePage } from '../database/store.ts';
import { type Html, html } from '../html/html.ts';
import type { Icon } from '../html/icons.ts';
import { noticePage } from '../html/layout.ts';
import { frameFor, voiceFor } from './words.ts';

/**
 * @param token The token of the link, for the addresses that the forms post to.
 * @param resubscribed Whether the recipient has just resubscribed.
 */
export function unsubscribePage(shown: UnsubscribePage, token: string, resubscribed = false): string {
  const { workspaceName, email, unsubscribed, canResubscribe } = shown;
  const voice = voiceFor(shown);
  const values = { workspace: workspaceName, email: html`<b${voice.direction === 'rtl' && html` dir="ltr"`}>${email}</b>` };
  const notice = (icon: Icon, name: 'erased' | 'unsubscribed' | 'resubscribed' | 'unsubscribe', content: Html) =>
    noticePage(icon, voice.say(`${name}Title`), content, frameFor(shown, voice));
  if (email === null) return notice('closed', 'erased', html`<p>${voice.put('erased', values)}</p>`);
  if (unsubscribed) {
    const resubscribing = canResubscribe
      ? html`<p class="apart">${voice.say('mistake')}</p>${button(`/u/${token}/subscribe`, voice.say('resubscribe'), 'quiet')}`
      : html`<p class="note">${voice.put('askWorkspace', values)}</p>`;
    return notice('done', 'unsubscribed', html`<p>${voice.put('unsubscribed', values)}</p>\n${resubscribing}`);
  }
  const unsubscribe = (kind?: string) => button(`/u/${token}`, voice.say('unsubscribe'), kind);
  if (resubscribed)
    return notice('done', 'resubscribed', html`<p>${voice.put('resubscribed', values)}</p>\n${unsubscribe('quiet')}`);
  const content = html`<p>${voice.put('unsubscribeQuestion', values)}</p>
${unsubscribe()}
<p class="note">${voice.put('unsubscribeScope', values)}</p>`;
  return notice('mail', 'unsubscribe', content);
}

const button = (action: string, text: string, kind?: string): Html =>
  html`<form method="post" action="${action}"><button type="submit"${kind && html` class="${kind}"`}>${text}</button></form>`;
