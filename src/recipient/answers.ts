// The answers that a survey page submits: which there can be, and what is wrong with those that came. Pure.
import type { Question } from '../database/store.ts';
import { toStorable } from '../text.ts';

/** Longest text of one answer, in characters. */
export const MAX_ANSWER = 10_000;
/** Prefix of the questions' form fields: a question may be called anything. */
export const FIELD = 'answer.';

export interface Submission {
  readonly answers: Record<string, string | number>;
  /** What is wrong, by question id; empty if all is well. */
  readonly faults: Record<string, string>;
}

/** What can be chosen as the answer to a score or a choice. */
export function choicesOf({ type, choices = [], min = 0, max = 10 }: Question): readonly string[] {
  return type === 'choice' ? choices : Array.from({ length: max - min + 1 }, (_, index) => String(min + index));
}

/** Checks a submitted form against the survey's questions. What was given is kept, good or not, to be shown again. */
export function readSubmission(questions: readonly Question[], form: URLSearchParams): Submission {
  // Without a prototype: a question may be called constructor or __proto__.
  const answers: Record<string, string | number> = Object.create(null);
  const faults: Record<string, string> = Object.create(null);
  for (const question of questions) {
    const text = toStorable(form.get(FIELD + question.id) ?? '').trim();
    if (text === '') {
      if (question.required === true) faults[question.id] = WANTED[question.type];
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

const WANTED = {
  score: 'Please choose a number.',
  choice: 'Please choose one of the answers.',
  text: 'Please write an answer.',
} as const;
