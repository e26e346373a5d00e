// What needs attention in a workspace, in words, with the page that leads to what to do: on Home and in the weekly report. Pure.

import { isAtLeast, type Role } from '../database/members.ts';
import type { Attention } from '../database/notifications.ts';
import { formatNumber, plural } from '../text.ts';

export interface AttentionLine {
  readonly text: string;
  /** What to do about it, on the page at `path`. */
  readonly action: string;
  readonly path: string;
}

const percent = (share: number | undefined): string => `${Math.round(100 * (share ?? 0))}%`;

/** `22 Nov 2026, 14:05`. */
export const timeIn = (zone: string, at: Date): string =>
  new Intl.DateTimeFormat('en-GB', {
    ...{ day: 'numeric', month: 'short', year: 'numeric', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
    timeZone: zone,
  } as Intl.DateTimeFormatOptions).format(at);

/** How many were counted. Counting stops at 10,001. */
const counted = (count: number): string => (count > 10_000 ? `${formatNumber(10_000)}+` : formatNumber(count));

/** Values of one address. */
const MAX_ANSWERS = 50;

const LINES: { readonly [K in Attention['kind']]: (found: Attention, to: AttentionPlace) => AttentionLine } = {
  low_scores: ({ number, survey_id: id, detail: { question = '', below, values = [] } }) => ({
    text: `${plural(number ?? 0, 'low score')}, below ${below}`,
    action: 'Read them',
    path: `/surveys/${id}/results?${new URLSearchParams({ period: '7', question })}${values
      .slice(0, MAX_ANSWERS)
      .map((value) => `&answer=${value}`)
      .join('')}`,
  }),
  emails_failed: ({ number, survey_id: id }) => ({
    text: number === 1 ? '1 email failed for good' : `${counted(number ?? 0)} emails failed for good`,
    action: 'See why',
    path: `/surveys/${id}/invitations?status=failed`,
  }),
  sending_paused: ({ survey_id: id, at, detail: { scope } }, { workspaceId, role, zone }) => ({
    text: `Sending is paused${scope === 'service' ? ' for the whole service' : scope === 'workspace' ? ' for the workspace' : ''}${at === null ? '' : ` since ${timeIn(zone, new Date(at))}`}`,
    action: isAtLeast(role, 'admin') && scope !== 'service' ? 'Resume' : 'See what waits',
    path: isAtLeast(role, 'admin')
      ? `${id === null ? `/workspaces/${workspaceId}` : `/surveys/${id}`}/sending`
      : id === null
        ? `/workspaces/${workspaceId}`
        : `/surveys/${id}/invitations`,
  }),
  survey_closing: ({ survey_id: id, at }, { role, zone }) => ({
    text: `Closes on ${timeIn(zone, new Date(at ?? 0))}`,
    action: isAtLeast(role, 'editor') ? 'Change the date' : 'See its results',
    path: isAtLeast(role, 'editor') ? `/surveys/${id}/settings#ends` : `/surveys/${id}/results`,
  }),
  links_expiring: ({ number, survey_id: id }) => ({
    text: `${plural(number ?? 0, 'invitation')} without a response ${number === 1 ? 'expires' : 'expire'} within 7 days`,
    action: 'Remind them',
    path: `/surveys/${id}/invitations?confirm=remind`,
  }),
  rate_fell: ({ survey_id: id, detail: { rate, before } }) => ({
    text: `Response rate fell to ${percent(rate)}, from ${percent(before)} in the 12 weeks before`,
    action: 'Compare',
    path: `/surveys/${id}/results?period=30`,
  }),
};

export interface AttentionPlace {
  readonly workspaceId: string;
  readonly role: Role;
  /** The reader's. */
  readonly zone: string;
}

export const attentionLine = (found: Attention, place: AttentionPlace): AttentionLine => LINES[found.kind](found, place);
