// survey forecast: what of its emails would leave when, and what wouldn't, and why.
import type { Command } from 'commander';
import { pace } from '../console/forecast/forecast-view.ts';
import { type Forecast, MAX_FORECAST } from '../database/store.ts';
import { formatNumber, plural } from '../text.ts';
import { type Context, noSuch } from './command.ts';

/** Characters of the longest bar. */
const WIDTH = 40;

/** A line for each hour or day in which emails leave. */
export function curve({ bars, unit, timeZone }: Forecast): string[] {
  if (bars.length === 0) return [];
  const most = Math.max(...bars.map(({ emails }) => emails));
  const width = formatNumber(most).length;
  return [
    '',
    `Emails by ${unit}, ${timeZone}:`,
    ...bars.map(({ local, emails }) => {
      const bar = '#'.repeat(Math.max(1, Math.round((WIDTH * emails) / most)));
      return `${unit === 'hour' ? local : local.slice(0, 10)}  ${formatNumber(emails).padStart(width)}  ${bar}`;
    }),
  ];
}

/** A line for each reason, by its code, as in unsent_messages. */
export function losses({ reasons }: Forecast): string[] {
  if (reasons.length === 0) return [];
  const width = Math.max(...reasons.map(({ emails }) => formatNumber(emails).length));
  return ['', 'Not sent:', ...reasons.map(({ reason, emails }) => `${formatNumber(emails).padStart(width)}  ${reason}`)];
}

export function addSurveyForecast(survey: Command, { print, withStore }: Context): void {
  survey
    .command('forecast <survey>')
    .description('show what of its pending emails would leave when if it were active now, and what would not, and why')
    .option('--zone <ZONE>', "time zone of the hours and days, such as Europe/Berlin; the survey's or its workspace's if omitted")
    .action(async (id: string, { zone }: { zone?: string }) => {
      const { forecast, held } = await withStore(async (store) => {
        const row = await store.findSurvey(id);
        if (row === undefined) throw noSuch('survey', id);
        return { held: row.hold_reason, forecast: await store.forecastSurvey(id, zone, MAX_FORECAST) };
      });
      const { lookedAt, atOnce, later, secondsAtLeast, unit, timeZone, bars, reasons } = forecast;
      const isMore = lookedAt > MAX_FORECAST;
      const lines = [
        ...(typeof held === 'string' ? [`On hold: ${held}. This is what happens if emails may leave from now on.`, ''] : []),
        lookedAt === 0
          ? 'No email is waiting or scheduled.'
          : `${isMore ? `Of the first ${plural(MAX_FORECAST, 'email')}` : `Of ${plural(lookedAt, 'email')}`}, ${formatNumber(atOnce)} would leave now and ${formatNumber(later)} later.`,
        ...[pace(forecast) ?? []].flat(),
        ...curve(forecast),
        ...losses(forecast),
      ];
      print(
        {
          id,
          hold_reason: held,
          emails: lookedAt,
          at_once: atOnce,
          later,
          seconds_at_least: secondsAtLeast,
          unit,
          time_zone: timeZone,
          bars,
          reasons,
        },
        lines.join('\n'),
      );
    });
}
