// The HTML document of recipients' pages, and the content of notices and error pages. Pure.
import { type Html, html } from './html.ts';
import { type Icon, icon } from './icons.ts';
import { inlineStyles } from './inline-style.ts';
import { logoImage, type ShownLogo } from './logo.ts';

export type Layout = (title: string, main: Html) => string;

export interface PageFrame {
  /** The workspace's name, on pages for recipients. */
  readonly brand?: string;
  /** In its place at the top. */
  readonly logo?: ShownLogo | undefined;
  readonly language?: string;
  readonly direction?: 'ltr' | 'rtl';
  /** `#rrggbb`; null: the service's own color. */
  readonly accentColor?: string | null;
  /** Undefined: as the reader's system has it. */
  readonly scheme?: 'light' | 'dark' | undefined;
}

export function layout(
  title: string,
  main: Html,
  { brand, logo, language = 'en', direction = 'ltr', accentColor, scheme }: PageFrame = {},
): string {
  return html`<!DOCTYPE html>
<html lang="${language}" dir="${direction}"${scheme && html` data-scheme="${scheme}"`}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="color-scheme" content="light dark">
<title>${title}${brand !== undefined && ` · ${brand}`}</title>
${inlineStyles(accentColor)}</head>
<body>
<main>
${brand !== undefined && html`<p class="brand">${logo === undefined ? brand : logoImage(logo)}</p>`}
<div class="sheet">
${main}
</div>
</main>
</body>
</html>
`.toString();
}

export const noticePart = (name: Icon, title: string, content: Html): Html =>
  html`<div class="notice">${icon(name)}<h1>${title}</h1>${content}</div>`;

export const noticePage = (name: Icon, title: string, content: Html, frame?: PageFrame): string =>
  layout(title, noticePart(name, title, content), frame);

export interface ErrorWords {
  readonly title: string;
  readonly sentence: string;
  /** A line with the request's id. */
  readonly request: string;
}

/**
 * @param frame The layout of a plain page, or the console's.
 * @param link A link to a page that works.
 */
export const errorPage = (
  isPassing: boolean,
  { title, sentence, request }: ErrorWords,
  frame: Layout = layout,
  link?: Html,
): string =>
  frame(
    title,
    noticePart(
      isPassing ? 'wait' : 'broken',
      title,
      html`
<p>${sentence}</p>
<p class="note">${request}</p>
${link}`,
    ),
  );
