// The unsubscribe page: a GET shows it, its button unsubscribes. Pure.
import type { UnsubscribePage } from '../functions.ts';
import { html } from './html.ts';
import { layout } from './layout.ts';

export function unsubscribePage({ workspaceName, email, unsubscribed }: UnsubscribePage): string {
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
