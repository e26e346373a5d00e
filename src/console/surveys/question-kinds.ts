// The kinds of questions that the editor offers, each in one place: what it is called, and what a new one begins with. A kind is a type of
// surveys.questions, with the flag that tells it from others of its type. Pure.
import type { Question } from '../../database/store.ts';

interface Kind {
  readonly name: string;
  readonly type: Question['type'];
  /** Properties of a new question, besides its id and text. */
  readonly start: Partial<Question>;
  /** The flag by which it is told from others of its type. */
  readonly flag?: 'stars' | 'several';
}

export const KINDS = {
  score: { name: 'Score', type: 'score', start: { min: 0, max: 10 } },
  stars: { name: 'Stars', type: 'score', flag: 'stars', start: { min: 1, max: 5, stars: true } },
  choice: { name: 'Choice', type: 'choice', start: { choices: [] } },
  several: { name: 'Several choices', type: 'choice', flag: 'several', start: { choices: [], several: true } },
  // The service says both in each of its languages.
  yes_no: { name: 'Yes or no', type: 'choice', start: { choices: ['Yes', 'No'] } },
  text: { name: 'Text', type: 'text', start: {} },
} as const satisfies Record<string, Kind>;

export type KindName = keyof typeof KINDS;

export const KIND_NAMES = Object.keys(KINDS) as readonly KindName[];

export const isKind = (name: string | null | undefined): name is KindName => KIND_NAMES.some((kind) => kind === name);

export function kindOf({ type, stars, several, choices }: { readonly [F in keyof Question]?: unknown }): KindName {
  if (stars === true) return 'stars';
  if (several === true) return 'several';
  const isYesNo = Array.isArray(choices) && choices.join('\n') === KINDS.yes_no.start.choices.join('\n');
  return isYesNo ? 'yes_no' : (type as Question['type']);
}

export const flagOf = (kind: KindName): Kind['flag'] => (KINDS[kind] as Kind).flag;
