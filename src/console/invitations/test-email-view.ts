// The test email, and the preview that its links lead to.
import type { SurveyFrame, SurveyPage, TestLine, TestTemplate } from '../../database/store.ts';
import { type Html, html } from '../../html/html.ts';
import { questionFields } from '../../recipient/survey-view.ts';
import { plural } from '../../text.ts';
import { badge, empty, form, moment, table } from '../components.ts';
import type { PageContext } from '../frame.ts';
import { deliveryError } from '../words.ts';
import { subTabs } from './parts-view.ts';

export interface TestView {
  readonly templates: readonly TestTemplate[];
  readonly lines: readonly TestLine[];
  readonly formError: string | undefined;
}

export function testMain(page: PageContext, survey: SurveyFrame, { templates, lines, formError }: TestView): Html {
  const { me, csrf } = page;
  const button = ({ tokenId, tokenName }: TestTemplate, kind: 'invitation' | 'reminder') =>
    html`<button class="quiet" type="submit" name="kind" value="${kind}">Send the ${kind}<span class="hidden"> of ${tokenName} to ${me.email}</span></button>${kind === 'invitation' && html`<input type="hidden" name="token" value="${tokenId}">`} `;
  return html`${subTabs(survey, 'test-invitation')}
<section class="panel" aria-labelledby="test"><h2 id="test">Send a test to myself</h2>
<p>Sends a real email to <strong>${me.email}</strong> with the deformError texts of a trigger token. Its links lead to a <a href="/surveys/${survey.surveyId}/preview">preview</a> that records nothing.</p>
<p class="note">Works whatever the survey's state, and changes no cooldown, count or result. At most ten an hour.</p>
${formError && html`<p class="error" role="alert">${formError}</p>`}</section>
${
  templates.length === 0
    ? html`${empty('No trigger tokens yet', 'A test email uses the deformError texts of a trigger token.')}<p><a class="button" href="/surveys/${survey.surveyId}/api-trigger/new">Create a token</a></p>`
    : table(
        'Trigger tokens',
        ['Token', 'Subject', 'Test'],
        templates.map((template) => [
          template.tokenName,
          template.subject,
          form(csrf, html`${button(template, 'invitation')}${button(template, 'reminder')}`, { class: 'actions' }),
        ]),
      )
}
${lines.length > 0 && lastTests(page, lines)}`;
}

const STATES = {
  queued: ['queued', 'wait'],
  retrying: ['retrying', 'wait'],
  sent: ['sent', 'good'],
  rejected: ['rejected', 'bad'],
  given_up: ['given up', 'bad'],
} as const;

const lastTests = ({ me, now }: PageContext, lines: readonly TestLine[]): Html => html`<h2>My last tests</h2>
${table(
  'My last test emails of this survey',
  ['Email', 'Requested', 'Result'],
  lines.map((line) => [
    html`${line.tokenName}<span class="sub">${line.messageKind}</span>`,
    moment(line.requestedAt, now),
    html`${badge(STATES[line.state][0], STATES[line.state][1])}<span class="sub">${outcome(line)}</span>`,
  ]),
)}
<p class="note">Sent means that the mail server accepted it. If it doesn't arrive, check the spam folder of ${me.email}.</p>`;

function outcome({ state, code, attempts }: TestLine): string {
  const times = plural(attempts, 'attempt');
  const error = deliveryError(code);
  if (state === 'queued') return 'Not sent yet. Reload this page to see the result.';
  if (state === 'sent') return attempts === 1 ? '' : `After ${times}`;
  if (state === 'rejected') return `The mail server rejected it: ${error}`;
  if (state === 'retrying') return `${error}, after ${times}. Retrying for up to an hour.`;
  return attempts === 0 ? 'No worker sent it within an hour.' : `${error}, after ${times}`;
}

/** Without a form: nothing can be sent. */
export const previewMain = (
  survey: SurveyFrame,
  { title, workspaceName, questions, publicUrl }: SurveyPage,
): Html => html`${subTabs(survey, 'test-invitation')}
<section class="panel ask" aria-labelledby="preview">
<h2 id="preview">Preview</h2>
<p>The links in a test email lead here. You can't submit a response, and nothing is recorded.</p>
<p id="unsubscribe" class="note">In a real email, the link at the end unsubscribes the recipient from all survey emails of the workspace. In a test it does nothing.</p>
</section>
${
  publicUrl === null
    ? html`<div class="panel narrow"><p class="note">${workspaceName}</p>
<p class="big">${title}</p>
${questionFields(questions)}
<button type="button" disabled>Submit</button></div>`
    : html`<section class="panel"><h2>Your own survey page</h2>
<p>Recipients respond at <a href="${publicUrl}" rel="noreferrer">${publicUrl}</a>. Their links lead there, with <code>invitation=…</code> added.</p></section>`
}`;
