// Cancels emails, sends them again or reminds, in steps until nothing is left.
import type { CancelResult, RemindResult, RetryResult, Store } from '../database/store.ts';
import { plural } from '../text.ts';
import type { Context } from './command.ts';

export async function cancel({ withStore, print }: Context, step: (store: Store) => Promise<CancelResult>): Promise<void> {
  const { cancelled, reminders, alreadySending } = await withStore(async (store) => {
    const total = { cancelled: 0, reminders: 0, alreadySending: 0 };
    for (let unfinished = true; unfinished; ) {
      const done = await step(store);
      unfinished = done.more;
      total.cancelled += done.cancelled;
      total.reminders += done.reminders;
      total.alreadySending += done.alreadySending;
    }
    return total;
  });
  const which = reminders === 0 ? '' : `, including ${plural(reminders, 'reminder')}`;
  const late =
    alreadySending === 0
      ? ''
      : `\n${plural(alreadySending, 'email')} already being sent: too late to cancel, but no retry or reminder will follow.`;
  print(
    { cancelled, reminders, already_sending: alreadySending },
    cancelled + alreadySending === 0 ? 'Nothing was pending.' : `${plural(cancelled, 'email')} cancelled${which}.${late}`,
  );
}

/** Sends what rests or was skipped. */
export const sendAnyway = (context: Context, step: (store: Store) => Promise<RetryResult>): Promise<void> =>
  retry(context, step, 'Nothing rests or was skipped.', 'left as skipped: the recipient has responded, declined or was erased');

export async function retry(
  { withStore, print }: Context,
  step: (store: Store, afterId: string) => Promise<RetryResult>,
  none = 'Nothing has failed.',
  left = 'left as failed: the recipient has responded, or it was cancelled or erased',
): Promise<void> {
  const { queued, leftAlone } = await withStore(async (store) => {
    const total = { queued: 0, leftAlone: 0 };
    for (let afterId: string | null = '0'; afterId !== null; ) {
      const done: RetryResult = await step(store, afterId);
      afterId = done.nextId;
      total.queued += done.queued;
      total.leftAlone += done.leftAlone;
    }
    return total;
  });
  print(
    { queued, left_alone: leftAlone },
    queued + leftAlone === 0
      ? none
      : `${plural(queued, 'email')} queued again.${leftAlone === 0 ? '' : `\n${plural(leftAlone, 'email')} ${left}.`}`,
  );
}

export async function remind(
  { withStore, print }: Context,
  step: (store: Store, afterId: string) => Promise<RemindResult>,
): Promise<void> {
  const { reminded, leftAlone } = await withStore(async (store) => {
    const total = { reminded: 0, leftAlone: 0 };
    for (let afterId: string | null = '0'; afterId !== null; ) {
      const done: RemindResult = await step(store, afterId);
      afterId = done.nextId;
      total.reminded += done.reminded;
      total.leftAlone += done.leftAlone;
    }
    return total;
  });
  const left =
    leftAlone === 0
      ? ''
      : `\n${plural(leftAlone, 'invitation')} left alone: not sent, emailed less than 24 hours ago, reminded five times, or the recipient has responded or must not be emailed.`;
  print({ reminded, left_alone: leftAlone }, `${plural(reminded, 'reminder')} queued.${left}`);
}
