// The texts of a survey that can be translated, and which of them have changed since they were translated. Pure.
import type {
  Question,
  QuestionDraft,
  QuestionTranslation,
  SurveyFrame,
  SurveySettings,
  SurveyTranslation,
} from '../../database/store.ts';
import { SERVICE } from '../../languages/languages.ts';
import { THANKS_FIELDS } from '../../recipient/thanks.ts';
import { ownValue } from '../../text.ts';
import { isDraft, kept } from '../surveys/question-form.ts';
import type { Original } from './originals.ts';
import type { Translated } from './translations-view.ts';

type Text = Original & { of(translation: QuestionTranslation): string | undefined };

const THANKS = {
  low_thanks: 'thanks for a low score',
  middle_thanks: 'thanks for a middle score',
  high_thanks: 'thanks for a high score',
} as const;

const headingOf = (place: number) => `Question ${place + 1}`;

/** A question's texts, without its choices. `of` reads each from a translation. */
function ownTextsOf(question: Question, place: number): Text[] {
  const { id, label, min_label, max_label } = question;
  const name = (part: string) => `${part}.${id}`;
  const heading = headingOf(place);
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
    ...THANKS_FIELDS.flatMap((field) => {
      const { [field]: text } = question;
      const of = (translation: QuestionTranslation) => translation[field];
      return text === undefined
        ? []
        : [{ name: name(field), label: `${heading}: ${THANKS[field]}`, text, maxLength: 2000, rows: 3, of }];
    }),
  ];
}

/** The form's field of a choice. By its id, because another editor may move or rename it while the form is open. */
export const choiceField = ({ id, choice_ids }: Question, index: number): string =>
  `choice-${choice_ids?.[index] ?? index}.${id}`;

const choiceTextsOf = (question: Question, place: number): Text[] =>
  (question.choices ?? []).map((choice, index) => ({
    name: choiceField(question, index),
    fileName: `choice.${question.id}.${choice}`,
    label: `${headingOf(place)}: choice ${index + 1}`,
    text: choice,
    maxLength: 255,
    of: (translation: QuestionTranslation) => ownValue(translation.choices, choice),
  }));

const textsOf = (question: Question, place: number): Text[] => [
  ...ownTextsOf(question, place),
  ...choiceTextsOf(question, place),
];

type Texts = Pick<SurveySettings, 'title' | 'thanks' | 'buttonLabel' | 'questions'>;

export const originalsOf = ({ title, thanks, buttonLabel, questions }: Texts, textsOfQuestion = textsOf): Original[] => [
  { name: 'title', label: 'Title', text: title, maxLength: 255 },
  ...(thanks === null ? [] : [{ name: 'thanks', label: 'Thank-you text', text: thanks, maxLength: 2000, rows: 4 }]),
  ...(buttonLabel === null ? [] : [{ name: 'button_label', label: 'Button', text: buttonLabel, maxLength: 100 }]),
  ...questions.flatMap(textsOfQuestion),
];

export const valuesOf = (
  { questions }: Pick<Texts, 'questions'>,
  { title, thanks, button_label, questions: translated = {} }: SurveyTranslation,
  textsOfQuestion = textsOf,
) =>
  Object.fromEntries(
    [
      ['title', title] as const,
      ['thanks', thanks] as const,
      ['button_label', button_label] as const,
      ...questions.flatMap((question, place) =>
        textsOfQuestion(question, place).map(({ name, of }) => [name, of(ownValue(translated, question.id) ?? {})] as const),
      ),
    ].flatMap(([name, text]) => (text === undefined ? [] : [[name, text]])),
  );

/** What renamed choices with a translation were called, by field name. */
const renamedSince = ({ questions, translatedFrom, translations }: SurveySettings, language: string): Record<string, string> =>
  Object.fromEntries(
    Object.entries(translatedFrom?.[language]?.choices ?? {}).flatMap(([id, names]) => {
      const question = questions.find((one) => one.id === id);
      const translated = ownValue(translations?.[language]?.questions, id)?.choices;
      return Object.entries(names).flatMap(([choice, before]) => {
        const place = question?.choices?.indexOf(choice) ?? -1;
        return question === undefined || place === -1 || ownValue(translated, choice) === undefined
          ? []
          : [[choiceField(question, place), before] as const];
      });
    }),
  );

/**
 * For each translated text whose original has changed: the original at the time of the translation, by field name. Of choices,
 * only renamed ones are read: there can be thousands in each language.
 */
export function changedSince(settings: SurveySettings, language: string): Readonly<Record<string, string>> {
  const from = settings.translatedFrom?.[language];
  const values = valuesOf(settings, settings.translations?.[language] ?? {}, ownTextsOf);
  const before = new Map(
    (from === undefined ? [] : originalsOf({ ...from, buttonLabel: from.button_label ?? null }, ownTextsOf)).map(
      ({ name, text }) => [name, text],
    ),
  );
  return {
    ...renamedSince(settings, language),
    ...Object.fromEntries(
      originalsOf(settings, ownTextsOf).flatMap(({ name, text }) => {
        const then = before.get(name);
        return values[name] === undefined || then === undefined || then === text ? [] : [[name, then]];
      }),
    ),
  };
}

/** Languages that have such texts, and how many. */
export const outdatedLanguages = (settings: SurveySettings): [language: string, texts: number][] =>
  Object.keys(settings.translations ?? {})
    .map((language): [string, number] => [language, Object.keys(changedSince(settings, language)).length])
    .filter(([, texts]) => texts > 0);

/** A text of figures and signs needs no translation. The SQL function is_translated says the same. */
const FIGURES = /^[-0-9 .,:;/+%<>=()–—€$£]*$/;

/** What recipients read in a language without a translation: the service's words for a default text, or else the original. */
export const saidWithout = (text: string, language: string): string => {
  const known = SERVICE.knows(language);
  return (known === undefined ? undefined : SERVICE.translateDefault(text, known)) ?? text;
};

/** Whether readers of another language lack a translation of this text. */
export const isNeeded = (text: string): boolean => !FIGURES.test(text) && SERVICE.translateDefault(text, 'en') === undefined;

/** The texts without which a page can't be in another language: not the title, which may be in another one. */
export const neededOf = (settings: Texts): Original[] =>
  originalsOf(settings).filter(({ name, text }) => name !== 'title' && isNeeded(text));

/**
 * The settings with the questions that are translated: those of the draft, which people get next. While the survey is open, they read the published
 * ones until then, so only what the draft adds is translated before.
 */
export function withDraft(
  settings: SurveySettings,
  { state }: Pick<SurveyFrame, 'state'>,
  draft: Pick<QuestionDraft, 'questions'> | undefined,
): SurveySettings {
  const edited = draft && (kept(draft.questions.filter(isDraft)) as Question[]);
  if (edited === undefined || state === 'draft') return { ...settings, questions: edited ?? settings.questions };
  const isNew = ({ id }: Question) => settings.questions.every((question) => question.id !== id);
  return { ...settings, questions: [...settings.questions, ...edited.filter(isNew)] };
}

/** The languages of the survey's translations, with what each lacks. */
export function translatedLanguages(settings: SurveySettings): Translated[] {
  const needed = neededOf(settings);
  const outdated = new Map(outdatedLanguages(settings));
  return Object.entries(settings.translations ?? {}).map(([language, translation]) => {
    const values = valuesOf(settings, translation);
    const missing = needed.filter(({ name }) => ownValue(values, name) === undefined).length;
    return { language, missing, outdated: outdated.get(language) ?? 0 };
  });
}
