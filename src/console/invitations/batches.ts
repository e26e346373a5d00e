// A survey's batches.
import { ApiError } from '../../errors.ts';
import { redirect } from '../../http/answer.ts';
import { readUuid } from '../../http/ids.ts';
import type { FlashCode } from '../flashes.ts';
import type { ConsoleContext, PageHandler, PageRequest } from '../page.ts';
import { batchesMain } from './batches-view.ts';

const ROWS = 20;

/** cancel: cancels unsent invitations. retry: sends failed ones again. */
export function readAction({ form }: PageRequest): 'cancel' | 'retry' {
  const action = form.get('action');
  if (action === 'cancel' || action === 'retry') return action;
  throw new ApiError('invalid_field', 'No such action.');
}

export const showBatches =
  ({ store }: ConsoleContext): PageHandler =>
  async (request) => {
    const survey = await store.console.surveyFrame(request.session, request.param('survey'), 'editor');
    const before = readUuid(request.query.get('before'));
    const batches = await store.console.listBatches(request.session, survey.surveyId, before, ROWS);
    return request.page(
      { title: 'Batches', survey, tab: 'batches' },
      batchesMain(request, survey, batches, ROWS, before !== undefined),
    );
  };

export const changeBatch =
  ({ store }: ConsoleContext): PageHandler =>
  async (request) => {
    const { surveyId } = await store.console.surveyFrame(request.session, request.param('survey'), 'editor');
    const id = readUuid(request.param('batch'));
    if (id === undefined) throw new ApiError('not_found', 'No such batch.');
    const action = readAction(request);
    const change = action === 'cancel' ? store.console.cancelBatch : store.console.retryBatch;
    const messages = await change(request.session, surveyId, id);
    const past = action === 'cancel' ? 'cancelled' : 'retried';
    const code: FlashCode = messages > 0 ? `batch_${past}` : `nothing_${past}`;
    return redirect(`/surveys/${surveyId}/invitations?batch=${id}&done=${code}`);
  };
