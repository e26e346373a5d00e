// The pages of a trigger token.
import { isAtLeast, type Rejection, type SurveyFrame, type TokenCard, type TokenFields } from '../../database/store.ts';
import { asset } from '../../html/assets.ts';
import { type Html, html } from '../../html/html.ts';
import { LANGUAGE_TAGS } from '../../languages/languages.ts';
import { plural } from '../../text.ts';
import { checkbox, confirmation, facts, form, formSection, fullMoment, moment } from '../components.ts';
import type { PageContext } from '../frame.ts';
import { sawTexts } from '../stale.ts';
import { languageName } from '../words.ts';
import { copyable, examplesPart, PLACEHOLDER, SIMULATED_PERSON } from './examples-view.ts';
import { TOKEN_FIELD_NAMES, TOKEN_FIELDS, tokenField } from './token-fields.ts';
import { rejectionsPart, seconds, secretHint, secretOf, tokenPath } from './tokens-view.ts';

export type TokenErrors = Readonly<Partial<Record<keyof TokenFields, string>>>;

export interface SentToken<F extends string = keyof TokenFields> {
  readonly texts: Readonly<Record<F, string>>;
  readonly errors: TokenErrors;
}

type EditedToken = SentToken<keyof TokenFields | 'questionInEmail'>;

/** The default of the table's column. A test compares the two. */
export const DEFAULT_COOLDOWN = '60';

/** @param id The id of the new token. If the form is submitted twice, it creates one token. */
export function newTokenMain({ csrf, isTest }: PageContext, { surveyId }: SurveyFrame, id: string, sent?: SentToken): Html {
  return formSection(
    'new',
    'Create a token',
    [
      'A trigger token is the key with which your backend invites people to this survey.',
      isTest && 'It is for tests: its secret begins with sit_test_, and its emails go to the outbox.',
      'The next page shows its secret, once. You can edit the email after that.',
    ],
    form(
      csrf,
      html`<input type="hidden" name="token" value="${id}">
${tokenField('name', { value: sent?.texts.name ?? '', error: sent?.errors.name })}
${tokenField('cooldownSeconds', { value: sent?.texts.cooldownSeconds ?? (isTest ? '0' : DEFAULT_COOLDOWN), error: sent?.errors.cooldownSeconds })}
<p class="actions"><button type="submit">Create token</button> <a class="button quiet" href="/surveys/${surveyId}/api-trigger">Cancel</a></p>`,
    ),
  );
}

interface Created {
  readonly survey: SurveyFrame;
  readonly id: string;
  readonly name: string;
  readonly secret: string;
  readonly endpoint: string;
}

/** Until when a replaced secret is accepted beside this one. Null: it isn't any more. Undefined: this is the token's first. */
type OldUntil = Date | null | undefined;

export const secretMain = (
  { isTest, now }: PageContext,
  { survey, id, name, secret, endpoint }: Created,
  oldUntil?: OldUntil,
): Html => html`<section class="card panel secret" aria-labelledby="created"><h2 id="created">${oldUntil === undefined ? 'Secret' : 'New secret'} of “${name}”</h2>
${oldUntil === null && html`<p><strong>Requests with the old secret are rejected from now on.</strong></p>`}${oldUntil && html`<p>The old secret is accepted until ${moment(oldUntil, now)}. Give your system the new one before then.</p>`}${
  isTest &&
  html`<p><strong>For tests only.</strong> What you invite with it goes to the outbox of this test workspace. It can also move the clock and read the outbox, over HTTP.</p>
`
}<p>Copy it now and keep it on a server: <strong>you won't see it again</strong>. We store only its SHA-256. If you lose it, replace it.</p>
${copyable('the secret', secret)}
<p class="actions"><a class="button" href="${tokenPath(survey.surveyId, id)}">Edit the email</a> <a class="button quiet" href="/surveys/${survey.surveyId}/api-trigger">All tokens</a></p>
</section>
<h2>Try it</h2>
${isTest ? SIMULATED : html`<p class="note">These calls contain the secret. They invite <code>ada@example.com</code>: use your own address.</p>`}
${examplesPart(endpoint, isTest, secret)}`;

/** Beside examples that invite a person who doesn't exist. */
const SIMULATED = html`<p class="note">They invite <code>${SIMULATED_PERSON}</code>, a simulated person, who gives a 9 a day later. Others are <code>bounces</code>, <code>complains</code>, <code>unsubscribes</code>, <code>scanner</code> and <code>never</code>, each <code>@sim.invalid</code>.</p>`;

interface Shown {
  readonly survey: SurveyFrame;
  readonly token: TokenCard;
  readonly rejections: readonly Rejection[];
  readonly endpoint: string;
}

export function tokenMain(page: PageContext, shown: Shown, sent?: EditedToken): Html {
  const { survey, token, rejections } = shown;
  const path = tokenPath(survey.surveyId, token.id);
  const test = `/surveys/${survey.surveyId}/test-invitation?token=${token.id}`;
  return html`<div class="split"><h2>${token.name}</h2><p class="actions">${!page.isTest && html`<a class="button quiet" href="${test}">Test this email</a>`}<a class="button quiet" href="${path}/sender">Sender</a><a class="button quiet" href="${path}/translations">Translations</a>${!token.isByHand && html`<a class="button quiet danger" href="${path}/delete">Delete…</a>`}</p></div>
<div class="card panel">${facts([
    ['Secret', token.isByHand ? secretOf(token) : html`${secretHint(token.secretHint)} <a href="${path}/secret">Replace…</a>`],
    token.previousSecretUntil !== null && [
      'Old secret',
      html`${secretHint(token.previousSecretHint ?? '')}, accepted until ${moment(token.previousSecretUntil, page.now)} ${form(page.csrf, html`<button class="quiet" type="submit">End it now</button>`, { action: `${path}/secret/end` })}`,
    ],
    ['Last accepted', fullMoment(token.lastAcceptedAt, page.now)],
    ['Created', html`${fullMoment(token.createdAt, page.now)}${token.createdBy && html` by ${token.createdBy}`}`],
  ])}</div>
${form(page.csrf, html`${settingsPart(survey, token, sent)}${previewPart(path, token)}`, { class: 'composer' })}
<script src="${asset('api-trigger.js')}" defer></script>
${!token.isByHand && callPart(page, shown)}
${restPart(page, survey, token)}
${
  !token.isByHand &&
  html`<h2>Rejected requests</h2>
${rejectionsPart(page, survey.surveyId, rejections, false)}`
}`;
}

const callPart = (page: PageContext, { survey, token, endpoint }: Shown): Html => html`<h2>Call it</h2>
<p class="note">Replace <code>${PLACEHOLDER}</code> with the secret ending in <code>${token.secretHint}</code>. Call it only from a server.</p>
${page.isTest && SIMULATED}
${examplesPart(endpoint, page.isTest)}
${readingPart(page, survey, token)}`;

function readingPart({ csrf }: PageContext, { surveyId, role }: SurveyFrame, { id, allowReading }: TokenCard): Html {
  const text = allowReading
    ? html`<strong>On.</strong> Anyone with this token's secret can read all batches of this survey: names, email addresses, the state of each email, and answers.`
    : html`<strong>Off.</strong> This token can only invite people. If you allow reading, a backend with its secret can also read all batches of this survey: names, email addresses, the state of each email, and answers.`;
  const button = html`<input type="hidden" name="allow" value="${allowReading ? 'no' : 'yes'}"><button class="quiet" type="submit">${allowReading ? 'Stop allowing it' : 'Allow reading'}</button>`;
  return html`<section aria-labelledby="reading"><h2 id="reading">Reading</h2>
<p class="note">${text}</p>
${isAtLeast(role, 'admin') ? form(csrf, button, { action: `${tokenPath(surveyId, id)}/reading` }) : html`<p class="note">An owner or admin can change this.</p>`}
</section>`;
}

/** A setting as its field shows it: an empty list is 0. */
const textOf = (value: TokenCard[keyof TokenFields]): string =>
  String(Array.isArray(value) ? value.join(', ') || 0 : (value ?? ''));

/** What the form's fields show. */
export const tokenTexts = (token: TokenCard) =>
  ({
    ...Object.fromEntries(TOKEN_FIELD_NAMES.map((name) => [name, TOKEN_FIELDS[name].read(textOf(token[name]))])),
    questionInEmail: token.questionInEmail ? 'yes' : '',
  }) as EditedToken['texts'];

/** Only where the workspace has a rest, or the token is exempt from one that it had. */
function restPart({ csrf }: PageContext, { surveyId, role }: SurveyFrame, token: TokenCard): Html | false {
  const { id, ignoresRest, workspaceRestDays: days } = token;
  if (days === null && !ignoresRest) return false;
  const rest = days === null ? 'A rest of the workspace' : `The workspace's rest of ${plural(days, 'day')}`;
  const text = ignoresRest
    ? html`<strong>Ignored.</strong> ${rest} doesn't hold back invitations of this token. What recipients chose themselves still does.`
    : html`${rest} holds back invitations of this token. Ignore it for emails that people expect at once, such as about a support call.`;
  const button = html`<input type="hidden" name="ignore" value="${ignoresRest ? 'no' : 'yes'}"><button class="quiet" type="submit">${ignoresRest ? 'Keep to the rest' : 'Ignore the rest'}</button>`;
  return html`<section aria-labelledby="rest"><h2 id="rest">Rest</h2>
<p class="note">${text}</p>
${isAtLeast(role, 'admin') ? form(csrf, button, { action: `${tokenPath(surveyId, id)}/rest` }) : html`<p class="note">An owner or admin can change this.</p>`}
</section>`;
}

/** Whether the note below applies: the setting is a default, which a request or its reminder can replace. */
const isOfEmail = (name: keyof TokenFields): boolean => name.startsWith('default');

function settingsPart({ surveyId }: SurveyFrame, token: TokenCard, sent?: EditedToken): Html {
  const stored = tokenTexts(token);
  const { texts = stored, errors = {} } = sent ?? {};
  const shown = (name: keyof TokenFields) => tokenField(name, { value: texts[name], error: errors[name] });
  const [ownFields, emailFields] = [TOKEN_FIELD_NAMES.filter((name) => !isOfEmail(name)), TOKEN_FIELD_NAMES.filter(isOfEmail)];
  return html`<section class="card panel" aria-labelledby="settings"><h3 id="settings">Settings and email</h3>
${sawTexts(stored)}
${
  token.isByHand
    ? html`<input type="hidden" name="name" value="${token.name}"><input type="hidden" name="cooldownSeconds" value="0">
<p class="note">The email of <a href="/surveys/${surveyId}/invite">lists that people upload</a>. Lists that are being sent keep the text of the batches that were accepted.</p>`
    : html`${ownFields.map(shown)}
<p class="note">Used when a request has no subject or message of its own. Accepted batches keep their text.</p>`
}
${emailFields.map(shown)}
${checkbox('questionInEmail', 'Ask the first question in the email', texts.questionInEmail === 'yes', questionHint(token))}
<p class="actions"><button type="submit">Save</button></p>
</section>`;
}

/** What the checkbox does, or why it does nothing at present. */
function questionHint({ emailQuestion, surveyPublicUrl }: TokenCard): string {
  if (surveyPublicUrl !== null) return 'Only for surveys on our own page. The links of this survey lead to yours.';
  if (emailQuestion === null)
    return 'This survey has no score or choice question with at most 11 answers, so its emails keep the button.';
  return `“${emailQuestion.label}” takes the place of {{survey_link}}. A click opens the page with that answer chosen, and nothing is stored before Submit: mail scanners click too.`;
}

const previewPart = (
  path: string,
  { surveyLanguage, translations }: TokenCard,
): Html => html`<section class="card panel preview" aria-labelledby="preview"><h3 id="preview">Preview</h3>
<fieldset><legend class="hidden">Which email</legend>
<label><input type="radio" name="kind" value="invitation" checked> Invitation</label>
<label><input type="radio" name="kind" value="reminder"> Reminder</label>
<label><input type="checkbox" name="nameless" value="yes"> Without a name</label>
<label>Language <select name="language">${[...new Set([surveyLanguage, ...Object.keys(translations ?? {}), ...LANGUAGE_TAGS])].map((tag) => html`<option value="${tag}"${tag === surveyLanguage && html` selected`}>${languageName(tag)}</option>`)}</select></label>
<button class="quiet" type="submit" formaction="${path}/preview" formtarget="email-preview" formnovalidate>Show</button></fieldset>
<div class="stage"><iframe name="email-preview" title="Email preview" sandbox="" src="${path}/preview"></iframe></div>
<p class="note">Sample recipient. Includes unsaved changes.</p>
</section>`;

/** How long the old secret stays, in seconds, and in words. */
export const KEEPS = [
  [86_400, 'For a day'],
  [3600, 'For an hour'],
  [604_800, 'For 7 days'],
  [0, 'Not any more: someone may have it who should not'],
] as const satisfies readonly (readonly [seconds: number, label: string])[];

export const replaceSecretMain = ({ csrf, now }: PageContext, { surveyId }: SurveyFrame, token: TokenCard): Html =>
  confirmation(csrf, {
    title: `Replace the secret of “${token.name}”?`,
    content: html`<p>The next page shows a new secret, once. Everything else stays: settings, cooldown, idempotency keys, and what the token may read.</p>
${token.previousSecretUntil !== null && html`<p><strong>The secret …${token.previousSecretHint}, accepted until ${moment(token.previousSecretUntil, now)}, ends at once</strong>, because a token has at most two.</p>`}`,
    inputs: html`<fieldset class="options"><legend>Accept the present secret, …${token.secretHint}, as well</legend>${KEEPS.map(
      ([seconds, label], index) =>
        html`<label><input type="radio" name="keep" value="${seconds}"${index === 0 && html` checked`}><span>${label}</span></label>`,
    )}</fieldset>`,
    fields: { replaces: token.secretHint },
    button: 'Replace the secret',
    action: `${tokenPath(surveyId, token.id)}/secret`,
    keep: [tokenPath(surveyId, token.id), 'Cancel'],
  });

export const deleteTokenMain = ({ csrf, now }: PageContext, { surveyId }: SurveyFrame, token: TokenCard): Html =>
  confirmation(csrf, {
    title: `Delete “${token.name}”?`,
    content: html`${facts([
      ['Last accepted', fullMoment(token.lastAcceptedAt, now)],
      ['Secret', secretHint(token.secretHint)],
      ['Cooldown', seconds(token.cooldownSeconds)],
    ])}
<ul>
<li><strong>Requests with its secret get HTTP 400</strong> with the code <code>unknown_token</code>. Give callers another token's secret first.</li>
<li>Queued and scheduled emails are still sent, reminders too. To stop them, cancel them under <a href="/surveys/${surveyId}/batches">Batches</a>.</li>
<li>Survey links, responses and Results don't change.</li>
<li>Repeating an earlier request with another token invites people again, even with the same <code>Idempotency-Key</code>.</li>
<li>You can't undo this. Requests that still use it appear under Rejected requests for seven days.</li>
</ul>`,
    button: `Delete token “${token.name}”`,
    danger: true,
    keep: [tokenPath(surveyId, token.id), 'Cancel'],
  });
