// The commands that manage workspaces, members, surveys and tokens, and that show batches and Results.
import type { Command } from 'commander';
import type { Config } from '../config.ts';
import { OperatorError } from '../errors.ts';
import type { Row } from '../functions.ts';
import { servicePage } from '../mail/links.ts';
import { readOutbox } from '../outbox.ts';
import { createSecret } from '../secret.ts';
import { addCommand, integerOption, table, withFunctions } from './command.ts';

const LIMIT = { '--limit <NUMBER>': 'rows at the most, newest first (100)' };
const limitOf = (text: string | undefined) => integerOption('limit', text) ?? 100;

export function addWorkspaceCommands(program: Command): void {
  const workspace = program.command('workspace').description('customers');
  addCommand(
    workspace,
    'create',
    'create a workspace',
    {
      '!--name <NAME>': 'its name',
      '--plan <PLAN>': 'free (no API trigger) or pro (default)',
      '--id <ID>': "the product's own id",
    },
    async ({ config, options, print }) => {
      const id = await withFunctions(config, (functions) => functions.upsertWorkspace(options));
      print({ id }, `Workspace ${id} created.`);
    },
  );
  addCommand(workspace, 'list', 'list workspaces', {}, async ({ config, print }) => {
    const rows = await withFunctions(config, (functions) => functions.listWorkspaces());
    print(rows, table(rows, ['id', 'name', 'plan_id', 'suspended_at', 'surveys', 'members'], 'There are no workspaces.'));
  });
  for (const [name, suspended] of [
    ['suspend', true],
    ['resume', false],
  ] as const) {
    const what = suspended
      ? 'refuse its trigger requests and hold its mail'
      : 'accept its trigger requests and send its mail again';
    addCommand(workspace, `${name} <workspace>`, what, {}, async ({ config, arguments: [id = ''], print }) => {
      await withFunctions(config, (functions) => functions.setWorkspaceSuspended(id, suspended));
      print({ id, suspended }, `Workspace ${id} ${suspended ? 'suspended' : 'resumed'}.`);
    });
  }
}

export function addMemberCommands(program: Command): void {
  const member = program.command('member').description('people and their roles in a workspace');
  const whose = { '!--workspace <ID>': 'the workspace', '!--email <ADDRESS>': 'the person' };
  addCommand(
    member,
    'add',
    'add a member, or change the role',
    { ...whose, '!--role <ROLE>': 'owner, admin, editor or viewer' },
    async ({ config, options: { workspace = '', email = '', role = '' }, print }) => {
      await withFunctions(config, (functions) => functions.upsertMember(workspace, email, role));
      print({ workspace_id: workspace, email, role }, `${email} is ${role} of workspace ${workspace}.`);
    },
  );
  addCommand(member, 'remove', 'remove a member', whose, async ({ config, options: { workspace = '', email = '' }, print }) => {
    await withFunctions(config, (functions) => functions.removeMember(workspace, email));
    print({ workspace_id: workspace, email, removed: true }, `${email} removed from workspace ${workspace}.`);
  });
  addCommand(
    member,
    'list',
    'list the members of a workspace',
    { '!--workspace <ID>': 'the workspace' },
    async ({ config, options: { workspace = '' }, print }) => {
      const rows = await withFunctions(config, (functions) => functions.listMembers(workspace));
      print(rows, table(rows, ['email', 'role', 'created_at'], 'There are no members.'));
    },
  );
}

/** A survey's public address: its own, or the service's page. */
const publicUrlOf = (config: Config, { id, public_url }: Row): string =>
  (public_url as string | null) ?? servicePage(publicUrl(config), String(id));

/** Address under which recipients reach the service, as far as it is known without a running server. */
export const publicUrl = ({ PUBLIC_URL, HOST, PORT }: Config): string => PUBLIC_URL ?? `http://${HOST}:${PORT}`;

export function addSurveyCommands(program: Command): void {
  const survey = program.command('survey').description('surveys and their states');
  addCommand(
    survey,
    'create',
    'create a survey',
    {
      '!--workspace <ID>': 'the workspace',
      '!--title <TITLE>': 'its title',
      '--state <STATE>': 'draft (default), active or closed',
      '--public-url <URL>': "the product's own survey page",
      '--id <ID>': "the product's own id",
    },
    async ({ config, options: { workspace = '', ...options }, print }) => {
      const id = await withFunctions(config, (functions) => functions.upsertSurvey({ workspaceId: workspace, ...options }));
      const address = publicUrlOf(config, { id, public_url: options.publicUrl ?? null });
      print({ id, public_url: address }, `Survey ${id} created.\nPublic address: ${address}`);
    },
  );
  addCommand(
    survey,
    'set-state <survey> <state>',
    'draft, active or closed; an active one is mailed about',
    {},
    async ({ config, arguments: [id = '', state = ''], print }) => {
      await withFunctions(config, (functions) => functions.setSurveyState(id, state));
      print({ id, state }, `Survey ${id} is ${state}.`);
    },
  );
  addCommand(
    survey,
    'list',
    'list surveys',
    { '--workspace <ID>': 'only of this workspace' },
    async ({ config, options, print }) => {
      const rows = await withFunctions(config, (functions) => functions.listSurveys(options.workspace));
      const shown: Row[] = rows.map((row) => ({ ...row, public_url: publicUrlOf(config, row) }));
      print(
        shown,
        table(
          shown,
          ['id', 'workspace_id', 'title', 'state', 'held_because', 'responses', 'public_url'],
          'There are no surveys.',
        ),
      );
    },
  );
}

const TOKEN_SETTINGS = {
  '--cooldown <SECONDS>': 'minimum seconds between accepted requests, 0 to 86400 (60)',
  '--subject <TEXT>': 'default subject',
  '--message <TEXT>': 'default message',
  '--reminder-days <DAYS>': 'default days until the reminder, 0: none (0)',
};

const tokenSettings = (options: Readonly<Record<string, string | undefined>>) => ({
  name: options.name,
  cooldownSeconds: integerOption('cooldown', options.cooldown),
  defaultSubject: options.subject,
  defaultMessage: options.message,
  defaultReminderDays: integerOption('reminder-days', options.reminderDays),
});

export function addTokenCommands(program: Command): void {
  const token = program.command('token').description('trigger tokens of a survey');
  addCommand(
    token,
    'create',
    'create a trigger token; its secret is shown this once',
    { '!--survey <ID>': 'the survey', '!--name <NAME>': 'its name', ...TOKEN_SETTINGS },
    async ({ config, options, print }) => {
      const { secret, hash, hint } = createSecret();
      const id = await withFunctions(config, (functions) =>
        functions.createTriggerToken({
          ...tokenSettings(options),
          surveyId: options.survey ?? '',
          secretHash: hash,
          secretHint: hint,
        }),
      );
      print({ id, secret }, `Token ${id} created.\nSecret: ${secret}\nKeep it on a server: it cannot be shown again.`);
    },
  );
  addCommand(
    token,
    'list',
    'list the tokens of a survey',
    { '!--survey <ID>': 'the survey' },
    async ({ config, options, print }) => {
      const rows = await withFunctions(config, (functions) => functions.listTriggerTokens(options.survey ?? ''));
      const columns = [
        'id',
        'name',
        'secret_hint',
        'cooldown_seconds',
        'default_reminder_days',
        'default_subject',
        'last_accepted_at',
      ];
      print(rows, table(rows, columns, 'There are no tokens.'));
    },
  );
  addCommand(
    token,
    'update <token>',
    'change a token; what is not named stays',
    { '--name <NAME>': 'its name', ...TOKEN_SETTINGS },
    async ({ config, arguments: [id = ''], options, print }) => {
      await withFunctions(config, (functions) => functions.updateTriggerToken(id, tokenSettings(options)));
      print({ id, updated: true }, `Token ${id} updated.`);
    },
  );
  addCommand(token, 'delete <token>', 'delete a token at once', {}, async ({ config, arguments: [id = ''], print }) => {
    await withFunctions(config, (functions) => functions.deleteTriggerToken(id));
    print({ id, deleted: true }, `Token ${id} deleted. What it has queued is still sent.`);
  });
}

export function addBatchCommands(program: Command): void {
  const batch = program.command('batch').description('accepted requests and their invitations');
  addCommand(batch, 'show <uuid>', 'show a batch and its invitations', {}, async ({ config, arguments: [id = ''], print }) => {
    const { shown, invitations } = await withFunctions(config, async (functions) => {
      const found = await functions.findBatch(id);
      if (found === null) throw new OperatorError(`There is no batch ${id}.`);
      return { shown: found, invitations: await functions.listInvitations(id) };
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
      const rows = await withFunctions(config, (functions) =>
        functions.listBatches(options.survey ?? '', limitOf(options.limit)),
      );
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
      const rows = await withFunctions(config, (functions) => functions.listResults(survey, limitOf(options.limit)));
      print(rows, table(rows, ['id', 'submitted_at', 'attribution', 'email', 'answers', 'metadata'], 'There are no responses.'));
    },
  );
  addCommand(program, 'outbox', 'list the mails in the development outbox', {}, async ({ config, print }) => {
    const mails = readOutbox(config.DATA_DIR);
    print(mails, table(mails as unknown as Row[], ['received_at', 'to', 'subject', 'file'], 'The outbox is empty.'));
  });
}
