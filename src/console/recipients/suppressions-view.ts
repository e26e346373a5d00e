// A workspace's do-not-email list.
import type { OwnWorkspace, SuppressionLine, SuppressionReason } from '../../database/store.ts';
import { type Html, html } from '../../html/html.ts';
import { capital, confirmation, empty, ended, field, form, formSection, menu, moment, pager, table } from '../components.ts';
import type { PageContext } from '../frame.ts';
import { breakable } from '../invitations/parts-view.ts';
import { REASONS } from '../reasons.ts';
import { SUPPRESSION_REASONS } from '../words.ts';

/** The same rule as in the SQL function remove_suppression. */
export const canUnblock = (reason: SuppressionReason): boolean => reason === 'manual' || reason === 'hard_bounce';

export const listPath = (workspaceId: string): string => `/workspaces/${workspaceId}/do-not-email`;

export const removePath = (workspaceId: string, email: string): string =>
  `${listPath(workspaceId)}/remove?email=${encodeURIComponent(email)}`;

export interface SuppressionsView {
  readonly search: string | undefined;
  readonly before: string | undefined;
  readonly lines: readonly SuppressionLine[];
  readonly pageSize: number;
  /** The address that was entered, and why it was refused. */
  readonly refused: { readonly email: string; readonly text: string } | undefined;
}

export function suppressionsMain({ csrf, now }: PageContext, { id }: OwnWorkspace, view: SuppressionsView): Html {
  const { search, before, lines, pageSize, refused } = view;
  const last = lines.at(-1);
  const page = (from?: string) => `?${new URLSearchParams({ ...(search && { search }), ...(from && { before: from }) })}`;
  const row = ({ email, reason, createdAt, addedBy, invitationId, detail }: SuppressionLine) => [
    invitationId === null
      ? breakable(email)
      : html`<a href="/workspaces/${id}/recipients/${invitationId}">${breakable(email)}</a>`,
    html`${capital(SUPPRESSION_REASONS[reason])}${addedBy && html`<span class="sub">by ${addedBy}</span>`}${detail && html`<span class="sub">${detail}</span>`}`,
    REASONS.suppression_reason[reason].next,
    moment(createdAt, now),
    menu(email, [
      canUnblock(reason) && html`<a href="${removePath(id, email)}">Take off the list…<span class="hidden"> ${email}</span></a>`,
    ]),
  ];
  return html`<p class="note">These addresses get no email from this workspace. Addresses that unsubscribe, bounce or report an email as spam are added automatically.</p>
<form class="bar" role="search">
<div class="field"><label for="search">Email starts with</label><input id="search" name="search" type="search" value="${search}" maxlength="254" autocomplete="off" spellcheck="false"></div>
<button class="quiet" type="submit">Search</button>
${search && html`<a href="?">Clear search</a>`}
</form>
${
  lines.length > 0
    ? table('Do-not-email list', ['Address', 'Reason', 'What to do', ['Since', 'time'], ['Actions', 'menu']], lines.map(row))
    : before !== undefined
      ? ended('addresses')
      : search === undefined
        ? empty('Nobody is on the list', 'Every address that is invited gets email.')
        : empty('No address on the list starts like this', html`<a href="?">Show the whole list</a>`)
}
${pager('addresses', before && page(), last && lines.length === pageSize ? page(last.email) : undefined)}
${formSection(
  'add',
  'Add an address',
  ['It gets no email from this workspace any more, not even what is scheduled.'],
  form(
    csrf,
    html`<input type="hidden" name="action" value="add">
${field({ name: 'email', label: 'Email address', type: 'email', value: refused?.email, error: refused?.text, more: html` required autocomplete="off" spellcheck="false"` })}
<button type="submit">Add to the list</button>`,
    { action: listPath(id) },
  ),
)}`;
}

export function removeSuppressionMain({ csrf }: PageContext, { id, name }: OwnWorkspace, line: SuppressionLine): Html {
  const { email, reason, detail } = line;
  const { meaning, next } = REASONS.suppression_reason[reason];
  const removable = canUnblock(reason);
  return confirmation(csrf, {
    title: removable ? `Take ${email} off the do-not-email list?` : `${email} stays on the do-not-email list`,
    content: html`<p>${email} gets no email from ${name}, because ${meaning}.${detail && ` Its mail server said: ${detail}`}</p>
${removable ? html`<p>After that, new requests to it are sent. What was skipped meanwhile isn't: send a new request.${reason === 'hard_bounce' && ' If it bounces again, it comes back to the list.'}</p>` : html`<p>${next}</p>`}`,
    button: removable ? `Take ${email} off the list` : undefined,
    action: listPath(id),
    fields: { action: 'remove', email },
    keep: [listPath(id), removable ? 'Keep on the list' : 'Back to the list'],
  });
}
