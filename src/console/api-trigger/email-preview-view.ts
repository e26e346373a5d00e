// A mail as it is sent, for a frame: its head, its HTML in a frame of its own, and its text. Pure.

import { html } from '../../html/html.ts';
import type { OutgoingMessage } from '../../relay/relay.ts';

const address = ({ name, email }: OutgoingMessage['from']): string => (name === '' ? email : `${name} <${email}>`);

/** @param warning What is worth a second look in its texts. */
export const mailPreviewPage = ({ from, to, subject, html: body, text }: OutgoingMessage, warning?: string): string =>
  html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Preview of the mail</title>
<link rel="stylesheet" href="/assets/style.css">
<link rel="stylesheet" href="/assets/email-preview.css">
</head>
<body class="mail">
<h1>${subject || '(no subject)'}</h1>
${warning !== undefined && html`<p class="warning">${warning}</p>`}
<dl><dt>From</dt><dd>${address(from)}</dd><dt>To</dt><dd>${address(to)}</dd></dl>
<fieldset><legend>Part</legend>
<label><input type="radio" name="part" value="html" checked> HTML</label>
<label><input type="radio" name="part" value="text"> Plain text</label></fieldset>
<iframe title="The mail as HTML" sandbox="" srcdoc="${body}"></iframe>
<pre tabindex="0">${text}</pre>
</body>
</html>
`.toString();
