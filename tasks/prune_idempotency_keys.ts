// Deletes expired idempotency keys, a step per job. Every ten minutes.
import type { Task } from 'graphile-worker';
import type { Store } from '../src/database/store.ts';

export default ({ store }: { store: Pick<Store, 'pruneIdempotencyKeys'> }): Task =>
  async () => {
    await store.pruneIdempotencyKeys();
  };
