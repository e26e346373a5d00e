// Single invitations.
import type { Command } from 'commander';
import type { FoundInvitation } from '../database/store.ts';
import { cancel, remind, retry, sendAnyway } from './cancel-retry.ts';
import { type Context, choicesTable, noSuch, section, shortSheet, table } from './command.ts';

export function addInvitationCommands(program: Command, context: Context): void {
  const { print, withStore } = context;
  const invitation = program.command('invitation').description('single invitations');
  invitation
    .command('show <id>')
    .description('show an invitation: why its email has not left, who did what, and all that happened')
    .action(async (id: string) => {
      const found = await withStore((store) => store.findInvitation(id));
      if (found === undefined) throw noSuch('invitation', id);
      print(found, inWords(found));
    });
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

function inWords({ invitation, messages, suppression, choices, actions, history }: FoundInvitation): string {
  const isErased = invitation.email === null;
  return [
    section('Invitation', shortSheet(invitation)),
    ...messages.map(({ number, message_kind, ...message }) =>
      section(message_kind === 'reminder' ? `Reminder ${number}` : 'Email', shortSheet(message)),
    ),
    ...(isErased
      ? ['The address was erased: what was known of it is gone.']
      : [
          section('Do-not-email list', suppression === null ? 'The address is not on it.' : shortSheet(suppression)),
          section('What the recipient chose', choicesTable(choices)),
        ]),
    section('What people did', table(actions, ['at', 'actor', 'action', 'subject', 'detail'], 'Nothing.')),
    section('History', table(history, ['at', 'event', 'in_words'], 'Nothing.')),
  ].join('\n\n');
}
