// The test mail to oneself, and the preview that its links lead to. Pure.
import type { SurveyFrame, SurveyPage, TestLine, TestTemplate } from '../../database/store.ts';
import { type Html, html } from '../../html/html.ts';
import { questionFields } from '../../recipient/survey-view.ts';
import { badge, empty, form, moment, table } from '../components.ts';
import type { PageContext } from '../frame.ts';
import { subTabs } from './parts-view.ts';

export interface TestView {
  readonly templates: readonly TestTemplate[];
  /** The member's last test mails. */
  readonly lines: readonly TestLine[];
  readonly fault: string | undefined;
}

export function testMain(page: PageContext, survey: SurveyFrame, { templates, lines, fault }: TestView): Html {
  const { me, csrf } = page;
  const button = ({ tokenId, tokenName }: TestTemplate, mail: 'invitation' | 'reminder') =>
    html`<button class="quiet" type="submit" name="mail" value="${mail}">Send the ${mail}<span class="hidden"> of ${tokenName} to ${me.email}</span></button>${mail === 'invitation' && html`<input type="hidden" name="token" value="${tokenId}">`} `;
  return html`${subTabs(survey, 'test-invitation')}
<section class="panel" aria-labelledby="test"><h2 id="test">Send a test to myself</h2>
<p>A real mail, by the same relay as all others, to <strong>${me.email}</strong>, with a trigger token's default texts. Its links lead to a <a href="/surveys/${survey.surveyId}/preview">preview</a> that records nothing.</p>
<p class="note">It works in every state of the survey, and touches no cooldown, no count and no result. Ten an hour.</p>
${fault && html`<p class="error" role="alert">${fault}</p>`}</section>
${
  templates.length === 0
    ? html`${empty('No trigger token', 'A test has the default texts of a trigger token.')}<p><a class="button" href="/surveys/${survey.surveyId}/api-trigger">To the trigger tokens</a></p>`
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
  retrying: ['being tried', 'wait'],
  sent: ['sent', 'good'],
  refused: ['refused', 'bad'],
  given_up: ['given up', 'bad'],
} as const;

/** What became of the member's last test mails. */
const lastTests = ({ me, now }: PageContext, lines: readonly TestLine[]): Html => html`<h2>My last tests</h2>
${table(
  'My last test mails of this survey',
  ['Mail', 'Asked for', 'Outcome'],
  lines.map((line) => [
    html`${line.tokenName}<span class="sub">${line.mail}</span>`,
    moment(line.requestedAt, now),
    html`${badge(STATES[line.state][0], STATES[line.state][1])}<span class="sub">${said(line)}</span>`,
  ]),
)}
<p class="note">Sent means that the relay has taken it. If it does not arrive, look for it in the spam folder of ${me.email}.</p>`;

function said({ state, code, attempts }: TestLine): string {
  const times = `${attempts} ${attempts === 1 ? 'attempt' : 'attempts'}`;
  if (state === 'queued') return 'Not tried yet. Reload this page to see what becomes of it.';
  if (state === 'sent') return attempts === 1 ? '' : `after ${times}`;
  if (state === 'refused') return `The relay refused it: ${code}`;
  if (state === 'retrying') return `${code ?? 'no answer'}, after ${times}. It is tried again, for an hour at most.`;
  return attempts === 0 ? 'No worker had sent it after an hour.' : `${code ?? 'no answer'}, after ${times}`;
}

/** What a recipient would see. Without a form: there is nothing that could be sent. */
export const previewMain = (
  survey: SurveyFrame,
  { title, workspaceName, questions, publicUrl }: SurveyPage,
): Html => html`${subTabs(survey, 'test-invitation')}
<section class="panel ask" aria-labelledby="preview">
<h2 id="preview">Preview</h2>
<p>This is where the links of a test mail lead. Nothing can be answered here, and nothing is recorded.</p>
<p id="unsubscribe" class="note">In a real mail, the link at its end stops all mail of the workspace to its recipient. In a test it does nothing.</p>
</section>
${
  publicUrl === null
    ? html`<div class="panel narrow"><p class="note">${workspaceName}</p>
<p class="big">${title}</p>
${questionFields(questions)}
<button type="button" disabled>Send answer</button></div>`
    : html`<section class="panel"><h2>The survey's own page</h2>
<p>Recipients answer at <a href="${publicUrl}" rel="noreferrer">${publicUrl}</a>: their links lead there, with <code>invitation=…</code> added.</p></section>`
}`;
