// graphile-worker with its default settings and one job per email. Each email is claimed and settled alone. It runs as many jobs at a time
// as the product's worker sends emails.
import { Logger, run } from 'graphile-worker';
import { answer } from '../child.ts';
import { createMailer } from './mailer.ts';

const send = await createMailer(10);
await run({
  connectionString: process.env.DATABASE_URL ?? '',
  concurrency: Number(process.env.RELAY_CONCURRENCY),
  logger: new Logger(() => () => {}),
  taskList: {
    send_one: async (payload) => {
      const { invitation_id } = payload as { invitation_id: number };
      await send([invitation_id]);
    },
  },
});
answer('', () => true);
