// The survey page with the draft of its questions, for the frame in the editor. It is the page that recipients get, by the same renderer.
import { page } from '../../http/answer.ts';
import { previewHeaders } from '../../http/headers.ts';
import { canonicalTag } from '../../languages/languages.ts';
import { surveyPage, thanksPage } from '../../recipient/survey-view.ts';
import { readGroup } from '../../recipient/thanks.ts';
import type { ConsoleContext, PageHandler } from '../page.ts';
import { isDraft, previewable } from './question-form.ts';

export const showQuestionPreview =
  ({ store, speeches }: ConsoleContext): PageHandler =>
  async ({ session, param, query }) => {
    const language = canonicalTag(query.get('language') ?? undefined);
    const survey = await store.console.surveyPreview(session, param('survey'), language);
    const shown = {
      ...survey,
      speech: await speeches.of(survey.wording),
      questions: previewable(survey.questions.filter(isDraft)),
      scheme: query.get('scheme') === 'dark' ? ('dark' as const) : ('light' as const),
    };
    const body =
      query.get('view') === 'answered' ? thanksPage(shown, readGroup(query.get('score'))) : surveyPage(shown, undefined);
    return page(200, body, previewHeaders(survey.accentColor));
  };
