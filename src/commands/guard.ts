// guard show, set, off, release: how much email of a workspace may bounce or be reported as spam before it is paused.
import { Argument, type Command, InvalidArgumentError } from 'commander';
import type { GuardOutcome } from '../database/store.ts';
import { OperatorError } from '../errors.ts';
import { formatShare } from '../text.ts';
import { type Context, table } from './command.ts';

const OUTCOMES: readonly GuardOutcome[] = ['bounced', 'complained'];

interface Limit {
  readonly warn: number;
  readonly pause: number;
  readonly minSent: number;
  readonly minReports: number;
}

export function addGuardCommands(program: Command, { print, withStore }: Context): void {
  const guard = program.command('guard').description("how much of a workspace's email may bounce or be reported as spam");
  guard
    .command('show')
    .description('show the limits, and how a workspace stands to them')
    .argument('[workspace]', 'its id')
    .action(async (workspace?: string) => {
      if (workspace === undefined) {
        const limits = await withStore((store) => store.listGuardLimits());
        const shown = limits.map(({ warn_share, pause_share, ...limit }) => ({
          ...limit,
          warn: formatShare(Number(warn_share)),
          pause: formatShare(Number(pause_share)),
        }));
        print(limits, table(shown, ['outcome', 'hours', 'warn', 'pause', 'min_sent', 'min_reports'], 'The guard is off.'));
        return;
      }
      const figures = await withStore(async (store) => {
        await store.requireWorkspace(workspace);
        return store.readGuardFigures(workspace);
      });
      const shown = figures.map((one) => ({ ...one, share: one.sent === 0 ? '–' : formatShare(one.reports / one.sent) }));
      print(figures, table(shown, ['outcome', 'hours', 'sent', 'reports', 'share', 'verdict'], 'The guard is off.'));
    });
  guard
    .command('set')
    .description('set a limit for all workspaces: of the emails sent in so many last hours')
    .addArgument(new Argument('<outcome>').choices(OUTCOMES))
    .argument('<hours>', '1 to 168', hours)
    .requiredOption('--warn <SHARE>', 'warn from this share on, such as 2.5%', share)
    .requiredOption('--pause <SHARE>', 'pause from this share on', share)
    .requiredOption('--min-sent <NUMBER>', 'do not judge fewer emails', count)
    .requiredOption('--min-reports <NUMBER>', 'do not act on fewer reports', count)
    .action(async (outcome: GuardOutcome, hours: number, { warn, pause, minSent, minReports }: Limit) => {
      await withStore((store) =>
        store.setGuardLimit(outcome, hours, { warnShare: warn, pauseShare: pause, minSent, minReports }),
      );
      print(
        { outcome, hours, warn, pause, min_sent: minSent, min_reports: minReports },
        `${outcome} within ${hours} h: warns from ${formatShare(warn)}, pauses from ${formatShare(pause)}.`,
      );
    });
  guard
    .command('off')
    .description('remove a limit; without any, the guard is off')
    .addArgument(new Argument('<outcome>').choices(OUTCOMES))
    .argument('<hours>', 'its hours', hours)
    .action(async (outcome: GuardOutcome, hours: number) => {
      const none = { warnShare: null, pauseShare: null, minSent: null, minReports: null };
      await withStore((store) => store.setGuardLimit(outcome, hours, none));
      print({ outcome, hours, off: true }, `${outcome} within ${hours} h: no limit.`);
    });
  guard
    .command('release')
    .description('let the email of a workspace that the guard has paused leave again')
    .argument('<workspace>', 'its id')
    .requiredOption('--note <TEXT>', 'what was done about it, for the audit log')
    .action(async (workspace: string, { note }: { note: string }) => {
      const released = await withStore((store) => store.releaseGuard(workspace, note));
      if (!released) throw new OperatorError(`The guard has not paused the workspace ${workspace}.`, { kind: 'rejected' });
      print({ workspace, released }, `Released. What was sent before now doesn't count any more.`);
    });
}

function hours(text: string): number {
  if (!/^[1-9]\d{0,2}$/.test(text) || Number(text) > 168) throw new InvalidArgumentError('It must be 1 to 168.');
  return Number(text);
}

function count(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError('It must be a whole number from 1.');
  return Number(text);
}

/** `2.5%` → 0.025. @throws {InvalidArgumentError} */
function share(text: string): number {
  const [, number] = /^(\d{1,3}(?:\.\d{1,4})?)%$/.exec(text) ?? [];
  if (number === undefined || Number(number) > 100 || Number(number) === 0) {
    throw new InvalidArgumentError('It must be a percentage, such as 2.5%.');
  }
  return Number((Number(number) / 100).toFixed(6));
}
