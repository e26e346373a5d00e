// Chooses the texts of an email, all in one language. That is the recipient's language if every text exists in it, and otherwise the
// language in which the texts were written. Pure.
import type { ClaimedInvitation } from '../database/store.ts';
import { nearestTag, SERVICE, type Speech } from '../languages/languages.ts';
import { withoutVariables } from './template.ts';

export type TextInput = Pick<
  ClaimedInvitation,
  | 'messageKind'
  | 'subject'
  | 'message'
  | 'reminderSubject'
  | 'reminderMessage'
  | 'language'
  | 'requestLanguage'
  | 'sender'
  | 'surveyTitle'
  | 'surveyLanguage'
  | 'pageTranslation'
  | 'subjectLanguage'
  | 'messageLanguage'
  | 'translation'
> & {
  /** How the workspace speaks. Undefined: without words of its own. */
  readonly speech?: Speech | undefined;
};

export interface Texts {
  /** The language of the service's own texts: the message's language, if the service speaks it. */
  readonly language: string;
  /** The survey's title. */
  readonly title: string;
  readonly subject: string;
  readonly subjectLanguage: string;
  /** Whether the subject is the invitation's, so that the service has to add that this is a reminder. */
  readonly saysReminder: boolean;
  readonly message: string;
  readonly messageLanguage: string;
  /** Stands for the name of a recipient without one, in the message's language. */
  readonly recipientWord: string | undefined;
  /** Own texts for a recipient without a name, in the message's language. Undefined: the service's. */
  readonly greetingWithoutName: string | undefined;
  readonly subjectWithoutName: string | undefined;
  /** Undefined: the service's, and the first sentence. */
  readonly buttonText: string | undefined;
  readonly preheader: string | undefined;
  /** The language of the survey's translation that the email uses. Undefined: none. */
  readonly surveyTranslation: string | undefined;
}

interface Text {
  readonly text: string;
  readonly language: string;
}

/** A text as it was written, and its translation if there is one. */
interface Source extends Text {
  readonly translated: Text | undefined;
}

type Translation = NonNullable<TextInput['translation']>;

/**
 * A reminder uses its own texts. For a text that it doesn't have, it uses the invitation's.
 * @param translation Undefined: only the texts as they were written count.
 */
function sourcesOf(input: TextInput, translation: Translation | undefined) {
  const isReminder = input.messageKind === 'reminder';
  const source = (text: string, language: string | null, translated: string | undefined): Source => ({
    text,
    language: language ?? input.surveyLanguage,
    translated: translation && translated !== undefined ? { text: translated, language: translation.language } : undefined,
  });
  const ofReminder = (text: string | null, translated: string | undefined): Source | undefined =>
    isReminder && (text !== null || translated !== undefined) ? source(text ?? '', null, translated) : undefined;
  const subject = ofReminder(input.reminderSubject, translation?.reminder_subject);
  const message = ofReminder(input.reminderMessage, translation?.reminder_message);
  return {
    subject: subject ?? source(input.subject, input.subjectLanguage, translation?.subject),
    message: message ?? source(input.message, input.messageLanguage, translation?.message),
    saysReminder: isReminder && subject === undefined,
  };
}

/** The text in the language of a tag. Undefined: it doesn't exist in that language. */
function inLanguage({ text, language, translated }: Source, tag: string, speech: Speech): Text | undefined {
  if (translated !== undefined) return translated;
  const known = speech.knows(tag);
  const said = known && speech.translateDefault(text, known);
  if (known && said !== undefined) return { text: said, language: known };
  return isSameLanguage(language, tag) || !/\p{L}/u.test(withoutVariables(text)) ? { text, language } : undefined;
}

const isSameLanguage = (tag: string, other: string): boolean => nearestTag(tag, [other]) !== undefined;

interface Chosen extends Pick<Texts, 'title' | 'saysReminder'> {
  readonly subject: Text;
  readonly message: Text;
  /** Undefined: the texts as they were written. */
  readonly translation: Translation | undefined;
}

/** The texts for readers of a tag. Undefined: some text, or the page that the email leads to, doesn't exist in that language. */
function chosenFor(input: TextInput, tag: string): Chosen | undefined {
  const { pageTranslation } = input;
  if (pageTranslation === null) return undefined;
  if (pageTranslation.language !== null && !isSameLanguage(tag, pageTranslation.language)) return undefined;
  const translation = input.translation && isSameLanguage(tag, input.translation.language) ? input.translation : undefined;
  const sources = sourcesOf(input, translation);
  const { speech = SERVICE } = input;
  const [subject, message] = [inLanguage(sources.subject, tag, speech), inLanguage(sources.message, tag, speech)];
  return subject && message && { ...sources, subject, message, translation, title: pageTranslation.title };
}

/** The texts in the language in which they were written. The service says its default texts in that language, or in English. */
function chosenAsWritten(input: TextInput): Chosen {
  const { speech = SERVICE } = input;
  const { subject, message, saysReminder } = sourcesOf(input, undefined);
  const tag = speech.languageOf(message.language, input.surveyLanguage);
  return {
    subject: inLanguage(subject, tag, speech) ?? subject,
    message: inLanguage(message, tag, speech) ?? message,
    saysReminder,
    translation: undefined,
    title: input.surveyTitle,
  };
}

/** Tries the recipient's language, then the request's. */
export function textsOf(input: TextInput): Texts {
  const { surveyLanguage, sender, pageTranslation, speech = SERVICE } = input;
  const tags = [input.language, input.requestLanguage].filter((tag) => tag !== null);
  const translated = tags.map((tag) => chosenFor(input, tag)).find((chosen) => chosen !== undefined);
  const { subject, message, title, saysReminder, translation } = translated ?? chosenAsWritten(input);
  const own = translation ?? (isSameLanguage(message.language, surveyLanguage) ? sender : undefined);
  return {
    language: speech.languageOf(message.language, ...(translated ? tags : []), surveyLanguage),
    title,
    subject: subject.text,
    subjectLanguage: subject.language,
    saysReminder,
    message: message.text,
    messageLanguage: message.language,
    surveyTranslation: (translated && pageTranslation?.language) ?? undefined,
    recipientWord: own?.recipient_word,
    greetingWithoutName: own?.greeting_without_name,
    subjectWithoutName: own?.subject_without_name,
    buttonText: own?.button_text,
    preheader: own?.preheader,
  };
}
