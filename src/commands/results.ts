// The responses of a survey.
import type { Command } from 'commander';
import { type Context, table, wholeNumber } from './command.ts';

export function addResultsCommand(program: Command, { print, withStore }: Context): void {
  program
    .command('results <survey>')
    .description('list the responses of a survey with their hidden metadata, newest first')
    .option('--limit <NUMBER>', 'maximum number of rows', wholeNumber, 100)
    .action(async (survey: string, { limit }: { limit: number }) => {
      const rows = await withStore(async (store) => {
        await store.requireSurvey(survey);
        await store.recordAnswersExport(survey);
        return store.listResults(survey, limit);
      });
      print(
        rows,
        table(rows, ['id', 'submitted_at', 'attribution', 'email', 'language', 'answers', 'metadata'], 'There are no responses.'),
      );
    });
}
