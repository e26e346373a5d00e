// The templates that a new survey can start with. The service says their texts in each of its languages, so that they need no translation. Pure.
import type { Question } from '../../database/store.ts';
import { en as service } from '../../languages/en.ts';
import { en } from '../../languages/questions/en.ts';

export interface Template {
  readonly name: string;
  readonly description: string;
  readonly questions: readonly Question[];
}

/** A scale of satisfaction, which is the same wherever it is asked. */
const satisfaction = (label: string): Question => ({
  id: 'score',
  type: 'score',
  label,
  required: true,
  min: 1,
  max: 5,
  min_label: en.veryDissatisfied,
  max_label: en.verySatisfied,
});

const yesOrNo = (id: string, label: string): Question => ({
  id,
  type: 'choice',
  label,
  choices: [en.yes, en.no],
  required: true,
});

const text = (id: string, label: string, ask_if?: Question['ask_if']): Question => ({
  id,
  type: 'text',
  label,
  required: false,
  ...(ask_if !== undefined && { ask_if }),
});

export const TEMPLATES = {
  nps: {
    name: 'Recommendation (NPS)',
    description: 'Would people recommend you? A score from 0 to 10, and why.',
    questions: [
      {
        id: 'score',
        type: 'score',
        label: en.recommendFriend,
        required: true,
        min: 0,
        max: 10,
        min_label: service.leastLikely,
        max_label: service.mostLikely,
        nps: true,
      },
      text('comment', service.mainReason),
    ],
  },
  csat: {
    name: 'Satisfaction (CSAT)',
    description: 'How satisfied are people? A score from 1 to 5, and what to improve.',
    questions: [satisfaction(en.satisfied), text('comment', en.doBetter)],
  },
  ces: {
    name: 'Effort (CES)',
    description: 'Was it easy? Agreement from 1 to 7, and after 1 to 4 what would have made it easier.',
    questions: [
      {
        id: 'score',
        type: 'score',
        label: en.wasEasy,
        required: true,
        min: 1,
        max: 7,
        min_label: en.stronglyDisagree,
        max_label: en.stronglyAgree,
      },
      text('comment', en.easier, { question: 'score', min: 1, max: 4 }),
    ],
  },
  delivery: {
    name: 'After a delivery',
    description: '1 to 5 stars, whether all arrived in good condition, and if not, what was wrong.',
    questions: [
      { id: 'stars', type: 'score', label: en.delivery, required: true, min: 1, max: 5, stars: true },
      yesOrNo('condition', en.goodCondition),
      text('wrong', en.whatWrong, { question: 'condition', choices: [en.no] }),
      text('comment', en.anythingElse),
    ],
  },
  support: {
    name: 'After a support request',
    description: 'Satisfaction with the help, whether the problem is solved, and if not, what is missing.',
    questions: [
      satisfaction(en.help),
      yesOrNo('solved', en.solved),
      text('open', en.stillOpen, { question: 'solved', choices: [en.no] }),
      text('comment', en.anythingElse),
    ],
  },
  cancelled: {
    name: 'Subscription canceled',
    description: 'Why people left, what would have kept them, and whether they may come back.',
    questions: [
      {
        id: 'reasons',
        type: 'choice',
        label: en.whyCancel,
        required: true,
        several: true,
        choices: [en.expensive, en.missing, en.difficult, en.noNeed, en.switched, en.otherReason],
      },
      text('comment', en.doneBetter),
      yesOrNo('back', en.comeBack),
    ],
  },
  empty: { name: 'Empty', description: 'You add all questions.', questions: [] },
} as const satisfies Record<string, Template>;

export type TemplateName = keyof typeof TEMPLATES;

export const isTemplate = (name: string): name is TemplateName => Object.hasOwn(TEMPLATES, name);
