// recipient erase: takes an address and a name out of a workspace's invitations.
import type { Command } from 'commander';
import { addCommand, noun, withStore } from './command.ts';

export function addEraseCommand(program: Command): void {
  addCommand(
    noun(program, 'recipient'),
    'erase',
    'cancel what has not been sent to an address in a workspace, and erase the address',
    {
      '!--workspace <ID>': 'the workspace',
      '!--email <ADDRESS>': 'the address',
      '--suppress': 'never mail the address again: it stays in the list of suppressed addresses',
    },
    async ({ config, options: { workspace = '', email = '', suppress }, print }) => {
      const answer = await withStore(config, (store) => store.eraseEmail(workspace, email, suppress !== undefined));
      const { erased, cancelled, stillSending } = answer;
      const late = stillSending === 0 ? '' : `\n${stillSending} still being sent and not erased yet: run it again in a minute.`;
      print(
        { erased, cancelled, still_sending: stillSending },
        `${erased} ${erased === 1 ? 'invitation' : 'invitations'} erased, ${cancelled} of them cancelled before.${late}`,
      );
    },
  );
}
