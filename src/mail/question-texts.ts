// The texts of a survey's question in one language, for its page and for emails that ask it. Pure.
import type { Question, QuestionTranslation } from '../database/store.ts';
import type { Speech, Voice } from '../languages/languages.ts';
import { ownValue } from '../text.ts';

export interface Text {
  readonly text: string;
  readonly language: string;
}

/** Says a text of the survey: translated, or as its author wrote it. A default text of the service is said in the page's language. */
type Say = (own: string, translated: string | undefined) => Text;

/** In what a survey's texts are said. */
export interface Saying {
  readonly voice: Voice;
  readonly speech: Pick<Speech, 'translateDefault'>;
  readonly surveyLanguage: string;
  /** The language of the translation. Undefined: none is used. */
  readonly translation: string | undefined;
}

export const saidIn =
  ({ voice, speech, surveyLanguage, translation }: Saying): Say =>
  (own, translated) => {
    if (translated !== undefined && translation !== undefined) return { text: translated, language: translation };
    const said = speech.translateDefault(own, voice.language);
    return said === undefined ? { text: own, language: surveyLanguage } : { text: said, language: voice.language };
  };

/** The values that an answer can have. */
export function choicesOf({ type, choices = [], min = 0, max = 10 }: Question): readonly string[] {
  return type === 'choice' ? choices : Array.from({ length: max - min + 1 }, (_, index) => String(min + index));
}

export const questionTexts = (say: Say, voice: Voice, translationOf: (id: string) => QuestionTranslation | undefined) => ({
  label: ({ id, label }: Question) => say(label, translationOf(id)?.label),
  /** @param value One of choicesOf. */
  answer: ({ id, type }: Question, value: string): Text =>
    type === 'score'
      ? { text: voice.number(Number(value)), language: voice.language }
      : say(value, ownValue(translationOf(id)?.choices, value)),
  /** Undefined: the question has no text for this group. */
  thanksAfter: (question: Question, group: 'low' | 'middle' | 'high'): Text | undefined => {
    const { [`${group}_thanks` as const]: text } = question;
    return text === undefined ? undefined : say(text, translationOf(question.id)?.[`${group}_thanks`]);
  },
  /** For example `0 = Not at all likely`. */
  ends: ({ id, min = 0, max = 10, min_label, max_label }: Question): Text[] => {
    const end = (number: number, label: string | undefined, translated: string | undefined) => {
      if (label === undefined) return [];
      const { text: meaning, language } = say(label, translated);
      return [{ text: `${voice.number(number)} = ${meaning}`, language }];
    };
    const translated = translationOf(id);
    return [...end(min, min_label, translated?.min_label), ...end(max, max_label, translated?.max_label)];
  },
});
