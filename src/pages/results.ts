// The tab Results of a survey. Pure.
import { type Html, html } from './html.ts';

export const resultsMain = (): Html => html`<h2>Results</h2>`;
