// Delivers failed events to an endpoint again, one step per job. A member's request runs the first step itself, and this task runs the
// rest.
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
      // The endpoint was deleted meanwhile.
      if (errorCode(error) !== NOT_FOUND) throw error;
    }
  };
