// workspace rules, survey rules: when emails may leave.
import { readFileSync } from 'node:fs';
import { type Command, InvalidArgumentError } from 'commander';
import type { Row, WorkspaceRules } from '../database/store.ts';
import { OperatorError } from '../errors.ts';
import { formatClosedDays, formatOpenHours, fromClosedDays, HoursError, parseClosedDays, parseOpenHours } from '../hours.ts';
import { formatDelay, isRestTooLong, parseDelay, rulesInWords, rulesOfSurvey, SUGGESTION, suggestedRules } from '../rules.ts';
import { plural } from '../text.ts';
import { type Context, noSuch, sheet } from './command.ts';

/** Null: `none`, which removes the rule. In an object, since commander takes null for an empty text. */
interface Given<T> {
  readonly rule: T | null;
}

interface RuleFlags {
  readonly suggested?: true;
  readonly rest?: Given<number>;
  readonly hours?: Given<string>;
  readonly zone?: Given<string>;
  readonly closedDays?: Given<string>;
  readonly maxDelay?: Given<number>;
}

/** @throws {InvalidArgumentError} The text breaks a rule of hours or closed days. */
const orNone =
  <T>(read: (text: string) => T | null) =>
  (text: string): Given<T> => {
    try {
      return { rule: text === 'none' ? null : read(text) };
    } catch (error) {
      if (!(error instanceof HoursError)) throw error;
      throw new InvalidArgumentError(error.message);
    }
  };

const readDays = orNone((text) => {
  const [, days] = /^([1-9]\d{0,4})d?$/.exec(text) ?? [];
  if (days === undefined) throw new InvalidArgumentError('It must be a number of days, such as 30, or none.');
  return Number(days);
});

const readDelay = orNone((text) => {
  const hours = parseDelay(text);
  if (hours === undefined || hours === 0) throw new InvalidArgumentError('It must be days or hours, such as 7d or 36h, or none.');
  return hours;
});

const readFile = (path: string): string => {
  try {
    return readFileSync(path === '-' ? 0 : path, 'utf8');
  } catch (error) {
    throw new InvalidArgumentError(`It can't be read: ${(error as Error).message}.`);
  }
};

const ZONE = 'time zone of the hours, for recipients without their own, such as Europe/Berlin; none:';
const DELAY = 'skip emails that could not leave in this time, such as 7d or 36h; none:';

/** The rules that the options set. */
const changesOf = (
  { suggested, rest, hours, zone, closedDays, maxDelay }: RuleFlags,
  retentionDays?: number,
): Partial<WorkspaceRules> => ({
  ...(suggested && suggestedRules(retentionDays)),
  ...(rest && { restDays: rest.rule }),
  ...(hours && { openHours: hours.rule }),
  ...(zone && { timeZone: zone.rule }),
  ...(closedDays && { closedDays: closedDays.rule }),
  ...(maxDelay && { maxDelayHours: maxDelay.rule }),
});

const rulesOf = (row: Row): WorkspaceRules => ({
  restDays: row.rest_days as number | null,
  openHours: row.open_hours as string | null,
  closedDays: row.closed_days as string | null,
  timeZone: row.time_zone as string | null,
  maxDelayHours: row.max_delay_hours as number | null,
});

const NONE = 'No rule is set: emails leave when they are due.';

export function addWorkspaceRules(workspace: Command, { print, config, withStore }: Context): void {
  workspace
    .command('rules <workspace>')
    .description('show when its emails may leave, and change the given rules')
    .option('--suggested', `set what the service proposes: ${SUGGESTION}`)
    .option('--rest <DAYS>', 'days between two invitations to an address; none: no rest', readDays)
    .option(
      '--hours <HOURS>',
      'hours of the week, such as "Mon-Fri 08:00-20:00, Sat 10:00-14:00"; none: always',
      orNone(parseOpenHours),
    )
    .option('--zone <ZONE>', `${ZONE} UTC`, orNone(String))
    .option(
      '--closed-days <FILE>',
      'file of dates, one a line, or a calendar (.ics); - reads standard input; none: no closed days',
      orNone((path) => parseClosedDays(readFile(path))),
    )
    .option('--max-delay <TIME>', `${DELAY} they may wait`, readDelay)
    .action(async (id: string, flags: RuleFlags) => {
      const { RETENTION_DAYS: retentionDays } = config();
      const changes = changesOf(flags, retentionDays);
      if (isRestTooLong(changes.restDays, retentionDays)) {
        throw new OperatorError(
          `A rest can be at most RETENTION_DAYS (${plural(retentionDays ?? 0, 'day')}), after which addresses are erased.`,
          {
            kind: 'rejected',
          },
        );
      }
      const row = await withStore(async (store) => {
        if (Object.keys(changes).length > 0) await store.setWorkspaceRules(id, changes);
        return store.findWorkspace(id);
      });
      if (row === undefined) throw noSuch('workspace', id);
      const rules = rulesOf(row);
      const { restDays, openHours, closedDays, timeZone, maxDelayHours } = rules;
      const shown = {
        rest: restDays === null ? null : plural(restDays, 'day'),
        hours: openHours === null ? null : formatOpenHours(openHours),
        zone: timeZone,
        closed_days: closedDays === null ? null : formatClosedDays(closedDays).replaceAll('\n', ', '),
        max_delay: maxDelayHours === null ? null : formatDelay(maxDelayHours),
      };
      const json = {
        id,
        rest_days: restDays,
        hours: shown.hours,
        time_zone: timeZone,
        closed_days: fromClosedDays(closedDays),
        max_delay_hours: maxDelayHours,
      };
      print(json, `${sheet(shown)}\n\n${rulesInWords(rules) ?? NONE}`);
    });
}

export function addSurveyRules(survey: Command, { print, withStore }: Context): void {
  survey
    .command('rules <survey>')
    .description("show when its emails may leave, and change the given rules; the others are its workspace's")
    .option('--zone <ZONE>', `${ZONE} the workspace's`, orNone(String))
    .option('--max-delay <TIME>', `${DELAY} the workspace's`, readDelay)
    .action(async (id: string, flags: RuleFlags) => {
      const changes = changesOf(flags);
      const { row, workspace } = await withStore(async (store) => {
        if (Object.keys(changes).length > 0) await store.setSurveyRules(id, changes);
        const row = await store.findSurvey(id);
        return { row, workspace: row && (await store.findWorkspace(String(row.workspace_id))) };
      });
      if (row === undefined || workspace === undefined) throw noSuch('survey', id);
      const { timeZone, maxDelayHours } = rulesOf(row);
      const shown = { zone: timeZone, max_delay: maxDelayHours === null ? null : formatDelay(maxDelayHours) };
      const sentence = rulesInWords(rulesOfSurvey({ workspace: rulesOf(workspace), own: { timeZone, maxDelayHours } }));
      print({ id, time_zone: timeZone, max_delay_hours: maxDelayHours }, `${sheet(shown)}\n\n${sentence ?? NONE}`);
    });
}
