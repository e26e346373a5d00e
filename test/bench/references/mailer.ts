// Both reference workers handle their emails with this code: the product's own claim, rendering, sending and settling. Rows and guarantees
// are the same, so only the queue differs.
import { randomUUID } from 'node:crypto';
import { openDatabase } from '../../../src/database/pool.ts';
import { createStore } from '../../../src/database/store.ts';
import { render } from '../../../src/mail/render.ts';
import { createSender } from '../../../src/relay/http-sender.ts';
import { mailpit } from '../../../src/relay/mailpit.ts';
import { settlement } from '../../../src/worker/settler.ts';

const connections = Number(process.env.RELAY_CONCURRENCY);
const RELAY = { name: 'mailpit', rate: undefined };

/** @param pool Number of database connections. */
export async function createMailer(pool: number) {
  const sql = openDatabase(process.env.DATABASE_URL ?? '', { max: pool, applicationName: 'bench mailer' });
  const store = createStore(sql);
  const sender = createSender({ adapter: mailpit, url: process.env.RELAY_URL, connections, timeoutSeconds: 20 });
  const worker = randomUUID();
  await store.recordHeartbeat(worker, null, 'bench', process.pid, 0, { relay: RELAY });
  const options = { publicUrl: 'https://survey.example.com', from: { name: 'Bench', email: 'bench@example.com' } };
  return async (invitationIds: readonly number[]): Promise<void> => {
    const claimed = await store.claimInvitations(invitationIds, worker);
    const settlements = await Promise.all(
      claimed.map(async (invitation) => {
        const [outcome] = await sender.send([render(invitation, options)], invitation.attempts);
        return settlement(invitation, outcome);
      }),
    );
    await store.settleInvitations(settlements, RELAY);
  };
}
