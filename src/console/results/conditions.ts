// Conditions on responses as texts: in the address of a Results page, and as its readers see them. Pure.
import type { Question, ResultCondition, ResultOffers, ResultPart } from '../../database/store.ts';
import { toStorable } from '../../text.ts';
import { languageName } from '../words.ts';

const MAX_CONDITIONS = 8;
/** As many as a breakdown has lines, so that its others can be selected. */
const MAX_VALUES = 50;

/** A part of the address: percent-encoded, without the characters that separate parts. */
const encode = (text: string) => encodeURIComponent(text).replaceAll('!', '%21');

function decode(text: string): string {
  try {
    return toStorable(decodeURIComponent(text));
  } catch {
    return toStorable(text);
  }
}

/** With the questions that have one choice as their answer. */
export type Offers = ResultOffers & { readonly choices: readonly Question[] };

export const oneChoiceOf = (questions: readonly Question[]): Question[] =>
  questions.filter(({ type, several }) => type === 'choice' && several !== true);

const ANSWER = '@answer:';

/** `country`, `@answer:how`, `@language` or `@token`. A key that begins with @ has it percent-encoded. */
export const partText = ({ dimension, key }: ResultPart): string =>
  dimension === 'metadata' ? encode(key) : dimension === 'answer' ? ANSWER + encode(key) : `@${dimension}`;

export function readPart(text: string): ResultPart {
  if (text === '@language' || text === '@token') return { dimension: text.slice(1) as 'language' | 'token' };
  if (text.startsWith(ANSWER)) return { dimension: 'answer', key: decode(text.slice(ANSWER.length)) };
  return { dimension: 'metadata', key: decode(text) };
}

/** `country` (any value), `country=NO,SE` (one of these), `country!=NO` (not this), `country!` (none). Each part is percent-encoded. */
export const conditionText = (condition: ResultCondition): string =>
  `${partText(condition)}${condition.excludes ? '!' : ''}${condition.values === undefined ? '' : `=${condition.values.map(encode).join(',')}`}`;

export function readCondition(text: string): ResultCondition {
  const sign = text.indexOf('=');
  const before = sign < 0 ? text : text.slice(0, sign);
  const excludes = before.endsWith('!');
  const values =
    sign < 0
      ? undefined
      : text
          .slice(sign + 1)
          .split(',', MAX_VALUES)
          .map(decode);
  return { ...readPart(excludes ? before.slice(0, -1) : before), ...(values && { values }), ...(excludes && { excludes }) };
}

/** Conditions with values of one part become one: `country` is NO, and it is SE, selects both. */
export function mergeConditions(conditions: readonly ResultCondition[]): ResultCondition[] {
  const merged = new Map<string, ResultCondition>();
  for (const condition of conditions.slice(-MAX_CONDITIONS)) {
    const name = `${partText(condition)} ${condition.excludes ?? false} ${condition.values === undefined}`;
    const values = condition.values && [...new Set([...(merged.get(name)?.values ?? []), ...condition.values])];
    merged.set(name, { ...condition, ...(values && { values: values.slice(0, MAX_VALUES) }) });
  }
  return [...merged.values()];
}

export function partLabel({ dimension, key }: ResultPart, { choices }: Offers): string {
  if (dimension === 'answer') return choices.find(({ id }) => id === key)?.label ?? key;
  return dimension === 'metadata' ? key : dimension === 'token' ? 'API trigger' : 'Language';
}

/** A language or a trigger token by its name, and any other value as it is. */
export function valueLabel({ dimension }: ResultPart, value: string, { tokens }: Offers): string {
  if (dimension === 'token') return tokens.find(({ id }) => id === value)?.name ?? 'Deleted';
  return dimension === 'language' ? languageName(value) : value;
}

/** For example `country: NO or SE`, or `Language: not German`. */
export function conditionLabel(condition: ResultCondition, offers: Offers): string {
  const { values, excludes } = condition;
  const named = values?.map((value) => valueLabel(condition, value, offers));
  const shown = named && (named.length > 5 ? [...named.slice(0, 4), `${named.length - 4} more`] : named).join(' or ');
  const text = shown === undefined ? (excludes ? 'none' : 'any') : `${excludes ? 'not ' : ''}${shown}`;
  return `${partLabel(condition, offers)}: ${text}`;
}
