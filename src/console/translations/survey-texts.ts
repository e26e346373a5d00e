// The texts of a survey that can be translated, and which of them have changed since they were translated. Pure.
import type { Question, QuestionTranslation, SurveySettings, SurveyTranslation } from '../../database/store.ts';
import { ownValue } from '../../text.ts';
import type { Original } from './translations-view.ts';

/** A question's texts. `of` reads each from a translation. */
function textsOf(question: Question, place: number): (Original & { of(translation: QuestionTranslation): string | undefined })[] {
  const { id, label, min_label, max_label, choices = [] } = question;
  const name = (part: string) => `${part}.${id}`;
  const heading = `Question ${place + 1}`;
  return [
    { name: name('label'), label: heading, text: label, maxLength: 1000, of: ({ label }) => label },
    ...(min_label === undefined
      ? []
      : [
          {
            name: name('min_label'),
            label: `${heading}: lowest score`,
            text: min_label,
            maxLength: 100,
            of: (translation: QuestionTranslation) => translation.min_label,
          },
        ]),
    ...(max_label === undefined
      ? []
      : [
          {
            name: name('max_label'),
            label: `${heading}: highest score`,
            text: max_label,
            maxLength: 100,
            of: (translation: QuestionTranslation) => translation.max_label,
          },
        ]),
    ...choices.map((choice, index) => ({
      name: name(`choice-${index}`),
      label: `${heading}: choice ${index + 1}`,
      text: choice,
      maxLength: 255,
      of: (translation: QuestionTranslation) => ownValue(translation.choices, choice),
    })),
  ];
}

type Texts = Pick<SurveySettings, 'title' | 'thanks' | 'questions'>;

export const originalsOf = ({ title, thanks, questions }: Texts): Original[] => [
  { name: 'title', label: 'Title', text: title, maxLength: 255 },
  ...(thanks === null ? [] : [{ name: 'thanks', label: 'Thank-you text', text: thanks, maxLength: 2000, rows: 4 }]),
  ...questions.flatMap(textsOf),
];

export const valuesOf = ({ questions }: Texts, { title, thanks, questions: translated = {} }: SurveyTranslation) =>
  Object.fromEntries(
    [
      ['title', title] as const,
      ['thanks', thanks] as const,
      ...questions.flatMap((question, place) =>
        textsOf(question, place).map(({ name, of }) => [name, of(ownValue(translated, question.id) ?? {})] as const),
      ),
    ].flatMap(([name, text]) => (text === undefined ? [] : [[name, text]])),
  );

/**
 * For each translated text whose original has changed: the original at the time of the translation, by field name. A choice is never
 * listed, because its translation belongs to its exact words.
 */
export function changedSince(settings: SurveySettings, language: string): Readonly<Record<string, string>> {
  const from = settings.translatedFrom?.[language];
  const values = valuesOf(settings, settings.translations?.[language] ?? {});
  const before = new Map((from === undefined ? [] : originalsOf(from)).map(({ name, text }) => [name, text]));
  return Object.fromEntries(
    originalsOf(settings).flatMap(({ name, text }) => {
      const then = before.get(name);
      return values[name] === undefined || then === undefined || then === text || name.startsWith('choice-')
        ? []
        : [[name, then]];
    }),
  );
}

/** Languages that have such texts, and how many. */
export const outdatedLanguages = (settings: SurveySettings): [language: string, texts: number][] =>
  Object.keys(settings.translations ?? {})
    .map((language): [string, number] => [language, Object.keys(changedSince(settings, language)).length])
    .filter(([, texts]) => texts > 0);
