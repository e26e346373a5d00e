// The page that sends a test email, and the page that its links lead to.
import type { SurveyFrame, SurveySettings, TestLine, TestTemplate } from '../../database/store.ts';
import { type Html, html } from '../../html/html.ts';
import { LANGUAGE_TAGS } from '../../languages/languages.ts';
import { ANSWER } from '../../mail/links.ts';
import type { Click } from '../../recipient/answers.ts';
import { plural } from '../../text.ts';
import { field, form, formSection, type Kind, moment, refusal, status, table } from '../components.ts';
import type { PageContext } from '../frame.ts';
import { REASONS } from '../reasons.ts';
import { previewPart } from '../surveys/question-preview-view.ts';
import { attempt, languageName } from '../words.ts';

export interface TestView {
  readonly settings: SurveySettings;
  readonly templates: readonly TestTemplate[];
  readonly lines: readonly TestLine[];
  /** The token and language that were chosen in the form. */
  readonly tokenId: string | undefined;
  readonly language: string | undefined;
  /** What was entered. Null: nothing was sent yet. */
  readonly recipient: string | null;
  readonly name: string | null;
  readonly formError: string | undefined;
}

/** The choice of the email of lists, where it isn't made yet: a survey without a token. */
export const BY_HAND = 'by_hand';

export function testMain(
  page: PageContext,
  survey: SurveyFrame,
  { settings, templates, lines, tokenId, language, recipient, name, formError }: TestView,
): Html {
  const { me, csrf } = page;
  const path = `/surveys/${survey.surveyId}`;
  const [first] = templates;
  const emails =
    first === undefined
      ? [[BY_HAND, 'Invited by hand: the email of lists'] as const]
      : templates.map((template) => [template.tokenId, template.tokenName] as const);
  return html`${formError && refusal(formError)}
${formSection(
  'test',
  'Send a test',
  [
    html`Sends a real email with the default texts of a trigger token. Its links lead to a <a href="${path}/preview">preview</a> that records nothing.`,
    "Works whatever the survey's state, and changes no cooldown, count or result. At most 20 a day for all members together.",
  ],
  form(
    csrf,
    html`${field({ name: 'token', label: 'Trigger token', value: tokenId, options: emails })}
${field({ name: 'recipient', label: 'To', hint: 'Your own address, or that of another member of this workspace.', type: 'email', value: recipient ?? me.email, more: html` required maxlength="254" autocomplete="off"` })}
${field({ name: 'name', label: "Recipient's name", hint: 'Leave it empty to see the email that people without a name get.', value: name ?? '', more: html` maxlength="255" autocomplete="off"` })}
${languageField(
  first?.language ?? settings.language,
  [...templates.flatMap(({ translated }) => translated), ...Object.keys(settings.translations ?? {})],
  language,
)}
<p class="actions"><button type="submit" name="kind" value="invitation">Send the invitation</button> <button class="quiet" type="submit" name="kind" value="reminder">Send the reminder</button></p>`,
    { action: `${path}/test-invitation` },
  ),
)}
${lines.length > 0 && lastTests(page, lines)}`;
}

const STATES = {
  queued: ['queued', 'info'],
  retrying: ['retrying', 'warn'],
  sent: ['sent', 'info'],
  rejected: ['rejected', 'bad'],
  given_up: ['given up', 'bad'],
} as const satisfies Record<string, readonly [string, Kind]>;

const lastTests = ({ realNow: now }: PageContext, lines: readonly TestLine[]): Html => html`<h2>My last tests</h2>
${table(
  'My last test emails of this survey',
  ['Email', ['Requested', 'time'], 'Result'],
  lines.map((line) => [
    html`${line.tokenName}<span class="sub">${line.messageKind}${line.language !== null && `, ${languageName(line.language)}`}, to ${line.recipient}</span>`,
    moment(line.requestedAt, now),
    html`${status(STATES[line.state][0], STATES[line.state][1])}<span class="sub">${result(line)}</span>`,
  ]),
)}
<p class="note">Sent means that the mail server accepted it. If it doesn't arrive, check the spam folder.</p>`;

function result({ state, outcome, code, attempts }: TestLine): string {
  if (outcome === null)
    return state === 'queued' ? 'Not sent yet. Reload this page to see the result.' : 'No worker sent it within an hour.';
  const times = plural(attempts, 'attempt');
  if (state === 'sent') return attempts === 1 ? '' : `After ${times}`;
  const { next } = REASONS.delivery_outcome[outcome];
  return `${attempt(outcome, code)}, after ${times}. ${state === 'retrying' ? 'Retrying for up to an hour.' : next}`;
}

/** The survey's own language comes first. */
const languageField = (own: string, translated: readonly string[], value = own): Html =>
  field({
    name: 'language',
    label: 'Language',
    value,
    options: [...new Set([own, ...translated, ...LANGUAGE_TAGS, value])].map((tag) => [tag, languageName(tag)]),
  });

/**
 * The page to which the links of a test email lead: the published survey, in which nobody can submit a response.
 * @param click The answer of the link in a test email.
 */
export function previewMain(
  survey: SurveyFrame,
  settings: SurveySettings,
  language: string | undefined,
  click: Click | undefined,
): Html {
  const { publicUrl, questions } = settings;
  return html`<p>The links in a test email lead here. You can't submit a response, and nothing is recorded.</p>
<p id="unsubscribe" class="note">In a real email, the link at the end unsubscribes the recipient from all survey emails of the workspace. In a test it does nothing.</p>
${
  publicUrl === null
    ? previewPart(
        survey,
        settings,
        questions.some(({ type }) => type === 'score'),
        { language, fixed: { of: 'published', ...(click && { [ANSWER + click.question]: String(click.answer) }) } },
      )
    : html`<section class="card panel"><h2>Your own survey page</h2>
<p>Recipients respond at <a href="${publicUrl}" rel="noreferrer">${publicUrl}</a>. Their links lead there, with <code>invitation=…</code> added.</p></section>`
}`;
}
