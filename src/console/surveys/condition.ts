// The answers after which a text is asked, as the value of a form's field. Pure.
import type { AskIf, Question } from '../../database/store.ts';

/** As JSON, in one order of its fields. */
export const conditionValue = ({ question, min, max, choices }: AskIf): string => JSON.stringify({ question, min, max, choices });

/** Undefined: everyone is asked, or the text is nothing that the form has offered. */
export function readCondition(text: string): Question['ask_if'] {
  if (text === '') return undefined;
  try {
    const { question, min, max, choices } = JSON.parse(text);
    const isChoices = Array.isArray(choices) && choices.every((choice) => typeof choice === 'string');
    if (typeof question === 'string' && isChoices) return { question, choices };
    if (typeof question === 'string' && typeof min === 'number' && typeof max === 'number') return { question, min, max };
  } catch {}
  return undefined;
}
