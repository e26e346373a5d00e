// Answers submitted from a survey page, and their errors. Pure.
import type { Question } from '../database/store.ts';
import type { Strings } from '../languages/en.ts';
import { ANSWER } from '../mail/links.ts';
import { choicesOf } from '../mail/question-texts.ts';
import { toStorable } from '../text.ts';
import { type Given, isAsked } from './follow-ups.ts';

/** In characters: of one text, and of all texts of a response, because the pages of Results and their export read many responses at once. */
const MAX_ANSWER = 10_000;
const MAX_ANSWERS = 65_536;

/** The most characters of a text, of which all the survey's texts have the same. */
export const longestAnswer = (questions: readonly Question[]): number =>
  Math.min(MAX_ANSWER, Math.floor(MAX_ANSWERS / questions.filter(({ type }) => type === 'text').length));

export type AnswerError = keyof Pick<Strings, 'chooseNumber' | 'chooseAnswer' | 'enterAnswer' | 'tooLong'>;

export interface Submission {
  readonly answers: Record<string, Given>;
  /** What the page says about invalid answers, by question id. */
  readonly errors: Record<string, AnswerError>;
  /** Whether the page showed an earlier version of the questions. */
  readonly changed?: boolean;
}

/** Keeps invalid answers, so that the page can show them again. */
export function readSubmission(questions: readonly Question[], form: URLSearchParams): Submission {
  // The object has no prototype, because an id may be constructor or __proto__.
  const answers: Record<string, Given> = Object.create(null);
  const errors: Record<string, AnswerError> = Object.create(null);
  const longest = longestAnswer(questions);
  for (const question of questions) {
    if (!isAsked(question, answers)) continue;
    const texts = form.getAll(ANSWER + question.id).map((text) => toStorable(text).trim());
    const text = texts[0] ?? '';
    if (text === '') {
      if (question.required === true) errors[question.id] = question.stars === true ? 'chooseAnswer' : REQUIRED[question.type];
    } else if (question.several === true) {
      // In the order of the question, each once.
      answers[question.id] = choicesOf(question).filter((choice) => texts.includes(choice));
      if (!texts.every((one) => choicesOf(question).includes(one))) errors[question.id] = 'chooseAnswer';
    } else if (question.type === 'text') {
      answers[question.id] = text;
      if (text.length > longest) errors[question.id] = 'tooLong';
    } else if (choicesOf(question).includes(text)) {
      answers[question.id] = question.type === 'score' ? Number(text) : text;
    } else {
      errors[question.id] = 'chooseAnswer';
    }
  }
  return { answers, errors };
}

const REQUIRED = {
  score: 'chooseNumber',
  choice: 'chooseAnswer',
  text: 'enterAnswer',
} as const;

/** An answer that was chosen in an email. Nothing is stored before the recipient submits it. */
export interface Click {
  readonly question: string;
  readonly answer: Given;
}

/** @param query Of the link in the email. Undefined: it has no answer that this survey can have. */
export function readClick(questions: readonly Question[], query: Readonly<Record<string, unknown>>): Click | undefined {
  for (const question of questions) {
    const answer = query[ANSWER + question.id];
    if (question.type !== 'text' && typeof answer === 'string' && choicesOf(question).includes(answer))
      return { question: question.id, answer: question.several === true ? [answer] : answer };
  }
  return undefined;
}
