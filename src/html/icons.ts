// Icons of notices. They are decoration: the text next to an icon says the same. Pure.
import { type Html, html } from './html.ts';

const PATHS = {
  done: html`<path d="m7.5 12.5 3 3 6-7"/>`,
  wait: html`<path d="M12 7v5l3.5 2"/>`,
  closed: html`<path d="M8 12h8"/>`,
  broken: html`<path d="m9 9 6 6m0-6-6 6"/>`,
  mail: html`<path d="M6.5 8.5h11v7.5h-11zl5.5 4.25 5.5-4.25"/>`,
} as const;

export type Icon = keyof typeof PATHS;

export const icon = (name: Icon): Html =>
  html`<svg class="icon ${name}" viewBox="0 0 24 24" width="56" height="56" aria-hidden="true" focusable="false"><circle cx="12" cy="12" r="11"/>${PATHS[name]}</svg>`;
