// Closes the surveys whose closing date has come, one step per job. heal_invitations does it too, in case a job is lost.
import type { Task } from 'graphile-worker';
import type { Store } from '../src/database/store.ts';
import type { Log } from '../src/log.ts';

interface Context {
  readonly store: Pick<Store, 'closeSurveys'>;
  readonly log: Log;
}

export default ({ store, log }: Context): Task =>
  async () => {
    const closed = await store.closeSurveys();
    if (closed > 0) log.info({ closed }, 'surveys closed by their date');
  };
