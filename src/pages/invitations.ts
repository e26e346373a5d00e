// The tab Invitations of a survey. Pure.
import { type Html, html } from './html.ts';

export const invitationsMain = (): Html => html`<h2>Invitations</h2>`;
