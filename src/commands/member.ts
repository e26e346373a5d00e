// member add, remove, list: people and their roles in a workspace.
import type { Command } from 'commander';
import { addCommand, table, withFunctions } from './command.ts';

export function addMemberCommands(program: Command): void {
  const member = program.command('member').description('people and their roles in a workspace');
  const whose = { '!--workspace <ID>': 'the workspace', '!--email <ADDRESS>': 'the person' };
  addCommand(
    member,
    'add',
    'add a member, or change the role',
    { ...whose, '!--role <ROLE>': { meaning: 'what the person may do', choices: ['owner', 'admin', 'editor', 'viewer'] } },
    async ({ config, options: { workspace = '', email = '', role = '' }, print }) => {
      await withFunctions(config, (functions) => functions.upsertMember(workspace, email, role));
      print({ workspace_id: workspace, email, role }, `${email} is ${role} of workspace ${workspace}.`);
    },
  );
  addCommand(member, 'remove', 'remove a member', whose, async ({ config, options: { workspace = '', email = '' }, print }) => {
    await withFunctions(config, (functions) => functions.removeMember(workspace, email));
    print({ workspace_id: workspace, email, removed: true }, `${email} removed from workspace ${workspace}.`);
  });
  addCommand(
    member,
    'list',
    'list the members of a workspace',
    { '!--workspace <ID>': 'the workspace' },
    async ({ config, options: { workspace = '' }, print }) => {
      const rows = await withFunctions(config, async (functions) => {
        await functions.requireWorkspace(workspace);
        return functions.listMembers(workspace);
      });
      print(rows, table(rows, ['email', 'role', 'created_at'], 'There are no members.'));
    },
  );
}
