// pg-boss `work` with batches of a hundred jobs, one job a mail; a batch is claimed and settled at once. Four at a time, and burst: no
// pause between full batches. Asked to queue, it inserts the jobs by one statement.
import { PgBoss } from 'pg-boss';
import { answer } from '../child.ts';
import { createMailer } from './mailer.ts';

interface Mail {
  readonly invitation_id: number;
}

const send = await createMailer(10);
const boss = new PgBoss(process.env.DATABASE_URL ?? '');
boss.on('error', (error) => console.error(error.message));
await boss.start();
await boss.createQueue('send');
const options = { batchSize: 100, localConcurrency: 4, burstWhenBatchFull: true, pollingIntervalSeconds: 0.5 };
await boss.work<Mail>('send', options, async (jobs) => {
  await send(jobs.map(({ data }) => data.invitation_id));
});

answer('', async (mails: readonly Mail[]): Promise<boolean> => {
  await boss.insert(
    'send',
    mails.map((data) => ({ data })),
  );
  return true;
});
