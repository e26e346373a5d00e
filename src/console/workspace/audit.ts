// The audit log.

import { readRowId } from '../../http/ids.ts';
import type { ConsoleContext, PageHandler } from '../page.ts';
import { auditMain } from './audit-view.ts';

const ROWS = 50;

export const showAudit =
  ({ store }: ConsoleContext): PageHandler =>
  async (request) => {
    const workspace = request.workspace(request.param('workspace'));
    const before = readRowId(request.query.get('before'));
    const entries = await store.console.listAuditEntries(request.session, workspace.id, before, ROWS);
    return request.page({ title: 'Audit log', workspace, tab: 'audit' }, auditMain(request, entries, ROWS, before !== undefined));
  };
