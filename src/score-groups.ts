// The groups of a scale, after which a follow-up is asked or a thank-you text is shown. Pure.

/** A scale that may be invalid, because somebody is just typing it. */
export type Scale = { readonly min?: unknown; readonly max?: unknown };

export const GROUP_NAMES = ['low', 'middle', 'high'] as const;

export type GroupName = (typeof GROUP_NAMES)[number];

type Range = readonly [min: number, max: number];

/** Whether the Net Promoter Score can be counted on this scale. */
export const canBeNps = ({ min = 0, max = 10 }: Scale): boolean => String(min) === '0' && String(max) === '10';

/** Those of the NPS, or the lower and the upper two fifths and what is between, if anything is. Empty: the scale is invalid. */
export function groupsOf(question: Scale): ReadonlyMap<GroupName, Range> {
  const [min, max] = [Number(question.min ?? 0), Number(question.max ?? 10)];
  if (!Number.isInteger(min) || !Number.isInteger(max) || max - min < 1 || max - min > 20) return new Map();
  const size = Math.max(1, Math.floor(((max - min + 1) * 2) / 5));
  const [low, high] = canBeNps(question) ? [6, 9] : [min + size - 1, max - size + 1];
  const groups = { low: [min, low], middle: [low + 1, high - 1], high: [high, max] } as const;
  return new Map(GROUP_NAMES.map((name) => [name, groups[name]] as const).filter(([, [from, to]]) => from <= to));
}

/** Undefined: the scale is invalid. */
export const groupOf = (question: Scale, score: number): GroupName | undefined =>
  [...groupsOf(question)].find(([, [min, max]]) => score >= min && score <= max)?.[0];
