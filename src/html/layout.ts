// The document of the pages that need no sign-in, recipients' above all, and the pages that say only one thing. Pure.
import { type Html, html } from './html.ts';
import { type Icon, icon } from './icons.ts';

/** Makes a page of a title and its content. */
export type Layout = (title: string, main: Html) => string;

/** @param brand The workspace's name, on the pages that its recipients see. */
export function layout(title: string, main: Html, brand?: string): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="color-scheme" content="light dark">
<title>${title}${brand !== undefined && ` · ${brand}`}</title>
<link rel="stylesheet" href="/assets/style.css">
<link rel="stylesheet" href="/assets/questions.css">
<link rel="stylesheet" href="/assets/recipient.css">
</head>
<body>
<main>
${brand !== undefined && html`<p class="brand">${brand}</p>`}
<div class="sheet">
${main}
</div>
</main>
</body>
</html>
`.toString();
}

/** A page with a picture, a heading, and what there is to say. */
export const noticePage = (name: Icon, title: string, content: Html, brand?: string): string =>
  layout(title, html`<div class="notice">${icon(name)}<h1>${title}</h1>${content}</div>`, brand);

/**
 * @param reason Why a request is not allowed, in our own words; no other error says more than its status.
 * @param frame What the message is shown in: the plain page, or a member's.
 */
export function errorPage(status: number, requestId: string, reason: string, frame: Layout = layout): string {
  const [title, sentence] =
    status === 404
      ? ['Page not found', 'There is nothing at this address. If you followed a link from a mail, it may have been cut off.']
      : status === 403
        ? ['Not allowed', reason]
        : status === 429
          ? ['Too many attempts', 'Please wait a minute and try again.']
          : status === 503
            ? ['Not available at present', 'Please try again in a few minutes.']
            : status >= 500
              ? ['Something went wrong', 'The fault is on our side. Please try again later.']
              : ['This did not work', 'The request could not be read. Please go back and try again.'];
  return frame(
    title,
    html`<div class="notice">${icon(status === 503 || status === 429 ? 'wait' : 'broken')}<h1>${title}</h1>
<p>${sentence}</p>
<p class="note">Request ${requestId}</p>
${frame !== layout && html`<p><a class="button quiet" href="/">To your surveys</a></p>`}</div>`,
  );
}
