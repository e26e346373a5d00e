// Passes the job's invitations to the delivery, which sends those that are due. The job only wakes the delivery and ends without waiting
// for it.
import type { Task } from 'graphile-worker';
import type { Delivery } from '../src/worker/delivery.ts';

export default ({ delivery }: { delivery: Pick<Delivery, 'add'> }): Task =>
  async (payload) => {
    const { invitation_ids } = payload as { invitation_ids: number[] };
    await delivery.add(invitation_ids);
  };
