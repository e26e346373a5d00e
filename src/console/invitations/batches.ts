// The batches of a survey, and the form that cancels one or sends again what has failed of it.
import { ApiError } from '../../errors.ts';
import { readUuid } from '../../http/ids.ts';
import type { ServerContext } from '../../server.ts';
import type { FlashCode } from '../flashes.ts';
import { redirect, type Visit, type VisitHandler } from '../page.ts';
import { batchesMain } from './batches-view.ts';

const ROWS = 20;

/** What a form asks to be done with mails. */
export function readAction({ form }: Visit): 'cancel' | 'retry' {
  const action = form.get('action');
  if (action === 'cancel' || action === 'retry') return action;
  throw new ApiError('invalid_field', 'There is no such action.');
}

export const showBatches =
  ({ store }: ServerContext): VisitHandler =>
  async (visit) => {
    const survey = await store.console.surveyFrame(visit.session, visit.param('survey'), 'editor');
    const before = readUuid(visit.query.get('before'));
    const batches = await store.console.listBatches(visit.session, survey.surveyId, before, ROWS);
    return visit.page(
      { title: 'Batches', survey, tab: 'invitations' },
      batchesMain(visit, survey, batches, ROWS, before !== undefined),
    );
  };

export const changeBatch =
  ({ store }: ServerContext): VisitHandler =>
  async (visit) => {
    const { surveyId } = await store.console.surveyFrame(visit.session, visit.param('survey'), 'editor');
    const id = readUuid(visit.param('batch'));
    if (id === undefined) throw new ApiError('not_found', 'There is no such batch.');
    const action = readAction(visit);
    const mails = await store.console.changeBatch(visit.session, surveyId, action, id);
    const past = action === 'cancel' ? 'cancelled' : 'retried';
    const code: FlashCode = mails > 0 ? `batch_${past}` : `nothing_${past}`;
    return redirect(`/surveys/${surveyId}/invitations?batch=${id}&done=${code}`);
  };
