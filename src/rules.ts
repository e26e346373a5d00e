// The rules about when emails may leave, as people read and write them. Pure.
import type { SurveyRules, WorkspaceRules } from './database/store.ts';
import { formatOpenHours } from './hours.ts';
import { plural } from './text.ts';

/** What the service proposes. Unless somebody accepts it, no rule is set. */
const SUGGESTED = {
  restDays: 30,
  openHours: '{[480,1200),[1920,2640),[3360,4080),[4800,5520),[6240,6960)}',
  maxDelayHours: 7 * 24,
} as const satisfies Partial<WorkspaceRules>;

export const SUGGESTION = 'a rest of 30 days, Mon-Fri 08:00-20:00, at most 7 days late';

/** The suggestion, with a rest that is no longer than addresses are kept. @param retentionDays RETENTION_DAYS. */
export const suggestedRules = (retentionDays: number | undefined) => ({
  ...SUGGESTED,
  restDays: Math.min(SUGGESTED.restDays, retentionDays ?? SUGGESTED.restDays),
});

/** Addresses are erased after RETENTION_DAYS, and with them what a rest is looked up by. */
export const isRestTooLong = (restDays: number | null | undefined, retentionDays: number | undefined): boolean =>
  (restDays ?? 0) > (retentionDays ?? Number.POSITIVE_INFINITY);

export const UNSET: WorkspaceRules = { restDays: null, openHours: null, closedDays: null, timeZone: null, maxDelayHours: null };

/** 168 → `7 days`, 36 → `36 hours`. */
export const formatDelay = (hours: number): string => (hours % 24 === 0 ? plural(hours / 24, 'day') : plural(hours, 'hour'));

/** The hours of `7 days`, `36 hours`, `7d`, `36h` or `7`, which are days. Undefined: it can't be read. */
export function parseDelay(text: string): number | undefined {
  const [, number, unit = 'd'] = /^(\d{1,5})\s*(d|h|days?|hours?)?$/i.exec(text.trim()) ?? [];
  return number === undefined ? undefined : Number(number) * (/^d/i.test(unit) ? 24 : 1);
}

/** `Mon-Fri 08:00-20:00` with the dashes of a sentence. */
const hoursInWords = (openHours: string): string => formatOpenHours(openHours).replaceAll('-', '–');

/** When emails leave: the part of the sentence about the clock and the calendar. */
function timesInWords({ openHours, closedDays, timeZone }: WorkspaceRules): string | undefined {
  if (openHours === null && closedDays === null) return undefined;
  const except = closedDays === null ? '' : ', except on closed days,';
  const times = openHours === null ? 'on all but the closed days' : `${hoursInWords(openHours)}${except}`;
  return `${times} in the recipient's time zone (${timeZone ?? 'UTC'} if unknown)`;
}

/**
 * What the rules do, in a sentence. Undefined: no rule is set.
 * @param rules Those that hold for a survey, or for a workspace.
 */
export function rulesInWords(rules: WorkspaceRules): string | undefined {
  const times = timesInWords(rules);
  const delay = rules.maxDelayHours === null ? undefined : `within ${formatDelay(rules.maxDelayHours)}`;
  const days = rules.restDays === null ? undefined : rules.restDays === 1 ? 'a day' : `in ${plural(rules.restDays, 'day')}`;
  if (days !== undefined && (times ?? delay) === undefined) return `People get at most one invitation ${days}.`;
  const rest = days && `at most one invitation ${days} per person`;
  const parts = (times === undefined ? [delay, rest] : [times, rest, delay]).filter(Boolean);
  return parts.length === 0 ? undefined : `Emails leave ${parts.join(', ')}.`;
}

/** The rules of a workspace, and a survey's own. */
export interface RulesOfSurvey {
  readonly workspace: WorkspaceRules;
  readonly own: SurveyRules;
}

/** The rules that hold for the survey. */
export const rulesOfSurvey = ({ workspace, own }: RulesOfSurvey): WorkspaceRules => ({
  ...workspace,
  timeZone: own.timeZone ?? workspace.timeZone,
  maxDelayHours: own.maxDelayHours ?? workspace.maxDelayHours,
});
