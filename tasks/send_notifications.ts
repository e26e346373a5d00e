// Wakes this worker to send the emails to members that are due. The job ends without waiting for it. Runs every minute too, in case a job is lost.
import type { Task } from 'graphile-worker';
import type { Notifier } from '../src/worker/notifier.ts';

export default ({ notifier }: { notifier: Pick<Notifier, 'wake'> }): Task =>
  async () =>
    notifier.wake();
