// The survey page, and the pages that are shown instead of it. They show only the survey's title and questions and the workspace's name. A
// draft's title isn't public.
import type { Question, SurveyPage } from '../database/store.ts';
import { asset } from '../html/assets.ts';
import { type Html, html } from '../html/html.ts';
import type { Icon } from '../html/icons.ts';
import { layout, noticePage, type PageFrame } from '../html/layout.ts';
import type { Strings } from '../languages/en.ts';
import { languageAttributes } from '../languages/languages.ts';
import { ANSWER } from '../mail/links.ts';
import { choicesOf } from '../mail/question-texts.ts';
import type { GroupName } from '../score-groups.ts';
import { longestAnswer, type Submission } from './answers.ts';
import { followUpClass, type Given, leadingClasses } from './follow-ups.ts';
import { languageSwitch } from './language-switch.ts';
import { scoreWithThanks } from './thanks.ts';
import { frameFor, inLanguage, questionsFrame, type SurveyWords, shownLanguage, type Worded, wordsOf } from './words.ts';

/** With what the visitor's browser asks for. Members see it with a scheme of their choice. */
export type ShownSurvey = SurveyPage & Worded & { readonly scheme?: PageFrame['scheme'] };

/** The pages that are shown instead of the questions: icon, status, and the names of title and text. */
const CLOSED = {
  unknown: ['broken', 404, 'invalidLinkTitle', 'invalidLink'],
  responded: ['done', 200, 'respondedTitle', 'responded'],
  draft: ['wait', 403, 'notOpenTitle', 'notOpen'],
  closed: ['closed', 410, 'closedTitle', 'closed'],
  full: ['closed', 410, 'closedTitle', 'full'],
  expired: ['closed', 410, 'linkExpiredTitle', 'linkExpired'],
  required: ['mail', 403, 'byInvitationTitle', 'byInvitation'],
} as const satisfies Record<string, readonly [Icon, number, keyof Strings, keyof Strings]>;

/** Says why the survey can't be answered, with the HTTP status. Undefined: it can be answered. */
export function closedPage(survey: ShownSurvey): { status: number; body: string } | undefined {
  const { link, workspaceName } = survey;
  const state = survey.isFull ? 'full' : survey.state;
  const first = [link, state].find((reason) => reason in CLOSED && !isBehind(reason, state));
  if (first === undefined) return undefined;
  const [name, status, heading, text] = CLOSED[first as keyof typeof CLOSED];
  const { voice, title } = wordsOf(survey);
  const sentence = voice.put(text, {
    title: html`<b${languageAttributes(title.language, voice.language)}>${title.text}</b>`,
    workspace: workspaceName,
  });
  return { status, body: noticePage(name, voice.say(heading), html`<p>${sentence}</p>`, frameFor(survey, voice)) };
}

/** Whether the survey's state says more. A draft may open again, but not for an expired link. */
const isBehind = (reason: string, state: string): boolean =>
  (reason === 'required' && state !== 'active') || (reason === 'expired' && state !== 'active' && state !== 'draft');

/** The page doesn't show the title, because anyone can open it, even for a survey that only invited people can answer. */
export function thanksPage(survey: ShownSurvey, group?: GroupName): string {
  const words = wordsOf(survey);
  const score = scoreWithThanks(survey.questions);
  const own = score && group && words.thanksAfter(score, group);
  return noticePage('done', words.voice.say('thanksTitle'), thanksPart(words, own), frameFor(survey, words.voice));
}

type ThanksWords = Pick<SurveyWords, 'thanks' | 'button' | 'voice'>;

/** The thank-you text, as the author wrote it, and the button, which is the same for everybody and names nobody. */
export const thanksPart = ({ thanks: ofSurvey, button, voice }: ThanksWords, thanks = ofSurvey): Html =>
  html`${
    thanks === undefined
      ? html`<p>${voice.say('thanks')}</p>`
      : html`<p class="text"${languageAttributes(thanks.language, voice.language) || html` dir="auto"`}>${thanks.text}</p>`
  }${button !== undefined && html`<p><a class="button" href="${button.url}" rel="noopener noreferrer">${inLanguage(button.label, voice)}</a></p>`}`;

/**
 * Only the server validates (novalidate), so that all errors are shown at once.
 * @param invitationToken Is sent with the response. Opening the page doesn't use it up.
 * @param clicked The question whose answer was chosen in the email. Its answer is in submitted.
 */
export function surveyPage(
  survey: ShownSurvey,
  invitationToken: string | undefined,
  submitted?: Submission,
  clicked?: string,
): string {
  const { questions, workspaceName } = survey;
  const words = wordsOf(survey);
  const { voice, title } = words;
  const hasErrors = submitted?.changed || questions.some(({ id }) => submitted?.errors[id] !== undefined);
  const hidden = (name: string, value: string | number | null | undefined) =>
    value !== null && value !== undefined && html`<input type="hidden" name="${name}" value="${value}">\n`;
  const kept = {
    ...(invitationToken !== undefined && { invitation: invitationToken }),
    ...(clicked !== undefined && { [ANSWER + clicked]: String(submitted?.answers[clicked]) }),
  };
  return layout(
    hasErrors ? voice.say('errorTitle', { title: title.text }) : title.text,
    html`${languageSwitch(survey, shownLanguage(survey), voice, kept)}<h1>${inLanguage(title, voice)}</h1>
${hasErrors ? summary(words, questions, submitted) : clicked !== undefined && html`<p class="chosen" role="status">${voice.say('notSubmitted')}</p>`}
<form method="post" action="/s/${encodeURIComponent(survey.surveyId)}" novalidate>
${hidden('version', survey.questionsVersion)}${hidden('language', shownLanguage(survey))}${hidden('invitation', invitationToken)}${hidden('clicked', clicked)}${questionFields(words, questions, submitted)}
<button type="submit">${voice.say('submit')}</button>
<p class="note">${voice.put('answersGoTo', { workspace: workspaceName })}</p>
</form>
<script src="${asset('unsent-answers.js')}" defer></script>`,
    questionsFrame(survey, voice),
  );
}

/** The summary of errors. It takes the focus, so that screen readers announce it. */
function summary(words: SurveyWords, questions: readonly Question[], submitted: Submission | undefined): Html {
  const { voice } = words;
  const max = longestAnswer(questions);
  const errors = questions.map((question, index) => {
    const error = submitted?.errors[question.id];
    return (
      error !== undefined &&
      html`<li><a href="#q${index + 1}">${inLanguage(words.label(question), voice)}</a><br>${voice.say(error, { max })}</li>`
    );
  });
  return html`<div class="summary" role="alert" tabindex="-1" autofocus aria-labelledby="errors">
<h2 id="errors">${voice.say('notSubmitted')}</h2>
${submitted?.changed && html`<p>${voice.say('questionsChanged')}</p>`}
<ul>${errors}</ul>
</div>`;
}

export const questionFields = (words: SurveyWords, questions: readonly Question[], submitted?: Submission): Html =>
  html`${questions.map((_, index) => field(words, questions, index, submitted))}`;

const isGiven = (given: Given | undefined, value: string): boolean =>
  typeof given === 'object' ? given.includes(value) : String(given) === value;

function field(words: SurveyWords, questions: readonly Question[], index: number, submitted: Submission | undefined): Html {
  const question = questions[index] as Question;
  // Of the first input, for the link in the error summary. The question's own id can be any text.
  const id = `q${index + 1}`;
  const max = longestAnswer(questions);
  const { voice } = words;
  const follow = followUpClass(questions, question);
  const { type, required, several, stars } = question;
  const name = ANSWER + question.id;
  const given = submitted?.answers[question.id];
  const error = submitted?.errors[question.id];
  const ends = type === 'score' ? words.ends(question) : [];
  const described = [ends.length > 0 && `${id}-ends`, error !== undefined && `${id}-error`].filter(Boolean).join(' ');
  const heading = html`${inLanguage(words.label(question), voice)}${required !== true && html` <span class="optional">${voice.say('optional')}</span>`}`;
  const note = error !== undefined && html`<p class="error" id="${id}-error">${voice.say(error, { max })}</p>`;
  const state = html`${described && html` aria-describedby="${described}"`}${error !== undefined && html` aria-invalid="true"`}`;
  if (type === 'text') {
    return html`<div class="question${follow !== undefined && ` follow-up ${follow}`}">
<label for="${id}">${heading}</label>
${note}
<textarea id="${id}" name="${name}" dir="auto" rows="4" maxlength="${max}"${required === true && html` required`}${state}>
${given}</textarea>
</div>`;
  }
  const shown = (value: string) => words.answer(question, value);
  const leads = (value: string) => leadingClasses(questions, question, value);
  const choice = (value: string, place: number) =>
    html`<label><input type="${several ? 'checkbox' : 'radio'}"${place === 0 && html` id="${id}"`}${leads(value) && html` class="${leads(value)}"`} name="${name}" value="${value}"${isGiven(given, value) && html` checked`}${required === true && !several && html` required`}>${stars && html`<b class="star" aria-hidden="true"></b>`}<span${stars && html` class="hidden"`}${languageAttributes(shown(value).language, voice.language)}>${shown(value).text}</span></label>`;
  return html`<fieldset class="question ${type}${stars && ' stars'}"${!several && html` role="radiogroup"${required === true && html` aria-required="true"`}`}${state}>
<legend>${heading}</legend>
${note}
<div class="choices">
${choicesOf(question).map(choice)}
${required !== true && !several && html`<label class="none"><input type="radio" name="${name}" value=""><span>${voice.say('noAnswer')}</span></label>`}
</div>
${ends.length > 0 && html`<p class="ends" id="${id}-ends">${ends.map((end) => html`<span${languageAttributes(end.language, voice.language)}>${end.text}</span> `)}</p>`}
</fieldset>`;
}
