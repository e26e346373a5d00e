// batch retry, invitation retry, survey retry-failed: sending again what has failed.
import type { Command } from 'commander';
import type { RetryAnswer, Store } from '../database/store.ts';
import { addCommand, noun, withStore } from './command.ts';

type Counts = Omit<RetryAnswer, 'nextId'>;

/** Adds a command that retries, and says how many mails it has queued again and how many it has left. */
function addRetryCommand(
  parent: Command,
  usage: string,
  description: string,
  retry: (store: Store, id: string, afterId: string) => Promise<RetryAnswer>,
): void {
  addCommand(parent, usage, description, {}, async ({ config, arguments: [id = ''], print }) => {
    const { queued, leftAlone } = await withStore(config, async (store) => {
      const total = { queued: 0, leftAlone: 0 };
      for (let afterId: string | null = '0'; afterId !== null; ) {
        const step: RetryAnswer = await retry(store, id, afterId);
        afterId = step.nextId;
        total.queued += step.queued;
        total.leftAlone += step.leftAlone;
      }
      return total;
    });
    print({ queued, left_alone: leftAlone }, sentence({ queued, leftAlone }));
  });
}

function sentence({ queued, leftAlone }: Counts): string {
  if (queued + leftAlone === 0) return 'Nothing has failed.';
  const mails = (count: number) => `${count} ${count === 1 ? 'mail' : 'mails'}`;
  const left =
    leftAlone === 0 ? '' : `\n${mails(leftAlone)} left as failed: the recipient has answered, or it was cancelled or erased.`;
  return `${mails(queued)} queued again.${left}`;
}

export function addRetryCommands(program: Command): void {
  addRetryCommand(noun(program, 'batch'), 'retry <uuid>', 'send again what has failed of a batch', (store, id) =>
    store.retryBatch(id),
  );
  addRetryCommand(
    noun(program, 'invitation'),
    'retry <id>',
    'send an invitation or its reminder again, if it has failed',
    (store, id) => store.retryInvitation(id),
  );
  addRetryCommand(
    noun(program, 'survey'),
    'retry-failed <survey>',
    'send again all that has failed of a survey',
    (store, id, afterId) => store.retrySurvey(id, afterId),
  );
}
