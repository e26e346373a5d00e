// The preview of an email, with warnings about it.

import { asset } from '../../html/assets.ts';
import { type Html, html } from '../../html/html.ts';
import type { OutgoingMessage } from '../../relay/relay.ts';

const address = ({ name, email }: OutgoingMessage['from']): string => (name === '' ? email : `${name} <${email}>`);

const frame = (content: Html): string =>
  html`<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Email preview</title>
<link rel="stylesheet" href="${asset('style.css')}">
<link rel="stylesheet" href="${asset('email-preview.css')}">
</head>
<body class="email">
${content}
</body>
</html>
`.toString();

type Shown = Pick<OutgoingMessage, 'from' | 'to' | 'subject' | 'html' | 'text'>;

export const emailPreviewPage = ({ from, to, subject, html: body, text }: Shown, warning?: string): string =>
  frame(html`<h1>${subject || '(no subject)'}</h1>
${warning !== undefined && html`<p class="warning">${warning}</p>`}
<dl><dt>From</dt><dd>${address(from)}</dd><dt>To</dt><dd>${address(to)}</dd></dl>
<fieldset><legend>Part</legend>
<label><input type="radio" name="part" value="html" checked> HTML</label>
<label><input type="radio" name="part" value="text"> Plain text</label></fieldset>
<iframe title="Email as HTML" sandbox="" srcdoc="${body}"></iframe>
<pre tabindex="0">${text}</pre>`);

/** @param reason Says what is too large: a sentence without its period. */
export const tooLargePage = (reason: string): string =>
  frame(
    html`<h1>This email can't be sent</h1>\n<p class="warning">${reason.charAt(0).toUpperCase()}${reason.slice(1)}. Use fewer variables, or a shorter text.</p>`,
  );
