// Wakes this worker's publisher. The job ends without waiting for it.
import type { Task } from 'graphile-worker';
import type { Publisher } from '../src/events/publisher.ts';

export default ({ publisher }: { publisher: Pick<Publisher, 'wake'> }): Task =>
  async () =>
    publisher.wake();
