// Wakes this worker to send webhook deliveries that are due. The job ends without waiting for it.
import type { Task } from 'graphile-worker';
import type { Webhooks } from '../src/events/webhooks.ts';

export default ({ webhooks }: { webhooks?: Pick<Webhooks, 'wake'> | undefined }): Task =>
  async () =>
    webhooks?.wake();
