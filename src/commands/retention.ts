// retention show, set: which data grows, and after how many days it is deleted.
import { Argument, type Command, InvalidArgumentError } from 'commander';
import { type Context, table } from './command.ts';

const RETAINED = ['batches', 'responses', 'relay_events', 'audit_log', 'failed_jobs', 'events'];

export function addRetentionCommands(program: Command, { print, withStore }: Context): void {
  const retention = program.command('retention').description('what grows, and for how long it is kept');
  retention
    .command('show')
    .description('show what there is, what the last day has added, and after how many days it is deleted')
    .action(async () => {
      const rows = await withStore((store) => store.listGrowth());
      print(rows, table(rows, ['name', 'estimated_rows', 'bytes', 'oldest_at', 'last_day', 'retention_days'], ''));
    });
  retention
    .command('set')
    .description('set for how long something is kept')
    .addArgument(new Argument('<what>').choices(RETAINED))
    .argument('<days>', 'a number of days, or never, to keep it for good', days)
    .action(async (what: string, value: number | null) => {
      await withStore((store) => store.setRetention(what, value));
      print({ what, days: value }, value === null ? `${what}: kept for good.` : `${what}: deleted after ${value} days.`);
    });
}

/** Reads a number of days. Null: never. @throws {InvalidArgumentError} */
export function days(text: string): number | null {
  if (text === 'never') return null;
  if (!/^[1-9]\d{0,4}$/.test(text)) throw new InvalidArgumentError('It must be a number of days, or never.');
  return Number(text);
}
