// Which columns the Results have, and a value as text: the same for the page and for the CSV. Pure.
import type { Question, Result, ResultFilter } from '../../database/store.ts';

/** A column of answers or of metadata. */
export interface Column {
  readonly of: 'answers' | 'metadata';
  readonly key: string;
  /** What a person calls it: the question's words, or the key. */
  readonly label: string;
}

/**
 * The columns for some responses: the survey's questions, then answers to questions that it does not have (any more), then metadata.
 * @param answerKeys @param metadataKeys What the responses have.
 */
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

/** The keys of some objects, those that most have first. */
export function keysOf(objects: readonly (Readonly<Record<string, unknown>> | null)[]): string[] {
  const counts = new Map<string, number>();
  for (const one of objects) for (const key of Object.keys(one ?? {})) counts.set(key, (counts.get(key) ?? 0) + 1);
  return [...counts].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1)).map(([key]) => key);
}

export const valueIn = (result: Result, { of, key }: Column): unknown => {
  const values = result[of] ?? {};
  return Object.hasOwn(values, key) ? values[key] : undefined;
};

/** A value as text: nested ones as compact JSON, nothing for null. */
export const textOf = (value: unknown): string =>
  value === undefined || value === null ? '' : typeof value === 'object' ? JSON.stringify(value) : String(value);

/** The query string of a filter, with its question mark; empty without one. */
export function filterQuery(filter: ResultFilter | undefined, more: Readonly<Record<string, string>> = {}): string {
  const query = new URLSearchParams({
    ...(filter && { key: filter.key }),
    ...(filter?.value !== undefined && { value: filter.value }),
    ...more,
  }).toString();
  return query === '' ? '' : `?${query}`;
}
