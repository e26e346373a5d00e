// One response, with the person who gave it.
import { isAtLeast } from '../../database/store.ts';
import { ApiError } from '../../errors.ts';
import { readRowId } from '../../http/ids.ts';
import type { ConsoleContext, PageHandler } from '../page.ts';
import { responseMain, responseTitle, writeLink } from './response-view.ts';

export const showResponse =
  ({ store }: ConsoleContext): PageHandler =>
  async (request) => {
    const { session } = request;
    const survey = await store.console.surveyFrame(session, request.param('survey'), 'viewer');
    const id = readRowId(request.param('response'));
    if (id === undefined) throw new ApiError('not_found', 'No such response.');
    const response = await store.console.findResponse(session, survey.surveyId, id);
    const events =
      response.invitationId !== null && isAtLeast(survey.role, 'editor')
        ? await store.console.invitationEvents(session, survey.surveyId, response.invitationId)
        : [];
    return request.page(
      { title: responseTitle(response), survey, tab: 'results', actions: writeLink(response, survey) },
      responseMain(request, survey, response, events),
    );
  };
