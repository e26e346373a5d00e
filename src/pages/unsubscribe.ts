// The unsubscribe page: a GET shows it, its button unsubscribes. Of an erased invitation there is nobody to unsubscribe. Pure.
import type { UnsubscribePage } from '../functions.ts';
import { html } from './html.ts';
import { layout } from './layout.ts';

export function unsubscribePage({ workspaceName, email, unsubscribed }: UnsubscribePage): string {
  if (email === null) {
    return layout(
      'Nothing to unsubscribe',
      html`<h1>Nothing to unsubscribe</h1>
<p>The address that this invitation was sent to has been erased. If ${workspaceName} writes to you again, use the link in that mail.</p>`,
    );
  }
  if (unsubscribed) {
    return layout(
      'Unsubscribed',
      html`<h1>Unsubscribed</h1><p>${workspaceName} will send no more survey invitations to <b>${email}</b>.</p>`,
    );
  }
  return layout(
    'Unsubscribe',
    html`<h1>Unsubscribe</h1>
<p>Stop survey invitations from ${workspaceName} to <b>${email}</b>?</p>
<form method="post"><button type="submit">Unsubscribe</button></form>`,
  );
}
