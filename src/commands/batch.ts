// batch show, batch list and results: accepted requests, their invitations and the responses.
import type { Command } from 'commander';
import { OperatorError } from '../errors.ts';
import { addCommand, integerOption, table, withStore } from './command.ts';

const LIMIT = { '--limit <NUMBER>': 'rows at the most, newest first (100)' };
const limitOf = (text: string | undefined) => integerOption('limit', text) ?? 100;

export function addBatchCommands(program: Command): void {
  const batch = program.command('batch').description('accepted requests and their invitations');
  addCommand(batch, 'show <uuid>', 'show a batch and its invitations', {}, async ({ config, arguments: [id = ''], print }) => {
    const { shown, invitations } = await withStore(config, async (store) => {
      const found = await store.findBatch(id);
      if (found === null) throw new OperatorError(`There is no batch ${id}.`);
      return { shown: found, invitations: await store.listInvitations(id) };
    });
    print(
      { ...shown, invitations },
      [
        table([shown], ['id', 'status', 'survey_id', 'accepted_at', 'scheduled_at', 'recipients', 'metadata'], ''),
        table(
          invitations,
          ['id', 'email', 'name', 'status', 'mail', 'due_at', 'attempts', 'sent_at', 'reminded_at', 'responded_at', 'last_error'],
          '',
        ),
      ].join('\n\n'),
    );
  });
  addCommand(
    batch,
    'list',
    'list the batches of a survey',
    { '!--survey <ID>': 'the survey', ...LIMIT },
    async ({ config, options, print }) => {
      const rows = await withStore(config, async (store) => {
        await store.requireSurvey(options.survey ?? '');
        return store.listBatches(options.survey ?? '', limitOf(options.limit));
      });
      const columns = ['id', 'status', 'accepted_at', 'scheduled_at', 'recipients', 'sent', 'failed', 'suppressed', 'responded'];
      print(rows, table(rows, columns, 'There are no batches.'));
    },
  );
}

export function addResultCommands(program: Command): void {
  addCommand(
    program,
    'results <survey>',
    'list the responses of a survey with their hidden metadata',
    LIMIT,
    async ({ config, arguments: [survey = ''], options, print }) => {
      const rows = await withStore(config, async (store) => {
        await store.requireSurvey(survey);
        return store.listResults(survey, limitOf(options.limit));
      });
      print(rows, table(rows, ['id', 'submitted_at', 'attribution', 'email', 'answers', 'metadata'], 'There are no responses.'));
    },
  );
}
