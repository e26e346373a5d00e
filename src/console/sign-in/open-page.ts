// The document of the console's pages for people who aren't signed in: one card below the product's mark. Pure.
import { asset } from '../../html/assets.ts';
import { type Html, html } from '../../html/html.ts';
import type { Icon } from '../../html/icons.ts';
import { noticePart } from '../../html/layout.ts';
import { type Answer, page } from '../../http/answer.ts';
import { CONSOLE_HEADERS } from '../../http/headers.ts';
import { documentHead } from '../frame.ts';

export const openPage = (title: string, main: Html): string =>
  html`<!DOCTYPE html>
<html lang="en" dir="ltr">
${documentHead(title)}
<body class="open">
<main>
<p class="product"><img src="${asset('favicon.svg')}" alt="" width="40" height="40">Invitation Trigger Service</p>
<div class="card panel">
${main}
</div>
</main>
</body>
</html>
`.toString();

/** Allows what the console's pages load. */
export const openAnswer = (status: number, body: string, headers: Record<string, string> = {}): Answer =>
  page(status, body, { ...CONSOLE_HEADERS, ...headers });

export const openNotice = (name: Icon, title: string, content: Html): string => openPage(title, noticePart(name, title, content));
