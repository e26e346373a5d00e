// Forecasts: what of the emails that wait or are scheduled will leave when, and what won't, and why.
import type { UnsentReason } from './invitations.ts';
import type { Queries } from './mapping.ts';

/** The most emails that a survey's forecast looks at. */
export const MAX_FORECAST = 100_000;

export interface Forecast {
  /** How many pending emails there are, at most one more than were asked for. */
  readonly lookedAt: number;
  readonly atOnce: number;
  readonly later: number;
  /** How many a rule ends. */
  readonly skipped: number;
  readonly delayed: number;
  /** When the last of the delayed leaves. Null: none is delayed. */
  readonly delayedUntil: Date | null;
  /** How long the relay's rate makes those wait that may leave at once. Null: it has none. */
  readonly secondsAtLeast: number | null;
  readonly unit: 'hour' | 'day';
  readonly timeZone: string;
  readonly bars: readonly ForecastBar[];
  readonly reasons: readonly { readonly reason: UnsentReason; readonly emails: number }[];
}

/** What leaves in an hour or a day, which begins at `at`. */
export interface ForecastBar {
  readonly at: string;
  /** The same in the forecast's time zone, for example `2030-01-31 09:00`. */
  readonly local: string;
  readonly emails: number;
}

/** What stands behind a number of a forecast: a bar, or a reason. */
export type ForecastPart = { readonly at: string; readonly unit: Forecast['unit'] } | { readonly reason: UnsentReason };

export interface ForecastMessage {
  readonly invitationId: string;
  readonly email: string;
  readonly messageKind: 'invitation' | 'reminder';
  readonly leavesAt: Date | null;
  /** How many the list leaves out. */
  readonly others: number;
}

export function forecastsCalls({ sql, one }: Queries) {
  return {
    /** As if the survey were active. @param zone Undefined: the survey's, or its workspace's. */
    forecastSurvey: (surveyId: string, zone: string | undefined, maxEmails: number) =>
      one<Forecast>(sql`select * from invite.forecast_survey(${surveyId}, ${zone ?? null}, ${maxEmails + 1})`),
  };
}

export function consoleForecastsCalls({ sql, one, records }: Queries) {
  return {
    /** As if the survey were active. @param zone The reader's. */
    surveyForecast: (session: Buffer, surveyId: string, zone: string, maxEmails: number) =>
      one<Forecast>(sql`select * from console.survey_forecast(${session}, ${surveyId}, ${zone}, ${maxEmails + 1})`),

    forecastMessages: (
      session: Buffer,
      surveyId: string,
      zone: string,
      part: ForecastPart,
      { maxRows, maxEmails }: { maxRows: number; maxEmails: number },
    ) => {
      const { at, unit, reason } = { at: null, unit: null, reason: null, ...part };
      return records<ForecastMessage>(sql`
        select * from console.forecast_messages(
          ${session}, ${surveyId}, ${at}::text::timestamptz, ${unit}, ${zone}, ${reason}::invite.unsent_reason, ${maxRows}, ${maxEmails + 1})`);
    },
  };
}
