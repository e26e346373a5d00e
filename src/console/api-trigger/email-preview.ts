// A token's email as it will be sent, for the frame on its page: GET shows the saved texts, POST the form's.

import type { TokenCard } from '../../database/store.ts';
import { page } from '../../http/answer.ts';
import { FRAMED_HEADERS } from '../../http/headers.ts';
import { canonicalTag, nearestTag } from '../../languages/languages.ts';
import { type RenderInput, type RenderOptions, render } from '../../mail/render.ts';
import type { SenderOptions } from '../../mail/sender.ts';
import { EmailTooLargeError } from '../../mail/size.ts';
import type { ConsoleContext, PageHandler } from '../page.ts';
import { emailPreviewPage, tooLargePage, variableWarning } from './email-preview-view.ts';
import { findToken, readTexts } from './token.ts';

export interface EmailPreviewContext extends ConsoleContext {
  readonly mail: SenderOptions;
}

/** Doesn't exist; her link looks real. */
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

/** As nearest_translation. */
function translationFor({ translations, surveyLanguage }: TokenCard, language: string | null) {
  if (translations === null || language === null) return null;
  const nearest = nearestTag(language, [surveyLanguage, ...Object.keys(translations)]);
  const texts = nearest === undefined ? undefined : translations[nearest];
  return nearest === undefined || texts === undefined || nearest === surveyLanguage ? null : { ...texts, language: nearest };
}

export const showEmailPreview =
  (context: EmailPreviewContext): PageHandler =>
  async (request) => {
    const { survey, token } = await findToken(context, request);
    const texts = request.method === 'POST' ? readTexts(request) : token;
    const language = canonicalTag(request.form.get('language') ?? request.query.get('language') ?? undefined) ?? null;
    const translated = await context.store.surveyPage(survey.surveyId, undefined, undefined, language ?? undefined);
    const reminder = (request.form.get('kind') ?? request.query.get('kind')) === 'reminder';
    const written = reminder
      ? [texts.defaultReminderSubject || texts.defaultSubject, texts.defaultReminderMessage || texts.defaultMessage]
      : [texts.defaultSubject, texts.defaultMessage];
    const preview = previewPage(
      {
        ...SAMPLE,
        messageKind: reminder ? 'reminder' : 'invitation',
        subject: texts.defaultSubject,
        message: texts.defaultMessage,
        reminderSubject: texts.defaultReminderSubject || null,
        reminderMessage: texts.defaultReminderMessage || null,
        surveyId: survey.surveyId,
        surveyTitle: translated?.translation?.title ?? survey.title,
        surveyPublicUrl: token.surveyPublicUrl,
        workspaceName: survey.workspaceName,
        sender: { ...token.workspaceSender, ...token.sender },
        language,
        requestLanguage: null,
        surveyLanguage: token.surveyLanguage,
        messageLanguage: null,
        translation: translationFor(token, language),
      },
      { publicUrl: context.publicUrl(), ...context.mail },
      variableWarning(written.join('\n')),
    );
    return page(200, preview, FRAMED_HEADERS);
  };
