// What members get by email: the commands below `member`.
import type { Command } from 'commander';
import { type Context, score, table } from './command.ts';

interface Target {
  readonly workspace: string;
  readonly email: string;
}

export function addNotificationCommands(member: Command, { print, withStore }: Pick<Context, 'print' | 'withStore'>): void {
  const target = (command: Command) =>
    command.requiredOption('--workspace <ID>', 'the workspace').requiredOption('--email <ADDRESS>', 'the member');
  member
    .command('notifications')
    .description('list the members who get email about low scores or their week, and what is on its way')
    .requiredOption('--workspace <ID>', 'the workspace')
    .action(async ({ workspace }: { workspace: string }) => {
      const rows = await withStore(async (store) => {
        await store.requireWorkspace(workspace);
        return store.listNotifications(workspace);
      });
      const columns = [
        'email',
        'role',
        'score_alerts',
        'report_due_at',
        'time_zone',
        'waiting_emails',
        'last_ended_at',
        'last_outcome',
      ];
      print(rows, table(rows, columns, 'Nobody gets any.'));
    });
  target(member.command('alert'))
    .description('email a member at once for each score of a survey below a limit; without --below, no longer')
    .requiredOption('--survey <ID>', 'the survey')
    .option('--question <ID>', 'the question with the score', 'score')
    .option('--below <SCORE>', 'the limit', score)
    .action(
      async ({ workspace, email, survey, question, below }: Target & { survey: string; question: string; below?: number }) => {
        await withStore((store) => store.setScoreAlert(workspace, email, survey, question, below ?? null));
        const words = below === undefined ? 'is no longer told of its scores' : `is told of its scores below ${below}`;
        print(
          { workspace_id: workspace, email, survey_id: survey, below: below ?? null },
          `Survey ${survey}: ${email} ${words}.`,
        );
      },
    );
  target(member.command('weekly-report'))
    .description('email a member a report every Monday at 8:00')
    .option('--zone <ZONE>', "time zone in which the week begins, such as Europe/Berlin (the workspace's)")
    .option('--stop', 'no longer')
    .action(async ({ workspace, email, zone, stop = false }: Target & { zone?: string; stop?: boolean }) => {
      await withStore((store) => store.setWeeklyReport(workspace, email, !stop, zone));
      print(
        { workspace_id: workspace, email, weekly_report: !stop },
        stop ? `${email} gets no more weekly reports.` : `${email} gets the weekly report.`,
      );
    });
}
