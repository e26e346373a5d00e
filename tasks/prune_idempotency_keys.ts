// Deletes idempotency keys that have expired; every ten minutes, by the crontab in src/worker/tasks.ts, and again while there are more.
import type { Task } from 'graphile-worker';
import type { TaskContext } from '../src/worker/tasks.ts';

export default ({ store }: TaskContext): Task =>
  async () => {
    await store.pruneIdempotencyKeys();
  };
