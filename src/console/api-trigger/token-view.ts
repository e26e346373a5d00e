// The pages of one trigger token: create, the secret, change with a preview of the mail, delete. Pure.
import type { RefusalCard, SurveyFrame, TokenCard, TokenFields } from '../../database/store.ts';
import { type Html, html } from '../../html/html.ts';
import { type Field, field, form, moment, warningOf } from '../components.ts';
import type { PageContext } from '../frame.ts';
import { copyable, examplesPart, PLACEHOLDER } from './examples-view.ts';
import { refusalsPart, seconds, secretHint, tokenPath } from './tokens-view.ts';

/** What a field is refused for. */
export interface TokenError {
  readonly field: keyof TokenFields;
  readonly text: string;
}

/** What is worth a second look in a text that is stored all the same, by field. */
export type TokenWarnings = { readonly [F in keyof TokenFields]?: string | undefined };

/** A form as it was sent, and what is wrong with it. */
export interface SentToken {
  readonly texts: { readonly [F in keyof TokenFields]: string };
  readonly error: TokenError;
}

/** The table's: a test compares them. */
export const DEFAULT_COOLDOWN = '60';

const NUMBER = html` required inputmode="numeric"`;

const nameField = (value: string, error?: string) =>
  field({
    name: 'name',
    label: 'Name',
    value,
    error,
    hint: 'What calls with it, such as “Order system”.',
    more: html` required maxlength="255" autocomplete="off"`,
  });

const cooldownField = (value: string, error?: string) =>
  field({
    name: 'cooldownSeconds',
    label: 'Cooldown in seconds',
    value,
    error,
    hint: 'Least time between two accepted requests, 0 to 86,400.',
    more: NUMBER,
  });

/** @param id The token that this form is to create. */
export function newTokenMain({ csrf }: PageContext, { surveyId }: SurveyFrame, id: string, sent?: SentToken): Html {
  const error = (name: keyof TokenFields) => (sent?.error.field === name ? sent.error.text : undefined);
  return html`<section class="panel" aria-labelledby="new"><h2 id="new">Create a token</h2>
<p class="note">Its secret is shown once, on the next page. The mail's texts can be changed afterwards.</p>
${form(
  csrf,
  html`<input type="hidden" name="token" value="${id}">
${nameField(sent?.texts.name ?? '', error('name'))}
${cooldownField(sent?.texts.cooldownSeconds ?? DEFAULT_COOLDOWN, error('cooldownSeconds'))}
<p class="actions"><button type="submit">Create</button> <a class="button quiet" href="/surveys/${surveyId}/api-trigger">Cancel</a></p>`,
)}
</section>`;
}

interface Created {
  readonly survey: SurveyFrame;
  readonly id: string;
  readonly name: string;
  readonly secret: string;
  readonly endpoint: string;
}

export const secretMain = ({
  survey,
  id,
  name,
  secret,
  endpoint,
}: Created): Html => html`<section class="panel secret" aria-labelledby="created"><h2 id="created">The secret of “${name}”</h2>
<p>Copy it now, and keep it on a server: <strong>it is shown this once</strong>. Only its SHA-256 is stored. If it is lost, delete the token and create another.</p>
${copyable('the secret', secret)}
<p class="actions"><a class="button" href="${tokenPath(survey.surveyId, id)}">Set the mail's texts</a> <a class="button quiet" href="/surveys/${survey.surveyId}/api-trigger">All tokens</a></p>
</section>
<h2>Try it</h2>
<p class="note">With the secret, ready to paste. It invites <code>ada@example.com</code>: put in an address of your own.</p>
${examplesPart(endpoint, secret)}`;

interface Shown {
  readonly survey: SurveyFrame;
  readonly token: TokenCard;
  readonly refusals: readonly RefusalCard[];
  readonly endpoint: string;
  /** Of the texts that the form has. */
  readonly warnings: TokenWarnings;
}

export function tokenMain(page: PageContext, { survey, token, refusals, endpoint, warnings }: Shown, sent?: SentToken): Html {
  const path = tokenPath(survey.surveyId, token.id);
  return html`<div class="split"><h2>${token.name}</h2><p class="actions"><a class="button quiet" href="/surveys/${survey.surveyId}/test-invitation">Send a test</a><a class="button quiet danger" href="${path}/delete">Delete…</a></p></div>
<dl class="facts panel">
<div><dt>Secret</dt><dd>${secretHint(token.secretHint)}</dd></div>
<div><dt>Last accepted</dt><dd>${moment(token.lastAcceptedAt, page.now)}</dd></div>
<div><dt>Created</dt><dd>${moment(token.createdAt, page.now)} ${token.createdBy && html`<span class="sub">by ${token.createdBy}</span>`}</dd></div>
</dl>
${form(page.csrf, html`${settingsPart(token, warnings, sent)}${previewPart(path)}`, { class: 'composer' })}
<script src="/assets/api-trigger.js" defer></script>
<h2>Call it</h2>
<p class="note">Put the secret for <code>${PLACEHOLDER}</code>; it ends in ${secretHint(token.secretHint)}. Call it from servers only.</p>
${examplesPart(endpoint)}
<h2>Refused requests</h2>
${refusalsPart(page, survey.surveyId, refusals, false)}`;
}

function settingsPart(token: TokenCard, warnings: TokenWarnings, sent?: SentToken): Html {
  const value = (name: keyof TokenFields) => sent?.texts[name] ?? String(token[name] ?? '');
  const error = (name: keyof TokenFields) => (sent?.error.field === name ? sent.error.text : undefined);
  const subject = (name: keyof TokenFields, label: string, more: Partial<Field>) =>
    field({ name, label, value: value(name), error: error(name), warning: warnings[name], ...more });
  return html`<section class="panel" aria-labelledby="settings"><h3 id="settings">Settings and texts</h3>
<p class="note">The texts are what a request gets that brings none. What was accepted earlier keeps the texts it had.</p>
${nameField(value('name'), error('name'))}
${cooldownField(value('cooldownSeconds'), error('cooldownSeconds'))}
${subject('defaultSubject', 'Subject', { more: html` required maxlength="255"` })}
${textArea('defaultMessage', 'Message', value('defaultMessage'), { error: error('defaultMessage'), warning: warnings.defaultMessage, rows: 9, hint: html`Plain text. <code>{{recipient_name}}</code>, <code>{{workspace_name}}</code>, <code>{{survey_title}}</code> and <code>{{survey_link}}</code> are replaced; without the last, the link comes at the end.` })}
${field({ name: 'defaultReminderDays', label: 'Days until the reminder', value: value('defaultReminderDays'), error: error('defaultReminderDays'), hint: '0 to 365; 0: no reminder. Who has answered gets none.', more: NUMBER })}
${subject('defaultReminderSubject', 'Subject of the reminder', { hint: 'Empty: the subject after “Reminder: ”.', more: html` maxlength="255"` })}
${textArea('defaultReminderMessage', 'Message of the reminder', value('defaultReminderMessage'), { error: error('defaultReminderMessage'), warning: warnings.defaultReminderMessage, rows: 4, hint: html`Empty: the message.` })}
<p class="actions"><button type="submit">Save</button></p>
</section>`;
}

function textArea(
  name: string,
  label: string,
  value: string,
  more: { error: string | undefined; warning: string | undefined; rows: number; hint: Html },
): Html {
  const { error, warning, rows, hint } = more;
  // A line break after the tag is HTML's, not the text's.
  return html`<div class="field">
<label for="${name}">${label}</label>
<p class="hint" id="${name}-hint">${hint}</p>
<textarea id="${name}" name="${name}" rows="${rows}" aria-describedby="${[`${name}-hint`, error && `${name}-error`, warning && `${name}-warning`].filter(Boolean).join(' ')}"${error && html` aria-invalid="true"`}>
${value}</textarea>
${error && html`<p class="error" id="${name}-error" role="alert">${error}</p>`}
${warningOf(name, warning)}
</div>`;
}

/** The form's second column: its button shows the mail in the frame, with what the fields have, saved or not. */
const previewPart = (
  path: string,
): Html => html`<section class="panel preview" aria-labelledby="preview"><h3 id="preview">Preview</h3>
<fieldset><legend class="hidden">Which mail</legend>
<label><input type="radio" name="mail" value="invitation" checked> Invitation</label>
<label><input type="radio" name="mail" value="reminder"> Reminder</label>
<button class="quiet" type="submit" formaction="${path}/preview" formtarget="mail-preview" formnovalidate>Show</button></fieldset>
<div class="stage"><iframe name="mail-preview" title="Preview of the mail" sandbox="" src="${path}/preview"></iframe></div>
<p class="note">Exactly as it is sent, to somebody who does not exist. What is shown may not be saved yet.</p>
</section>`;

export const deleteTokenMain = (
  { csrf, now }: PageContext,
  { surveyId }: SurveyFrame,
  token: TokenCard,
): Html => html`<section class="panel ask" aria-labelledby="delete"><h2 id="delete">Delete “${token.name}”?</h2>
<dl class="facts">
<div><dt>Last accepted</dt><dd>${moment(token.lastAcceptedAt, now)}</dd></div>
<div><dt>Secret</dt><dd>${secretHint(token.secretHint)}</dd></div>
<div><dt>Cooldown</dt><dd>${seconds(token.cooldownSeconds)}</dd></div>
</dl>
<ul>
<li><strong>Callers that use its secret get HTTP 400</strong> with the code <code>unknown_token</code>, from the next request on. Give them another token's secret first.</li>
<li>What it has queued is still sent, scheduled mails and reminders too. To take that back, cancel it under <a href="/surveys/${surveyId}/invitations">Invitations</a>.</li>
<li>Answers, links and Results stay as they are.</li>
<li>A repeated request is not recognized any more, even with its <code>Idempotency-Key</code>.</li>
<li>It cannot be undone. Who still calls with it is shown among the refused requests for seven days.</li>
</ul>
${form(csrf, html`<p class="actions"><button class="danger" type="submit">Delete the token</button> <a class="button quiet" href="${tokenPath(surveyId, token.id)}">Keep as it is</a></p>`)}
</section>`;
