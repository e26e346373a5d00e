// token create, list, update, delete: the trigger tokens of a survey.
import type { Command } from 'commander';
import { createSecret } from '../secret.ts';
import { addCommand, curlLine, integerOption, linkBase, table, withStore } from './command.ts';

const TOKEN_SETTINGS = {
  '--cooldown <SECONDS>': 'minimum seconds between accepted requests, 0 to 86400 (60)',
  '--subject <TEXT>': 'default subject',
  '--message <TEXT>': 'default message',
  '--reminder-days <DAYS>': 'default days until the reminder, 0: none (0)',
  '--reminder-subject <TEXT>': 'subject of the reminder (the subject after "Reminder: "); empty: back to that',
  '--reminder-message <TEXT>': "message of the reminder (the invitation's); empty: back to that",
};

const tokenSettings = (options: Readonly<Record<string, string | undefined>>) => ({
  name: options.name,
  cooldownSeconds: integerOption('cooldown', options.cooldown),
  defaultSubject: options.subject,
  defaultMessage: options.message,
  defaultReminderDays: integerOption('reminder-days', options.reminderDays),
  defaultReminderSubject: options.reminderSubject,
  defaultReminderMessage: options.reminderMessage,
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
      const id = await withStore(config, (store) =>
        store.createTriggerToken({
          ...tokenSettings(options),
          surveyId: options.survey ?? '',
          secretHash: hash,
          secretHint: hint,
        }),
      );
      const call = curlLine(linkBase(config), secret);
      const text = `Token ${id} created.\nSecret: ${secret}\nKeep it on a server: it cannot be shown again.`;
      print({ id, secret }, `${text}\n\nPaste this to invite somebody:\n\n${call}`);
    },
  );
  addCommand(
    token,
    'list',
    'list the tokens of a survey',
    { '!--survey <ID>': 'the survey' },
    async ({ config, options, print }) => {
      const rows = await withStore(config, async (store) => {
        await store.requireSurvey(options.survey ?? '');
        return store.listTriggerTokens(options.survey ?? '');
      });
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
      await withStore(config, (store) => store.updateTriggerToken(id, tokenSettings(options)));
      print({ id, updated: true }, `Token ${id} updated.`);
    },
  );
  addCommand(token, 'delete <token>', 'delete a token at once', {}, async ({ config, arguments: [id = ''], print }) => {
    await withStore(config, (store) => store.deleteTriggerToken(id));
    print({ id, deleted: true }, `Token ${id} deleted. What it has queued is still sent.`);
  });
}
