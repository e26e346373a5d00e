// Chooses the texts of an email, all in one language. That is the recipient's language if every text exists in it, and otherwise the
// language in which the texts were written. Pure.
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
  /** The language of the service's own texts: the message's language, if the service speaks it. */
  readonly language: Language;
  /** The survey's title. */
  readonly title: string;
  readonly subject: string;
  /** Whether the subject is the invitation's, so that the service has to add that this is a reminder. */
  readonly saysReminder: boolean;
  readonly message: string;
  readonly messageLanguage: string;
  /** Stands for the name of a recipient without one, in the message's language. */
  readonly recipientWord: string | undefined;
}

interface Text {
  readonly text: string;
  readonly language: string;
}

interface Original extends Text {
  readonly translated: string | undefined;
}

/** A reminder uses its own texts. For a text that it doesn't have, it uses the invitation's. */
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

/** Undefined: the text doesn't exist in that language. */
function inLanguage({ text, language, translated }: Original, spoken: Language, tag: string | undefined): Text | undefined {
  if (translated !== undefined && tag !== undefined) return { text: translated, language: tag };
  const said = translateDefault(text, spoken);
  if (said !== undefined) return { text: said, language: spoken };
  return isSameLanguage(language, spoken) || !/\p{L}/u.test(withoutVariables(text)) ? { text, language } : undefined;
}

const isSameLanguage = (tag: string, other: string): boolean => nearestTag(tag, [other]) !== undefined;

export function textsOf(input: TextInput): Texts {
  const { surveyLanguage, translatedTitle } = input;
  const { subject, message, saysReminder } = originalsOf(input);
  const wanted = languageOf(input.language, input.requestLanguage, surveyLanguage);
  const own = languageOf(message.language, surveyLanguage);
  const translation = translatedTitle === null ? null : input.translation;
  const both = (spoken: Language, tag?: string) => {
    const [subjectText, messageText] = [inLanguage(subject, spoken, tag), inLanguage(message, spoken, tag)];
    return (
      subjectText &&
      messageText && { subject: subjectText.text, message: messageText.text, messageLanguage: messageText.language }
    );
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
