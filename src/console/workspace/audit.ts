// The audit log of a workspace, newest first, a page at a time.

import { readRowId } from '../../http/ids.ts';
import type { ServerContext } from '../../server.ts';
import type { VisitHandler } from '../page.ts';
import { auditMain } from './audit-view.ts';

const ROWS = 50;

export const showAudit =
  ({ store }: ServerContext): VisitHandler =>
  async (visit) => {
    const workspace = visit.workspace(visit.param('workspace'));
    const before = readRowId(visit.query.get('before'));
    const entries = await store.console.listAuditEntries(visit.session, workspace.id, before, ROWS);
    return visit.page({ title: 'Audit log', workspace, tab: 'audit' }, auditMain(visit, entries, ROWS, before !== undefined));
  };
