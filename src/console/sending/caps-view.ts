// How many emails of a workspace may leave in an hour and in a day: who set it, what has left, what waits, and the form. Pure.
import type { Cap, CapScope, OwnWorkspace } from '../../database/store.ts';
import { type Html, html } from '../../html/html.ts';
import { foldAscii, formatNumber, plural } from '../../text.ts';
import { field, form, formSection, moment, NONE, table } from '../components.ts';
import type { PageContext } from '../frame.ts';
import { sawTexts } from '../stale.ts';

/** What a member can limit. */
export const SCOPES: Readonly<Record<CapScope, string>> = {
  workspace: 'All email of this workspace',
  sender: 'Email from a domain of your own',
  recipient: 'Email to a domain',
};

export interface LimitForm {
  readonly scope: CapScope;
  readonly domain: string;
  readonly perHour: string;
  readonly perDay: string;
  readonly errors?: Readonly<Partial<Record<'domain' | 'perHour' | 'perDay', string>>>;
}

/** The hidden field with the emails that the form was opened for: others may be chosen in it. */
export const SHOWN = 'shown';

type Emails = Pick<Cap, 'scope' | 'domain'>;

export const emailsOf = ({ scope, domain }: Emails): string => (scope === 'workspace' ? scope : `${scope} ${foldAscii(domain)}`);

/** What the fields show of the limit of these emails. */
export function limitTexts(caps: readonly Cap[], emails: Emails): Pick<LimitForm, 'perHour' | 'perDay'> {
  const cap = caps.find((cap) => emailsOf(cap) === emailsOf(emails));
  return { perHour: cap?.ownPerHour?.toString() ?? '', perDay: cap?.ownPerDay?.toString() ?? '' };
}

const path = ({ id }: Pick<OwnWorkspace, 'id'>) => `/workspaces/${id}/limits`;

/** The line of the page Sending. */
export function limitsLine(caps: readonly Cap[], workspace: Pick<OwnWorkspace, 'id'>, now: Date): Html {
  const waiting = Math.max(0, ...caps.map((cap) => cap.waiting));
  const until = caps.flatMap(({ waitsUntil }) => waitsUntil ?? []).sort((a, b) => b.getTime() - a.getTime())[0];
  const link = html`<a href="${path(workspace)}">${caps.length === 0 ? 'Limit how many go out in an hour' : 'See the sending limits'}</a>`;
  return waiting === 0
    ? html`<p>${link}</p>`
    : html`<p>${plural(waiting, 'email')} ${waiting === 1 ? 'waits for its' : 'wait for their'} turn under a sending limit${until !== undefined && html`, until ${moment(until, now)} at most`}. ${link}</p>`;
}

export function limitsMain(page: PageContext, workspace: OwnWorkspace, caps: readonly Cap[], limit: LimitForm): Html {
  const { csrf, now } = page;
  const errors = limit.errors ?? {};
  return html`<p>Mail providers distrust a sender who sends much more than usual. A limit lets only so many emails go out in a clock hour and in a day of UTC; the others wait for their turn, spread over the hours that follow. A tenth is kept for requests of at most ten people, so that they don't wait behind a large one.</p>
${
  caps.length === 0
    ? html`<p class="note">There are no limits.</p>`
    : table(
        'Sending limits',
        [
          'Which',
          ['An hour', 'number'],
          ['A day', 'number'],
          ['This hour', 'number'],
          ['Today', 'number'],
          ['Waiting', 'number'],
        ],
        caps.map((cap) => [
          html`${which(cap)}${cap.scope !== 'shared' && html`<span class="sub"><a href="${path(workspace)}?scope=${cap.scope}&amp;domain=${cap.domain}#limit">Change</a></span>`}`,
          numbers(cap.perHour, cap.ownPerHour, cap),
          numbers(cap.perDay, cap.ownPerDay, cap, cap.earnedPerDay),
          formatNumber(cap.sentThisHour),
          formatNumber(cap.sentToday),
          cap.waiting === 0
            ? NONE
            : html`${formatNumber(cap.waiting)}${cap.waitsUntil !== null && html`<span class="sub">until ${moment(cap.waitsUntil, now)}</span>`}`,
        ]),
      )
}
${caps.filter(({ earnedPerDay }) => earnedPerDay !== null).map(earned)}
${formSection(
  'limit',
  'Set a limit',
  [
    'Empty numbers: no limit of your own.',
    'With a number a day alone, all of it may go out in the first hour after midnight in UTC.',
  ],
  form(
    csrf,
    html`<input type="hidden" name="${SHOWN}" value="${emailsOf(limit)}">${sawTexts(limitTexts(caps, limit))}
${field({ name: 'scope', label: 'Which emails', value: limit.scope, options: Object.entries(SCOPES) })}
${field({ name: 'domain', label: 'Domain', value: limit.domain, error: errors.domain, hint: 'Such as gmail.com. Not needed for all email.' })}
${field({ name: 'per_hour', label: 'At most in an hour', value: limit.perHour, error: errors.perHour, more: html` inputmode="numeric"` })}
${field({ name: 'per_day', label: 'At most in a day', value: limit.perDay, error: errors.perDay, more: html` inputmode="numeric"` })}
<p class="actions"><button type="submit">Save limit</button></p>`,
  ),
)}`;
}

const which = ({ scope, domain }: Cap): Html =>
  scope === 'workspace'
    ? html`All email`
    : scope === 'sender'
      ? html`From ${domain}`
      : html`To ${domain}${scope === 'shared' && html`<span class="sub">shared by everyone who uses this service</span>`}`;

/** The number that holds, and who set another. */
function numbers(set: number | null, own: number | null, { scope }: Cap, earnt: number | null = null): Html {
  if (set === null && own === null && earnt === null) return NONE;
  const least = Math.min(set ?? Infinity, own ?? Infinity, earnt ?? Infinity);
  const note =
    least === earnt
      ? 'earned'
      : set !== null && own !== null
        ? own > set
          ? `set by the service; yours is ${formatNumber(own)}`
          : `yours; the service allows ${formatNumber(set)}`
        : scope !== 'shared' && set !== null && 'set by the service';
  return html`${formatNumber(least)}${note && html`<span class="sub">${note}</span>`}`;
}

/** What the domain has earned, and what the next step takes. */
const earned = ({ domain, earnedPerDay, earnedDays, sentToday }: Cap): Html => {
  const perDay = earnedPerDay ?? 0;
  const half = Math.ceil(perDay / 2);
  const left = 2 - (earnedDays ?? 0);
  return html`<p>${domain} has earned ${formatNumber(perDay)} emails a day. It becomes ${formatNumber(perDay * 3)} after ${left === 1 ? 'one more day' : 'two days'} with at least ${formatNumber(half)} emails and no warning${sentToday >= half && '; today has them'}.</p>`;
};
