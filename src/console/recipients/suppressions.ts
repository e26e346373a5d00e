// A workspace's do-not-email list. SQL decides which addresses can be removed from it.
import { isEmailValid } from '@hapi/address';
import { ApiError } from '../../errors.ts';
import { readRowId } from '../../http/ids.ts';
import { foldEmail, toStorable } from '../../text.ts';
import { addBelow } from '../components.ts';
import { type ConsoleContext, done, type PageHandler, type PageRequest } from '../page.ts';
import { readSearch } from './recipients.ts';
import { listPath, removeSuppressionMain, suppressionsMain } from './suppressions-view.ts';

const ROWS = 50;

async function show({ store }: ConsoleContext, request: PageRequest, refused?: { email: string; text: string }) {
  const workspace = request.workspace(request.param('workspace'));
  const search = readSearch(request);
  const before = toStorable(request.query.get('before') ?? '') || undefined;
  const lines = await store.console.listSuppressions(request.session, workspace.id, search, before, ROWS);
  return request.page(
    { title: 'Do-not-email list', workspace, tab: 'do-not-email', actions: addBelow('Add an address') },
    suppressionsMain(request, workspace, { search, before, lines, pageSize: ROWS, refused }),
    refused === undefined ? 200 : 422,
  );
}

export const showSuppressions =
  (context: ConsoleContext): PageHandler =>
  (request) =>
    show(context, request);

export const askRemoveSuppression =
  ({ store }: ConsoleContext): PageHandler =>
  async (request) => {
    const workspace = request.workspace(request.param('workspace'));
    const email = foldEmail(toStorable(request.query.get('email') ?? ''));
    const lines = await store.console.listSuppressions(request.session, workspace.id, email || undefined, undefined, 1);
    const line = lines.find((suppression) => suppression.email === email);
    if (line === undefined) throw new ApiError('not_found', 'No such address.');
    return request.page(
      { title: 'Take off the list', workspace, tab: 'do-not-email' },
      removeSuppressionMain(request, workspace, line),
    );
  };

export const changeSuppressions =
  (context: ConsoleContext): PageHandler =>
  async (request) => {
    const { form, session } = request;
    const { id } = request.workspace(request.param('workspace'));
    const { addSuppression, removeSuppression } = context.store.console;
    const email = (form.get('email') ?? '').trim();
    if (form.get('action') === 'remove') {
      const removed = await removeSuppression(session, id, email);
      return done(listPath(id), removed === null ? 'nothing_unblocked' : removed ? 'address_unblocked' : 'still_unsubscribed');
    }
    if (!isEmailValid(email)) return show(context, request, { email, text: 'Enter a valid email address.' });
    const added = await addSuppression(session, id, email);
    const back = readRowId(form.get('back'));
    return done(
      back === undefined ? listPath(id) : `/workspaces/${id}/recipients/${back}`,
      added ? 'address_blocked' : 'blocked_before',
    );
  };
