// Which words an email has: the translation that fits its recipient, text by text, and the language of each. Pure.
import type { ClaimedInvitation } from '../database/store.ts';
import { type Language, languageOf, nearestTag, translateDefault } from '../languages/languages.ts';

export type TextInput = Pick<
  ClaimedInvitation,
  | 'messageKind'
  | 'subject'
  | 'message'
  | 'reminderSubject'
  | 'reminderMessage'
  | 'language'
  | 'requestLanguage'
  | 'surveyLanguage'
  | 'messageLanguage'
  | 'translation'
>;

export interface Texts {
  /** In which the service speaks. */
  readonly language: Language;
  readonly subject: string;
  /** The subject is the invitation's, and the service says that this is a reminder. */
  readonly saysReminder: boolean;
  readonly message: string;
  readonly messageLanguage: string;
  /** Undefined: the sender's, if the message is in the same language. */
  readonly recipientWord: string | undefined;
}

export function textsOf(input: TextInput): Texts {
  const { messageKind, reminderSubject, surveyLanguage, translation } = input;
  const language = languageOf(input.language, input.requestLanguage, surveyLanguage);
  const isReminder = messageKind === 'reminder';
  const subject = translation?.subject ?? input.subject;
  const ownSubject = isReminder ? (translation?.reminder_subject ?? reminderSubject) : null;
  return {
    language,
    subject: ownSubject ?? subject,
    saysReminder: isReminder && ownSubject === null,
    recipientWord: translation?.recipient_word,
    ...messageOf(input, language),
  };
}

function messageOf(input: TextInput, language: Language): Pick<Texts, 'message' | 'messageLanguage'> {
  const { messageKind, reminderMessage, surveyLanguage, translation } = input;
  const inTranslation = (message: string | undefined) =>
    message === undefined || !translation ? undefined : { message, messageLanguage: translation.language };
  const reminder = messageKind === 'reminder' && (reminderMessage !== null || translation?.reminder_message !== undefined);
  const [written, own, messageLanguage] = reminder
    ? [translation?.reminder_message, reminderMessage ?? '', surveyLanguage]
    : [translation?.message, input.message, input.messageLanguage ?? surveyLanguage];
  const said = translateDefault(own, language);
  return (
    inTranslation(written) ??
    (said === undefined ? { message: own, messageLanguage } : { message: said, messageLanguage: language })
  );
}

export const isSameLanguage = (one: string, other: string): boolean => nearestTag(one, [other]) !== undefined;
