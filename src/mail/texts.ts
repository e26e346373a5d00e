// Which words an email has: those of one language, its recipient's if all its texts exist in it, else their own. Pure.
import type { ClaimedInvitation } from '../database/store.ts';
import { knownLanguage, type Language, languageOf, nearestTag, translateDefault } from '../languages/languages.ts';
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
  | 'translatedTitle'
  | 'subjectLanguage'
  | 'messageLanguage'
  | 'translation'
>;

export interface Texts {
  /** In which the service speaks: the message's, if it speaks that one. */
  readonly language: Language;
  /** Of the survey. */
  readonly title: string;
  readonly subject: string;
  /** The subject is the invitation's, and the service says that this is a reminder. */
  readonly saysReminder: boolean;
  readonly message: string;
  readonly messageLanguage: string;
  /** For a recipient without a name, in the language of the message. */
  readonly recipientWord: string | undefined;
}

interface Text {
  readonly text: string;
  readonly language: string;
}

interface Original extends Text {
  readonly translated: string | undefined;
}

/** A reminder has its own texts, else the invitation's. */
function originalsOf(input: TextInput): { subject: Original; message: Original; saysReminder: boolean } {
  const { surveyLanguage, translation } = input;
  const isReminder = input.messageKind === 'reminder';
  const reminder = (own: string | null, translated: string | undefined): Original | undefined =>
    isReminder && (own !== null || translated !== undefined)
      ? { text: own ?? '', language: surveyLanguage, translated }
      : undefined;
  const subject = reminder(input.reminderSubject, translation?.reminder_subject);
  const message = reminder(input.reminderMessage, translation?.reminder_message);
  return {
    subject: subject ?? {
      text: input.subject,
      language: input.subjectLanguage ?? surveyLanguage,
      translated: translation?.subject,
    },
    message: message ?? {
      text: input.message,
      language: input.messageLanguage ?? surveyLanguage,
      translated: translation?.message,
    },
    saysReminder: isReminder && subject === undefined,
  };
}

/** Undefined: it doesn't exist in that language. */
function inLanguage({ text, language, translated }: Original, spoken: Language, tag: string | undefined): Text | undefined {
  if (translated !== undefined && tag !== undefined) return { text: translated, language: tag };
  const said = translateDefault(text, spoken);
  if (said !== undefined) return { text: said, language: spoken };
  return isSameLanguage(language, spoken) || !/\p{L}/u.test(withoutVariables(text)) ? { text, language } : undefined;
}

const isSameLanguage = (one: string, other: string): boolean => nearestTag(one, [other]) !== undefined;

export function textsOf(input: TextInput): Texts {
  const { surveyLanguage, translatedTitle } = input;
  const { subject, message, saysReminder } = originalsOf(input);
  const wanted = languageOf(input.language, input.requestLanguage, surveyLanguage);
  const own = languageOf(message.language, surveyLanguage);
  const translation = translatedTitle === null ? null : input.translation;
  const both = (spoken: Language, tag?: string) => {
    const [one, other] = [inLanguage(subject, spoken, tag), inLanguage(message, spoken, tag)];
    return one && other && { subject: one.text, message: other.text, messageLanguage: other.language };
  };
  const found = translatedTitle === null ? undefined : both(wanted, translation?.language);
  const texts = found ?? both(own) ?? { subject: subject.text, message: message.text, messageLanguage: message.language };
  const isOwn = !(found && translation) && isSameLanguage(texts.messageLanguage, surveyLanguage);
  return {
    ...texts,
    language: knownLanguage(texts.messageLanguage) ?? (found ? wanted : own),
    title: (found && translatedTitle) ?? input.surveyTitle,
    saysReminder,
    recipientWord: found && translation ? translation.recipient_word : isOwn ? input.sender?.recipient_word : undefined,
  };
}
