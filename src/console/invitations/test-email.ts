// The test email.
import { constraintMessage } from '../../constraint-messages.ts';
import { FRAMING_HEADERS } from '../../http/headers.ts';
import { readUuid } from '../../http/ids.ts';
import { canonicalTag } from '../../languages/languages.ts';
import { readClick } from '../../recipient/answers.ts';
import { type ConsoleContext, done, type PageHandler, type PageRequest } from '../page.ts';
import { BY_HAND, previewMain, testMain } from './test-email-view.ts';

const chosenLanguage = ({ form, query }: PageRequest): string | undefined =>
  canonicalTag(form.get('language') ?? query.get('language') ?? undefined);

async function show({ store }: ConsoleContext, request: PageRequest, formError?: string) {
  const survey = await store.console.surveyFrame(request.session, request.param('survey'), 'editor');
  const [settings, templates, lines] = await Promise.all([
    store.console.surveySettings(request.session, survey.surveyId),
    store.console.listTestTemplates(request.session, survey.surveyId),
    store.console.listTestInvitations(request.session, survey.surveyId),
  ]);
  const tokenId = request.form.get('token') ?? request.query.get('token') ?? undefined;
  const language = chosenLanguage(request);
  const [recipient, name] = [request.form.get('recipient'), request.form.get('name')];
  const main = testMain(request, survey, { settings, templates, lines, tokenId, language, recipient, name, formError });
  return request.page({ title: 'Send a test', survey, tab: 'invitations' }, main, formError === undefined ? 200 : 422);
}

export const showTest =
  (context: ConsoleContext): PageHandler =>
  (request) =>
    show(context, request);

export const sendTest =
  (context: ConsoleContext): PageHandler =>
  async (request) => {
    const { session, form } = request;
    const { surveyId } = await context.store.console.surveyFrame(session, request.param('survey'), 'editor');
    const chosen = form.get('token');
    const token = readUuid(chosen);
    if (token === undefined && chosen !== BY_HAND) return show(context, request, 'Choose a trigger token.');
    try {
      const kind = form.get('kind') === 'reminder' ? 'reminder' : 'invitation';
      await context.store.console.requestTestInvitation(session, surveyId, {
        tokenId: token,
        kind,
        language: chosenLanguage(request),
        recipient: form.get('recipient')?.trim() || undefined,
        name: form.get('name')?.trim() || undefined,
      });
    } catch (error) {
      const formError = constraintMessage(error);
      if (formError === undefined) throw error;
      return show(context, request, formError);
    }
    return done(`/surveys/${surveyId}/test-invitation`, 'test_sent');
  };

export const showPreview =
  ({ store }: ConsoleContext): PageHandler =>
  async (request) => {
    const survey = await store.console.surveyFrame(request.session, request.param('survey'), 'editor');
    const settings = await store.console.surveySettings(request.session, survey.surveyId);
    const click = readClick(settings.questions, Object.fromEntries(request.query));
    const shown = request.page(
      {
        title: 'Preview',
        survey,
        tab: 'invitations',
        above: [`/surveys/${survey.surveyId}/test-invitation`, 'Send a test'],
      },
      previewMain(survey, settings, chosenLanguage(request), click),
    );
    return { ...shown, headers: FRAMING_HEADERS };
  };
