// batch cancel, invitation cancel, recipient cancel, survey cancel-pending: taking back what has not left yet.
import type { Command } from 'commander';
import type { CancelAnswer, Store } from '../database/store.ts';
import { addCommand, type Call, type Flag, noun, withStore } from './command.ts';

type Counts = Omit<CancelAnswer, 'more'>;

/** Adds a command that cancels, and says what it did and what it came too late for. */
function addCancelCommand(
  parent: Command,
  usage: string,
  description: string,
  flags: Readonly<Record<string, Flag>>,
  cancel: (store: Store, call: Call) => Promise<CancelAnswer>,
): void {
  addCommand(parent, usage, description, flags, async (call) => {
    const { cancelled, reminders, alreadySending } = await withStore(call.config, async (store) => {
      const total = { cancelled: 0, reminders: 0, alreadySending: 0 };
      for (let more = true; more; ) {
        const step = await cancel(store, call);
        more = step.more;
        total.cancelled += step.cancelled;
        total.reminders += step.reminders;
        total.alreadySending += step.alreadySending;
      }
      return total;
    });
    call.print({ cancelled, reminders, already_sending: alreadySending }, sentence({ cancelled, reminders, alreadySending }));
  });
}

function sentence({ cancelled, reminders, alreadySending }: Counts): string {
  if (cancelled + alreadySending === 0) return 'Nothing was pending.';
  const mails = (count: number) => `${count} ${count === 1 ? 'mail' : 'mails'}`;
  const which = reminders === 0 ? '' : `, ${reminders} of them ${reminders === 1 ? 'a reminder' : 'reminders'}`;
  const late =
    alreadySending === 0 ? '' : `\n${mails(alreadySending)} already being sent: too late to call back, but nothing follows.`;
  return `${mails(cancelled)} cancelled${which}.${late}`;
}

export function addCancelCommands(program: Command): void {
  addCancelCommand(
    noun(program, 'batch'),
    'cancel <uuid>',
    'cancel what has not been sent of a batch',
    {},
    (store, { arguments: [id = ''] }) => store.cancelBatch(id),
  );
  addCancelCommand(
    noun(program, 'invitation', 'single invitations'),
    'cancel <id>',
    'cancel an invitation or its reminder, if it has not been sent',
    {},
    (store, { arguments: [id = ''] }) => store.cancelInvitation(id),
  );
  addCancelCommand(
    noun(program, 'recipient', 'people who are invited'),
    'cancel',
    'cancel what has not been sent to an address in a workspace',
    { '!--workspace <ID>': 'the workspace', '!--email <ADDRESS>': 'the address' },
    (store, { options: { workspace = '', email = '' } }) => store.cancelEmail(workspace, email),
  );
  addCancelCommand(
    noun(program, 'survey'),
    'cancel-pending <survey>',
    'cancel all that has not been sent of a survey',
    {},
    (store, { arguments: [id = ''] }) => store.cancelSurvey(id),
  );
}
