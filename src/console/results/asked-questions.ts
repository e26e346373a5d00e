// All questions that a survey has asked, so that each answer stands beside what was asked. Pure.
import type { AskedQuestions, Question } from '../../database/store.ts';

/** Those of today, then those that are no longer asked; a choice with all choices that it ever offered. */
export function everyQuestion(versions: readonly AskedQuestions[]): Question[] {
  const found = new Map<string, Question>();
  for (const question of versions.flatMap(({ questions }) => questions)) {
    const newer = found.get(question.id);
    if (newer === undefined) found.set(question.id, question);
    else if (newer.type === 'choice' && question.type === 'choice') {
      found.set(question.id, { ...newer, choices: [...new Set([...(newer.choices ?? []), ...(question.choices ?? [])])] });
    }
  }
  return [...found.values()];
}

/** The words of a question in a version; undefined: it wasn't in it. */
export function wordingIn(versions: readonly AskedQuestions[]): (version: number, id: string) => string | undefined {
  const labels = new Map(
    versions.flatMap(({ version, questions }) => questions.map(({ id, label }) => [`${version} ${id}`, label] as const)),
  );
  return (version, id) => labels.get(`${version} ${id}`);
}

/** By id: earlier words of a question, the latest first. */
export function earlierWordings(versions: readonly AskedQuestions[]): ReadonlyMap<string, readonly string[]> {
  const words = new Map<string, string[]>();
  for (const { id, label } of versions.flatMap(({ questions }) => questions)) {
    const known = words.get(id) ?? [];
    if (!known.includes(label)) words.set(id, [...known, label]);
  }
  return new Map([...words].filter(([, [, ...earlier]]) => earlier.length > 0).map(([id, [, ...earlier]]) => [id, earlier]));
}
