// Deletes a workspace or a survey. It asks the person to type the id, then deletes in steps and reports its progress. If it is stopped, the
// next call continues.
import { setTimeout as delay } from 'node:timers/promises';
import type { DeleteResult, Store } from '../database/store.ts';
import { OperatorError } from '../errors.ts';
import { plural } from '../text.ts';
import type { Context } from './command.ts';

/** In milliseconds: the time between two reports, and the wait if only emails that are being sent are left. */
const PAUSE = 1_000;

export async function deleteAll(
  { withStore, print, note, ask }: Context,
  what: string,
  id: string,
  yes: boolean,
  { check, step }: { check: (store: Store) => PromiseLike<unknown>; step: (store: Store) => Promise<DeleteResult> },
): Promise<void> {
  await withStore(async (store) => {
    await check(store);
    if (!yes) {
      if (ask === undefined) throw new OperatorError('Without a terminal, give --yes.', { kind: 'usage' });
      const typed = await ask(`This deletes ${what} ${id} with all its invitations and responses, for good. Type its id: `);
      if (typed !== id) throw new OperatorError('That is another id. Nothing was deleted.', { kind: 'usage' });
    }
    let deleted = 0;
    for (let reportedAt = 0; ; ) {
      const done = await step(store);
      deleted += done.deleted;
      if (!done.more) break;
      if (performance.now() - reportedAt > PAUSE) {
        note(
          `${plural(deleted, 'row')} deleted${done.sending > 0 ? `; waiting for ${plural(done.sending, 'email')} being sent` : ''}`,
        );
        reportedAt = performance.now();
      }
      if (done.deleted === 0 && done.sending > 0) await delay(PAUSE);
    }
    print({ id, deleted }, `Deleted ${what} ${id}: ${plural(deleted, 'row')}.`);
  });
}
