// One address in all surveys of a workspace, or of the installation.
import type { Command } from 'commander';
import type { KnownRecipient } from '../database/store.ts';
import { plural } from '../text.ts';
import { cancel } from './cancel-retry.ts';
import { type Context, choicesTable, noSuch, section, shortSheet, table } from './command.ts';

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
    .command('show <address>')
    .description('show where an address was invited, why emails to it have not left, and whether it may be emailed')
    .option('--workspace <ID>', 'only this workspace')
    .action(async (address: string, { workspace }: { workspace?: string }) => {
      const places = await withStore(async (store) => {
        if (workspace !== undefined) await store.requireWorkspace(workspace);
        return store.findRecipient(address, workspace);
      });
      if (places.length === 0) throw noSuch('recipient', address);
      print(places, places.map(inWords).join('\n\n'));
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

function inWords({ newest, choices, ...workspace }: KnownRecipient): string {
  const older = Number(workspace.invitations) - newest.length;
  const columns = ['id', 'survey_id', 'message_kind', 'status', 'in_words', 'due_at', 'sent_at', 'responded_at'];
  return [
    section('Workspace', shortSheet(workspace)),
    section('What the recipient chose', choicesTable(choices)),
    section('Invitations', `${table(newest, columns, 'None.')}${older > 0 ? `\n${plural(older, 'older invitation')}` : ''}`),
  ].join('\n\n');
}
