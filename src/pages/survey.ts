// The survey page, and the reading of what it submits. Pure.
import type { Question, SurveyPage } from '../functions.ts';
import { type Html, html } from './html.ts';
import { layout, messagePage } from './layout.ts';

/** Longest text of one answer, in characters. */
const MAX_ANSWER = 10_000;
/** Prefix of the questions' form fields: a question may be called anything. */
const FIELD = 'answer.';

export interface Submission {
  readonly answers: Record<string, string | number>;
  /** What is wrong, by question id; empty if all is well. */
  readonly faults: Record<string, string>;
}

/** Why a survey cannot be answered, as a page with its status; undefined if it can be. */
export function closedPage(survey: SurveyPage): { status: number; body: string } | undefined {
  if (survey.link === 'unknown') {
    return {
      status: 404,
      body: messagePage(
        'This link is not valid',
        'It may have been cut off on its way. Please open it once more from your mail.',
      ),
    };
  }
  if (survey.link === 'answered') {
    return { status: 200, body: messagePage('Already answered', 'Your answer to this survey has been recorded. Thank you!') };
  }
  if (survey.state === 'draft') return { status: 403, body: messagePage('Not open yet', 'This survey has not been opened yet.') };
  if (survey.state === 'closed')
    return { status: 410, body: messagePage('Closed', 'This survey is closed. Thank you for your interest.') };
  return undefined;
}

export const thanksPage = (): string => messagePage('Thank you!', 'Your answer has been recorded.');

/**
 * The form.
 * @param invitationToken Goes along with the answer; opening the page does not spend it.
 */
export function surveyPage(survey: SurveyPage, invitationToken: string | undefined, submitted?: Submission): string {
  const faults = Object.values(submitted?.faults ?? {});
  return layout(
    survey.title,
    html`<p class="workspace">${survey.workspaceName}</p>
<h1>${survey.title}</h1>
${faults.length > 0 && html`<p class="fault" role="alert">Please look at the marked ${faults.length === 1 ? 'question' : 'questions'} again.</p>`}
<form method="post" action="/s/${encodeURIComponent(survey.surveyId)}">
${invitationToken !== undefined && html`<input type="hidden" name="invitation" value="${invitationToken}">`}
${survey.questions.map((question) => field(question, submitted))}
<button type="submit">Send answer</button>
</form>`,
  );
}

function field(question: Question, submitted: Submission | undefined): Html {
  const name = FIELD + question.id;
  const given = submitted?.answers[question.id];
  const fault = submitted?.faults[question.id];
  const faultId = `fault-${name}`;
  const note = fault !== undefined && html`<p class="fault" id="${faultId}">${fault}</p>`;
  const described = fault !== undefined && html` aria-invalid="true" aria-describedby="${faultId}"`;
  const required = question.required === true && html` required`;
  if (question.type === 'text') {
    return html`<div class="question">
<label for="${name}">${question.label}</label>
${note}
<textarea id="${name}" name="${name}" rows="4" maxlength="${MAX_ANSWER}"${required}${described}>${given}</textarea>
</div>`;
  }
  return html`<fieldset class="question ${question.type}"${described}>
<legend>${question.label}</legend>
${note}
<div class="choices">
${choicesOf(question).map(
  (choice) =>
    html`<label><input type="radio" name="${name}" value="${choice}"${String(given) === choice && html` checked`}${required}><span>${choice}</span></label>`,
)}
</div>
</fieldset>`;
}

function choicesOf({ type, choices = [], min = 0, max = 10 }: Question): readonly string[] {
  return type === 'choice' ? choices : Array.from({ length: max - min + 1 }, (_, index) => String(min + index));
}

/** Checks a submitted form against the survey's questions. */
export function readSubmission(questions: readonly Question[], form: URLSearchParams): Submission {
  const answers: Record<string, string | number> = {};
  const faults: Record<string, string> = {};
  for (const question of questions) {
    const text = (form.get(FIELD + question.id) ?? '').replaceAll('\0', '').toWellFormed().trim();
    if (text === '') {
      if (question.required === true) faults[question.id] = 'This question needs an answer.';
    } else if (question.type === 'text') {
      answers[question.id] = text;
      if (text.length > MAX_ANSWER) faults[question.id] = `Please use at most ${MAX_ANSWER} characters.`;
    } else if (choicesOf(question).includes(text)) {
      answers[question.id] = question.type === 'score' ? Number(text) : text;
    } else {
      faults[question.id] = 'Please choose one of the answers.';
    }
  }
  return { answers, faults };
}
