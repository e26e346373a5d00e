// The columns for what responses contain, on the page and in the CSV. Pure.
import type { Question, Result } from '../../database/store.ts';

export interface Column {
  readonly of: 'answers' | 'metadata';
  readonly key: string;
  readonly label: string;
}

/** The survey's questions, then questions that it no longer has, then metadata. */
export function columnsOf(
  questions: readonly Question[],
  answerKeys: readonly string[],
  metadataKeys: readonly string[],
): { answers: Column[]; metadata: Column[] } {
  const ids = new Set(questions.map(({ id }) => id));
  const asked = questions.map(({ id, label }): Column => ({ of: 'answers', key: id, label }));
  const others = answerKeys.filter((key) => !ids.has(key)).map((key): Column => ({ of: 'answers', key, label: key }));
  return {
    answers: [...asked, ...others],
    metadata: metadataKeys.map((key): Column => ({ of: 'metadata', key, label: key })),
  };
}

/** The keys, most frequent first. */
export function keysOf(objects: readonly (Readonly<Record<string, unknown>> | null)[]): string[] {
  const counts = new Map<string, number>();
  for (const object of objects) for (const key of Object.keys(object ?? {})) counts.set(key, (counts.get(key) ?? 0) + 1);
  return [...counts].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1)).map(([key]) => key);
}

export const valueIn = (result: Result, { of, key }: Column): unknown => {
  const values = result[of] ?? {};
  return Object.hasOwn(values, key) ? values[key] : undefined;
};

/** Several choices become a list, other objects compact JSON, and null an empty text. */
export function textOf(value: unknown): string {
  if (value === undefined || value === null) return '';
  if (Array.isArray(value) && value.every((choice) => typeof choice === 'string')) return value.join('; ');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
