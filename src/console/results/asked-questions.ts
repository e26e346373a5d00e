// All questions that a survey has ever asked, so that each answer is shown with the question it answers. Pure.
import type { AskedQuestions, Period, Question } from '../../database/store.ts';
import { dayIn } from '../zone.ts';

/**
 * The questions of the newest version, followed by those that it no longer asks. A choice question has every choice that it ever offered.
 */
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

/** Like everyQuestion, but each label also has the question's earlier wordings, because a column holds the answers to all of them. */
export const inAllWords = (versions: readonly AskedQuestions[]): Question[] =>
  everyQuestion(versions).map((question) => {
    const { id, label } = question;
    const all = versions.flatMap(({ questions }) => questions.filter((asked) => asked.id === id).map((asked) => asked.label));
    const [, ...earlier] = new Set([label, ...all]);
    return earlier.length === 0 ? question : { ...question, label: `${label} [earlier: ${earlier.join('; ')}]` };
  });

/** The wording of a question in one version. Undefined: that version didn't ask it. */
export type Wordings = (version: number, id: string) => string | undefined;

export function wordingsOf(versions: readonly AskedQuestions[]): Wordings {
  const labels = new Map(
    versions.map(({ version, questions }) => [version, new Map(questions.map(({ id, label }) => [id, label]))]),
  );
  return (version, id) => labels.get(version)?.get(id);
}

/** Which questions the charts of a period show. */
export interface PeriodQuestions {
  /** Questions that were asked at the end of the period, in their wording at that time. */
  readonly asked: readonly Question[];
  /** All other questions. Each has a chart only if it has answers. */
  readonly others: readonly Question[];
  /** The question's other wordings in the period, latest first, each with its last whole day. */
  earlier(id: string): readonly { readonly words: string; readonly lastDay: string }[];
  /** The last whole day on which the question was asked. Undefined: it is still asked. */
  lastDay(id: string): string | undefined;
}

/** @param period Undefined: all time. */
export function questionsOf(versions: readonly AskedQuestions[], period: Period | undefined, zone: string): PeriodQuestions {
  const spans = versions.map((version, index) => ({
    questions: version.questions,
    since: dayOf(versions[index + 1]?.replacedAt, zone) ?? '',
    until: dayOf(version.replacedAt, zone),
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
      const shown = all.find((question) => question.id === id)?.label;
      const days = new Map<string, string>();
      for (const { questions, until } of within) {
        const wording = questions.find((question) => question.id === id)?.label;
        if (wording !== undefined && wording !== shown && until !== undefined && !days.has(wording))
          days.set(wording, dayBefore(until));
      }
      return [...days].map(([wording, lastDay]) => ({ words: wording, lastDay }));
    },
    lastDay(id) {
      const until = spans.find(({ questions }) => questions.some((question) => question.id === id))?.until;
      return until && dayBefore(until);
    },
  };
}

const dayOf = (at: Date | null | undefined, zone: string): string | undefined =>
  at === null || at === undefined ? undefined : dayIn(zone, at);

const dayBefore = (day: string): string => new Date(Date.parse(`${day}T00:00:00Z`) - 86_400_000).toISOString().slice(0, 10);
