// People, their roles in a workspace, their sessions.
import { type Command, Option } from 'commander';
import { ROLES } from '../database/members.ts';
import { SIGN_IN_MINUTES } from '../database/sessions.ts';
import { signInLink } from '../mail/links.ts';
import { createKey } from '../secret.ts';
import { plural } from '../text.ts';
import { type Context, noSuch, table } from './command.ts';
import { addNotificationCommands } from './notifications.ts';

interface Membership {
  readonly workspace: string;
  readonly email: string;
}

export function addMemberCommands(program: Command, { print, linkBase, withStore }: Context): void {
  const member = program.command('member').description('people and their roles in a workspace');
  member
    .command('add')
    .description('add a member, or change the role of one')
    .requiredOption('--workspace <ID>', 'the workspace')
    .requiredOption('--email <ADDRESS>', 'the person')
    .addOption(new Option('--role <ROLE>', 'what the person may do').choices(ROLES).makeOptionMandatory())
    .action(async ({ workspace, email, role }: Membership & { role: string }) => {
      await withStore((store) => store.upsertMember(workspace, email, role));
      print({ workspace_id: workspace, email, role }, `${email} is now ${role} of workspace ${workspace}.`);
    });
  member
    .command('remove')
    .description('remove a member')
    .requiredOption('--workspace <ID>', 'the workspace')
    .requiredOption('--email <ADDRESS>', 'the person')
    .action(async ({ workspace, email }: Membership) => {
      await withStore((store) => store.removeMember(workspace, email));
      print({ workspace_id: workspace, email, removed: true }, `${email} removed from workspace ${workspace}.`);
    });
  member
    .command('list')
    .description('list the members of a workspace')
    .requiredOption('--workspace <ID>', 'the workspace')
    .action(async ({ workspace }: { workspace: string }) => {
      const rows = await withStore(async (store) => {
        await store.requireWorkspace(workspace);
        return store.listMembers(workspace);
      });
      print(rows, table(rows, ['email', 'role', 'created_at'], 'There are no members.'));
    });
  addNotificationCommands(member, { print, withStore });
  member
    .command('sign-in-link')
    .description(`create a sign-in link for a member; it works once and expires in ${SIGN_IN_MINUTES} minutes`)
    .requiredOption('--email <ADDRESS>', 'the person')
    .action(async ({ email }: { email: string }) => {
      const key = await withStore(async (store) => {
        const { key, hash } = createKey(await store.home());
        await store.createSignInLink(email, hash);
        return key;
      });
      const link = signInLink(linkBase(), key);
      print({ email, link }, link);
    });
  member
    .command('sessions')
    .description('list where a person is signed in')
    .requiredOption('--email <ADDRESS>', 'the person')
    .action(async ({ email }: { email: string }) => {
      const rows = await withStore((store) => store.listSessions(email));
      const columns = ['session_id', 'signed_in_at', 'last_used_at', 'client_address', 'device', 'ends_at'];
      print(rows, table(rows, columns, `${email} isn't signed in.`));
    });
  member
    .command('sign-out')
    .description('end all sessions of a person, or one')
    .requiredOption('--email <ADDRESS>', 'the person')
    .option('--session <ID>', 'only this one, by its id in `member sessions`')
    .action(async ({ email, session }: { email: string; session?: string }) => {
      if (session !== undefined) {
        if (!(await withStore((store) => store.endSession(email, session)))) throw noSuch('session', session);
        return print({ email, sessions: 1 }, `The session of ${email} has ended.`);
      }
      const sessions = await withStore((store) => store.endSessions(email));
      print({ email, sessions }, `${email} is signed out (${plural(sessions, 'session')} ended).`);
    });
}
