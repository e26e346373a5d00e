// The do-not-email list of a workspace.
import type { Command } from 'commander';
import { type Context, noSuch, sheet, table, wholeNumber } from './command.ts';

interface Address {
  readonly workspace: string;
  readonly email: string;
}

export function addSuppressionCommands(program: Command, { print, withStore }: Context): void {
  const suppression = program.command('suppression').description('the do-not-email list of a workspace');
  const command = (name: string, description: string) =>
    suppression
      .command(name)
      .description(description)
      .requiredOption('--workspace <ID>', 'the workspace')
      .requiredOption('--email <ADDRESS>', 'the address');
  command('create', 'never email an address').action(async ({ workspace, email }: Address) => {
    await withStore((store) => store.suppressEmail(workspace, email));
    print({ workspace_id: workspace, email }, `${email} gets no email from workspace ${workspace}.`);
  });
  command('show', 'show why an address gets no email').action(async ({ workspace, email }: Address) => {
    const row = await withStore(async (store) => {
      await store.requireWorkspace(workspace);
      return store.findSuppression(workspace, email);
    });
    if (row === undefined) throw noSuch('suppression of', email);
    print(row, sheet(row));
  });
  command('delete', 'email an address again, unless the recipient unsubscribed or complained').action(
    async ({ workspace, email }: Address) => {
      const lifted = await withStore((store) => store.liftSuppression(workspace, email));
      if (lifted === null) throw noSuch('suppression of', email);
      const left = `${email} stays on the list: the recipient has unsubscribed too, and only they can take that back.`;
      print({ workspace_id: workspace, email, deleted: lifted }, lifted ? `${email} may be emailed again.` : left);
    },
  );
  suppression
    .command('list')
    .description('list the addresses, newest first')
    .requiredOption('--workspace <ID>', 'the workspace')
    .option('--limit <NUMBER>', 'maximum number of rows', wholeNumber, 100)
    .action(async ({ workspace, limit }: { workspace: string; limit: number }) => {
      const rows = await withStore(async (store) => {
        await store.recordAddressesExport(workspace);
        return store.listSuppressions(workspace, limit);
      });
      print(rows, table(rows, ['email', 'reason', 'created_at', 'relay', 'detail'], 'The list is empty.'));
    });
}
