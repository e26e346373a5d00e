// The audit log, and its download.

import type { ConsoleStore } from '../../database/store.ts';
import { askAs, presentAsker, streamInTurn } from '../../database/turns.ts';
import { readRowId } from '../../http/ids.ts';
import type { ConsoleContext, PageHandler } from '../page.ts';
import { BYTE_ORDER_MARK, csvFileName, csvLine } from '../results/csv-view.ts';
import { AUDIT_COLUMNS, auditLine, auditMain, MAX_EXPORTED } from './audit-view.ts';

const ROWS = 50;
/** Entries per piece of the download. */
const PIECE = 1000;

export const showAudit =
  ({ store }: ConsoleContext): PageHandler =>
  async (request) => {
    const workspace = request.workspace(request.param('workspace'));
    const before = readRowId(request.query.get('before'));
    const entries = await store.console.listAuditEntries(request.session, workspace.id, before, ROWS);
    return request.page({ title: 'Audit log', workspace, tab: 'audit' }, auditMain(request, entries, ROWS, before));
  };

type List = (before: string | undefined, rows: number) => ReturnType<ConsoleStore['listAuditEntries']>;

/**
 * Yields the file in pieces, newest entry first.
 * @param before Undefined: from the newest.
 * @param most How many entries the file has at most.
 */
export async function* auditPieces(list: List, before: string | undefined, most = MAX_EXPORTED, rows = PIECE) {
  yield BYTE_ORDER_MARK + csvLine(AUDIT_COLUMNS);
  for (let left = most; left > 0; left -= rows) {
    const entries = await list(before, Math.min(rows, left));
    if (entries.length > 0) yield entries.map(auditLine).join('');
    if (entries.length < rows) return;
    before = entries.at(-1)?.id;
  }
}

export const downloadAudit =
  ({ store, downloads, exports }: ConsoleContext): PageHandler =>
  async ({ method, session, query, param, workspace: find, realNow }) => {
    const workspace = find(param('workspace'));
    const before = readRowId(query.get('before'));
    const headers = {
      'content-disposition': `attachment; filename="${csvFileName(workspace.name, workspace.id, realNow, 'audit')}"`,
    };
    const head = { status: 200, type: 'text/csv', body: '', headers } as const;
    // The first entry is read before the response begins, so that a role that may not read it gets an error page.
    await store.console.listAuditEntries(session, workspace.id, before, 1);
    if (method === 'HEAD') return head;
    await store.console.recordAuditExport(session, workspace.id);
    const asker = presentAsker();
    const list: List = (from, rows) => askAs(asker, () => downloads.listAuditEntries(session, workspace.id, from, rows));
    return { ...head, stream: streamInTurn(exports, asker, auditPieces(list, before)) };
  };
