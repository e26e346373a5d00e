// Questions that are asked only after certain answers to an earlier one. The page has them all, and its style sheet shows those that are asked, so
// that it needs no script; the server takes no answers to the others. Pure.
import type { AskIf, Question } from '../database/store.ts';

/** An answer. A list: of several choices. */
export type Given = string | number | readonly string[];

const follows = ({ min = -Infinity, max = Infinity, choices }: AskIf, value: string): boolean =>
  choices === undefined ? Number(value) >= min && Number(value) <= max : choices.includes(value);

/** @param answers Those to the questions before. */
export function isAsked({ ask_if }: Question, answers: Readonly<Record<string, Given>>): boolean {
  if (ask_if === undefined) return true;
  const given = answers[ask_if.question];
  if (given === undefined) return false;
  return (typeof given === 'object' ? given : [String(given)]).some((value) => follows(ask_if, value));
}

/** The class of a follow-up, and of the inputs after which it is asked: `follow-1` is the first of the survey. Undefined: it is always asked. */
export const followUpClass = (questions: readonly Question[], question: Question): string | undefined =>
  question.ask_if && `follow-${questions.filter(({ ask_if }) => ask_if !== undefined).indexOf(question) + 1}`;

/** The classes of the input for a value of a question. */
export const leadingClasses = (questions: readonly Question[], { id }: Question, value: string): string =>
  questions
    .filter(({ ask_if }) => ask_if?.question === id && follows(ask_if, value))
    .map((question) => followUpClass(questions, question))
    .join(' ');
