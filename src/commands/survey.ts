// Surveys.
import { readFileSync } from 'node:fs';
import { Argument, type Command, Option } from 'commander';
import type { Row, SurveyEnds } from '../database/store.ts';
import { OperatorError } from '../errors.ts';
import { servicePage } from '../mail/links.ts';
import { parseUtc, plural } from '../text.ts';
import { cancel, remind, retry } from './cancel-retry.ts';
import { type Context, noSuch, sheet, table, wholeNumber } from './command.ts';
import { deleteAll } from './delete.ts';
import { addSurveyForecast } from './forecast.ts';
import { addSurveyRules } from './rules.ts';

const STATES = ['draft', 'active', 'closed'];
const LANGUAGE = "language of its texts and its tokens', such as de or pt-BR (en)";

interface CreateOptions {
  readonly workspace: string;
  readonly title: string;
  readonly state?: string;
  readonly publicUrl?: string;
  readonly questions?: string;
  readonly thanks?: string;
  readonly language?: string;
  readonly id?: string;
}

interface SurveyChanges {
  readonly title?: string;
  readonly publicUrl?: string;
  readonly openResponses?: boolean;
  readonly thanks?: string;
  readonly language?: string;
}

interface EndOptions {
  readonly linkDays?: number | undefined;
  readonly responseLimit?: number | undefined;
  readonly closesAt?: string | undefined;
}

/** @throws {OperatorError} The time of closesAt isn't one. */
function endsOf({ linkDays, responseLimit, closesAt }: EndOptions): Partial<SurveyEnds> {
  const at = closesAt ? (parseUtc(closesAt.trim()) ?? undefined) : null;
  if (at === undefined)
    throw new OperatorError('--closes-at must be a UTC time, such as 2030-01-31 09:00:00 UTC.', { kind: 'usage' });
  return {
    ...(linkDays !== undefined && { linkDays: linkDays || null }),
    ...(responseLimit !== undefined && { responseLimit: responseLimit || null }),
    ...(closesAt !== undefined && { closesAt: at }),
  };
}

export function addSurveyCommands(program: Command, context: Context): void {
  const { print, linkBase, withStore } = context;
  const address = (id: string, publicUrl: string | null | undefined) => publicUrl ?? servicePage(linkBase(), id);
  const change = (id: string, { language, ...changes }: SurveyChanges & { questions?: unknown }) =>
    withStore(async (store) => {
      const known = await store.findSurvey(id);
      if (known === undefined) throw noSuch('survey', id);
      await store.upsertSurvey({ workspaceId: String(known.workspace_id), id, ...changes });
      if (language !== undefined) await store.setSurveyLanguage(id, language);
    });

  const survey = program.command('survey').description('surveys and their states');
  survey
    .command('create')
    .description('create a survey')
    .requiredOption('--workspace <ID>', 'the workspace')
    .requiredOption('--title <TITLE>', 'its title')
    .addOption(new Option('--state <STATE>', 'draft if omitted').choices(STATES))
    .option('--public-url <URL>', "the product's own survey page")
    .option('--questions <FILE>', 'a JSON file with its questions')
    .option('--thanks <TEXT>', 'what people read after they responded')
    .option('--language <TAG>', LANGUAGE)
    .option('--id <ID>', "the product's own id")
    .action(async ({ workspace, questions: file, language, ...options }: CreateOptions) => {
      const questions = file === undefined ? undefined : readJson(file);
      const id = await withStore(async (store) => {
        if (options.id !== undefined && (await store.findSurvey(options.id)) !== undefined) {
          throw new OperatorError(`Survey ${options.id} already exists.`, { kind: 'rejected' });
        }
        const surveyId = await store.upsertSurvey({ workspaceId: workspace, questions, ...options });
        if (language !== undefined) await store.setSurveyLanguage(surveyId, language);
        return surveyId;
      });
      const url = address(id, options.publicUrl || undefined);
      print({ id, public_url: url }, `Survey ${id} created.\nPublic address: ${url}`);
    });
  survey
    .command('show <survey>')
    .description('show a survey')
    .action(async (id: string) => {
      const row = await withStore((store) => store.findSurvey(id));
      if (row === undefined) throw noSuch('survey', id);
      const shown: Row = { ...row, public_url: address(id, row.public_url as string | null) };
      print(shown, sheet(shown));
    });
  survey
    .command('update <survey>')
    .description('change the given settings')
    .option('--title <TITLE>', 'its title')
    .option('--public-url <URL>', "the product's own survey page; empty: the service's page")
    .option('--thanks <TEXT>', 'what people read after they responded; empty: a sentence of the service')
    .option('--language <TAG>', LANGUAGE)
    .option('--open-responses', "take responses without a tracked link on the service's survey page")
    .option('--no-open-responses', 'take responses only through tracked links')
    .option('--link-days <DAYS>', 'days after its first email until a link expires, at most 3650; 0: never', wholeNumber)
    .option('--response-limit <NUMBER>', 'how many responses close the survey; 0: no limit', wholeNumber)
    .option('--closes-at <TIME>', 'UTC time that closes the survey, such as "2030-01-31 09:00:00 UTC"; empty: none')
    .action(async (id: string, { linkDays, responseLimit, closesAt, ...changes }: SurveyChanges & EndOptions) => {
      const ends = endsOf({ linkDays, responseLimit, closesAt });
      await change(id, changes);
      await withStore((store) => store.setSurveyEnds(id, ends));
      print({ id, updated: true }, `Survey ${id} updated.`);
    });
  addSurveyRules(survey, context);
  addSurveyForecast(survey, context);
  survey
    .command('translate <survey> <language> [file]')
    .description('set the translation of a survey into a language from a JSON file; without a file, remove it')
    .action(async (id: string, language: string, file: string | undefined) => {
      const translation = file === undefined ? null : readJson(file);
      await withStore((store) => store.setSurveyTranslation(id, language, translation));
      print({ id, language }, `Survey ${id}: ${language} ${file === undefined ? 'removed' : 'set'}.`);
    });
  survey
    .command('duplicate <survey>')
    .description('make a draft with the same questions and settings')
    .option('--title <TITLE>', "its title; the survey's if omitted")
    .option('--id <ID>', "the product's own id")
    .action(async (from: string, { id: wanted, title }: { id?: string; title?: string }) => {
      const id = await withStore(async (store) => {
        if (wanted !== undefined && (await store.findSurvey(wanted)) !== undefined) {
          throw new OperatorError(`Survey ${wanted} already exists.`, { kind: 'rejected' });
        }
        return store.duplicateSurvey(from, wanted, title);
      });
      print({ id, public_url: address(id, null) }, `Survey ${id} created.\nPublic address: ${address(id, null)}`);
    });
  survey
    .command('set-state <survey>')
    .description('set the state of a survey; only an active survey sends emails')
    .addArgument(new Argument('<state>').choices(STATES))
    .action(async (id: string, state: string) => {
      await withStore((store) => store.setSurveyState(id, state));
      print({ id, state }, `Survey ${id} is ${state}.`);
    });
  survey
    .command('set-questions <survey> <file>')
    .description('set the questions of a survey from a JSON file')
    .action(async (id: string, file: string) => {
      const questions = readJson(file);
      await change(id, { questions });
      const count = (questions as readonly unknown[]).length;
      print({ id, questions: count }, `Survey ${id} has ${plural(count, 'question')}.`);
    });
  survey
    .command('list')
    .description('list surveys')
    .option('--workspace <ID>', 'only the surveys of this workspace')
    .action(async ({ workspace }: { workspace?: string }) => {
      const rows = await withStore(async (store) => {
        if (workspace !== undefined) await store.requireWorkspace(workspace);
        return store.listSurveys(workspace);
      });
      const shown: Row[] = rows.map((row) => ({ ...row, public_url: address(String(row.id), row.public_url as string | null) }));
      const columns = ['id', 'workspace_id', 'title', 'state', 'hold_reason', 'responses', 'open_responses', 'public_url'];
      print(shown, table(shown, columns, 'There are no surveys.'));
    });
  survey
    .command('cancel-pending <survey>')
    .description('cancel all emails of a survey that have not been sent')
    .action((id: string) => cancel(context, (store) => store.cancelSurvey(id)));
  survey
    .command('retry-failed <survey>')
    .description('send all failed emails of a survey again')
    .action((id: string) => retry(context, (store, afterId) => store.retrySurvey(id, afterId)));
  survey
    .command('remind <survey>')
    .description('send the next reminders of all sent invitations of a survey now')
    .action((id: string) => remind(context, (store, afterId) => store.remindSurvey(id, afterId)));
  survey
    .command('delete <survey>')
    .description('delete it with all its invitations and responses, for good; run it again if it was interrupted')
    .option('--yes', 'do not ask', false)
    .action((id: string, { yes }: { yes: boolean }) =>
      deleteAll(context, 'survey', id, yes, {
        check: (store) => store.requireSurvey(id),
        step: (store) => store.deleteSurvey(id),
      }),
    );
}

/** @throws {OperatorError} The file can't be read, or it isn't JSON. */
function readJson(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    const what = error instanceof SyntaxError ? 'is not JSON' : 'cannot be read';
    throw new OperatorError(`${path} ${what}: ${(error as Error).message}.`, { kind: 'usage', cause: error });
  }
}
