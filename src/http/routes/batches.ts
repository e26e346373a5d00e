// The batches of a survey, and the form that cancels one or sends again what has failed of it.
import { ApiError } from '../../errors.ts';
import { batchesMain } from '../../pages/batches.ts';
import type { FlashCode } from '../../pages/flashes.ts';
import { readUuid } from '../ids.ts';
import { redirect, type Visit, type VisitHandler } from '../member-page.ts';
import type { ServerContext } from '../server.ts';

const ROWS = 20;

/** What a form asks to be done with mails. */
export function readAction({ form }: Visit): 'cancel' | 'retry' {
  const action = form.get('action');
  if (action === 'cancel' || action === 'retry') return action;
  throw new ApiError('invalid_field', 'There is no such action.');
}

export const showBatches =
  ({ functions }: ServerContext): VisitHandler =>
  async (visit) => {
    const survey = await functions.surveyFrame(visit.session, visit.param('survey'), 'editor');
    const before = readUuid(visit.query.get('before'));
    const batches = await functions.surveyBatches(visit.session, survey.surveyId, before, ROWS);
    return visit.page(
      { title: 'Batches', survey, tab: 'invitations' },
      batchesMain(visit, survey, batches, ROWS, before !== undefined),
    );
  };

export const changeBatch =
  ({ functions }: ServerContext): VisitHandler =>
  async (visit) => {
    const { surveyId } = await functions.surveyFrame(visit.session, visit.param('survey'), 'editor');
    const id = readUuid(visit.param('batch'));
    if (id === undefined) throw new ApiError('not_found', 'There is no such batch.');
    const action = readAction(visit);
    const mails = await functions.changeBatch(visit.session, surveyId, action, id);
    const past = action === 'cancel' ? 'cancelled' : 'retried';
    const code: FlashCode = mails > 0 ? `batch_${past}` : `nothing_${past}`;
    return redirect(`/surveys/${surveyId}/invitations?batch=${id}&done=${code}`);
  };
