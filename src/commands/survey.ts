// survey create, set-state, set-questions, list: surveys, their states and questions.
import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import type { Row } from '../database/store.ts';
import { OperatorError } from '../errors.ts';
import { servicePage } from '../mail/links.ts';
import { addCommand, linkBase, STATES, table, withStore } from './command.ts';

/** A survey's public address: its own, or the service's page. */
const publicUrlOf = (base: () => string, { id, public_url }: Row): string =>
  (public_url as string | null) ?? servicePage(base(), String(id));

/** The questions in a file of JSON. @throws {OperatorError} If it cannot be read. */
function readQuestions(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    const what = error instanceof SyntaxError ? 'is no JSON' : 'cannot be read';
    throw new OperatorError(`${path} ${what}: ${(error as Error).message}.`, { cause: error });
  }
}

export function addSurveyCommands(program: Command): void {
  const survey = program.command('survey').description('surveys and their states');
  addCommand(
    survey,
    'create',
    'create a survey',
    {
      '!--workspace <ID>': 'the workspace',
      '!--title <TITLE>': 'its title',
      '--state <STATE>': { meaning: 'draft if not given', choices: STATES },
      '--public-url <URL>': "the product's own survey page",
      '--questions <FILE>': 'a file with its questions, in JSON',
      '--id <ID>': "the product's own id",
    },
    async ({ config, options: { workspace = '', questions, ...options }, print }) => {
      const given = questions === undefined ? undefined : readQuestions(questions);
      const id = await withStore(config, async (store) => {
        const known = await store.listSurveys(undefined);
        if (known.some((one) => one.id === options.id)) throw new OperatorError(`There is a survey ${options.id} already.`);
        return store.upsertSurvey({ workspaceId: workspace, questions: given, ...options });
      });
      const address = publicUrlOf(() => linkBase(config), { id, public_url: options.publicUrl ?? null });
      print({ id, public_url: address }, `Survey ${id} created.\nPublic address: ${address}`);
    },
  );
  addCommand(
    survey,
    'set-state <survey> <state>',
    'draft, active or closed; an active one is mailed about',
    {},
    async ({ config, arguments: [id = '', state = ''], print }) => {
      if (!STATES.some((one) => one === state))
        throw new OperatorError(`A state is one of ${STATES.join(', ')}, not ${JSON.stringify(state)}.`);
      await withStore(config, (store) => store.setSurveyState(id, state));
      print({ id, state }, `Survey ${id} is ${state}.`);
    },
  );
  addCommand(
    survey,
    'set-questions <survey> <file>',
    'give it the questions in a file of JSON',
    {},
    async ({ config, arguments: [id = '', path = ''], print }) => {
      const questions = readQuestions(path);
      await withStore(config, async (store) => {
        await store.requireSurvey(id);
        const known = (await store.listSurveys(undefined)).find((one) => one.id === id);
        await store.upsertSurvey({ workspaceId: String(known?.workspace_id), id, questions });
      });
      const count = (questions as readonly unknown[]).length;
      print({ id, questions: count }, `Survey ${id} has ${count} ${count === 1 ? 'question' : 'questions'}.`);
    },
  );
  addCommand(
    survey,
    'list',
    'list surveys',
    { '--workspace <ID>': 'only of this workspace' },
    async ({ config, options, print }) => {
      const rows = await withStore(config, async (store) => {
        if (options.workspace !== undefined) await store.requireWorkspace(options.workspace);
        return store.listSurveys(options.workspace);
      });
      let known: string | undefined;
      const base = () => {
        known ??= linkBase(config);
        return known;
      };
      const shown: Row[] = rows.map((row) => ({ ...row, public_url: publicUrlOf(base, row) }));
      print(
        shown,
        table(shown, ['id', 'workspace_id', 'title', 'state', 'hold_reason', 'responses', 'public_url'], 'There are no surveys.'),
      );
    },
  );
}
