// The survey page, and those shown instead. They show only the survey's title and questions and the workspace's name; a draft's title
// isn't public.
import type { Question, SurveyPage } from '../database/store.ts';
import { asset } from '../html/assets.ts';
import { type Html, html } from '../html/html.ts';
import { layout, noticePage } from '../html/layout.ts';
import { choicesOf, FIELD, MAX_ANSWER, type Submission } from './answers.ts';

/** Why the survey can't be answered, with the status; undefined: it can. */
export function closedPage({ link, state, title, workspaceName }: SurveyPage): { status: number; body: string } | undefined {
  if (link === 'unknown') {
    const sentence = 'It may have been cut off. Please open it again from your email.';
    return { status: 404, body: noticePage('broken', "This link isn't valid", html`<p>${sentence}</p>`, workspaceName) };
  }
  if (link === 'responded') {
    const content = html`<p>Your response to <b>${title}</b> has been recorded. Thank you!</p>`;
    return { status: 200, body: noticePage('done', "You've already responded", content, workspaceName) };
  }
  if (state === 'draft') {
    const content = html`<p>This survey isn't open yet. Please try again later: your link will keep working.</p>`;
    return { status: 403, body: noticePage('wait', 'Not open yet', content, workspaceName) };
  }
  if (state === 'closed') {
    const content = html`<p><b>${title}</b> is closed. Thank you for your interest.</p>`;
    return { status: 410, body: noticePage('closed', 'Closed', content, workspaceName) };
  }
  if (link === 'required') {
    const content = html`<p>To respond, please open the link in your email from ${workspaceName}.</p>`;
    return { status: 403, body: noticePage('mail', 'This survey is by invitation', content, workspaceName) };
  }
  return undefined;
}

/** Without the title: anyone can open it, also of a survey by invitation only. */
export const thanksPage = ({ workspaceName, thanks }: SurveyPage): string =>
  noticePage('done', 'Thank you!', html`${thanksPart(thanks)}`, workspaceName);

/** As the author wrote it. */
export const thanksPart = (thanks: string | null): Html =>
  thanks === null
    ? html`<p>Your response has been recorded. You can close this page.</p>`
    : html`<p class="text" dir="auto">${thanks}</p>`;

/**
 * Only the server validates (novalidate), so that all errors are shown at once.
 * @param invitationToken Sent with the response; opening the page doesn't use it up.
 */
export function surveyPage(survey: SurveyPage, invitationToken: string | undefined, submitted?: Submission): string {
  const { questions, title, workspaceName } = survey;
  const hasErrors = submitted?.changed || questions.some(({ id }) => submitted?.errors[id] !== undefined);
  return layout(
    hasErrors ? `Error: ${title}` : title,
    html`<h1>${title}</h1>
${hasErrors && summary(questions, submitted)}
<form method="post" action="/s/${encodeURIComponent(survey.surveyId)}" novalidate>
<input type="hidden" name="version" value="${survey.questionsVersion}">
${invitationToken !== undefined && html`<input type="hidden" name="invitation" value="${invitationToken}">`}
${questionFields(questions, submitted)}
<button type="submit">Submit</button>
<p class="note">Your answers go to ${workspaceName}.</p>
</form>
<script src="${asset('unsent-answers.js')}" defer></script>`,
    workspaceName,
  );
}

/** Takes the focus, so that screen readers announce it. */
function summary(questions: readonly Question[], submitted: Submission | undefined): Html {
  const errors = questions.map(({ id, label }, index) => {
    const error = submitted?.errors[id];
    return error !== undefined && html`<li><a href="#q${index + 1}">${label}</a><br>${error}</li>`;
  });
  return html`<div class="summary" role="alert" tabindex="-1" autofocus aria-labelledby="errors">
<h2 id="errors">Your answers haven't been submitted yet</h2>
${submitted?.changed && html`<p>The questions have changed since you opened this page. Please check your answers.</p>`}
<ul>${errors}</ul>
</div>`;
}

export const questionFields = (questions: readonly Question[], submitted?: Submission): Html =>
  html`${questions.map((question, index) => field(question, `q${index + 1}`, submitted))}`;

/** @param id Of the first field, for the summary's link: a question's own id may be anything. */
function field(question: Question, id: string, submitted: Submission | undefined): Html {
  const { type, label, required } = question;
  const name = FIELD + question.id;
  const given = submitted?.answers[question.id];
  const error = submitted?.errors[question.id];
  const ends = type === 'score' ? endsOf(question) : [];
  const described = [ends.length > 0 && `${id}-ends`, error !== undefined && `${id}-error`].filter(Boolean).join(' ');
  const heading = html`${label}${required !== true && html` <span class="optional">(optional)</span>`}`;
  const note = error !== undefined && html`<p class="error" id="${id}-error">${error}</p>`;
  const state = html`${described && html` aria-describedby="${described}"`}${error !== undefined && html` aria-invalid="true"`}`;
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
${required !== true && html`<label class="none"><input type="radio" name="${name}" value=""><span>No answer</span></label>`}
</div>
${ends.length > 0 && html`<p class="ends" id="${id}-ends">${ends.map((end) => html`<span>${end}</span> `)}</p>`}
</fieldset>`;
}

/** Such as `0 = Not at all likely`. */
const endsOf = ({ min = 0, max = 10, min_label, max_label }: Question): string[] => [
  ...(min_label === undefined ? [] : [`${min} = ${min_label}`]),
  ...(max_label === undefined ? [] : [`${max} = ${max_label}`]),
];
