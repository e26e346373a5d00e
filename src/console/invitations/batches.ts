// A survey's batches.
import { ApiError } from '../../errors.ts';
import { redirect } from '../../http/answer.ts';
import { readUuid } from '../../http/ids.ts';
import type { FlashCode } from '../flashes.ts';
import type { ConsoleContext, PageHandler, PageRequest } from '../page.ts';
import { batchesMain } from './batches-view.ts';

const ROWS = 20;

/** cancel: cancels unsent invitations. retry: sends failed ones again. remind: sends the next reminder now. */
export const PAST = { cancel: 'cancelled', retry: 'retried', remind: 'reminded' } as const;
export type Action = keyof typeof PAST;

export const isAction = (text: string): text is Action => Object.hasOwn(PAST, text);

export function readAction({ form }: PageRequest): Action {
  const action = form.get('action') ?? '';
  if (isAction(action)) return action;
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
    const { cancelBatch: cancel, retryBatch: retry, remindBatch: remind } = store.console;
    const messages = await { cancel, retry, remind }[action](request.session, surveyId, id);
    const code: FlashCode = `${messages > 0 ? 'batch' : 'nothing'}_${PAST[action]}`;
    return redirect(`/surveys/${surveyId}/invitations?batch=${id}&done=${code}`);
  };
