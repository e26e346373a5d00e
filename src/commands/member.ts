// member add, remove, list: people and their roles in a workspace. member sign-in-link, sign-out: their sessions.
import type { Command } from 'commander';
import { signInLink } from '../mail/links.ts';
import { createKey } from '../secret.ts';
import { addCommand, linkBase, table, withStore } from './command.ts';

export function addMemberCommands(program: Command): void {
  const member = program.command('member').description('people and their roles in a workspace');
  const whose = { '!--workspace <ID>': 'the workspace', '!--email <ADDRESS>': 'the person' };
  addCommand(
    member,
    'add',
    'add a member, or change the role',
    { ...whose, '!--role <ROLE>': { meaning: 'what the person may do', choices: ['owner', 'admin', 'editor', 'viewer'] } },
    async ({ config, options: { workspace = '', email = '', role = '' }, print }) => {
      await withStore(config, (store) => store.upsertMember(workspace, email, role));
      print({ workspace_id: workspace, email, role }, `${email} is ${role} of workspace ${workspace}.`);
    },
  );
  addCommand(member, 'remove', 'remove a member', whose, async ({ config, options: { workspace = '', email = '' }, print }) => {
    await withStore(config, (store) => store.removeMember(workspace, email));
    print({ workspace_id: workspace, email, removed: true }, `${email} removed from workspace ${workspace}.`);
  });
  addCommand(
    member,
    'list',
    'list the members of a workspace',
    { '!--workspace <ID>': 'the workspace' },
    async ({ config, options: { workspace = '' }, print }) => {
      const rows = await withStore(config, async (store) => {
        await store.requireWorkspace(workspace);
        return store.listMembers(workspace);
      });
      print(rows, table(rows, ['email', 'role', 'created_at'], 'There are no members.'));
    },
  );
  addCommand(
    member,
    'sign-in-link',
    'make a link that signs a member in, once, within 15 minutes',
    { '!--email <ADDRESS>': 'the person' },
    async ({ config, options: { email = '' }, print }) => {
      const { key, hash } = createKey();
      await withStore(config, (store) => store.createSignInLink(email, hash));
      const link = signInLink(linkBase(config), key);
      print({ email, link }, link);
    },
  );
  addCommand(
    member,
    'sign-out',
    'end all sessions of a person',
    { '!--email <ADDRESS>': 'the person' },
    async ({ config, options: { email = '' }, print }) => {
      const sessions = await withStore(config, (store) => store.endSessions(email));
      print({ email, sessions }, `${email} is signed out: ${sessions} ${sessions === 1 ? 'session' : 'sessions'} ended.`);
    },
  );
}
