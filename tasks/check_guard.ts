// Looks at a workspace's bounces and complaints after one was reported, and pauses its email if there are too many.
import type { Task } from 'graphile-worker';
import type { Store } from '../src/database/store.ts';
import type { Log } from '../src/log.ts';

interface Context {
  readonly store: Pick<Store, 'checkGuard'>;
  readonly log: Log;
}

export default ({ store, log }: Context): Task =>
  async (payload) => {
    const { workspace_id: workspace } = payload as { workspace_id: string };
    const verdict = await store.checkGuard(workspace);
    if (verdict === 'pause')
      log.warn({ workspace }, "the guard paused a workspace's email: too much bounces or is reported as spam");
    else if (verdict === 'warn') log.warn({ workspace }, "the guard warned of a workspace's bounces or complaints");
  };
