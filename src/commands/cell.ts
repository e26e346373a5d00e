// Cells: several PostgreSQL databases behind a router (docs/scaling.md). DATABASE_URL is the router's.
import type { Command } from 'commander';
import { addCell, listCells, renewRouter } from '../cells/router.ts';
import { OperatorError } from '../errors.ts';
import { addMoveCommands } from './cell-move.ts';
import { type Context, table } from './command.ts';

export function addCellCommands(program: Command, context: Context): void {
  const { print, config, env } = context;
  const cell = program.command('cell').description('several databases behind a router: see docs/scaling.md');
  const router = (): string => {
    const url = config().DATABASE_URL;
    if (url === undefined) throw new OperatorError("DATABASE_URL must be the router's, as a superuser.");
    return url;
  };
  cell
    .command('router')
    .description("make the database in DATABASE_URL a router, or renew it after the cells' migrate")
    .requiredOption('--from <URL>', 'address of a migrated cell; PGPASSWORD may have its password')
    .action(async ({ from }: { from: string }) => {
      const changed = await renewRouter(router(), addressOf(from, env));
      print(
        { changed },
        changed ? 'The router has the functions of this cell now.' : 'The router has the functions of this cell already.',
      );
    });
  cell
    .command('add <URL>')
    .description(
      "add a cell, or change how it is reached: its address with the login of the web server's role; PGPASSWORD may have its password",
    )
    .action(async (url: string) => {
      const home = await addCell(router(), addressOf(url, env));
      print({ cell: home }, `Cell ${home} is reached through this router now.`);
    });
  addMoveCommands(cell, router, context);
  cell
    .command('list')
    .description('what each cell holds and does')
    .action(async () => {
      const cells = await listCells(router());
      const rows = cells.map(({ home, draining, up, reason, sent, waiting, oldCopies, ...rest }) => ({
        ...{ cell: home, state: up ? (draining ? 'draining' : 'up') : 'down', ...rest },
        ...{ old_copies: oldCopies, held: waiting, sent_last_hour: sent, reason },
      }));
      const columns = [
        'cell',
        'state',
        'version',
        'workspaces',
        'moving',
        'old_copies',
        'invitations',
        'due',
        'held',
        'sent_last_hour',
        'workers',
      ];
      const down = cells.filter(({ up }) => !up).map(({ home, reason }) => `\n${home} is down: ${reason}`);
      print(rows, `${table(rows, columns, 'There are none: cell add adds one.')}${down.join('')}`);
    });
}

/** @throws {OperatorError} */
function addressOf(text: string, env: Context['env']): string {
  const url = URL.parse(text);
  if (url === null || !/^postgres(ql)?:$/.test(url.protocol)) {
    throw new OperatorError("A cell's address is postgres://user:password@host:port/database.", { kind: 'usage' });
  }
  if (url.password === '' && env.PGPASSWORD !== undefined) url.password = encodeURIComponent(env.PGPASSWORD);
  return url.href;
}
