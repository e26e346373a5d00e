// Accepted requests.
import type { Command } from 'commander';
import { OperatorError } from '../errors.ts';
import { plural } from '../text.ts';
import { parseSendAt } from '../trigger/send-at.ts';
import { cancel, remind, retry, sendAnyway } from './cancel-retry.ts';
import { type Context, noSuch, table, wholeNumber } from './command.ts';

export function addBatchCommands(program: Command, context: Context): void {
  const { print, withStore } = context;
  const batch = program.command('batch').description('accepted requests and their invitations');
  batch
    .command('show <uuid>')
    .description('show a batch and its invitations')
    .action(async (id: string) => {
      const { shown, invitations } = await withStore(async (store) => {
        const found = await store.findBatch(id);
        if (found === null) throw noSuch('batch', id);
        await store.recordAddressesExportOf(id);
        return { shown: found, invitations: await store.listInvitations(id) };
      });
      const batchColumns = ['id', 'status', 'survey_id', 'accepted_at', 'scheduled_at', 'recipients', 'metadata'];
      const columns = ['id', 'email', 'name', 'status', 'message_kind', 'due_at', 'attempts'];
      const lines = [
        table([shown], batchColumns, ''),
        table(invitations, [...columns, 'sent_at', 'reminded_at', 'responded_at', 'last_error'], ''),
      ];
      print({ ...shown, invitations }, lines.join('\n\n'));
    });
  batch
    .command('list')
    .description('list the batches of a survey, newest first')
    .requiredOption('--survey <ID>', 'the survey')
    .option('--limit <NUMBER>', 'maximum number of rows', wholeNumber, 100)
    .action(async ({ survey, limit }: { survey: string; limit: number }) => {
      const rows = await withStore(async (store) => {
        await store.requireSurvey(survey);
        return store.listBatches(survey, limit);
      });
      const columns = ['id', 'status', 'accepted_at', 'scheduled_at', 'recipients', 'sent', 'failed', 'suppressed', 'responded'];
      print(rows, table(rows, columns, 'There are no batches.'));
    });
  batch
    .command('cancel <uuid>')
    .description('cancel the emails of a batch that have not been sent')
    .action((id: string) => cancel(context, (store) => store.cancelBatch(id)));
  batch
    .command('retry <uuid>')
    .description('send the failed emails of a batch again')
    .action((id: string) => retry(context, (store) => store.retryBatch(id)));
  batch
    .command('send-anyway <id>')
    .description('send what rests or was skipped of a batch, in spite of the rest and its deadline')
    .action((id: string) => sendAnyway(context, (store) => store.sendBatchAnyway(id)));
  batch
    .command('remind <uuid>')
    .description('send the next reminders of a batch now')
    .action((id: string) => remind(context, (store) => store.remindBatch(id)));
  batch
    .command('reschedule <uuid>')
    .description('send the invitations of a batch at another time')
    .requiredOption('--at <TIME>', 'now, or a UTC time such as "2030-01-31 09:00:00 UTC"')
    .action(async (id: string, { at }: { at: string }) => {
      const now = new Date();
      const sendAt = parseSendAt(at, now) ?? now;
      if (typeof sendAt === 'string') throw new OperatorError(`The time of --at ${sendAt}.`, { kind: 'usage' });
      const rescheduled = await withStore((store) => store.rescheduleBatch(id, sendAt.toISOString()));
      print(
        { rescheduled, send_at: sendAt.toISOString() },
        rescheduled === 0 ? 'Nothing was pending.' : `${plural(rescheduled, 'email')} rescheduled.`,
      );
    });
}
