// The forecast of emails: a bar for each hour or day, and what won't leave, and why. Its page shows it, and so do the question before a survey
// is activated and the preview of rules. Pure.
import type { Forecast, ForecastBar, ForecastMessage, ForecastPart, SurveyFrame } from '../../database/store.ts';
import { type Html, html } from '../../html/html.ts';
import { formatNumber, plural } from '../../text.ts';
import { day, empty, moment, notice, shortDay, table } from '../components.ts';
import type { PageContext } from '../frame.ts';
import { breakable } from '../invitations/parts-view.ts';
import { REASONS } from '../reasons.ts';
import { barChart } from '../results/charts.ts';
import { HOLD_REASONS } from '../words.ts';

/** The page of a survey's forecast. */
export const forecastPath = (surveyId: string): string => `/surveys/${surveyId}/forecast`;

const hrefOf = (path: string, part: ForecastPart): string => `${path}?${new URLSearchParams(Object.entries(part))}#list`;

const STEPS = { hour: 3_600_000, day: 86_400_000 };
const localTime = ({ local }: Pick<ForecastBar, 'local'>): number => Date.parse(`${local.replace(' ', 'T')}Z`);

/** With a bar for each hour or day in which nothing leaves. Where a clock was set back, the same hour stands there twice. */
function withGaps({ bars, unit }: Forecast): { local: number; emails: number; at?: string }[] {
  const step = STEPS[unit];
  return bars.flatMap((bar, index) => {
    const local = localTime(bar);
    const previous = bars[index - 1];
    const empty = previous === undefined ? 0 : Math.max(0, Math.round((local - localTime(previous)) / step) - 1);
    return [
      ...Array.from({ length: empty }, (_, place) => ({ local: local - (empty - place) * step, emails: 0 })),
      { local, emails: bar.emails, at: bar.at },
    ];
  });
}

/** @param path The page that lists what is behind a bar. Undefined: there is no list. */
function curve(forecast: Forecast, path: string | undefined): Html {
  const { unit, timeZone, bars } = forecast;
  const most = Math.max(...bars.map(({ emails }) => emails));
  return html`<div class="charts">${barChart({
    id: 'curve',
    title: `Emails by ${unit}`,
    description: `At most ${plural(most, 'email')} in one ${unit}. Times are in ${timeZone}.`,
    series: ['Emails'],
    bars: withGaps(forecast).map(({ local, emails, at }) => {
      const [date, time] = [new Date(local), new Date(local).toISOString().slice(11, 16)];
      return {
        label: unit === 'hour' ? `${day(date)}, ${time}` : day(date),
        tick: unit === 'hour' ? time : shortDay(date),
        values: [emails],
        ...(path !== undefined && at !== undefined && { href: hrefOf(path, { at, unit }) }),
      };
    }),
  })}</div>
<p class="note">Times are in ${timeZone}.</p>`;
}

/** How long the relay's rate makes emails wait, where that is a minute or more. */
export const pace = ({ atOnce, secondsAtLeast }: Forecast): string | undefined => {
  if (secondsAtLeast === null || secondsAtLeast < 60) return undefined;
  const minutes = Math.ceil(secondsAtLeast / 60);
  const time = minutes < 120 ? plural(minutes, 'minute') : plural(Math.round(minutes / 60), 'hour');
  return `At the relay's rate, the ${formatNumber(atOnce)} that may leave at once take about ${time}.`;
};

const paceNote = (forecast: Forecast): Html | undefined => {
  const text = pace(forecast);
  return text === undefined ? undefined : html`<p class="note">${text}</p>`;
};

/** What won't be sent, by reason. */
const losses = ({ reasons }: Forecast, path: string | undefined): Html | false =>
  reasons.length > 0 &&
  html`<p>Not sent:</p>
<ul>${reasons.map(({ reason, emails }) => {
    const count = html`<strong>${formatNumber(emails)}</strong>`;
    return html`<li>${path === undefined ? count : html`<a href="${hrefOf(path, { reason })}">${count}</a>`}: ${REASONS.unsent_reason[reason].meaning}</li>`;
  })}</ul>`;

/**
 * The curve, if there is more than one bar, and what won't be sent. Empty: all leaves at once.
 * @param path The page that lists what is behind each number.
 */
export const forecastParts = (forecast: Forecast, path?: string): Html =>
  html`${paceNote(forecast)}${forecast.bars.length > 1 && curve(forecast, path)}${losses(forecast, path)}`;

interface ForecastView {
  readonly survey: SurveyFrame;
  readonly forecast: Forecast;
  readonly part: ForecastPart | undefined;
  readonly messages: readonly ForecastMessage[];
  /** The most emails that the forecast looks at. */
  readonly maxCount: number;
}

export function forecastMain({ now }: PageContext, { survey, forecast, part, messages, maxCount }: ForecastView): Html {
  const { surveyId, holdReason } = survey;
  const { lookedAt, atOnce, later, bars } = forecast;
  if (lookedAt === 0) {
    return empty(
      'Nothing to send',
      html`No email is waiting or scheduled. <a href="/surveys/${surveyId}/invitations">All invitations</a>`,
    );
  }
  const isMore = lookedAt > maxCount;
  return html`${holdReason !== null && notice('warn', html`<strong>On hold:</strong> ${HOLD_REASONS[holdReason]}. This is what happens if emails may leave from now on.`)}
<section class="card panel" aria-labelledby="forecast"><h2 id="forecast">Forecast</h2>
${isMore && html`<p>More than ${formatNumber(maxCount)} emails are waiting or scheduled. This is about the first ${formatNumber(maxCount)}.</p>`}
<p><strong>${formatNumber(atOnce)}</strong> ${atOnce === 1 ? 'leaves' : 'leave'} now, and <strong>${formatNumber(later)}</strong> later.</p>
${paceNote(forecast)}
${bars.length > 0 && curve(forecast, forecastPath(surveyId))}
${losses(forecast, forecastPath(surveyId))}
<p class="note">If nobody responds, unsubscribes or is invited meanwhile. Reminders follow what leaves, and are counted once it has left.</p>
</section>
${part !== undefined && list(survey, part, messages, now)}`;
}

function list({ surveyId }: SurveyFrame, part: ForecastPart, messages: readonly ForecastMessage[], now: Date): Html {
  const others = messages[0]?.others ?? 0;
  const what = !('reason' in part) ? 'Recipients' : `Not sent: ${REASONS.unsent_reason[part.reason].meaning}`;
  return html`<section aria-labelledby="list"><h2 id="list">${what}</h2>
${
  messages.length === 0
    ? html`<p>Nothing is behind this any more. <a href="${forecastPath(surveyId)}">Back to the forecast</a></p>`
    : table(
        what,
        ['Recipient', 'Email', ['Leaves', 'time']],
        messages.map(({ invitationId, email, messageKind, leavesAt }) => [
          html`<a href="/surveys/${surveyId}/invitations/${invitationId}">${breakable(email)}</a>`,
          messageKind,
          leavesAt === null ? '–' : moment(leavesAt, now),
        ]),
      )
}
${others > 0 && html`<p class="note">And ${formatNumber(others)} more.</p>`}
</section>`;
}
