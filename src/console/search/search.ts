// The search of a workspace: its page, and what finder.js suggests while somebody types. What is searched for is in the body of the request, because
// proxies log addresses.
import type { OwnWorkspace } from '../../database/store.ts';
import { json } from '../../http/answer.ts';
import { pagesOf } from '../frame.ts';
import type { ConsoleContext, PageHandler, PageRequest } from '../page.ts';
import { searchOf } from '../recipients/recipients.ts';
import { type Group, groupsOf, searchMain } from './search-view.ts';

/** Of each group. */
const ROWS = 20;
const SUGGESTED = 4;

async function find(
  { store }: ConsoleContext,
  request: PageRequest,
  workspace: OwnWorkspace,
  search: string | undefined,
  rows: number,
): Promise<Group[]> {
  if (search === undefined) return [];
  // One more says whether there are more.
  const hits = await store.console.search(request.session, workspace.id, search, rows + 1);
  return groupsOf(workspace, search, hits, pagesOf(workspace), rows);
}

/** GET: the form alone. POST: what it found. */
export const showSearch =
  (context: ConsoleContext): PageHandler =>
  async (request) => {
    const workspace = request.workspace(request.param('workspace'));
    const search = searchOf(request.form);
    const groups = await find(context, request, workspace, search, ROWS);
    return request.page({ title: 'Search', workspace, tab: 'search' }, searchMain(request, workspace, search, groups));
  };

export const suggest =
  (context: ConsoleContext): PageHandler =>
  async (request) => {
    const workspace = request.workspace(request.param('workspace'));
    const groups = await find(context, request, workspace, searchOf(request.form), SUGGESTED);
    return json(
      200,
      groups.map(({ label, items }) => ({ label, items: items.map(({ href, title, note }) => ({ href, title, note })) })),
    );
  };
