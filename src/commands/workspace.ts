// Workspaces, one for each customer.
import { Argument, type Command } from 'commander';
import { OperatorError } from '../errors.ts';
import { type Context, noSuch, sheet, table } from './command.ts';
import { deleteAll } from './delete.ts';
import { addWorkspaceRules } from './rules.ts';
import { addSenderOptions, type SenderFlags, senderOf, withLogo } from './sender.ts';
import { addTestWorkspaceCommands } from './test-workspace.ts';

interface CreateOptions {
  readonly name: string;
  readonly plan?: string;
  readonly id?: string;
}

export function addWorkspaceCommands(program: Command, context: Context): void {
  const { print, config, withStore } = context;
  const workspace = program.command('workspace').description('customers');
  workspace
    .command('create')
    .description('create a workspace')
    .requiredOption('--name <NAME>', 'its name')
    .option('--plan <PLAN>', 'free (no API trigger) or pro (default)')
    .option('--id <ID>', "the product's own id")
    .action(async (options: CreateOptions) => {
      const id = await withStore(async (store) => {
        if (options.id !== undefined && (await store.findWorkspace(options.id)) !== undefined) {
          throw new OperatorError(`Workspace ${options.id} already exists.`, { kind: 'rejected' });
        }
        return store.upsertWorkspace(options);
      });
      print({ id }, `Workspace ${id} created.`);
    });
  workspace
    .command('show <workspace>')
    .description('show a workspace')
    .action(async (id: string) => {
      const row = await withStore((store) => store.findWorkspace(id));
      if (row === undefined) throw noSuch('workspace', id);
      print(row, sheet(row));
    });
  const update = workspace
    .command('update <workspace>')
    .description('change the given settings')
    .option('--name <NAME>', 'its name')
    .option('--plan <PLAN>', 'free (no API trigger) or pro');
  addSenderOptions(update, 'that of MAIL_FROM').action(
    async (id: string, { name, plan, ...flags }: { name?: string; plan?: string } & SenderFlags) => {
      const given = senderOf(flags, config);
      await withStore(async (store) => {
        await store.requireWorkspace(id);
        const sender = await withLogo(given, flags, store, () => id);
        await store.upsertWorkspace({ id, name, plan });
        if (sender !== undefined) await store.setWorkspaceSender(id, sender);
      });
      print({ id, updated: true }, `Workspace ${id} updated.`);
    },
  );
  addWorkspaceRules(workspace, context);
  addTestWorkspaceCommands(workspace, context);
  workspace
    .command('list')
    .description('list workspaces')
    .action(async () => {
      const rows = await withStore((store) => store.listWorkspaces());
      print(rows, table(rows, ['id', 'name', 'plan_id', 'suspended_at', 'surveys', 'members'], 'There are no workspaces.'));
    });
  const setSuspended = async (id: string, suspended: boolean) => {
    await withStore((store) => store.setWorkspaceSuspended(id, suspended));
    print({ id, suspended }, `Workspace ${id} ${suspended ? 'suspended' : 'resumed'}.`);
  };
  workspace
    .command('suspend <workspace>')
    .description('reject its trigger requests and hold its emails')
    .action((id: string) => setSuspended(id, true));
  workspace
    .command('resume <workspace>')
    .description('accept its trigger requests and send its emails again')
    .action((id: string) => setSuspended(id, false));
  workspace
    .command('events')
    .description('begin or end recording what happens in it, for your backend')
    .argument('<workspace>')
    .addArgument(new Argument('<state>').choices(['on', 'off']))
    .action(async (id: string, state: string) => {
      await withStore((store) => store.setWorkspaceEvents(id, state === 'on'));
      print({ id, records_events: state === 'on' }, `Workspace ${id}: events are ${state}.`);
    });
  workspace
    .command('delete <workspace>')
    .description('delete it with all its invitations and responses, for good; run it again if it was interrupted')
    .option('--yes', 'do not ask', false)
    .action((id: string, { yes }: { yes: boolean }) =>
      deleteAll(context, 'workspace', id, yes, {
        check: (store) => store.requireWorkspace(id),
        step: (store) => store.deleteWorkspace(id),
      }),
    );
}
