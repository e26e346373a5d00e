// The questions in the editor's form. Pure.
import type { AskIf, Question } from '../../database/store.ts';
import { ApiError } from '../../errors.ts';
import { THANKS_FIELDS } from '../../recipient/thanks.ts';
import { canBeNps } from '../../score-groups.ts';
import { fieldText } from '../../text.ts';
import { conditionValue, readCondition } from './condition.ts';
import { flagOf, isKind, KINDS, type KindName, kindOf } from './question-kinds.ts';

/** A question as it was typed. SQL decides what is wrong with it. */
export type Draft = { readonly [F in keyof Question]: unknown } & Pick<Question, 'id' | 'type' | 'label'> & {
    /** It is left out when the questions are published. Until then it can be put back. */
    readonly removed?: true;
  };

export const kept = (drafts: readonly Draft[]): Draft[] => drafts.filter(({ removed }) => removed !== true);

/** Of the questions in a form, with those that were removed. */
const LIMIT = 200;

const lines = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);
const SCORE_TEXTS = ['min_label', 'max_label', ...THANKS_FIELDS] as const;
const numberOf = (text: string): unknown => (/^-?\d{1,9}$/.test(text) ? Number(text) : text);

/**
 * @param stored The stored questions. Properties that the form doesn't show are copied from them.
 * @throws {ApiError} invalid_field: what the form says of a removed question is no question.
 */
export function readDrafts(form: URLSearchParams, stored: readonly Question[]): Draft[] {
  const drafts: Draft[] = [];
  for (let index = 0; index < LIMIT; index += 1) {
    const text = (name: string) => fieldText(form, `${name}-${index}`).trim();
    const removed = form.get(`removed-${index}`);
    if (removed !== null) {
      drafts.push({ ...parseDraft(removed), removed: true });
      continue;
    }
    const kind = text('kind');
    if (!isKind(kind)) break;
    const { type } = KINDS[kind];
    const flag = flagOf(kind);
    const id = text('id');
    const condition = type === 'text' ? readCondition(text('ask_if')) : undefined;
    const {
      min_label,
      max_label,
      low_thanks,
      middle_thanks,
      high_thanks,
      nps,
      stars,
      several,
      ask_if,
      choice_ids: _,
      ...known
    } = stored.find((question) => question.id === id && question.type === type) ?? ({} as Question);
    drafts.push({
      ...known,
      id,
      type,
      label: text('label'),
      required: text('required') === 'yes',
      ...(type === 'choice' && { choices: lines(form.get(`choices-${index}`) ?? '') }),
      ...(type === 'score' && {
        min: kind === 'stars' ? 1 : numberOf(text('min')),
        max: numberOf(text('max')),
        ...Object.fromEntries(SCORE_TEXTS.flatMap((name) => (text(name) ? [[name, text(name)]] : []))),
        ...(text('nps') === 'yes' && canBeNps({ min: text('min'), max: text('max') }) && { nps: true }),
      }),
      ...(flag !== undefined && { [flag]: true }),
      ...(condition !== undefined && { ask_if: condition }),
    });
  }
  return drafts;
}

/** Finds a free id: `score`, `score_2` and so on. Answers are stored by this id. */
export function freeId(type: KindName, used: ReadonlySet<string>): string {
  for (let number = 1; ; number += 1) {
    const id = number === 1 ? type : `${type}_${number}`;
    if (!used.has(id)) return id;
  }
}

export const newDraft = (kind: KindName, used: ReadonlySet<string>): Draft => ({
  id: freeId(kind, used),
  type: KINDS[kind].type,
  label: '',
  required: false,
  ...KINDS[kind].start,
});

/**
 * Answers are counted by the question's id. A question with a changed scale gets a new id, so that its new answers aren't mixed with the
 * old ones.
 */
export function renamedWhereAskedOtherwise(
  drafts: readonly Draft[],
  stored: readonly Question[],
  pastIds: readonly string[],
): Draft[] {
  const used = new Set([...pastIds, ...stored.map(({ id }) => id), ...drafts.map(({ id }) => id)]);
  return drafts.map((draft) => {
    const before = stored.find(({ id }) => id === draft.id);
    if (before === undefined || scaleOf(before) === scaleOf(draft)) return draft;
    const id = freeId(kindOf(draft), used);
    used.add(id);
    return { ...draft, id };
  });
}

export const scaleOf = ({ type, min = 0, max = 10, several }: Draft): string =>
  type === 'score' ? `${min} to ${max}` : several === true ? 'several choices' : type;

/** Properties that have their default value count as left out. */
export const isUnchanged = (stored: readonly Question[], drafts: readonly Draft[]): boolean =>
  JSON.stringify(stored.map(normal)) === JSON.stringify(drafts.map(normal));

function normal({
  required = false,
  nps = false,
  stars = false,
  several = false,
  ask_if,
  choice_ids: _,
  ...question
}: Draft): unknown {
  const scale = question.type === 'score' ? { min: question.min ?? 0, max: question.max ?? 10 } : {};
  return Object.entries({
    ...question,
    ...scale,
    required,
    nps,
    stars,
    several,
    ...(ask_if !== undefined && { ask_if: conditionValue(ask_if as AskIf) }),
  }).sort(([a], [b]) => (a < b ? -1 : 1));
}

/** The questions that the preview can show. The others may be invalid. */
export const previewable = (drafts: readonly Draft[]): Question[] =>
  kept(drafts).filter(({ type, min = 0, max = 10 }) => {
    const size = Number(max) - Number(min);
    return type !== 'score' || (Number.isInteger(size) && size >= 1 && size <= 20);
  }) as Question[];

export const isDraft = (value: unknown): value is Draft => {
  const { id, type, label, choices = [] } = (value ?? {}) as Partial<Record<string, unknown>>;
  return (
    typeof id === 'string' &&
    typeof label === 'string' &&
    (type === 'score' || type === 'choice' || type === 'text') &&
    Array.isArray(choices) &&
    choices.every((choice) => typeof choice === 'string')
  );
};

function parseDraft(text: string): Draft {
  try {
    const draft: unknown = JSON.parse(text);
    if (isDraft(draft)) return draft;
  } catch {}
  throw new ApiError('invalid_field', 'This is no question.');
}
