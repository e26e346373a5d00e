// The emails in the development outbox.
import type { Command } from 'commander';
import type { Row } from '../database/store.ts';
import { readOutbox } from '../dev/outbox.ts';
import { type Context, table } from './command.ts';

export function addOutboxCommand(program: Command, { config, print }: Context): void {
  program
    .command('outbox')
    .description('list the emails in the development outbox')
    .action(() => {
      const emails = readOutbox(config().DATA_DIR);
      print(emails, table(emails as unknown as Row[], ['received_at', 'to', 'subject', 'file'], 'The outbox is empty.'));
    });
}
