// cap show, set, remove: how many emails may leave in an hour and in a day.
import { type Command, InvalidArgumentError } from 'commander';
import type { CapScope } from '../database/store.ts';
import { OperatorError } from '../errors.ts';
import { type Context, table } from './command.ts';

interface Which {
  readonly from?: string;
  readonly to?: string;
}

interface Numbers {
  readonly perHour?: number;
  readonly perDay?: number;
}

const COLUMNS = [
  ...['workspace_id', 'scope', 'domain', 'per_hour', 'per_day', 'own_per_hour', 'own_per_day', 'earned_per_day', 'earned_days'],
  ...['sent_this_hour', 'sent_today', 'waiting', 'waits_until'],
];

export function addCapCommands(program: Command, { print, withStore }: Context): void {
  const cap = program.command('cap').description('how many emails may leave in an hour and in a day');
  cap
    .command('show')
    .description('show the limits, what has left under them, and what waits')
    .argument('[workspace]', 'its id')
    .action(async (workspace?: string) => {
      const caps = await withStore(async (store) => {
        if (workspace !== undefined) await store.requireWorkspace(workspace);
        return store.listCaps(workspace);
      });
      print(caps, table(caps, COLUMNS, 'There are no limits.'));
    });
  scoped(cap.command('set').description('limit the email of a workspace or, without one, of all to a domain'))
    .option('--per-hour <NUMBER>', 'at most so many in a clock hour', count)
    .option('--per-day <NUMBER>', 'at most so many in a day of UTC', count)
    .action(async (workspace: string | undefined, { perHour, perDay, ...which }: Which & Numbers) => {
      if (perHour === undefined && perDay === undefined)
        throw new OperatorError('Give --per-hour, --per-day or both.', { kind: 'usage' });
      await set(workspace, which, { perHour: perHour ?? null, perDay: perDay ?? null });
    });
  scoped(cap.command('remove').description('remove a limit that the operator has set')).action(
    async (workspace: string | undefined, which: Which) => set(workspace, which, { perHour: null, perDay: null }),
  );

  cap
    .command('earn')
    .description('let a domain of its own earn how many emails a day may leave: 100 at first, tripled after two good days')
    .argument('<workspace>', 'its id')
    .argument('<domain>', 'the domain that it sends from')
    .argument('<on|off>', 'whether it has to', onOff)
    .action(async (workspace: string, domain: string, isEarned: boolean) => {
      const changed = await withStore((store) => store.setEarnedCap(workspace, domain, isEarned));
      print(
        { workspace, domain, earned: isEarned, changed },
        `${changed ? '' : 'Unchanged. '}${isEarned ? `${domain} begins with 100 emails a day.` : `${domain} has nothing to earn.`}`,
      );
    });

  async function set(workspace: string | undefined, which: Which, numbers: { perHour: number | null; perDay: number | null }) {
    const { from, to } = which;
    const domain = from ?? to ?? '';
    if (from !== undefined && to !== undefined) throw new OperatorError('Give --from or --to, not both.', { kind: 'usage' });
    if (workspace === undefined && to === undefined) {
      throw new OperatorError('Name a workspace, or with --to the domain of a limit for all of them.', { kind: 'usage' });
    }
    const scope: CapScope = from !== undefined ? 'sender' : to !== undefined ? 'recipient' : 'workspace';
    const changed = await withStore((store) =>
      workspace === undefined ? store.setSharedCap(domain, numbers) : store.setCap(workspace, scope, domain, numbers),
    );
    const said = [
      ...(numbers.perHour === null ? [] : [`${numbers.perHour} an hour`]),
      ...(numbers.perDay === null ? [] : [`${numbers.perDay} a day`]),
    ];
    print(
      {
        workspace: workspace ?? null,
        scope: workspace === undefined ? 'shared' : scope,
        domain,
        per_hour: numbers.perHour,
        per_day: numbers.perDay,
        changed,
      },
      `${changed ? '' : 'Unchanged. '}At most ${said.join(' and ') || 'any number'}.`,
    );
  }
}

function onOff(text: string): boolean {
  if (text !== 'on' && text !== 'off') throw new InvalidArgumentError('It must be on or off.');
  return text === 'on';
}

const scoped = (command: Command) =>
  command
    .argument('[workspace]', 'its id; none: all workspaces together, which needs --to')
    .option('--from <DOMAIN>', 'only what it sends from this domain')
    .option('--to <DOMAIN>', 'only what goes to this domain');

function count(text: string): number {
  if (!/^[1-9]\d{0,7}$/.test(text) || Number(text) > 10_000_000) throw new InvalidArgumentError('It must be 1 to 10000000.');
  return Number(text);
}
