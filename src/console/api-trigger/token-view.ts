// The pages of a trigger token.
import type { Rejection, SurveyFrame, TokenCard, TokenFields } from '../../database/store.ts';
import { asset } from '../../html/assets.ts';
import { type Html, html } from '../../html/html.ts';
import { type Field, field, form, moment, warningOf } from '../components.ts';
import type { PageContext } from '../frame.ts';
import { copyable, examplesPart, PLACEHOLDER } from './examples-view.ts';
import { rejectionsPart, seconds, secretHint, tokenPath } from './tokens-view.ts';

export interface TokenError {
  readonly field: keyof TokenFields;
  readonly text: string;
}

/** About texts that are stored anyway. */
export type TokenWarnings = { readonly [F in keyof TokenFields]?: string | undefined };

export interface SentToken {
  readonly texts: { readonly [F in keyof TokenFields]: string };
  readonly error: TokenError;
}

/** The table's default; a test compares them. */
export const DEFAULT_COOLDOWN = '60';

const NUMBER = html` required inputmode="numeric"`;

const nameField = (value: string, error?: string) =>
  field({
    name: 'name',
    label: 'Name',
    value,
    error,
    hint: 'The system that will use it, e.g. Order system',
    more: html` required maxlength="255" autocomplete="off"`,
  });

const cooldownField = (value: string, error?: string) =>
  field({
    name: 'cooldownSeconds',
    label: 'Cooldown',
    value,
    error,
    hint: 'Minimum wait between requests, in seconds (0–86,400)',
    more: NUMBER,
  });

/** @param id Of the token to be created: submitted twice, the form creates one. */
export function newTokenMain({ csrf }: PageContext, { surveyId }: SurveyFrame, id: string, sent?: SentToken): Html {
  const error = (name: keyof TokenFields) => (sent?.error.field === name ? sent.error.text : undefined);
  return html`<section class="panel" aria-labelledby="new"><h2 id="new">Create a token</h2>
<p class="note">The next page shows its secret, once. You can edit the email after that.</p>
${form(
  csrf,
  html`<input type="hidden" name="token" value="${id}">
${nameField(sent?.texts.name ?? '', error('name'))}
${cooldownField(sent?.texts.cooldownSeconds ?? DEFAULT_COOLDOWN, error('cooldownSeconds'))}
<p class="actions"><button type="submit">Create token</button> <a class="button quiet" href="/surveys/${surveyId}/api-trigger">Cancel</a></p>`,
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
}: Created): Html => html`<section class="panel secret" aria-labelledby="created"><h2 id="created">Secret of “${name}”</h2>
<p>Copy it now and keep it on a server: <strong>you won't see it again</strong>. We store only its SHA-256. If you lose it, delete the token and create a new one.</p>
${copyable('the secret', secret)}
<p class="actions"><a class="button" href="${tokenPath(survey.surveyId, id)}">Edit the email</a> <a class="button quiet" href="/surveys/${survey.surveyId}/api-trigger">All tokens</a></p>
</section>
<h2>Try it</h2>
<p class="note">These calls contain the secret. They invite <code>ada@example.com</code>: use your own address.</p>
${examplesPart(endpoint, secret)}`;

interface Shown {
  readonly survey: SurveyFrame;
  readonly token: TokenCard;
  readonly rejections: readonly Rejection[];
  readonly endpoint: string;
  readonly warnings: TokenWarnings;
}

export function tokenMain(page: PageContext, { survey, token, rejections, endpoint, warnings }: Shown, sent?: SentToken): Html {
  const path = tokenPath(survey.surveyId, token.id);
  return html`<div class="split"><h2>${token.name}</h2><p class="actions"><a class="button quiet" href="/surveys/${survey.surveyId}/test-invitation">Send a test</a><a class="button quiet danger" href="${path}/delete">Delete…</a></p></div>
<dl class="facts panel">
<div><dt>Secret</dt><dd>${secretHint(token.secretHint)}</dd></div>
<div><dt>Last accepted</dt><dd>${moment(token.lastAcceptedAt, page.now)}</dd></div>
<div><dt>Created</dt><dd>${moment(token.createdAt, page.now)} ${token.createdBy && html`<span class="sub">by ${token.createdBy}</span>`}</dd></div>
</dl>
${form(page.csrf, html`${settingsPart(token, warnings, sent)}${previewPart(path)}`, { class: 'composer' })}
<script src="${asset('api-trigger.js')}" defer></script>
<h2>Call it</h2>
<p class="note">Replace <code>${PLACEHOLDER}</code> with the secret ending in <code class="secret-hint">${token.secretHint}</code>. Call it only from a server.</p>
${examplesPart(endpoint)}
<h2>Rejected requests</h2>
${rejectionsPart(page, survey.surveyId, rejections, false)}`;
}

function settingsPart(token: TokenCard, warnings: TokenWarnings, sent?: SentToken): Html {
  const value = (name: keyof TokenFields) => sent?.texts[name] ?? String(token[name] ?? '');
  const error = (name: keyof TokenFields) => (sent?.error.field === name ? sent.error.text : undefined);
  const subject = (name: keyof TokenFields, label: string, more: Partial<Field>) =>
    field({ name, label, value: value(name), error: error(name), warning: warnings[name], ...more });
  return html`<section class="panel" aria-labelledby="settings"><h3 id="settings">Settings and email</h3>
${nameField(value('name'), error('name'))}
${cooldownField(value('cooldownSeconds'), error('cooldownSeconds'))}
<p class="note">Used when a request has no subject or message of its own. Accepted batches keep their text.</p>
${subject('defaultSubject', 'Subject', { more: html` required maxlength="255"` })}
${textArea('defaultMessage', 'Message', value('defaultMessage'), { error: error('defaultMessage'), warning: warnings.defaultMessage, rows: 9, hint: html`Plain text with <code>{{recipient_name}}</code>, <code>{{workspace_name}}</code>, <code>{{survey_title}}</code> and <code>{{survey_link}}</code>. Without <code>{{survey_link}}</code>, the link comes at the end.` })}
${field({ name: 'defaultReminderDays', label: 'Days until the reminder', value: value('defaultReminderDays'), error: error('defaultReminderDays'), hint: "0–365; 0 sends no reminder. People who responded aren't reminded.", more: NUMBER })}
${subject('defaultReminderSubject', 'Reminder subject', { hint: 'If empty, “Reminder: ” and the subject.', more: html` maxlength="255"` })}
${textArea('defaultReminderMessage', 'Reminder message', value('defaultReminderMessage'), { error: error('defaultReminderMessage'), warning: warnings.defaultReminderMessage, rows: 4, hint: html`If empty, the message above.` })}
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
  // HTML drops the line break after the tag.
  return html`<div class="field">
<label for="${name}">${label}</label>
<p class="hint" id="${name}-hint">${hint}</p>
<textarea id="${name}" name="${name}" rows="${rows}" aria-describedby="${[`${name}-hint`, error && `${name}-error`, warning && `${name}-warning`].filter(Boolean).join(' ')}"${error && html` aria-invalid="true"`}>
${value}</textarea>
${error && html`<p class="error" id="${name}-error" role="alert">${error}</p>`}
${warningOf(name, warning)}
</div>`;
}

const previewPart = (
  path: string,
): Html => html`<section class="panel preview" aria-labelledby="preview"><h3 id="preview">Preview</h3>
<fieldset><legend class="hidden">Which email</legend>
<label><input type="radio" name="kind" value="invitation" checked> Invitation</label>
<label><input type="radio" name="kind" value="reminder"> Reminder</label>
<button class="quiet" type="submit" formaction="${path}/preview" formtarget="email-preview" formnovalidate>Show</button></fieldset>
<div class="stage"><iframe name="email-preview" title="Email preview" sandbox="" src="${path}/preview"></iframe></div>
<p class="note">Sample recipient. Includes unsaved changes.</p>
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
<li><strong>Requests with its secret get HTTP 400</strong> with the code <code>unknown_token</code>. Give callers another token's secret first.</li>
<li>Queued and scheduled emails are still sent, reminders too. To stop them, cancel them under <a href="/surveys/${surveyId}/invitations">Invitations</a>.</li>
<li>Survey links, responses and Results don't change.</li>
<li>Repeating an earlier request with another token invites people again, even with the same <code>Idempotency-Key</code>.</li>
<li>You can't undo this. Requests that still use it appear under Rejected requests for seven days.</li>
</ul>
${form(csrf, html`<p class="actions"><button class="danger" type="submit">Delete token</button> <a class="button quiet" href="${tokenPath(surveyId, token.id)}">Cancel</a></p>`)}
</section>`;
