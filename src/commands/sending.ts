// sending pause, resume, show: whether emails go out. Requests are accepted either way.
import type { Command } from 'commander';
import { OperatorError } from '../errors.ts';
import { type Context, table } from './command.ts';

interface Scope {
  readonly all?: boolean;
  readonly workspace?: string;
  readonly survey?: string;
}

export function addSendingCommands(program: Command, { print, withStore }: Context): void {
  const sending = program.command('sending').description('whether emails leave, while requests are accepted');
  const setPaused = async ({ all, workspace, survey }: Scope, paused: boolean) => {
    if ([all, workspace, survey].filter((scope) => scope !== undefined).length !== 1) {
      throw new OperatorError('Give one of --all, --workspace and --survey.', { kind: 'usage' });
    }
    await withStore((store) => {
      if (workspace !== undefined) return store.setWorkspacePaused(workspace, paused);
      if (survey !== undefined) return store.setSurveyPaused(survey, paused);
      return store.setSendingPaused(paused);
    });
    const whom = workspace === undefined ? (survey === undefined ? 'everyone' : `survey ${survey}`) : `workspace ${workspace}`;
    print({ all, workspace, survey, paused }, `Sending ${paused ? 'paused' : 'resumed'} for ${whom}.`);
  };
  for (const [name, description, paused] of [
    ['pause', 'hold invitations and reminders that are due; requests are still accepted', true],
    ['resume', 'send what was held', false],
  ] as const) {
    sending
      .command(name)
      .description(description)
      .option('--all', 'for everyone')
      .option('--workspace <ID>', 'for a workspace')
      .option('--survey <ID>', 'for a survey')
      .action((scope: Scope) => setPaused(scope, paused));
  }
  sending
    .command('show')
    .description('show for whom sending is paused')
    .action(async () => {
      const rows = await withStore((store) => store.listPaused());
      print(rows, table(rows, ['scope', 'workspace_id', 'survey_id', 'paused_at'], 'Sending is not paused.'));
    });
}
