// workspace create, list, suspend, resume: customers.
import type { Command } from 'commander';
import { OperatorError } from '../errors.ts';
import { addCommand, table, withStore } from './command.ts';

export function addWorkspaceCommands(program: Command): void {
  const workspace = program.command('workspace').description('customers');
  addCommand(
    workspace,
    'create',
    'create a workspace',
    {
      '!--name <NAME>': 'its name',
      '--plan <PLAN>': 'free (no API trigger) or pro (default)',
      '--id <ID>': "the product's own id",
    },
    async ({ config, options, print }) => {
      const id = await withStore(config, async (store) => {
        const known = await store.listWorkspaces();
        if (known.some((one) => one.id === options.id)) throw new OperatorError(`There is a workspace ${options.id} already.`);
        return store.upsertWorkspace(options);
      });
      print({ id }, `Workspace ${id} created.`);
    },
  );
  addCommand(workspace, 'list', 'list workspaces', {}, async ({ config, print }) => {
    const rows = await withStore(config, (store) => store.listWorkspaces());
    print(rows, table(rows, ['id', 'name', 'plan_id', 'suspended_at', 'surveys', 'members'], 'There are no workspaces.'));
  });
  for (const [name, suspended] of [
    ['suspend', true],
    ['resume', false],
  ] as const) {
    const what = suspended
      ? 'refuse its trigger requests and hold its mail'
      : 'accept its trigger requests and send its mail again';
    addCommand(workspace, `${name} <workspace>`, what, {}, async ({ config, arguments: [id = ''], print }) => {
      await withStore(config, (store) => store.setWorkspaceSuspended(id, suspended));
      print({ id, suspended }, `Workspace ${id} ${suspended ? 'suspended' : 'resumed'}.`);
    });
  }
}
