// Deletes idempotency keys that have expired; every ten minutes, by the crontab in src/tasks.ts, and again while there are more.
import type { Task } from 'graphile-worker';
import type { TaskContext } from '../src/tasks.ts';

export default ({ functions }: TaskContext): Task =>
  async () => {
    await functions.pruneIdempotencyKeys();
  };
