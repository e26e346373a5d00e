// How much of a workspace's email bounces or is reported as spam, what the guard did about it, and the form that releases it. Pure.
import type { Guard, GuardOutcome, GuardStanding, OwnWorkspace } from '../../database/store.ts';
import { type Html, html } from '../../html/html.ts';
import { guardFinding } from '../../mail/member-email.ts';
import { formatNumber, formatShare } from '../../text.ts';
import { field, form, fullMoment, moment, NONE, notice, status, table } from '../components.ts';
import type { PageContext } from '../frame.ts';
import { invitationOutcome } from '../invitations/parts-view.ts';

const NAMES: Readonly<Record<GuardOutcome, string>> = { bounced: 'Bounced', complained: 'Reported as spam' };
const VERDICTS = {
  few: ['too few to judge', 'off'],
  good: ['fine', 'good'],
  warn: ['too many', 'warn'],
  pause: ['far too many', 'bad'],
} as const;

/** The line of the page Sending. */
export function guardLine({ guardedAt, figures, hasReports }: Guard, { id }: Pick<OwnWorkspace, 'id'>, now: Date): Html {
  const link = html`<a href="/workspaces/${id}/guard">See the figures</a>`;
  if (guardedAt !== null) {
    return notice(
      'warn',
      html`<strong>Too much of this workspace's email bounced or was reported as spam.</strong> It is held since ${moment(guardedAt, now)}. <a href="/workspaces/${id}/guard">See why, and release it</a>`,
    );
  }
  const worst = figures.find(({ verdict }) => verdict === 'pause') ?? figures.find(({ verdict }) => verdict === 'warn');
  if (worst !== undefined) return notice('warn', html`${guardFinding(worst)}. ${link}`);
  return html`<p>${hasReports ? status('few emails bounce', 'good') : status('no data', 'off')} ${!hasReports && 'The mail server has reported nothing for a week. '}${link}</p>`;
}

export function guardMain(
  { csrf, realNow: now }: PageContext,
  { guardedAt, releasedAt, mayRelease, hasReports, figures, hours, reported }: Guard,
  note: { readonly value: string; readonly error: string | undefined } = { value: '', error: undefined },
): Html {
  return html`${state()}
<p>Mail providers block senders whose emails bounce or are reported as spam. So when too many of this workspace's emails do, its owners are warned, and before it harms everyone, sending is paused for this workspace alone. Requests are accepted all the same, and their emails wait.${releasedAt !== null && html` Only what was sent since the release counts, ${fullMoment(releasedAt, now)}.`}</p>
${guardedAt !== null && release()}
<h2>Limits</h2>
${
  figures.length === 0
    ? html`<p class="note">There are none: the guard is off.</p>`
    : table(
        'How this workspace stands to each limit',
        ['Of the emails sent in', ['Emails', 'number'], ['Share', 'number'], 'Warns', 'Pauses', 'State'],
        figures.map(line),
      )
}
<h2>By hour of sending</h2>
${table(
  'Emails of the last 24 hours by the hour in which they were sent',
  ['Hour', ['Sent', 'number'], ['Bounced', 'number'], ['Reported as spam', 'number']],
  hours.map((hour) => [
    moment(new Date(hour.at), now),
    hour.sent,
    count(hour.bounced, hour.sent),
    count(hour.complained, hour.sent),
  ]),
)}
<h2>Who they were sent to</h2>
${
  reported.length === 0
    ? html`<p class="note">${hasReports ? 'Nothing bounced and nobody complained in the last two days.' : 'No data: the mail server has reported nothing for a week. It may not be set up to.'}</p>`
    : table(
        'The newest bounces and complaints of the last two days',
        ['Address', 'What came back', ['When', 'time'], 'Survey'],
        reported.map(({ invitation_id, email, outcome, at, survey_id, title }) => [
          html`<a href="/surveys/${survey_id}/invitations/${invitation_id}">${email ?? 'erased'}</a>`,
          invitationOutcome(outcome),
          moment(new Date(at), now),
          html`<a href="/surveys/${survey_id}/results">${title}</a>`,
        ]),
      )
}`;

  function state(): Html {
    if (guardedAt !== null)
      return notice('warn', html`<strong>Sending is paused for this workspace</strong> since ${fullMoment(guardedAt, now)}.`);
    if (hasReports) return html``;
    return notice('warn', 'No data: the mail server has reported nothing for a week, so nobody knows how much bounces.');
  }

  function release(): Html {
    if (!mayRelease) {
      return html`<section class="card panel"><p>It was released within the last seven days already. Ask the people who run this service to look at it, and to release it.</p></section>`;
    }
    return html`<section class="card panel" aria-labelledby="release"><h2 id="release">Release it</h2>
<p>First find out where the addresses below come from, and stop inviting them. Emails that wait then go out at once.</p>
${form(
  csrf,
  html`${field({ name: 'note', label: 'What was done about it', value: note.value, error: note.error, rows: 3, hint: 'For the audit log.' })}
<p class="actions"><button type="submit">Release sending</button></p>`,
)}</section>`;
  }
}

const line = ({ outcome, hours, sent, reports, verdict, warn_share, pause_share, min_sent, min_reports }: GuardStanding) => {
  const [word, kind] = VERDICTS[verdict];
  const least = `From ${formatNumber(min_sent)} emails and ${formatNumber(min_reports)} reports on`;
  return [
    html`the last ${hours === 1 ? 'hour' : `${hours} hours`}: ${NAMES[outcome].toLowerCase()}<span class="sub">${least}</span>`,
    `${formatNumber(reports)} of ${formatNumber(sent)}`,
    sent === 0 ? NONE : formatShare(reports / sent),
    `from ${formatShare(warn_share)}`,
    `from ${formatShare(pause_share)}`,
    status(word, kind),
  ];
};

const count = (number: number, sent: number): Html =>
  number === 0 ? NONE : html`${formatNumber(number)}${sent > 0 && html` <span class="dim">${formatShare(number / sent)}</span>`}`;
