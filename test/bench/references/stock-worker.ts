// graphile-worker with its stock settings and one job a mail, each claimed and settled by itself. As many jobs at a time as ours has mails.
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
