// The texts of a survey's page, all in one language. That is the recipient's language if every text exists in it, and otherwise the
// survey's language. Only the title may be in another language. Pure.
import type { PageLanguage, SurveyPage } from '../database/store.ts';
import { type Html, html } from '../html/html.ts';
import type { PageFrame } from '../html/layout.ts';
import { uploadedLogo } from '../html/logo.ts';
import { directionOf, languageAttributes, SERVICE, type Speech, type Voice } from '../languages/languages.ts';
import { questionTexts, saidIn, type Text } from '../mail/question-texts.ts';
import { ownValue } from '../text.ts';

/** How the workspace speaks. Undefined: without words of its own. */
interface Speaking {
  readonly speech?: Speech | undefined;
}

type Brand = Pick<PageLanguage, 'accentColor' | 'logoUrl' | 'logoAlt'>;
type Tags = Omit<PageLanguage, keyof Brand | 'wording'> & Speaking;

/** The language in which the service addresses this recipient. */
export const voiceFor = ({ language, requestLanguage, surveyLanguage, speech = SERVICE }: Tags): Voice =>
  speech.speak(speech.languageOf(language, requestLanguage, surveyLanguage));

/** The language of a survey's page: its translation's, if the service speaks that one. */
const voiceOf = ({ translated, translation, browserLanguages = [], speech = SERVICE, ...tags }: Worded): Voice =>
  speech.speak(
    translated
      ? speech.languageOf(translation?.language, tags.language, tags.requestLanguage, ...browserLanguages, tags.surveyLanguage)
      : speech.languageOf(tags.surveyLanguage),
  );

/** The tag of the language in which a page shows its questions. */
export const shownLanguage = (survey: Worded): string =>
  survey.translated ? (survey.translation?.language ?? wordsOf(survey).voice.language) : survey.surveyLanguage;

export const frameFor = (
  page: Brand & { readonly workspaceName: string; readonly scheme?: PageFrame['scheme'] },
  voice: Voice,
): PageFrame => ({
  brand: page.workspaceName,
  logo: uploadedLogo(page.logoUrl, page.logoAlt ?? page.workspaceName),
  language: voice.language,
  direction: voice.direction,
  accentColor: page.accentColor,
  scheme: page.scheme,
});

/** The direction is that of the questions, also if the service doesn't speak their language. */
export const questionsFrame = (survey: Worded & Parameters<typeof frameFor>[0], voice: Voice): PageFrame => ({
  ...frameFor(survey, voice),
  direction: directionOf(shownLanguage(survey)),
});

export type SurveyWords = ReturnType<typeof wordsOf>;

export type Worded = Pick<
  SurveyPage,
  | 'title'
  | 'thanks'
  | 'buttonLabel'
  | 'buttonUrl'
  | 'translated'
  | 'translation'
  | 'language'
  | 'requestLanguage'
  | 'surveyLanguage'
> &
  Speaking & {
    /** Those that the browser asks for, best first. */
    readonly browserLanguages?: readonly string[];
  };

export function wordsOf(survey: Worded) {
  const { surveyLanguage } = survey;
  const translation = survey.translated ? survey.translation : null;
  const voice = voiceOf(survey);
  const { speech = SERVICE } = survey;
  const text = saidIn({ voice, speech, surveyLanguage, translation: translation?.language });
  return {
    voice,
    title: text(survey.title, translation?.title),
    /** Undefined: the service's own sentence. */
    thanks: survey.thanks === null ? undefined : text(survey.thanks, translation?.thanks),
    button:
      survey.buttonLabel === null || survey.buttonUrl === null
        ? undefined
        : { label: text(survey.buttonLabel, translation?.button_label), url: survey.buttonUrl },
    ...questionTexts(text, voice, (id) => ownValue(translation?.questions, id)),
  };
}

/** The text, marked with its language if that isn't the page's language. */
export function inLanguage({ text, language }: Text, { language: document }: Voice): Html {
  const attributes = languageAttributes(language, document);
  return attributes ? html`<span${attributes}>${text}</span>` : html`${text}`;
}
