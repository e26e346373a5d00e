// Sends what an endpoint did not take to it again, a step per job, where a member asked for more than the first.
import type { Task } from 'graphile-worker';
import { errorCode, NOT_FOUND } from '../src/database/pool.ts';
import type { Store } from '../src/database/store.ts';

export default ({ store }: { store: Pick<Store, 'replayFailedWebhooks'> }): Task =>
  async (payload, { addJob }) => {
    const { endpoint_id, after } = payload as { endpoint_id: string; after: string };
    try {
      const next = await store.replayFailedWebhooks(endpoint_id, after);
      if (next !== null) await addJob('replay_webhooks', { endpoint_id, after: next });
    } catch (error) {
      // It was deleted meanwhile.
      if (errorCode(error) !== NOT_FOUND) throw error;
    }
  };
