// The steps to the first invitation, in order. Pure.
import type { OwnWorkspace, SurveyFrame } from '../database/store.ts';
import { type Html, html } from '../html/html.ts';
import { status } from './components.ts';

type Step = NonNullable<SurveyFrame['nextStep']>;

/** path: the page's path below the survey. page: the title of the page where the step is done. */
export const FIRST_STEPS: Readonly<Record<Step, { label: string; path: string; page: string }>> = {
  questions: { label: 'add its questions', path: 'questions', page: 'Questions' },
  token: { label: 'create a trigger token for your developer', path: 'api-trigger/new', page: 'Create a token' },
  test: { label: 'send yourself a test email', path: 'test-invitation', page: 'Send a test' },
  activate: { label: 'activate the survey', path: 'invitations?confirm=active', page: 'Invitations' },
  call: { label: 'have your developer make the first call', path: 'api-trigger', page: 'API trigger' },
};

const needsDeveloper = (step: Step): boolean => step === 'token' || step === 'call';

/** Who has no developer invites people from a list instead. */
export const byHand = (step: Step, surveyId: string, button = false): Html | false =>
  needsDeveloper(step) &&
  html` or <a${button && html` class="button quiet"`} href="/surveys/${surveyId}/invite">${button ? 'Invite people from a list' : 'invite people from a list'}</a>`;

const ORDER = Object.keys(FIRST_STEPS) as Step[];

/** @param survey Undefined: the workspace has no survey yet. */
export function firstSteps({ id: workspaceId, test }: OwnWorkspace, survey: SurveyFrame | undefined): Html {
  const at = survey?.nextStep ? ORDER.indexOf(survey.nextStep) : -1;
  const steps = [
    {
      label: 'Create a survey',
      needsDeveloper: false,
      or: false as const,
      path: `/workspaces/${workspaceId}/surveys/new`,
      done: survey !== undefined,
      next: survey === undefined,
    },
    ...ORDER.filter((step) => step !== 'test' || test === null).map((step) => ({
      label: FIRST_STEPS[step].label,
      needsDeveloper: needsDeveloper(step),
      or: survey && byHand(step, survey.surveyId, true),
      path: `/surveys/${survey?.surveyId}/${FIRST_STEPS[step].path}`,
      done: survey !== undefined && ORDER.indexOf(step) < at,
      next: survey !== undefined && ORDER.indexOf(step) === at,
    })),
  ];
  return html`<section class="card panel" aria-labelledby="steps"><h2 id="steps">Your first invitation</h2>
<p class="note">Invite people yourself, from a list: you need no developer. Or your own system says whom to invite: it identifies itself by a trigger token, which you create here and give to your developer.</p>
<ol class="steps">${steps.map(({ label, needsDeveloper, or, path, done, next }) => {
    const text = label.charAt(0).toUpperCase() + label.slice(1);
    return html`<li${next && html` aria-current="step"`}>${next ? html`<a class="button" href="${path}">${text}</a>${or}` : html`${text}${needsDeveloper && !done && ', or invite people from a list'}`}${done && html` ${status('done', 'good')}`}</li>`;
  })}</ol>
</section>`;
}
