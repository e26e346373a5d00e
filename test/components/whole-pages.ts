// Pages that aren't in the console's frame: for people who aren't signed in, and for recipients; and an error in the frame.
import { framePage } from '../../src/console/frame.ts';
import { askedPage, badLinkPage, signedOutPage, signInPage, welcomePage } from '../../src/console/sign-in/sign-in-view.ts';
import type { Question, UnsubscribePage } from '../../src/database/store.ts';
import { errorPage } from '../../src/html/layout.ts';
import { closedPage, type ShownSurvey, surveyPage, thanksPage } from '../../src/recipient/survey-view.ts';
import { unsubscribePage } from '../../src/recipient/unsubscribe-view.ts';
import { LOGO, page, SURVEY, WORKSPACE } from './frames.ts';
import { ADDRESS, ARABIC, TITLE, UNBROKEN } from './texts.ts';

export const QUESTIONS: readonly Question[] = [
  {
    ...{ id: 'score', type: 'score', label: 'How likely are you to recommend us to a friend?', required: true, nps: true },
    ...{ min_label: 'Not at all likely', max_label: UNBROKEN.slice(0, 100) },
  },
  { id: 'why', type: 'text', label: 'What went wrong?', ask_if: { question: 'score', min: 0, max: 6 } },
  { id: 'stars', type: 'score', label: TITLE, min: 1, max: 5, stars: true },
  { id: 'delivery', type: 'choice', label: ARABIC, choices: ['Quick', UNBROKEN, ARABIC] },
  { id: 'liked', type: 'choice', label: 'What did you like?', several: true, choices: ['The price', TITLE] },
  { id: 'comment', type: 'text', label: UNBROKEN },
];

/** As many questions after certain answers as a survey may have. */
const FOLLOW_UPS: readonly Question[] = [
  { id: 'score', type: 'score', label: 'How was it?' },
  ...Array.from({ length: 20 }, (_, index) => ({
    ...{ id: `why-${index}`, type: 'text' as const, label: `Why, ${index + 1}?`, ask_if: { question: 'score', min: 0, max: 6 } },
  })),
];

export const survey: ShownSurvey = {
  ...{
    surveyId: SURVEY.surveyId,
    workspaceId: WORKSPACE.id,
    workspaceName: TITLE,
    title: UNBROKEN,
    state: 'active',
    link: 'open',
  },
  ...{ questions: QUESTIONS, questionsVersion: 1, publicUrl: null, thanks: null, buttonLabel: UNBROKEN.slice(0, 100) },
  ...{ buttonUrl: 'https://fjord-outdoor.example', translated: false, translation: null, isFull: false, invitationId: null },
  ...{
    languages: ['en', 'de', 'ar', 'ja'],
    language: null,
    requestLanguage: null,
    surveyLanguage: 'en',
    accentColor: null,
    wording: null,
    logoUrl: null,
    logoAlt: null,
  },
};
const unsubscribing: UnsubscribePage = {
  ...{ workspaceName: TITLE, email: ADDRESS, unsubscribed: false, canResubscribe: true, title: UNBROKEN, titleLanguage: 'en' },
  ...{ choices: ['once_a_month'], workspaceId: WORKSPACE.id, surveyId: SURVEY.surveyId, invitationId: '1' },
  ...{ language: null, requestLanguage: null, surveyLanguage: 'en', accentColor: '#aa3300', wording: null },
  ...{ logoUrl: LOGO, logoAlt: ARABIC },
};
const errors = { score: 'chooseNumber', comment: 'tooLong' } as const;

/** By the page's address. */
export const WHOLE_PAGES: Readonly<Record<string, () => string>> = {
  '/welcome': welcomePage,
  '/sign-in': () => signInPage('/', UNBROKEN),
  '/link-sent': askedPage,
  '/bad-link': badLinkPage,
  '/signed-out': () => signedOutPage(true),
  '/error': () =>
    errorPage(false, { title: TITLE, sentence: UNBROKEN, request: 'Request 01a1fbc3' }, (title, main) =>
      framePage(page, { title }, main),
    ),
  '/recipient': () => surveyPage(survey, undefined),
  '/recipient-follow-ups': () => surveyPage({ ...survey, questions: FOLLOW_UPS }, undefined),
  '/recipient-clicked': () => surveyPage(survey, undefined, { answers: { score: 9 }, errors: {} }, 'score'),
  '/recipient-errors': () => surveyPage(survey, undefined, { answers: { stars: 3, why: ARABIC }, errors, changed: true }),
  '/recipient-rtl': () =>
    surveyPage({ ...survey, title: ARABIC, workspaceName: ARABIC, surveyLanguage: 'ar', accentColor: '#aa3300' }, undefined),
  '/recipient-thanks': () => thanksPage(survey),
  '/recipient-thanks-own': () => thanksPage({ ...survey, thanks: `${TITLE}\n\n${ARABIC}` }),
  '/recipient-closed': () => closedPage({ ...survey, state: 'closed' })?.body ?? '',
  '/recipient-early': () => closedPage({ ...survey, state: 'draft' })?.body ?? '',
  '/recipient-invited': () => closedPage({ ...survey, link: 'required' })?.body ?? '',
  '/recipient-unknown': () => closedPage({ ...survey, link: 'unknown' })?.body ?? '',
  '/unsubscribe': () => unsubscribePage(unsubscribing, 'token'),
  '/unsubscribed': () => unsubscribePage({ ...unsubscribing, unsubscribed: true, canResubscribe: false }, 'token'),
};
