// The trigger tokens of a survey.
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { Store, TokenSettings } from '../database/store.ts';
import { checkMessages } from '../mail/size.ts';
import { createSecret } from '../secret.ts';
import { readReminders } from '../text.ts';
import { type Context, curlLine, noSuch, sheet, table, wholeNumber } from './command.ts';
import { addSenderOptions, type SenderFlags, senderOf, withLogo } from './sender.ts';

interface TokenOptions extends SenderFlags {
  readonly name?: string;
  readonly cooldown?: number;
  readonly subject?: string;
  readonly message?: string;
  readonly reminderDays?: number[];
  readonly reminderSubject?: string;
  readonly reminderMessage?: string;
  readonly allowReading?: 'yes' | 'no';
  readonly ignoreRest?: 'yes' | 'no';
  readonly questionInEmail?: 'yes' | 'no';
}

function reminderDays(text: string): number[] {
  const days = readReminders(text);
  if (days === undefined) throw new InvalidArgumentError('It must be numbers of days such as 3,7,14, or 0.');
  return days;
}

/** The id of a token's workspace. @throws {OperatorError} There is no such token. */
async function workspaceOf(store: Store, token: string): Promise<string> {
  const row = await store.findTriggerToken(token);
  if (row === undefined) throw noSuch('trigger token', token);
  return String((await store.findSurvey(String(row.survey_id)))?.workspace_id);
}

const addTokenOptions = (command: Command): Command => addSenderOptions(addTextOptions(command), "the workspace's");

const addTextOptions = (command: Command): Command =>
  command
    .option('--cooldown <SECONDS>', 'minimum wait between accepted requests, 0 to 86400 (60)', wholeNumber)
    .option('--subject <TEXT>', 'default subject')
    .option('--message <TEXT>', 'default message')
    .option('--reminder-days <DAYS>', 'days until each reminder, such as 3,7,14; 0 for none (0)', reminderDays)
    .option('--reminder-subject <TEXT>', 'subject of the reminders; empty for "Reminder: " and the subject (default)')
    .option('--reminder-message <TEXT>', "message of the reminders; empty for the invitation's (default)")
    .addOption(
      new Option('--allow-reading <CHOICE>', 'whether its secret also reads the batches and events of its survey (no)').choices([
        'yes',
        'no',
      ]),
    )
    .addOption(
      new Option('--ignore-rest <CHOICE>', "whether its invitations leave in spite of the workspace's rest (no)").choices([
        'yes',
        'no',
      ]),
    )
    .addOption(
      new Option(
        '--question-in-email <CHOICE>',
        "whether its emails ask the survey's first score or choice question (no); a click chooses the answer, and Submit stores it",
      ).choices(['yes', 'no']),
    );

function settingsOf(options: TokenOptions, config: Context['config']): TokenSettings {
  checkMessages({ defaultMessage: options.message, defaultReminderMessage: options.reminderMessage });
  return {
    name: options.name,
    cooldownSeconds: options.cooldown,
    defaultSubject: options.subject,
    defaultMessage: options.message,
    defaultReminders: options.reminderDays,
    defaultReminderSubject: options.reminderSubject,
    defaultReminderMessage: options.reminderMessage,
    allowReading: options.allowReading === undefined ? undefined : options.allowReading === 'yes',
    ignoresRest: options.ignoreRest === undefined ? undefined : options.ignoreRest === 'yes',
    questionInEmail: options.questionInEmail === undefined ? undefined : options.questionInEmail === 'yes',
    sender: senderOf(options, config),
  };
}

export function addTokenCommands(program: Command, { print, config, linkBase, withStore }: Context): void {
  const token = program.command('token').description('trigger tokens of a survey');
  const create = token
    .command('create')
    .description('create a trigger token; its secret is shown only once')
    .requiredOption('--survey <ID>', 'the survey')
    .requiredOption('--name <NAME>', 'its name');
  addTokenOptions(create).action(async ({ survey, name, ...options }: TokenOptions & { survey: string; name: string }) => {
    const { id, secret } = await withStore(async (store) => {
      await store.requireSurvey(survey);
      const workspace = await store.findWorkspace(String((await store.findSurvey(survey))?.workspace_id));
      const { secret, hash, hint } = createSecret(String(workspace?.home), workspace?.test_of != null);
      const settings = settingsOf(options, config);
      const sender = await withLogo(settings.sender, options, store, () => String(workspace?.id));
      return {
        id: await store.createTriggerToken({ ...settings, sender, name, surveyId: survey, secretHash: hash, secretHint: hint }),
        secret,
      };
    });
    const text = `Token ${id} created.\nSecret: ${secret}\nStore it on a server now: it can't be shown again.`;
    print({ id, secret }, `${text}\n\nTo send an invitation, run:\n\n${curlLine(linkBase(), secret)}`);
  });
  token
    .command('show <token>')
    .description('show a token, without its secret')
    .action(async (id: string) => {
      const row = await withStore((store) => store.findTriggerToken(id));
      if (row === undefined) throw noSuch('trigger token', id);
      print(row, sheet(row));
    });
  token
    .command('list')
    .description('list the tokens of a survey')
    .requiredOption('--survey <ID>', 'the survey')
    .action(async ({ survey }: { survey: string }) => {
      const rows = await withStore(async (store) => {
        await store.requireSurvey(survey);
        return store.listTriggerTokens(survey);
      });
      const columns = ['id', 'name', 'secret_hint', 'cooldown_seconds', 'default_reminders', 'default_subject'];
      print(rows, table(rows, [...columns, 'last_accepted_at'], 'There are no tokens.'));
    });
  const update = token
    .command('update <token>')
    .description('change the given settings of a token')
    .option('--name <NAME>', 'its name');
  addTokenOptions(update).action(async (id: string, options: TokenOptions) => {
    const settings = settingsOf(options, config);
    await withStore(async (store) => {
      const sender = await withLogo(settings.sender, options, store, () => workspaceOf(store, id));
      await store.updateTriggerToken(id, { ...settings, sender });
    });
    print({ id, updated: true }, `Token ${id} updated.`);
  });
  token
    .command('translate <token> <language>')
    .description('set the given texts in a language, such as de or pt-BR; an empty one removes it')
    .option('--subject <TEXT>', 'subject')
    .option('--message <TEXT>', 'message')
    .option('--reminder-subject <TEXT>', 'subject of the reminder')
    .option('--reminder-message <TEXT>', 'message of the reminder')
    .option('--recipient-word <WORD>', 'word for a recipient without a name')
    .option('--greeting-without-name <TEXT>', 'greeting without a name')
    .option('--subject-without-name <TEXT>', 'subject instead of one with the name')
    .option('--button-text <TEXT>', 'text of the button that leads to the survey')
    .option('--preheader <TEXT>', 'line that an inbox shows beside the subject')
    .action(async (id: string, language: string, options: TokenOptions) => {
      checkMessages({ defaultMessage: options.message, defaultReminderMessage: options.reminderMessage });
      const texts = {
        subject: options.subject,
        message: options.message,
        reminder_subject: options.reminderSubject,
        reminder_message: options.reminderMessage,
        recipient_word: options.recipientWord,
        greeting_without_name: options.greetingWithoutName,
        subject_without_name: options.subjectWithoutName,
        button_text: options.buttonText,
        preheader: options.preheader,
      };
      await withStore((store) => store.setTokenTranslation(id, language, texts));
      print({ id, language }, `Token ${id}: ${language} set.`);
    });
  token
    .command('rotate <token>')
    .description('replace the secret of a token; the new one is shown only once')
    .option('--keep <SECONDS>', 'how long the old one is accepted as well, 0 to 604800', wholeNumber, 86_400)
    .action(async (id: string, { keep }: { keep: number }) => {
      const { secret, until } = await withStore(async (store) => {
        const workspace = await store.findWorkspace(await workspaceOf(store, id));
        const { secret, hash, hint } = createSecret(String(workspace?.home), workspace?.test_of != null);
        return { secret, until: await store.replaceTriggerSecret(id, hash, hint, keep) };
      });
      const old = until === null ? "isn't accepted any more" : `is accepted until ${until.toISOString()}`;
      print(
        { id, secret, previous_secret_until: until },
        `Secret: ${secret}\nStore it on a server now: it can't be shown again. The old secret ${old}.`,
      );
    });
  token
    .command('end-secret <token>')
    .description('end the replaced secret of a token, which is still accepted')
    .action(async (id: string) => {
      await withStore((store) => store.endPreviousSecret(id));
      print({ id, ended: true }, `Token ${id} accepts only its present secret.`);
    });
  token
    .command('delete <token>')
    .description('delete a token at once')
    .action(async (id: string) => {
      await withStore((store) => store.deleteTriggerToken(id));
      print({ id, deleted: true }, `Token ${id} deleted. Emails it has already queued are still sent.`);
    });
}
