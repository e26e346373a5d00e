// retention show, due, set: which data grows, what is deleted next, and after how many days.
import { Argument, type Command, InvalidArgumentError } from 'commander';
import { DUE_ROWS } from '../database/deliveries.ts';
import type { Row } from '../database/store.ts';
import { OperatorError } from '../errors.ts';
import { formatUtc, plural } from '../text.ts';
import { type Context, table } from './command.ts';

const RETAINED = ['batches', 'responses', 'relay_events', 'audit_log', 'failed_jobs', 'events'];

export function addRetentionCommands(program: Command, { print, withStore, ask }: Context): void {
  const retention = program.command('retention').description('what grows, and for how long it is kept');
  retention
    .command('show')
    .description('show what there is, what the last day has added, and after how many days it is deleted')
    .action(async () => {
      const rows = await withStore((store) => store.listGrowth());
      print(rows, table(rows, ['name', 'estimated_rows', 'bytes', 'oldest_at', 'last_day', 'retention_days'], ''));
    });
  retention
    .command('due')
    .description('show what the next 24 hours delete')
    .action(async () => {
      const rows = await withStore((store) => store.listDue());
      print(rows, table(rows.map(atLeast), ['what', 'days', 'effective_at', 'next_days', 'rows'], ''));
    });
  retention
    .command('set')
    .description('set for how long something is kept; a shorter time holds from tomorrow')
    .addArgument(new Argument('<what>').choices(RETAINED))
    .argument('<days>', 'a number of days, or never, to keep it for good', days)
    .option('--yes', 'do not ask', false)
    .action(async (what: string, value: number | null, { yes }: { yes: boolean }) => {
      await withStore(async (store) => {
        const due = await store.countDue(what, value);
        if (due > 0 && !yes) {
          if (ask === undefined)
            throw new OperatorError(`Tomorrow this deletes ${rowsOf(due)}. Without a terminal, give --yes.`, { kind: 'usage' });
          const typed = await ask(`Tomorrow this deletes ${rowsOf(due)} of ${what}, for good. Type yes: `);
          if (typed !== 'yes') throw new OperatorError('Nothing was changed.', { kind: 'usage' });
        }
        const effectiveAt = await store.setRetention(what, value);
        const when = effectiveAt === null ? '' : ` From ${formatUtc(effectiveAt)} UTC on; until then it can be set back.`;
        const kept = value === null ? 'kept for good.' : `deleted after ${plural(value, 'day')}.`;
        print({ what, days: value, due, effective_at: effectiveAt }, `${what}: ${kept}${when}`);
      });
    });
}

const rowsOf = (due: number): string => `${due}${due >= DUE_ROWS ? ' or more' : ''} row${due === 1 ? '' : 's'}`;

const atLeast = ({ rows, most_rows, ...row }: Row): Row => ({ ...row, rows: rows === most_rows ? `${rows} or more` : rows });

/** Reads a number of days. Null: never. @throws {InvalidArgumentError} */
export function days(text: string): number | null {
  if (text === 'never') return null;
  if (!/^[1-9]\d{0,4}$/.test(text)) throw new InvalidArgumentError('It must be a number of days, or never.');
  return Number(text);
}
