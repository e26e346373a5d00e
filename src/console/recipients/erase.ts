// What a recipient may ask for: all data that the workspace has, and to be erased.
import { isAtLeast } from '../../database/store.ts';
import { ApiError } from '../../errors.ts';
import { readRowId } from '../../http/ids.ts';
import { type ConsoleContext, done, type PageHandler, type PageRequest } from '../page.ts';
import { eraseMain } from './recipient-view.ts';

/** The recipient of the invitation in the address, for a role that may erase and export. */
async function find({ store }: ConsoleContext, request: PageRequest) {
  const workspace = request.workspace(request.param('workspace'));
  const id = readRowId(request.param('invitation'));
  const line = id === undefined ? undefined : (await store.console.recipientInvitations(request.session, workspace.id, id))[0];
  if (id === undefined || line === undefined) throw new ApiError('not_found', 'No such recipient.');
  return { workspace, id, line };
}

export const exportRecipient =
  ({ store }: ConsoleContext): PageHandler =>
  async (request) => {
    const workspace = request.workspace(request.param('workspace'));
    const id = readRowId(request.param('invitation'));
    if (id === undefined) throw new ApiError('not_found', 'No such recipient.');
    return {
      status: 200,
      type: 'application/json',
      body: `${JSON.stringify(await store.console.exportRecipient(request.session, workspace.id, id), null, 2)}\n`,
      headers: { 'content-disposition': `attachment; filename="recipient-${id}.json"` },
    };
  };

export const showEraseRecipient =
  (context: ConsoleContext): PageHandler =>
  async (request) => {
    const { workspace, line } = await find(context, request);
    if (!isAtLeast(workspace.role, 'admin')) throw new ApiError('forbidden', 'Only owners and admins can erase a recipient.');
    if (line.email === null) throw new ApiError('not_found', 'This recipient is erased already.');
    return request.page({ title: `Erase ${line.email}`, workspace, tab: 'recipients' }, eraseMain(request, workspace, line));
  };

export const eraseRecipient =
  (context: ConsoleContext): PageHandler =>
  async (request) => {
    const { session, form } = request;
    const { workspace, id } = await find(context, request);
    const { stillSending } = await context.store.console.eraseRecipient(
      session,
      workspace.id,
      id,
      form.get('block') === 'yes',
      form.get('answers') === 'yes',
    );
    return done(`/workspaces/${workspace.id}/recipients/${id}`, stillSending > 0 ? 'recipient_erasing' : 'recipient_erased');
  };
