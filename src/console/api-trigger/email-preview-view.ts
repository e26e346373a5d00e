// A mail as it is sent, for a frame: its head, its HTML in a frame of its own, and its text. Pure.

import { html } from '../../html/html.ts';
import { TEMPLATE_VARIABLES, unknownVariables } from '../../mail/template.ts';
import type { OutgoingMessage } from '../../relay/relay.ts';
import { nearest } from '../../text.ts';

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

/** Unknown variables that are named; a text may have thousands. */
const NAMED = 3;
/** Characters of one that are repeated. */
const SHOWN = 40;

function sentence(name: string): string {
  const near = nearest(name.trim(), TEMPLATE_VARIABLES);
  const shown = name.length > SHOWN ? `${name.slice(0, SHOWN)}…` : name;
  return `{{${shown}}} is not a variable and is mailed as it stands${near === undefined ? '.' : `; did you mean {{${near}}}?`}`;
}

/** @returns Sentences about what a text has in double braces; undefined if there is nothing to say. */
export function variableWarning(text: string): string | undefined {
  const unknown = unknownVariables(text);
  if (unknown.length === 0) return undefined;
  const more = unknown.length - NAMED;
  return [...unknown.slice(0, NAMED).map(sentence), ...(more > 0 ? [`And ${more} more.`] : [])].join(' ');
}
