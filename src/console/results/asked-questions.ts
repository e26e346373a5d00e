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

export interface Wordings {
  /** Undefined: the version didn't ask it. */
  of(version: number, id: string): string | undefined;
  /** The latest first, without that of today. */
  earlier(id: string): readonly string[];
  /** Today. */
  isAsked(id: string): boolean;
}

/** What each version asked by an id. */
export function wordingsOf(versions: readonly AskedQuestions[]): Wordings {
  const labels = new Map(
    versions.map(({ version, questions }) => [version, new Map(questions.map(({ id, label }) => [id, label]))]),
  );
  const all = (id: string) => [...new Set([...labels.values()].flatMap((one) => one.get(id) ?? []))];
  const present = labels.get(versions[0]?.version ?? 0);
  return {
    of: (version, id) => labels.get(version)?.get(id),
    earlier: (id) => all(id).filter((label) => label !== present?.get(id)),
    isAsked: (id) => present?.has(id) ?? false,
  };
}
