// One address in all surveys of a workspace.
import type { Command } from 'commander';
import { plural } from '../text.ts';
import { cancel } from './cancel-retry.ts';
import { type Context, noSuch, sheet } from './command.ts';

interface EraseOptions {
  readonly workspace: string;
  readonly email: string;
  readonly suppress: boolean;
  readonly withResponse: boolean;
}

export function addRecipientCommands(program: Command, context: Context): void {
  const { print, withStore } = context;
  const recipient = program.command('recipient').description('people who are invited');
  recipient
    .command('show')
    .description('show how often an address was invited, and whether it may be emailed')
    .requiredOption('--workspace <ID>', 'the workspace')
    .requiredOption('--email <ADDRESS>', 'the address')
    .action(async ({ workspace, email }: { workspace: string; email: string }) => {
      const row = await withStore(async (store) => {
        await store.requireWorkspace(workspace);
        return store.findRecipient(workspace, email);
      });
      if (row === undefined) throw noSuch('recipient', email);
      print(row, sheet(row));
    });
  recipient
    .command('cancel')
    .description('cancel the emails to an address in a workspace that have not been sent')
    .requiredOption('--workspace <ID>', 'the workspace')
    .requiredOption('--email <ADDRESS>', 'the address')
    .action(({ workspace, email }: { workspace: string; email: string }) =>
      cancel(context, (store) => store.cancelEmail(workspace, email)),
    );
  recipient
    .command('erase')
    .description('erase an address from a workspace, and cancel the emails to it that have not been sent')
    .requiredOption('--workspace <ID>', 'the workspace')
    .requiredOption('--email <ADDRESS>', 'the address')
    .option('--suppress', 'never email the address again: it stays on the list of suppressed addresses', false)
    .option('--with-response', 'also erase what the person answered, and the metadata; it can only be done together', false)
    .action(async ({ workspace, email, suppress, withResponse }: EraseOptions) => {
      const { erased, cancelled, stillSending, responses } = await withStore((store) =>
        store.eraseEmail(workspace, email, suppress, withResponse),
      );
      const answered = withResponse ? ` The answers of ${plural(responses, 'response')} are gone, too.` : '';
      const late = stillSending === 0 ? '' : `\n${stillSending} still being sent and not erased yet. Run this again in a minute.`;
      print(
        { erased, cancelled, still_sending: stillSending, ...(withResponse && { responses }) },
        `${plural(erased, 'invitation')} erased, ${cancelled} of them cancelled first.${answered}${late}`,
      );
    });
}
