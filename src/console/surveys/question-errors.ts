// Says what is wrong with a question, in the editor's own terms and at the field where the author can fix it. Pure.
import { DIRECTION_MARKS } from '../../constraint-messages.ts';
import { THANKS_FIELDS } from '../../recipient/thanks.ts';
import { cutAfter, hasDirectionMark, toPlainLine } from '../../text.ts';
import type { Draft } from './question-form.ts';

export type DraftField =
  | 'label'
  | 'choices'
  | 'min'
  | 'min_label'
  | 'max'
  | 'max_label'
  | (typeof THANKS_FIELDS)[number]
  | 'nps'
  | 'ask_if';

const MAX_CHOICE = 255;
const MAX_END_LABEL = 100;
const MAX_THANKS = 2000;

const isScaleEnd = (end: unknown): boolean => Number.isInteger(end) && Math.abs(end as number) <= 100;
const listOf = (choices: unknown): readonly string[] => (Array.isArray(choices) ? choices : []);
const isMarked = (text: unknown): boolean => hasDirectionMark(String(text ?? ''));
/** Enough of the text to recognize it. */
const shortened = (text: string): string => cutAfter(text, 40);

/** Errors by the codes of the SQL function question_error_code. Codes that this form can't cause are left out. */
const ERRORS: Readonly<Record<string, (draft: Draft) => readonly [field: DraftField, text: string]>> = {
  invalid_label: ({ label }) => [
    'label',
    label === '' ? 'Enter the question.' : isMarked(label) ? `${DIRECTION_MARKS}.` : 'A question has at most 1,000 characters.',
  ],
  invalid_range: ({ min }) => [isScaleEnd(min ?? 0) ? 'max' : 'min', 'Enter a whole number from -100 to 100.'],
  invalid_range_size: ({ min = 0, max = 10 }) => [
    'max',
    Number(max) > Number(min)
      ? `Enter at most ${Number(min) + 20}: a scale has up to 21 numbers.`
      : `Enter a number above ${min}.`,
  ],
  invalid_end_label: ({ min_label, max_label }) => {
    const marked = isMarked(min_label) ? 'min_label' : isMarked(max_label) ? 'max_label' : undefined;
    if (marked !== undefined) return [marked, `${DIRECTION_MARKS}.`];
    return [String(min_label ?? '').length > MAX_END_LABEL ? 'min_label' : 'max_label', 'Enter at most 100 characters.'];
  },
  invalid_thanks: (draft) => {
    const marked = THANKS_FIELDS.find((field) => isMarked(draft[field]));
    if (marked !== undefined) return [marked, `${DIRECTION_MARKS}.`];
    const long = THANKS_FIELDS.find((field) => [...String(draft[field] ?? '')].length > MAX_THANKS);
    return [long ?? 'low_thanks', 'Enter at most 2,000 characters.'];
  },
  invalid_choices: ({ choices }) => [
    'choices',
    listOf(choices).length === 0 ? 'Enter at least one choice.' : 'Enter at most 50 choices, one on each line.',
  ],
  invalid_choice: ({ choices }) => {
    const wrong = listOf(choices).find((choice) => isMarked(choice) || choice.length > MAX_CHOICE) ?? '';
    return [
      'choices',
      isMarked(wrong)
        ? `${DIRECTION_MARKS}: “${shortened(toPlainLine(wrong))}”.`
        : `A choice has at most 255 characters. Shorten “${shortened(wrong)}”.`,
    ];
  },
  repeated_choice: ({ choices }) => [
    'choices',
    `“${shortened(listOf(choices).find((choice, index, all) => all.indexOf(choice) < index) ?? '')}” is there twice.`,
  ],
  invalid_ask_if: () => [
    'ask_if',
    'These answers aren’t offered any more, or their question comes later. Choose again after which answers it is asked.',
  ],
  invalid_nps: () => ['nps', 'The Net Promoter Score needs a scale from 0 to 10. Change the scale, or clear this box.'],
};

/** Undefined: this form can't have caused the error. */
export const draftError = (code: string, draft: Draft | undefined): { field: DraftField; text: string } | undefined => {
  const [field, text] = (draft && ERRORS[code]?.(draft)) ?? [];
  return field === undefined || text === undefined ? undefined : { field, text };
};
