// The frame of every page, and the pages that say only one thing. Pure.
import { type Html, html } from './html.ts';

export function layout(title: string, main: Html): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
<link rel="stylesheet" href="/assets/style.css">
</head>
<body>
<main>
${main}
</main>
</body>
</html>
`.toString();
}

/** A page with a heading and a sentence. */
export const messagePage = (title: string, sentence: string): string => layout(title, html`<h1>${title}</h1><p>${sentence}</p>`);

export function errorPage(status: number, requestId: string): string {
  const [title, sentence] =
    status === 404
      ? ['Page not found', 'There is nothing at this address. If you followed a link from a mail, it may have been cut off.']
      : status === 503
        ? ['Not available at present', 'Please try again in a few minutes.']
        : status >= 500
          ? ['Something went wrong', 'The fault is on our side. Please try again later.']
          : ['This did not work', 'The request could not be read. Please go back and try again.'];
  return layout(title, html`<h1>${title}</h1><p>${sentence}</p><p class="note">Request ${requestId}</p>`);
}
