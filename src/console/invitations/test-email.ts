// A test mail to oneself, and the preview that its links lead to.

import { ruleOf } from '../../constraint-messages.ts';
import { ApiError } from '../../errors.ts';
import { readUuid } from '../../http/ids.ts';
import type { ServerContext } from '../../server.ts';
import { done, type Visit, type VisitHandler } from '../page.ts';
import { previewMain, testMain } from './test-email-view.ts';

async function show({ store }: ServerContext, visit: Visit, fault?: string) {
  const survey = await store.console.surveyFrame(visit.session, visit.param('survey'), 'editor');
  const [templates, lines] = await Promise.all([
    store.console.listTestTemplates(visit.session, survey.surveyId),
    store.console.listTestInvitations(visit.session, survey.surveyId),
  ]);
  const main = testMain(visit, survey, { templates, lines, fault });
  return visit.page({ title: 'Send a test', survey, tab: 'invitations' }, main, fault === undefined ? 200 : 422);
}

export const showTest =
  (context: ServerContext): VisitHandler =>
  (visit) =>
    show(context, visit);

export const sendTest =
  (context: ServerContext): VisitHandler =>
  async (visit) => {
    const { session, form } = visit;
    const { surveyId } = await context.store.console.surveyFrame(session, visit.param('survey'), 'editor');
    const token = readUuid(form.get('token'));
    if (token === undefined) return show(context, visit, 'Choose a trigger token.');
    try {
      const mail = form.get('mail') === 'reminder' ? 'reminder' : 'invitation';
      await context.store.console.requestTestInvitation(session, surveyId, token, mail);
    } catch (error) {
      const fault = ruleOf(error);
      if (fault === undefined) throw error;
      return show(context, visit, fault);
    }
    return done(`/surveys/${surveyId}/test-invitation`, 'test_sent');
  };

export const showPreview =
  ({ store }: ServerContext): VisitHandler =>
  async (visit) => {
    const survey = await store.console.surveyFrame(visit.session, visit.param('survey'), 'editor');
    const shown = await store.surveyPage(survey.surveyId, undefined);
    if (shown === null) throw new ApiError('not_found', 'There is no such survey.');
    return visit.page(
      { title: 'Preview', survey, tab: 'invitations', above: [`/surveys/${survey.surveyId}/test-invitation`, 'Send a test'] },
      previewMain(survey, shown),
    );
  };
