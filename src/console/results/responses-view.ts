// The list of responses: a row each, as high as two lines of a comment and a name. The response's own page has the rest. Pure.
import type { Question, Result } from '../../database/store.ts';
import { type Html, html } from '../../html/html.ts';
import { cutAfter } from '../../text.ts';
import { ago, type Column, table } from '../components.ts';
import type { Wordings } from './asked-questions.ts';
import { textOf, valueIn } from './columns.ts';
import { minus } from './figures.ts';
import { groupOf } from './summary-view.ts';

/** How many characters of a value are shown. The CSV has the whole value. */
export const SHOWN = { answers: 280, metadata: 80 };

export interface ResponsesTable {
  readonly results: readonly Result[];
  readonly questions: readonly Question[];
  readonly wordings: Wordings;
  /** Metadata keys that get their own column. */
  readonly chosen: readonly string[];
  /** Whether the member may see who the recipients are. */
  readonly named: boolean;
  /** Of the pages of responses. */
  readonly path: string;
  readonly now: Date;
}

export function responsesTable({ results, questions, wordings, chosen, named, path, now }: ResponsesTable): Html {
  const score =
    questions.find(({ type, nps }) => type === 'score' && nps === true) ?? questions.find(({ type }) => type === 'score');
  const heads: Column[] = [
    score === undefined ? 'Response' : 'Score',
    ['What they said', 'wide'],
    ...chosen,
    ['Submitted', 'time'],
  ];
  const row = (result: Result) => [
    chip(`${path}/${result.id}`, score, score && result.answers[score.id]),
    html`${said(result, questions, score, wordings)}<span class="sub">${from(result.attribution !== 'direct', result, named)}${result.clickedInEmail !== null && ' · began with a click in the email'}</span>`,
    ...chosen.map(
      (key) =>
        html`<span dir="auto">${cutAfter(textOf(valueIn(result, { of: 'metadata', key, label: key })), SHOWN.metadata)}</span>`,
    ),
    ago(result.submittedAt, now),
  ];
  return html`<div class="responses">${table('Responses, newest first', heads, results.map(row))}</div>`;
}

/** The score in the color of its group, which leads to the response's page. */
export function chip(path: string, score: Question | undefined, value: unknown): Html {
  const group = groupOf(score?.nps, value);
  const text = value === undefined || value === null ? (score === undefined ? 'View' : '–') : minus(cutAfter(textOf(value), 12));
  return html`<a class="chip${group && ` ${group}`}" href="${path}"><span class="hidden">Response: </span>${text}</a>`;
}

/** The comments, or without any the other answers. */
function said(result: Result, questions: readonly Question[], score: Question | undefined, wordings: Wordings): Html {
  if (result.erasedAt !== null) return html`<span class="dim">Answers erased</span>`;
  const given = Object.keys(result.answers).flatMap((id) => {
    const question = questions.find((asked) => asked.id === id);
    const text = cutAfter(textOf(result.answers[id]), SHOWN.answers);
    const label = wordings(result.questionsVersion, id) ?? question?.label ?? id;
    return id === score?.id || text === '' ? [] : [{ label, text, isComment: question?.type === 'text' }];
  });
  const comments = given.filter(({ isComment }) => isComment);
  const shown = comments.length > 0 ? comments : given;
  const asked = score && wordings(result.questionsVersion, score.id);
  return html`${asked !== undefined && asked !== score?.label && score && result.answers[score.id] !== undefined && html`<span class="sub">Score asked as “${asked}”</span>`}<p class="answer" dir="auto">${shown.map(({ label, text, isComment }, index) => html`${index > 0 && ' · '}<span class="${comments.length === 1 && isComment ? 'hidden' : 'dim'}" dir="auto">${label} </span>${text}`)}</p>`;
}

/** Where the response came from. A viewer sees only that it came from an invitation. */
export function from(isInvited: boolean, { email, name }: Pick<Result, 'email' | 'name'>, named: boolean): Html | string {
  if (!isInvited) return 'Public link';
  if (!named) return 'Invitation';
  return name === null ? (email ?? 'Erased recipient') : html`<bdi title="${email}">${name}</bdi>`;
}
