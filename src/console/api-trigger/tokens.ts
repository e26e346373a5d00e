// The tab API trigger.

import { html } from '../../html/html.ts';
import { readUuid } from '../../http/ids.ts';
import type { TriggerLimits } from '../../trigger/schema.ts';
import type { ConsoleContext, PageHandler } from '../page.ts';
import { apiTriggerMain } from './tokens-view.ts';

export interface ApiTriggerContext extends ConsoleContext {
  readonly limits: TriggerLimits;
}

const ROWS = 50;

export const showApiTrigger =
  ({ store, limits }: ApiTriggerContext): PageHandler =>
  async (request) => {
    const survey = await store.console.surveyFrame(request.session, request.param('survey'), 'editor');
    const after = readUuid(request.query.get('after'));
    const [tokens, rejections] = await Promise.all([
      store.console.listTriggerTokens(request.session, survey.surveyId, after, ROWS),
      store.console.listRejections(request.session, survey.surveyId),
    ]);
    const shown = { survey, tokens, pageSize: ROWS, paged: after !== undefined, rejections, limits };
    const actions = html`<a class="button quiet" href="/surveys/${survey.surveyId}/api-trigger/new">Create a token</a>`;
    return request.page({ title: 'API trigger', survey, tab: 'api-trigger', actions }, apiTriggerMain(request, shown));
  };
