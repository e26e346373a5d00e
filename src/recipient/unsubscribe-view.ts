// The unsubscribe page.
import type { UnsubscribePage } from '../database/store.ts';
import { type Html, html } from '../html/html.ts';
import { noticePage } from '../html/layout.ts';

/**
 * @param token The link's, for the forms' addresses.
 * @param resubscribed Just now.
 */
export function unsubscribePage(shown: UnsubscribePage, token: string, resubscribed = false): string {
  const { workspaceName, email, unsubscribed, canResubscribe } = shown;
  const notice = (...[name, title, content]: [...Parameters<typeof noticePage>]) =>
    noticePage(name, title, content, workspaceName);
  if (email === null) {
    const rest = `If ${workspaceName} emails you again, use the link in that email.`;
    return notice(
      'closed',
      'Nothing to unsubscribe',
      html`<p>The address this invitation was sent to has been erased. ${rest}</p>`,
    );
  }
  if (unsubscribed) {
    return notice(
      'done',
      'Unsubscribed',
      html`<p>${workspaceName} won't send any more survey emails to <b>${email}</b>.</p>
${
  canResubscribe
    ? html`<p class="apart">Was this a mistake?</p>${button(`/u/${token}/subscribe`, 'Resubscribe', 'quiet')}`
    : html`<p class="note">To receive them again, please ask ${workspaceName}.</p>`
}`,
    );
  }
  if (resubscribed) {
    return notice(
      'done',
      "You're subscribed again",
      html`<p>${workspaceName} can send survey emails to <b>${email}</b> again. Emails held back in the meantime won't be sent.</p>
${button(`/u/${token}`, 'Unsubscribe', 'quiet')}`,
    );
  }
  return notice(
    'mail',
    'Unsubscribe',
    html`<p>Stop survey emails from ${workspaceName} to <b>${email}</b>?</p>
${button(`/u/${token}`, 'Unsubscribe')}
<p class="note">Applies to all survey emails from ${workspaceName}, including reminders.</p>`,
  );
}

const button = (action: string, text: string, kind?: string): Html =>
  html`<form method="post" action="${action}"><button type="submit"${kind && html` class="${kind}"`}>${text}</button></form>`;
