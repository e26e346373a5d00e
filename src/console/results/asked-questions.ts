// All questions that a survey has asked, so that each answer stands beside what was asked. Pure.
import type { AskedQuestions, Period, Question } from '../../database/store.ts';
import { dayIn } from '../zone.ts';

/** Those of the newest version, then those that it no longer asks; a choice with all choices that it ever offered. */
export function everyQuestion(versions: readonly Pick<AskedQuestions, 'questions'>[]): Question[] {
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

/** As everyQuestion, with earlier words in the label: a column has answers to all of them. */
export const inAllWords = (versions: readonly AskedQuestions[]): Question[] =>
  everyQuestion(versions).map((question) => {
    const { id, label } = question;
    const all = versions.flatMap(({ questions }) => questions.filter((one) => one.id === id).map((one) => one.label));
    const [, ...earlier] = new Set([label, ...all]);
    return earlier.length === 0 ? question : { ...question, label: `${label} [earlier: ${earlier.join('; ')}]` };
  });

/** What a response was asked by an id. Undefined: its version didn't ask it. */
export type Wordings = (version: number, id: string) => string | undefined;

export function wordingsOf(versions: readonly AskedQuestions[]): Wordings {
  const labels = new Map(
    versions.map(({ version, questions }) => [version, new Map(questions.map(({ id, label }) => [id, label]))]),
  );
  return (version, id) => labels.get(version)?.get(id);
}

/** What a period's charts are about. */
export interface PeriodQuestions {
  /** Those that were asked at the end of the period, in the words of then. */
  readonly asked: readonly Question[];
  /** All others; a chart is shown if there are answers. */
  readonly others: readonly Question[];
  /** Other words that the period had for it, the latest first, each with its last whole day. */
  earlier(id: string): readonly { readonly words: string; readonly lastDay: string }[];
  /** The last whole day on which it was asked; undefined: it still is. */
  lastDay(id: string): string | undefined;
}

/** @param period Undefined: all time. */
export function questionsOf(versions: readonly AskedQuestions[], period: Period | undefined, zone: string): PeriodQuestions {
  const spans = versions.map((one, index) => ({
    questions: one.questions,
    since: dayOf(versions[index + 1]?.replacedAt, zone) ?? '',
    until: dayOf(one.replacedAt, zone),
  }));
  const within = spans.filter(
    ({ since, until }) => period === undefined || (since <= period.lastDay && (until === undefined || until >= period.firstDay)),
  );
  const present = new Set((within[0]?.questions ?? []).map(({ id }) => id));
  const all = everyQuestion([...within, ...spans]);
  return {
    asked: all.filter(({ id }) => present.has(id)),
    others: all.filter(({ id }) => !present.has(id)),
    earlier(id) {
      const shown = all.find((one) => one.id === id)?.label;
      const days = new Map<string, string>();
      for (const { questions, until } of within) {
        const words = questions.find((one) => one.id === id)?.label;
        if (words !== undefined && words !== shown && until !== undefined && !days.has(words)) days.set(words, dayBefore(until));
      }
      return [...days].map(([words, lastDay]) => ({ words, lastDay }));
    },
    lastDay(id) {
      const until = spans.find(({ questions }) => questions.some((one) => one.id === id))?.until;
      return until && dayBefore(until);
    },
  };
}

const dayOf = (at: Date | null | undefined, zone: string): string | undefined =>
  at === null || at === undefined ? undefined : dayIn(zone, at);

const dayBefore = (day: string): string => new Date(Date.parse(`${day}T00:00:00Z`) - 86_400_000).toISOString().slice(0, 10);
