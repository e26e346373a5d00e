// The service's texts for recipients, by language: formal and informal, and what a workspace can word itself. Pure.
import { ar } from './ar.ts';
import { cs } from './cs.ts';
import { da } from './da.ts';
import { de } from './de.ts';
import { deCH, swiss } from './de-CH.ts';
import { el } from './el.ts';
import { en, type Strings } from './en.ts';
import { es } from './es.ts';
import { es419, latinAmerican } from './es-419.ts';
import { fi } from './fi.ts';
import { fr } from './fr.ts';
import { canadian, frCA } from './fr-CA.ts';
import { he } from './he.ts';
import { hi } from './hi.ts';
import { hu } from './hu.ts';
import { id } from './id.ts';
import { de as informalDe } from './informal/de.ts';
import { es as informalEs } from './informal/es.ts';
import { fr as informalFr } from './informal/fr.ts';
import { frCA as informalFrCA } from './informal/fr-CA.ts';
import { it as informalIt } from './informal/it.ts';
import { nl as informalNl } from './informal/nl.ts';
import { it } from './it.ts';
import { ja } from './ja.ts';
import { ko } from './ko.ts';
import { nb } from './nb.ts';
import { nl } from './nl.ts';
import { pl } from './pl.ts';
import { pt } from './pt.ts';
import { ptPT } from './pt-PT.ts';
import { ro } from './ro.ts';
import { ru } from './ru.ts';
import { sv } from './sv.ts';
import { th } from './th.ts';
import { tr } from './tr.ts';
import { uk } from './uk.ts';
import { vi } from './vi.ts';
import { zhHans } from './zh-Hans.ts';
import { zhHant } from './zh-Hant.ts';

/** The languages by their tags (BCP 47). */
export const LANGUAGES = {
  en,
  de,
  'de-CH': deCH,
  fr,
  'fr-CA': frCA,
  es,
  'es-419': es419,
  pt,
  'pt-PT': ptPT,
  it,
  nl,
  nb,
  sv,
  da,
  fi,
  pl,
  cs,
  ja,
  'zh-Hans': zhHans,
  'zh-Hant': zhHant,
  ko,
  tr,
  uk,
  ro,
  hu,
  el,
  vi,
  th,
  id,
  hi,
  ru,
  ar,
  he,
} satisfies Record<string, Strings>;

export type Language = keyof typeof LANGUAGES;

export const LANGUAGE_TAGS = Object.keys(LANGUAGES) as Language[];

/** Languages that are written over another one, which workspaces word for both. */
export const VARIANTS: Readonly<Record<string, Language>> = { 'de-CH': 'de', 'fr-CA': 'fr', 'es-419': 'es' };

const mapped = (texts: Partial<Strings>, change: (text: string) => string): Partial<Strings> =>
  Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, change(text)]));

/** The texts that address the reader, said informally. Other languages have one form of address here. */
export const INFORMAL: Readonly<Partial<Record<Language, Partial<Strings>>>> = {
  de: informalDe,
  'de-CH': mapped(informalDe, swiss),
  fr: informalFr,
  'fr-CA': { ...mapped(informalFr, canadian), ...informalFrCA },
  es: informalEs,
  'es-419': {
    ...mapped(informalEs, latinAmerican),
    badRequest: 'No pudimos procesar tu solicitud. Regresa e inténtalo de nuevo.',
  },
  it: informalIt,
  nl: informalNl,
};

/** Where recipients meet each text that a workspace can word itself. All others are of errors, where no workspace is known. */
export const PLACES = {
  Emails: ['reminderSubject', 'greeting', 'takeSurvey', 'buttonHelp', 'emailReason', 'unsubscribe', 'unsubscribeLine'],
  'The survey page': [
    ...(['language', 'errorTitle', 'notSubmitted', 'questionsChanged', 'optional', 'noAnswer', 'submit', 'answersGoTo'] as const),
    ...(['chooseNumber', 'chooseAnswer', 'enterAnswer', 'tooLong'] as const),
  ],
  'In place of the survey': [
    ...(['thanksTitle', 'thanks', 'respondedTitle', 'responded', 'invalidLinkTitle', 'invalidLink', 'linkExpiredTitle'] as const),
    ...([
      'linkExpired',
      'notOpenTitle',
      'notOpen',
      'closedTitle',
      'closed',
      'full',
      'byInvitationTitle',
      'byInvitation',
    ] as const),
  ],
  Unsubscribing: [
    ...(['unsubscribeTitle', 'unsubscribeQuestion', 'unsubscribeScope', 'unsubscribedTitle', 'unsubscribed', 'mistake'] as const),
    ...(['resubscribe', 'askWorkspace', 'resubscribedTitle', 'resubscribed', 'fewer', 'onceAMonth', 'notThisSurvey'] as const),
    ...(['thisSurvey', 'savedTitle', 'onceAMonthChosen', 'noLimit', 'notThisSurveyChosen', 'thisSurveyAgain'] as const),
    ...(['erasedTitle', 'erased'] as const),
  ],
  'Texts of a new token and a new survey': [
    ...(['defaultSubject', 'defaultMessage', 'recommend', 'leastLikely', 'mostLikely', 'mainReason'] as const),
  ],
} as const satisfies Readonly<Record<string, readonly (keyof Strings)[]>>;

/** The texts that a workspace can word itself. */
export const OWN_NAMES: readonly (keyof Strings)[] = Object.values(PLACES).flat();
