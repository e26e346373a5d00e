// The audit log of a workspace, newest first, a page at a time.
import { auditMain } from '../../pages/audit.ts';
import { readRowId } from '../ids.ts';
import type { VisitHandler } from '../member-page.ts';
import type { ServerContext } from '../server.ts';

const ROWS = 50;

export const showAudit =
  ({ functions }: ServerContext): VisitHandler =>
  async (visit) => {
    const workspace = visit.workspace(visit.param('workspace'));
    const before = readRowId(visit.query.get('before'));
    const entries = await functions.auditEntries(visit.session, workspace.id, before, ROWS);
    return visit.page({ title: 'Audit log', workspace, tab: 'audit' }, auditMain(visit, entries, ROWS, before !== undefined));
  };
