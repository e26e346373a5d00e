// The preview of an email, with warnings about its variables.

import { asset } from '../../html/assets.ts';
import { type Html, html } from '../../html/html.ts';
import { TEMPLATE_VARIABLES, unknownVariables } from '../../mail/template.ts';
import type { OutgoingMessage } from '../../relay/relay.ts';
import { nearest } from '../../text.ts';

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

/** How many unknown variables the warning lists. A text may have thousands. */
const NAMED = 3;
const SHOWN = 40;

function sentence(name: string): string {
  const near = nearest(name.trim(), TEMPLATE_VARIABLES);
  const shown = name.length > SHOWN ? `${name.slice(0, SHOWN)}…` : name;
  return `{{${shown}}} isn't a variable and is sent as it is.${near === undefined ? '' : ` Did you mean {{${near}}}?`}`;
}

/** This is a warning and not an error, because a text may contain braces on purpose. */
export function variableWarning(text: string): string | undefined {
  const unknown = unknownVariables(text);
  if (unknown.length === 0) return undefined;
  const unlisted = unknown.length - NAMED;
  return [...unknown.slice(0, NAMED).map(sentence), ...(unlisted > 0 ? [`And ${unlisted} more.`] : [])].join(' ');
}
