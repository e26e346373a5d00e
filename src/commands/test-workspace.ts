// workspace test, workspace advance: test workspaces and their clocks.
import { setTimeout as delay } from 'node:timers/promises';
import { type Command, InvalidArgumentError } from 'commander';
import type { Store, TestAdvance } from '../database/store.ts';
import { OperatorError } from '../errors.ts';
import { createSecret } from '../secret.ts';
import { parseSeconds } from '../tests/duration.ts';
import { plural } from '../text.ts';
import { type Context, table } from './command.ts';

/** Milliseconds between two looks at an advance, and until the command gives up. */
const LOOK = 20;
const PATIENCE = 600_000;

function duration(text: string): number {
  const seconds = parseSeconds(text);
  if (seconds === undefined) throw new InvalidArgumentError('It must be a duration of ISO 8601, such as P3D or PT36H.');
  return seconds;
}

function time(text: string): Date {
  const at = /^\d{4}-\d\d-\d\dT/.test(text) ? new Date(text) : undefined;
  if (at === undefined || Number.isNaN(at.getTime())) {
    throw new InvalidArgumentError('It must be a time of ISO 8601, such as 2027-01-31T09:00:00Z.');
  }
  return at;
}

export function addTestWorkspaceCommands(workspace: Command, { print, withStore }: Context): void {
  workspace
    .command('test <workspace>')
    .description(
      'create a test workspace beside it, with copies of its settings and surveys, each with a token; nothing of it is sent',
    )
    .option('--id <ID>', 'its id; made from the id of the workspace if omitted')
    .action(async (id: string, options: { id?: string }) => {
      const made = await withStore(async (store) => {
        const testId = await store.createTestWorkspace(id, options.id);
        return { testId, tokens: await createTokens(store, testId) };
      });
      print(
        { id: made.testId, tokens: made.tokens },
        `Test workspace ${made.testId} created.\n\n${table(made.tokens, ['title', 'survey_id', 'secret'], 'It has no surveys.')}\n\nStore the secrets now: they can't be shown again. docs/testing.md says how to use them.`,
      );
    });
  workspace
    .command('advance <workspace>')
    .description('move the clock of a test workspace, and do all that is due meanwhile; a worker must be running')
    .option('--by <DURATION>', 'by a duration, such as P3D or PT36H', duration)
    .option('--to <TIME>', 'to a time, such as 2027-01-31T09:00:00Z', time)
    .option('--next', 'to the next time at which something happens (default)')
    .action(async (id: string, { by, to, next }: { by?: number; to?: Date; next?: true }) => {
      if ([by, to, next].filter((one) => one !== undefined).length > 1) {
        throw new OperatorError('Give --by, --to or --next.', { kind: 'usage' });
      }
      const result = await withStore(async (store) =>
        ended(store, id, await store.requestTestAdvance(id, { seconds: by, until: to })),
      );
      print(result, inWords(result));
    });
}

async function createTokens(store: Store, workspaceId: string) {
  const home = await store.homeOf(workspaceId);
  const tokens = [];
  for (const survey of await store.listSurveys(workspaceId)) {
    const { secret, hash, hint } = createSecret(home, true);
    const surveyId = String(survey.id);
    await store.createTriggerToken({
      ...{ surveyId, name: 'Test', secretHash: hash, secretHint: hint },
      ...{ cooldownSeconds: 0, allowReading: true },
    });
    tokens.push({ survey_id: surveyId, title: survey.title, secret });
  }
  return tokens;
}

/** @throws {OperatorError} No worker has done it in time. */
async function ended(store: Store, workspaceId: string, advanceId: string): Promise<TestAdvance> {
  for (const until = performance.now() + PATIENCE; performance.now() < until; await delay(LOOK)) {
    const result = await store.testResult(workspaceId, advanceId);
    if (result !== null) return result;
  }
  throw new OperatorError('No worker has moved the clock in time: start one with `invitation-trigger work`.', {
    kind: 'unavailable',
  });
}

const inWords = ({ now, counts }: TestAdvance): string => {
  const lines = Object.entries(counts).map(([type, number]) => `  ${type}: ${number}`);
  const total = Object.values(counts).reduce((sum, number) => sum + number, 0);
  return [`It is now ${now}. ${total === 0 ? 'Nothing happened.' : `${plural(total, 'event')}:`}`, ...lines].join('\n');
};
