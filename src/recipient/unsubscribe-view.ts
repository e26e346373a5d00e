// The unsubscribe page: a GET shows it, its button unsubscribes, and another one takes that back. Of an erased invitation there is nobody
// to unsubscribe. Pure.
import type { UnsubscribePage } from '../database/store.ts';
import { type Html, html } from '../html/html.ts';
import { noticePage } from '../html/layout.ts';

/**
 * @param token The link's, for where the forms go.
 * @param subscribed Whether the recipient has just subscribed again.
 */
export function unsubscribePage(shown: UnsubscribePage, token: string, subscribed = false): string {
  const { workspaceName, email, unsubscribed, canResubscribe } = shown;
  const notice = (...[name, title, content]: [...Parameters<typeof noticePage>]) =>
    noticePage(name, title, content, workspaceName);
  if (email === null) {
    const rest = `If ${workspaceName} writes to you again, use the link in that mail.`;
    return notice(
      'closed',
      'Nothing to unsubscribe',
      html`<p>The address that this invitation was sent to has been erased. ${rest}</p>`,
    );
  }
  if (unsubscribed) {
    return notice(
      'done',
      'Unsubscribed',
      html`<p>${workspaceName} will send no more survey invitations to <b>${email}</b>.</p>
${
  canResubscribe
    ? html`<p class="apart">Was this a mistake?</p>${button(`/u/${token}/subscribe`, 'Subscribe again', 'quiet')}`
    : html`<p class="note">If you want to receive them again, please ask ${workspaceName}.</p>`
}`,
    );
  }
  if (subscribed) {
    return notice(
      'done',
      'Subscribed again',
      html`<p>${workspaceName} may send survey invitations to <b>${email}</b> again. What was held back meanwhile is not sent any more.</p>
${button(`/u/${token}`, 'Unsubscribe', 'quiet')}`,
    );
  }
  return notice(
    'mail',
    'Unsubscribe',
    html`<p>Stop survey invitations from ${workspaceName} to <b>${email}</b>?</p>
${button(`/u/${token}`, 'Unsubscribe')}
<p class="note">This holds for all surveys of ${workspaceName}, reminders included.</p>`,
  );
}

const button = (action: string, text: string, kind?: string): Html =>
  html`<form method="post" action="${action}"><button type="submit"${kind && html` class="${kind}"`}>${text}</button></form>`;
