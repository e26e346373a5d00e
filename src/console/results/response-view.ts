// One response. Pure.
import type { InvitationEvent, OtherResponse, Question, ResponseDetail, SurveyFrame } from '../../database/store.ts';
import { isAtLeast } from '../../database/store.ts';
import { type Html, html } from '../../html/html.ts';
import { facts, fullMoment, moment, NONE, notice, status, table } from '../components.ts';
import type { PageContext } from '../frame.ts';
import { detailOf, metadataSection } from '../invitations/parts-view.ts';
import { HISTORY_EVENTS, languageName } from '../words.ts';
import { textOf } from './columns.ts';
import { minus } from './figures.ts';
import { groupOf } from './summary-view.ts';

/** @param events Those of its invitation. */
export const responseMain = (
  { now }: PageContext,
  survey: SurveyFrame,
  response: ResponseDetail,
  events: readonly InvitationEvent[],
): Html => html`<h2>${who(survey, response)}</h2>
${response.erasedAt && notice('warn', html`<p><strong>Erased:</strong> the answers were erased for the person who gave them, ${moment(response.erasedAt, now)}.</p>`)}
${answersSection(response)}
<section class="card panel" aria-label="Response">
${facts([
  ['Submitted', fullMoment(response.submittedAt, now)],
  ['From', from(survey, response)],
  response.language !== null && ['Language', languageName(response.language)],
  response.batchId !== null && [
    'Batch',
    html`<a href="/surveys/${survey.surveyId}/invitations?batch=${response.batchId}">…${response.batchId.slice(-6)}</a>`,
  ],
])}
</section>
${metadataSection(response.metadata, 'Results can be filtered by it.')}
${response.others !== null && response.others.length > 0 && othersTable(response.others, now)}
${
  events.length > 0 &&
  html`<h2>History</h2>
${table(
  'What happened to the invitation, newest first',
  ['Event', ['Time', 'time'], 'Details'],
  events.toReversed().map((event) => [HISTORY_EVENTS[event.event], fullMoment(event.at, now), detailOf(event)]),
)}`
}`;

/** The title of its page. */
export const responseTitle = ({ email, name }: ResponseDetail): string => name ?? email ?? 'Response';

function who({ role }: SurveyFrame, { invitationId, name, email }: ResponseDetail): string {
  if (invitationId === null) return 'Somebody with the public link';
  if (!isAtLeast(role, 'editor')) return 'An invited person';
  return name ?? email ?? 'Erased recipient';
}

/** For editors, the button that writes to the person. */
export const writeLink = ({ email }: ResponseDetail, { title }: SurveyFrame): Html | false =>
  email !== null && html`<a class="button quiet" href="${mailto(email, title)}">Write an email</a>`;

/** A recipient may have an address with characters that separate the parts of a mailto link (RFC 6068). */
const mailto = (email: string, title: string): string =>
  `mailto:${encodeURIComponent(email).replaceAll('%40', '@')}?subject=${encodeURIComponent(`Your answer to “${title}”`)}`;

function from({ surveyId, workspaceId, role }: SurveyFrame, { invitationId, email, name }: ResponseDetail): Html {
  if (invitationId === null) return status('direct', 'plain');
  if (!isAtLeast(role, 'editor')) return status('invitation', 'good');
  return html`<a href="/surveys/${surveyId}/invitations/${invitationId}">Invitation</a> to <a href="/workspaces/${workspaceId}/recipients/${invitationId}">${email ?? 'an erased recipient'}</a>${name !== null && email !== null && html` (${name})`}`;
}

/** The answers in the order of the questions as they were asked, then those to questions that weren't. */
export function answersSection({
  questions,
  answers,
  erasedAt,
  clickedInEmail,
}: Pick<ResponseDetail, 'questions' | 'answers' | 'erasedAt' | 'clickedInEmail'>): Html | false {
  if (erasedAt !== null) return false;
  const ids = new Set(questions.map(({ id }) => id));
  const others = Object.keys(answers).filter((key) => !ids.has(key));
  return html`<section class="card panel" aria-labelledby="answers"><h2 id="answers">Answers</h2>
${facts([
  ...questions.map(
    (question) =>
      [
        question.label,
        html`${answerTo(question, answers[question.id])}${question.id === clickedInEmail && html` <span class="dim">· began with a click in the email</span>`}`,
        'wide',
      ] as const,
  ),
  ...others.map((key) => [key, html`<span dir="auto">${textOf(answers[key])}</span>`, 'wide'] as const),
])}
</section>`;
}

function answerTo(question: Question, value: unknown): Html {
  const text = textOf(value);
  if (text === '') return html`<span class="dim">Not answered</span>`;
  if (question.type !== 'score') return html`<span class="answer" dir="auto">${text}</span>`;
  const { min = 0, max = 10, nps } = question;
  const group = groupOf(nps, value);
  // What a product stores may be any text.
  const shown =
    text.length > 12 ? html`<strong>${text}</strong>` : html`<span class="chip${group && ` ${group}`}">${minus(text)}</span>`;
  return html`${shown} <span class="dim">on a scale from ${min} to ${max}${group !== undefined && ` · ${group}`}</span>`;
}

const othersTable = (others: readonly OtherResponse[], now: Date): Html => html`<h2>Other responses of this person</h2>
${table(
  'Other responses of this person, newest first',
  [
    ['Survey', 'text'],
    ['Submitted', 'time'],
    ['Score', 'number'],
  ],
  others.map(({ id, survey_id: survey, survey_title: title, submitted_at: at, label, score }) => [
    html`<a href="/surveys/${survey}/responses/${id}">${title}</a>${label !== null && html`<span class="sub">${label}</span>`}`,
    moment(new Date(at), now),
    textOf(score) === '' ? NONE : textOf(score),
  ]),
)}`;
