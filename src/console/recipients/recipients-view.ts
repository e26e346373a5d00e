// A workspace's recipients across all its surveys.
import type { OwnWorkspace, RecipientFilter, RecipientLine } from '../../database/store.ts';
import { type Html, html } from '../../html/html.ts';
import { capital, empty, ended, moment, NONE, pager, table } from '../components.ts';
import type { PageContext } from '../frame.ts';
import { breakable, lineStatus, unsentNote } from '../invitations/parts-view.ts';
import { SUPPRESSION_REASONS } from '../words.ts';

/** @param pageSize After a full page there may be another. A search has only one page. */
export function recipientsMain(
  { now }: PageContext,
  { id }: Pick<OwnWorkspace, 'id'>,
  filter: RecipientFilter,
  lines: readonly RecipientLine[],
  pageSize: number,
): Html {
  const { search, batch, before } = filter;
  const last = lines.at(-1);
  const page = (from?: string) => `?${new URLSearchParams({ ...(batch && { batch }), ...(from && { before: from }) })}`;
  return html`<form class="bar" role="search">
<div class="field"><label for="search">Email, name, metadata value, or batch id</label><input id="search" name="search" type="search" value="${search ?? batch}" maxlength="254" autocomplete="off" spellcheck="false"></div>
<button class="quiet" type="submit">Search</button>
${(search || batch) && html`<a href="/workspaces/${id}/recipients">Clear search</a>`}
</form>
${lines.length === 0 ? nothing(filter) : recipientTable(lines, id, now)}
${search && lines.length === pageSize && html`<p class="note">Only the first ${pageSize} are shown. Enter more of the address, or the whole value.</p>`}
${search && lines.length < pageSize && html`<p class="note">Can't find someone? Enter the full address. Names and metadata are found a minute or two after the request, as whole words and whole values.</p>`}
${!search && pager('recipients', before && page(), last && lines.length === pageSize ? page(last.id) : undefined)}`;
}

function nothing({ search, batch, before }: RecipientFilter): Html {
  if (before !== undefined) return ended('recipients');
  if (search === undefined && batch === undefined)
    return empty('No recipients yet', 'Everyone who is invited to a survey of this workspace appears here.');
  return empty('No recipients match', html`<a href="?">Show all recipients</a>`);
}

const recipientTable = (lines: readonly RecipientLine[], workspaceId: string, now: Date): Html =>
  table(
    'Recipients, by their newest invitation',
    ['Recipient', ['Survey', 'text'], 'Status', 'Do not email', ['Invited', 'time'], ['Responded', 'time']],
    lines.map((line) => [
      html`<a href="/workspaces/${workspaceId}/recipients/${line.id}">${line.email === null ? 'erased' : breakable(line.email)}</a>${line.name && html`<span class="sub">${line.name}</span>`}`,
      html`<a href="/surveys/${line.surveyId}/invitations/${line.id}">${line.surveyTitle}</a>`,
      html`${lineStatus(line)}${unsentNote(line, now) && html`<span class="sub">${unsentNote(line, now)}</span>`}`,
      line.listedReason === null ? NONE : capital(SUPPRESSION_REASONS[line.listedReason]),
      moment(line.acceptedAt, now),
      line.respondedAt === null ? NONE : moment(line.respondedAt, now),
    ]),
  );
