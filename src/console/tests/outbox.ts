// The outbox of a test workspace, and one email as it would have left.
import type { TestEmailPage } from '../../database/store.ts';
import { page } from '../../http/answer.ts';
import { FRAMED_HEADERS, FRAMING_HEADERS } from '../../http/headers.ts';
import { readRowId } from '../../http/ids.ts';
import { emailPreviewPage } from '../api-trigger/email-preview-view.ts';
import { type ConsoleContext, notFound, type PageHandler, type PageRequest } from '../page.ts';
import { readSearch } from '../recipients/recipients.ts';
import { outboxMain, subjectOf, testEmailMain } from './outbox-view.ts';

const ROWS = 50;

export const showOutbox =
  ({ store }: ConsoleContext): PageHandler =>
  async (request) => {
    const workspace = request.workspace(request.param('workspace'));
    const filter = { recipient: readSearch(request), before: readRowId(request.query.get('before')) };
    const emails = await store.console.listTestEmails(request.session, workspace.id, filter.recipient, filter.before, ROWS);
    return request.page({ title: 'Outbox', workspace, tab: 'outbox' }, outboxMain(request, workspace, filter, emails, ROWS));
  };

/** @throws {ApiError} not_found. */
async function find({ store }: ConsoleContext, { session, param }: PageRequest, workspaceId: string): Promise<TestEmailPage> {
  // Without an id, the role is checked all the same.
  const found = await store.console.findTestEmail(session, workspaceId, readRowId(param('email')) ?? '0');
  if (found === undefined) throw notFound();
  return found;
}

export const showTestEmail =
  (context: ConsoleContext): PageHandler =>
  async (request) => {
    const workspace = request.workspace(request.param('workspace'));
    const email = await find(context, request, workspace.id);
    const shown = request.page({ title: subjectOf(email), workspace, tab: 'outbox' }, testEmailMain(request, workspace, email));
    return { ...shown, headers: FRAMING_HEADERS };
  };

export const showTestEmailPreview =
  (context: ConsoleContext): PageHandler =>
  async (request) => {
    const workspace = request.workspace(request.param('workspace'));
    return page(200, emailPreviewPage((await find(context, request, workspace.id)).email), FRAMED_HEADERS);
  };
