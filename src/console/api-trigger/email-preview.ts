// Renders a token's email as it will be sent, for the frame on the token's page. GET shows the saved texts, and POST shows the form's
// texts.

import type { EmailQuestion, SurveyFrame, SurveyPage, TokenCard } from '../../database/store.ts';
import { type Answer, page } from '../../http/answer.ts';
import { FRAMED_HEADERS } from '../../http/headers.ts';
import { canonicalTag, nearestTag, SERVICE } from '../../languages/languages.ts';
import { type RenderInput, type RenderOptions, render } from '../../mail/render.ts';
import type { SenderOptions } from '../../mail/sender.ts';
import { EmailTooLargeError } from '../../mail/size.ts';
import { textsOf } from '../../mail/texts.ts';
import { ownValue } from '../../text.ts';
import type { ConsoleContext, PageHandler } from '../page.ts';
import { variableError } from '../variables.ts';
import { languageName } from '../words.ts';
import { emailPreviewPage, tooLargePage } from './email-preview-view.ts';
import { findToken, readQuestionInEmail, readTexts } from './token.ts';

export interface EmailPreviewContext extends ConsoleContext {
  readonly mail: SenderOptions;
}

/** A recipient who doesn't exist. Her link has the form of a real one. */
const SAMPLE = {
  id: '1',
  batchId: '00000000-0000-7000-8000-000000000000',
  email: 'ada@example.com',
  name: 'Ada Lovelace',
  linkToken: 'preview-preview-previe',
  unconfirmedSince: null,
};

function previewPage(invitation: RenderInput, options: RenderOptions, warning: string | undefined): string {
  try {
    return emailPreviewPage(render(invitation, options), warning);
  } catch (error) {
    if (!(error instanceof EmailTooLargeError)) throw error;
    return tooLargePage(error.message);
  }
}

/** Chooses a translation by the same rules as the SQL function nearest_translation. */
function translationFor({ translations, surveyLanguage }: TokenCard, language: string | null) {
  if (translations === null || language === null) return null;
  const nearest = nearestTag(language, [surveyLanguage, ...Object.keys(translations)]);
  const texts = nearest === undefined ? undefined : translations[nearest];
  return nearest === undefined || texts === undefined || nearest === surveyLanguage ? null : { ...texts, language: nearest };
}

function questionFor({ emailQuestion }: TokenCard, page: SurveyPage | null): EmailQuestion | null {
  const translated = emailQuestion && ownValue(page?.translation?.questions, emailQuestion.id);
  return translated ? { ...emailQuestion, translated } : emailQuestion;
}

/** Says why the email isn't in the chosen language. Undefined: it is in that language. */
function otherLanguage(invitation: RenderInput): string | undefined {
  const { speech = SERVICE } = invitation;
  const [wanted, { language }] = [speech.languageOf(invitation.language, invitation.surveyLanguage), textsOf(invitation)];
  if (language === wanted) return undefined;
  return `Recipients who read ${languageName(wanted)} get this email in ${languageName(language)}: not all texts of the email and the survey are translated.`;
}

/** What a preview shows of a token. */
export interface Shown {
  readonly survey: SurveyFrame;
  readonly token: TokenCard;
  /** The texts of its form, or its own. */
  readonly texts: Pick<
    TokenCard,
    'defaultSubject' | 'defaultMessage' | 'defaultReminderSubject' | 'defaultReminderMessage' | 'questionInEmail'
  >;
  readonly isReminder: boolean;
  /** Null: the survey's. */
  readonly language: string | null;
  readonly recipient: { readonly email: string; readonly name: string | null };
}

/** The frame of a preview. */
export async function emailFrame(context: EmailPreviewContext, shown: Shown): Promise<Answer> {
  const { survey, token, texts, isReminder, language, recipient } = shown;
  const shownPage = await context.store.surveyPage(survey.surveyId, undefined, undefined, language ?? undefined);
  const written = isReminder
    ? [texts.defaultReminderSubject || texts.defaultSubject, texts.defaultReminderMessage || texts.defaultMessage]
    : [texts.defaultSubject, texts.defaultMessage];
  const invitation: RenderInput = {
    ...SAMPLE,
    ...recipient,
    messageKind: isReminder ? 'reminder' : 'invitation',
    messageNumber: isReminder ? 1 : 0,
    subject: texts.defaultSubject,
    message: texts.defaultMessage,
    reminderSubject: texts.defaultReminderSubject || null,
    reminderMessage: texts.defaultReminderMessage || null,
    surveyId: survey.surveyId,
    surveyTitle: survey.title,
    pageTranslation: shownPage?.translated
      ? { title: shownPage.translation?.title ?? survey.title, language: shownPage.translation?.language ?? null }
      : null,
    surveyPublicUrl: token.surveyPublicUrl,
    workspaceName: survey.workspaceName,
    sender: { ...token.workspaceSender, ...token.sender },
    language,
    requestLanguage: null,
    surveyLanguage: token.surveyLanguage,
    subjectLanguage: null,
    messageLanguage: null,
    translation: translationFor(token, language),
    speech: await context.speeches.of(shownPage?.wording ?? null),
    question: texts.questionInEmail ? questionFor(token, shownPage) : null,
  };
  const warnings = [variableError(written.join('\n')), otherLanguage(invitation)].filter((warning) => warning !== undefined);
  const preview = previewPage(invitation, { publicUrl: context.publicUrl(), ...context.mail }, warnings.join(' ') || undefined);
  return page(200, preview, FRAMED_HEADERS);
}

export const showEmailPreview =
  (context: EmailPreviewContext): PageHandler =>
  async (request) => {
    const { form, query } = request;
    const { survey, token } = await findToken(context, request);
    return emailFrame(context, {
      survey,
      token,
      texts: request.method === 'POST' ? { ...readTexts(request), questionInEmail: readQuestionInEmail(request) } : token,
      isReminder: (form.get('kind') ?? query.get('kind')) === 'reminder',
      language: canonicalTag(form.get('language') ?? query.get('language') ?? undefined) ?? null,
      recipient: { email: SAMPLE.email, name: (form.get('nameless') ?? query.get('nameless')) === null ? SAMPLE.name : null },
    });
  };
