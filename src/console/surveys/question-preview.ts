// The survey page, published or with the draft of its questions, for a frame in the console. It is the page that recipients get, by the same renderer.
import { page } from '../../http/answer.ts';
import { previewHeaders } from '../../http/headers.ts';
import { canonicalTag } from '../../languages/languages.ts';
import { readClick } from '../../recipient/answers.ts';
import { surveyPage, thanksPage } from '../../recipient/survey-view.ts';
import { readGroup } from '../../recipient/thanks.ts';
import { type ConsoleContext, notFound, type PageHandler, type PageRequest } from '../page.ts';
import { isDraft, previewable } from './question-form.ts';

/** What is published, or what the draft would show, to an editor. Reading the draft asks for the role itself. */
async function pageOf({ store }: ConsoleContext, { session, param, query }: PageRequest, language: string | undefined) {
  if (query.get('of') !== 'published') return store.console.surveyPreview(session, param('survey'), language);
  await store.console.surveyFrame(session, param('survey'), 'editor');
  return store.surveyPage(param('survey'), undefined, undefined, language);
}

export const showQuestionPreview =
  (context: ConsoleContext): PageHandler =>
  async (request) => {
    const { query } = request;
    const survey = await pageOf(context, request, canonicalTag(query.get('language') ?? undefined));
    if (survey === null) throw notFound();
    const shown = {
      ...survey,
      speech: await context.speeches.of(survey.wording),
      questions: previewable(survey.questions.filter(isDraft)),
      scheme: query.get('scheme') === 'dark' ? ('dark' as const) : ('light' as const),
    };
    const click = readClick(shown.questions, Object.fromEntries(query));
    const body =
      query.get('view') === 'answered'
        ? thanksPage(shown, readGroup(query.get('score')))
        : surveyPage(shown, undefined, click && { answers: { [click.question]: click.answer }, errors: {} }, click?.question);
    return page(200, body, previewHeaders(survey.accentColor));
  };
