// Single invitations.
import type { Command } from 'commander';
import { cancel, remind, retry, sendAnyway } from './cancel-retry.ts';
import type { Context } from './command.ts';

export function addInvitationCommands(program: Command, context: Context): void {
  const invitation = program.command('invitation').description('single invitations');
  invitation
    .command('cancel <id>')
    .description('cancel an invitation or its reminder, if it has not been sent')
    .action((id: string) => cancel(context, (store) => store.cancelInvitation(id)));
  invitation
    .command('retry <id>')
    .description('send an invitation or its reminder again, if it failed')
    .action((id: string) => retry(context, (store) => store.retryInvitation(id)));
  invitation
    .command('send-anyway <id>')
    .description('send an invitation that rests or was skipped, in spite of the rest and its deadline')
    .action((id: string) => sendAnyway(context, (store) => store.sendInvitationAnyway(id)));
  invitation
    .command('remind <id>')
    .description('send the next reminder of an invitation now')
    .action((id: string) => remind(context, (store) => store.remindInvitation(id)));
}
