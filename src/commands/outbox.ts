// outbox: the mails in the development outbox.
import type { Command } from 'commander';
import type { Row } from '../database/store.ts';
import { readOutbox } from '../dev/outbox.ts';
import { addCommand, table } from './command.ts';

export function addOutboxCommand(program: Command): void {
  addCommand(program, 'outbox', 'list the mails in the development outbox', {}, async ({ config, print }) => {
    const mails = readOutbox(config.DATA_DIR);
    print(mails, table(mails as unknown as Row[], ['received_at', 'to', 'subject', 'file'], 'The outbox is empty.'));
  });
}
