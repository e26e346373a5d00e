// The document of pages without a sign-in, notices, and error pages. Pure.
import { asset } from './assets.ts';
import { type Html, html } from './html.ts';
import { type Icon, icon } from './icons.ts';

export type Layout = (title: string, main: Html) => string;

/** @param brand The workspace's name, on pages for recipients. */
export function layout(title: string, main: Html, brand?: string): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="color-scheme" content="light dark">
<title>${title}${brand !== undefined && ` · ${brand}`}</title>
<link rel="stylesheet" href="${asset('style.css')}">
<link rel="stylesheet" href="${asset('questions.css')}">
<link rel="stylesheet" href="${asset('recipient.css')}">
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

export const noticePage = (name: Icon, title: string, content: Html, brand?: string): string =>
  layout(title, html`<div class="notice">${icon(name)}<h1>${title}</h1>${content}</div>`, brand);

/**
 * @param reason Why a request isn't allowed; other errors show only their status.
 * @param frame The plain page, or the console's.
 */
export function errorPage(status: number, requestId: string, reason: string, frame: Layout = layout): string {
  const [title, sentence] =
    status === 404
      ? ['Page not found', 'Check the address. If you followed a link in an email, part of it may be missing.']
      : status === 403
        ? ['Not allowed', reason]
        : status === 429
          ? ['Too many attempts', 'Wait a minute and try again.']
          : status === 503
            ? ['Temporarily unavailable', 'Please try again in a few minutes.']
            : status >= 500
              ? ['Something went wrong', 'This is a problem on our side. Please try again later.']
              : ["That didn't work", "We couldn't read the request. Please go back and try again."];
  return frame(
    title,
    html`<div class="notice">${icon(status === 503 || status === 429 ? 'wait' : 'broken')}<h1>${title}</h1>
<p>${sentence}</p>
<p class="note">Request ${requestId}</p>
${frame !== layout && html`<p><a class="button quiet" href="/">Go to your surveys</a></p>`}</div>`,
  );
}
