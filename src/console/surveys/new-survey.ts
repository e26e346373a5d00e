// Creates surveys.
import { randomUUID } from 'node:crypto';
import { constraintMessage } from '../../constraint-messages.ts';
import { isAtLeast } from '../../database/store.ts';
import { ApiError } from '../../errors.ts';
import { readUuid } from '../../http/ids.ts';
import { type ConsoleContext, done, type PageHandler, type PageRequest } from '../page.ts';
import { type NewSurvey, newSurveyMain } from './new-survey-view.ts';
import { isTemplate, TEMPLATES } from './templates.ts';

function show(request: PageRequest, survey: NewSurvey) {
  const workspace = request.workspace(request.param('workspace'));
  if (!isAtLeast(workspace.role, 'editor')) throw new ApiError('forbidden', 'Only editors, admins and owners create surveys.');
  const main = newSurveyMain(request, workspace, survey);
  return request.page({ title: 'New survey', workspace, tab: 'surveys' }, main, survey.error === undefined ? 200 : 422);
}

export const showNewSurvey = (): PageHandler => (request) => show(request, { id: randomUUID(), title: '', template: 'nps' });

export const addSurvey =
  ({ store }: ConsoleContext): PageHandler =>
  async (request) => {
    const { form, session } = request;
    const id = readUuid(form.get('survey')) ?? randomUUID();
    const title = (form.get('title') ?? '').trim();
    const asked = form.get('template') ?? '';
    const template = isTemplate(asked) ? asked : 'empty';
    try {
      await store.console.createSurvey(session, request.param('workspace'), id, title, TEMPLATES[template].questions);
    } catch (error) {
      if ((error as { constraint_name?: string }).constraint_name !== 'surveys_pkey') {
        const text = constraintMessage(error);
        if (text === undefined) throw error;
        return show(request, { id, title, template, error: text });
      }
    }
    return done(`/surveys/${id}/questions`, 'survey_created');
  };
