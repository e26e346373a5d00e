// A workspace's recipients, and the page of one recipient.
import type { RecipientFilter } from '../../database/store.ts';
import { ApiError } from '../../errors.ts';
import { readRowId, readUuid } from '../../http/ids.ts';
import { toStorable } from '../../text.ts';
import type { ConsoleContext, PageHandler, PageRequest } from '../page.ts';
import { listing, recipientMain } from './recipient-view.ts';
import { recipientsMain } from './recipients-view.ts';

const ROWS = 50;
const EVENTS = 200;
/** The length of the longest possible email address. */
const MAX_SEARCH = 254;

/** The search text of a query or form, trimmed. Undefined: none. */
export const searchOf = (fields: URLSearchParams): string | undefined =>
  toStorable(fields.get('search') ?? '')
    .trim()
    .slice(0, MAX_SEARCH) || undefined;

export const readSearch = ({ query }: PageRequest): string | undefined => searchOf(query);

/** People may also enter a batch id in the search field. */
function readFilter(request: PageRequest): RecipientFilter {
  const search = readSearch(request);
  const batch = readUuid(search ?? request.query.get('batch'));
  return { search: batch === undefined ? search : undefined, batch, before: readRowId(request.query.get('before')) };
}

export const showRecipients =
  ({ store }: ConsoleContext): PageHandler =>
  async (request) => {
    const workspace = request.workspace(request.param('workspace'));
    const filter = readFilter(request);
    const lines = await store.console.listRecipients(request.session, workspace.id, filter, ROWS);
    return request.page(
      { title: 'People', workspace, tab: 'recipients' },
      recipientsMain(request, workspace, filter, lines, ROWS),
    );
  };

export const showRecipient =
  ({ store }: ConsoleContext): PageHandler =>
  async (request) => {
    const workspace = request.workspace(request.param('workspace'));
    const id = readRowId(request.param('invitation'));
    if (id === undefined) throw new ApiError('not_found', 'No such recipient.');
    const [lines, choices, events] = await Promise.all([
      store.console.recipientInvitations(request.session, workspace.id, id),
      store.console.recipientChoices(request.session, workspace.id, id),
      store.console.recipientEvents(request.session, workspace.id, id, EVENTS),
    ]);
    const main = recipientMain(request, workspace, lines, choices, events, EVENTS);
    const [newest] = lines;
    const parts = { title: newest?.email ?? 'Erased recipient', actions: newest && listing(request, workspace, newest) };
    return request.page({ ...parts, workspace, tab: 'recipients' }, main);
  };
