// The thank-you text of those who gave a low, middle or high score. It belongs to the first score that has such texts. The page's address names only
// the group. Pure.
import type { Question } from '../database/store.ts';
import { GROUP_NAMES, type GroupName, groupOf } from '../score-groups.ts';
import type { Given } from './follow-ups.ts';

/** The property of a question that has a group's text. */
export const thanksField = (group: GroupName) => `${group}_thanks` as const;

export const THANKS_FIELDS = GROUP_NAMES.map(thanksField);

export const scoreWithThanks = (questions: readonly Question[]): Question | undefined =>
  questions.find((question) => THANKS_FIELDS.some((field) => question[field] !== undefined));

/** The group whose text is shown. Undefined: the survey's own text is. */
export function thankedGroup(questions: readonly Question[], answers: Readonly<Record<string, Given>>): GroupName | undefined {
  const question = scoreWithThanks(questions);
  const score = question && answers[question.id];
  const group = typeof score === 'number' ? groupOf(question as Question, score) : undefined;
  return group !== undefined && question?.[thanksField(group)] !== undefined ? group : undefined;
}

/** As an address names it. */
export const readGroup = (text: unknown): GroupName | undefined => GROUP_NAMES.find((group) => group === text);
