// The forecast of a survey's emails, with the list behind one of its numbers.
import { type ForecastPart, MAX_FORECAST, type UnsentReason } from '../../database/store.ts';
import type { ConsoleContext, PageHandler, PageRequest } from '../page.ts';
import { REASONS } from '../reasons.ts';
import { forecastMain } from './forecast-view.ts';

const MAX_ROWS = 50;

/** The bar or reason that the address names. Undefined: none. */
function readPart({ query }: PageRequest): ForecastPart | undefined {
  const [reason, at, unit] = ['reason', 'at', 'unit'].map((name) => query.get(name) ?? '') as [string, string, string];
  if (Object.hasOwn(REASONS.unsent_reason, reason)) return { reason: reason as UnsentReason };
  const isUnit = unit === 'hour' || unit === 'day';
  return isUnit && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(at) && !Number.isNaN(Date.parse(at)) ? { at, unit } : undefined;
}

export const showForecast =
  ({ store }: ConsoleContext): PageHandler =>
  async (request) => {
    const { session, zone } = request;
    const survey = await store.console.surveyFrame(session, request.param('survey'), 'editor');
    const part = readPart(request);
    const forecast = await store.console.surveyForecast(session, survey.surveyId, zone, MAX_FORECAST);
    const messages =
      part === undefined
        ? []
        : await store.console.forecastMessages(session, survey.surveyId, zone, part, {
            maxRows: MAX_ROWS,
            maxEmails: MAX_FORECAST,
          });
    const main = forecastMain(request, { survey, forecast, part, messages, maxCount: MAX_FORECAST });
    return request.page({ title: 'Forecast', survey, tab: 'invitations' }, main);
  };
