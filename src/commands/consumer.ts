// Consumers of events: the programs that read events by SQL, and how far each has read.
import type { Command } from 'commander';
import { plural } from '../text.ts';
import { type Context, noSuch, table, time } from './command.ts';

export function addConsumerCommands(program: Command, { print, withStore }: Context): void {
  const consumer = program.command('consumer').description('what reads events by SQL');
  consumer
    .command('list')
    .description('list the consumers, and how many events each is behind')
    .action(async () => {
      const rows = await withStore((store) => store.listConsumers());
      const columns = ['name', 'position', 'behind', 'oldest_unread_at', 'read_at', 'lost'];
      print(rows, table(rows, columns, 'There are none: the first read_events makes one.'));
    });
  consumer
    .command('replay <name>')
    .description('have a consumer read again, from the oldest event that is kept')
    .option('--since <TIME>', 'only those since a time, such as 2030-01-31T09:00:00Z', time)
    .action(async (name: string, { since }: { since?: Date }) => {
      const events = await withStore((store) => store.replayEvents(name, since));
      print({ name, events: Number(events) }, `${name} reads ${plural(Number(events), 'event')} from now on.`);
    });
  consumer
    .command('delete <name>')
    .description('forget how far a consumer has come: its next read starts with the oldest event that is kept')
    .action(async (name: string) => {
      if (!(await withStore((store) => store.deleteConsumer(name)))) throw noSuch('consumer', name);
      print({ name, deleted: true }, `Consumer ${name} deleted.`);
    });
}
