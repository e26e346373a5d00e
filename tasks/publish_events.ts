// Wakes this worker's publisher. The job has ended by then.
import type { Task } from 'graphile-worker';
import type { Publisher } from '../src/events/publisher.ts';

export default ({ publisher }: { publisher: Pick<Publisher, 'wake'> }): Task =>
  async () =>
    publisher.wake();
