// Sends those of the job's invitations that are due.
import type { Task } from 'graphile-worker';
import type { Delivery } from '../src/worker/delivery.ts';

export default ({ delivery }: { delivery: Pick<Delivery, 'deliver'> }): Task =>
  async (payload) => {
    const { invitation_ids } = payload as { invitation_ids: number[] };
    await delivery.deliver(invitation_ids);
  };
