// The survey page, and the pages that stand in its place. They show a survey's title and questions and the workspace's name, and nothing
// else of the workspace; a draft's title is not public yet. Pure.
import type { Question, SurveyPage } from '../database/store.ts';
import { type Html, html } from '../html/html.ts';
import { layout, noticePage } from '../html/layout.ts';
import { choicesOf, FIELD, MAX_ANSWER, type Submission } from './answers.ts';

/** Why a survey cannot be answered, as a page with its status; undefined if it can be. */
export function closedPage({ link, state, title, workspaceName }: SurveyPage): { status: number; body: string } | undefined {
  if (link === 'unknown') {
    const sentence = 'It may have been cut off on its way. Please open it once more from your mail.';
    return { status: 404, body: noticePage('broken', 'This link is not valid', html`<p>${sentence}</p>`, workspaceName) };
  }
  if (link === 'responded') {
    const content = html`<p>Your answer to <b>${title}</b> has been recorded. Thank you!</p>`;
    return { status: 200, body: noticePage('done', 'Already answered', content, workspaceName) };
  }
  if (state === 'draft') {
    const content = html`<p>This survey has not been opened yet. Please try again later: your link stays good.</p>`;
    return { status: 403, body: noticePage('wait', 'Not open yet', content, workspaceName) };
  }
  if (state === 'closed') {
    const content = html`<p><b>${title}</b> takes no more answers. Thank you for your interest.</p>`;
    return { status: 410, body: noticePage('closed', 'Closed', content, workspaceName) };
  }
  return undefined;
}

export const thanksPage = ({ title, workspaceName }: SurveyPage): string =>
  noticePage(
    'done',
    'Thank you!',
    html`<p>Your answer to <b>${title}</b> has been recorded. You can close this page.</p>`,
    workspaceName,
  );

/**
 * The form. Validation is the server's alone (novalidate), so that all faults are told at once and in the same words.
 * @param invitationToken Goes along with the answer; opening the page does not spend it.
 */
export function surveyPage(survey: SurveyPage, invitationToken: string | undefined, submitted?: Submission): string {
  const { questions, title, workspaceName } = survey;
  const faulty = questions.some(({ id }) => submitted?.faults[id] !== undefined);
  return layout(
    faulty ? `Error: ${title}` : title,
    html`<h1>${title}</h1>
${faulty && summary(questions, submitted)}
<form method="post" action="/s/${encodeURIComponent(survey.surveyId)}" novalidate>
${invitationToken !== undefined && html`<input type="hidden" name="invitation" value="${invitationToken}">`}
${questionFields(questions, submitted)}
<button type="submit">Send answer</button>
<p class="note">Your answer goes to ${workspaceName}.</p>
</form>`,
    workspaceName,
  );
}

/** What is wrong, with links to the questions. The browser puts the focus here (autofocus): nothing else tells who cannot see the page. */
function summary(questions: readonly Question[], submitted: Submission | undefined): Html {
  const faults = questions.map(({ id, label }, index) => {
    const fault = submitted?.faults[id];
    return fault !== undefined && html`<li><a href="#q${index + 1}">${label}</a><br>${fault}</li>`;
  });
  return html`<div class="summary" role="alert" tabindex="-1" autofocus aria-labelledby="faults">
<h2 id="faults">Your answer has not been sent yet</h2>
<ul>${faults}</ul>
</div>`;
}

/** The questions without a form around them. */
export const questionFields = (questions: readonly Question[], submitted?: Submission): Html =>
  html`${questions.map((question, index) => field(question, `q${index + 1}`, submitted))}`;

/** A question. @param id Of its first field, as the summary links to it: a question's own id may be anything in old surveys. */
function field(question: Question, id: string, submitted: Submission | undefined): Html {
  const { type, label, required } = question;
  const name = FIELD + question.id;
  const given = submitted?.answers[question.id];
  const fault = submitted?.faults[question.id];
  const ends = type === 'score' ? endsOf(question) : [];
  const described = [ends.length > 0 && `${id}-ends`, fault !== undefined && `${id}-error`].filter(Boolean).join(' ');
  const heading = html`${label}${required !== true && html` <span class="optional">(optional)</span>`}`;
  const note = fault !== undefined && html`<p class="error" id="${id}-error">${fault}</p>`;
  const state = html`${described && html` aria-describedby="${described}"`}${fault !== undefined && html` aria-invalid="true"`}`;
  if (type === 'text') {
    return html`<div class="question">
<label for="${id}">${heading}</label>
${note}
<textarea id="${id}" name="${name}" rows="4" maxlength="${MAX_ANSWER}"${required === true && html` required`}${state}>
${given}</textarea>
</div>`;
  }
  const choice = (text: string, index: number) =>
    html`<label><input type="radio"${index === 0 && html` id="${id}"`} name="${name}" value="${text}"${String(given) === text && html` checked`}${required === true && html` required`}><span>${text}</span></label>`;
  return html`<fieldset class="question ${type}" role="radiogroup"${required === true && html` aria-required="true"`}${state}>
<legend>${heading}</legend>
${note}
<div class="choices">
${choicesOf(question).map(choice)}
</div>
${ends.length > 0 && html`<p class="ends" id="${id}-ends">${ends.map((end) => html`<span>${end}</span> `)}</p>`}
</fieldset>`;
}

/** What the ends of a score mean: `0 = Not at all likely`. */
const endsOf = ({ min = 0, max = 10, min_label, max_label }: Question): string[] => [
  ...(min_label === undefined ? [] : [`${min} = ${min_label}`]),
  ...(max_label === undefined ? [] : [`${max} = ${max_label}`]),
];
