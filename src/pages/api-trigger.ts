// The tab API trigger of a survey. Pure.
import { type Html, html } from './html.ts';

export const apiTriggerMain = (): Html => html`<h2>API trigger</h2>`;
