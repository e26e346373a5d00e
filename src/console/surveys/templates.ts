// The templates that a new survey can start with. Pure.
import type { Question } from '../../database/store.ts';

export interface Template {
  readonly name: string;
  readonly description: string;
  readonly questions: readonly Question[];
}

export const TEMPLATES = {
  nps: {
    name: 'Recommendation (NPS)',
    description: 'Would people recommend you? A score from 0 to 10, and why.',
    questions: [
      {
        id: 'score',
        type: 'score',
        label: 'How likely are you to recommend us to a friend or colleague?',
        required: true,
        min: 0,
        max: 10,
        min_label: 'Not at all likely',
        max_label: 'Extremely likely',
        nps: true,
      },
      { id: 'comment', type: 'text', label: 'What is the main reason for your score?', required: false },
    ],
  },
  csat: {
    name: 'Satisfaction (CSAT)',
    description: 'How satisfied are people? A score from 1 to 5, and what to improve.',
    questions: [
      {
        id: 'score',
        type: 'score',
        label: 'How satisfied are you?',
        required: true,
        min: 1,
        max: 5,
        min_label: 'Very dissatisfied',
        max_label: 'Very satisfied',
      },
      { id: 'comment', type: 'text', label: 'What could we do better?', required: false },
    ],
  },
  empty: { name: 'Empty', description: 'You add all questions.', questions: [] },
} as const satisfies Record<string, Template>;

export type TemplateName = keyof typeof TEMPLATES;

export const isTemplate = (name: string): name is TemplateName => Object.hasOwn(TEMPLATES, name);
