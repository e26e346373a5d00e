// Invites the people of uploads, and cancels uploads: a batch of each workspace's in turn. Runs when one is sent or cancelled, and each minute
// for those that wait for their quota. One job at a time runs. An upload that fails stops none of the others, and is tried again.
import type { Task } from 'graphile-worker';
import type { Store } from '../src/database/store.ts';

/** Milliseconds. Then another job continues, so that a worker that stops needn't wait for this one. */
const LONGEST = 10_000;

export default ({ store }: { store: Pick<Store, 'dueUploads' | 'stepUpload'> }): Task =>
  async (_, { addJob }) => {
    const endsAt = performance.now() + LONGEST;
    const failed = new Map<string, unknown>();
    for (;;) {
      const due = (await store.dueUploads()).filter((id) => !failed.has(id));
      if (due.length === 0) break;
      for (const id of due) await store.stepUpload(id).catch((error) => failed.set(id, error));
      if (performance.now() > endsAt) {
        await addJob('accept_uploads', {}, { jobKey: 'accept_uploads' });
        break;
      }
    }
    for (const error of failed.values()) throw error;
  };
