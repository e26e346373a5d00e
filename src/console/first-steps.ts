// The steps of a survey to its first invitation, in order. Pure.
import { isAtLeast, type OwnWorkspace, type SurveyFrame } from '../database/store.ts';
import { type Html, html } from '../html/html.ts';
import { capital, status } from './components.ts';

type Step = SurveyFrame['missingSteps'][number];

/** path: the page's path below the survey. page: the title of the page where the step is done. */
export const FIRST_STEPS: Readonly<Record<Step, { label: string; path: string; page: string }>> = {
  questions: { label: 'add its questions', path: 'questions', page: 'Questions' },
  test: { label: 'send yourself a test email', path: 'test-invitation', page: 'Send a test' },
  activate: { label: 'activate the survey', path: 'invitations?confirm=active', page: 'Invitations' },
  invite: { label: 'invite people from a list', path: 'invite', page: 'Invite people' },
};

/** A test is for before the survey is active. */
export const nextStepOf = (missing: readonly Step[]): Step | undefined =>
  missing.find((step) => step !== 'test' || missing.includes('activate'));

/** A product invites people instead, once a developer has connected it. */
export const byProduct = (step: Step, surveyId: string, button = false): Html | false =>
  step === 'invite' &&
  html` or <a${button && html` class="button quiet"`} href="/surveys/${surveyId}/api-trigger">let your own system invite them</a>`;

const ORDER = Object.keys(FIRST_STEPS) as Step[];

/** @param survey Undefined: the workspace has no survey yet. */
export function firstSteps({ id, name, role, test }: OwnWorkspace, survey: SurveyFrame | undefined): Html {
  const next = survey && nextStepOf(survey.missingSteps);
  const steps = ORDER.filter((step) => step !== 'test' || test === null).map((step) => ({
    text: capital(FIRST_STEPS[step].label),
    or: survey && byProduct(step, survey.surveyId, true),
    path: `/surveys/${survey?.surveyId}/${FIRST_STEPS[step].path}`,
    done: survey !== undefined && !survey.missingSteps.includes(step),
    next: step === next,
  }));
  const create = {
    text: 'Create a survey',
    or: false as const,
    path: `/workspaces/${id}/surveys/new`,
    done: !!survey,
    next: !survey,
  };
  return html`<section class="card panel" aria-labelledby="steps"><h2 id="steps">Your first invitation${survey && html`: <bdi>${survey.title}</bdi>`}</h2>
<p class="note">Recipients read that “<bdi>${name}</bdi>” asks them.${isAtLeast(role, 'admin') && html` <a href="/workspaces/${id}/settings">Change the name</a>`}</p>
<ol class="steps">${[create, ...steps].map(
    ({ text, or, path, done, next }) =>
      html`<li${next && html` aria-current="step"`}>${next ? html`<a class="button" href="${path}">${text}</a>${or}` : text}${done && html` ${status('done', 'good')}`}</li>`,
  )}</ol>
</section>`;
}
