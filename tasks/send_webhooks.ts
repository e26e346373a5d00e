// Has this worker look for webhook deliveries that are due. The job has ended by then.
import type { Task } from 'graphile-worker';
import type { Webhooks } from '../src/events/webhooks.ts';

export default ({ webhooks }: { webhooks?: Pick<Webhooks, 'wake'> | undefined }): Task =>
  async () =>
    webhooks?.wake();
