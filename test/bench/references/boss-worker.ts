// pg-boss `work` with one job per email and batches of a hundred jobs. Each batch is claimed and settled together. Four batches run at a
// time, without a pause between full ones. When asked to queue, it inserts the jobs with one statement.
import { PgBoss } from 'pg-boss';
import { answer } from '../child.ts';
import { createMailer } from './mailer.ts';

interface Email {
  readonly invitation_id: number;
}

const send = await createMailer(10);
const boss = new PgBoss(process.env.DATABASE_URL ?? '');
boss.on('error', (error) => console.error(error.message));
await boss.start();
await boss.createQueue('send');
const options = { batchSize: 100, localConcurrency: 4, burstWhenBatchFull: true, pollingIntervalSeconds: 0.5 };
await boss.work<Email>('send', options, async (jobs) => {
  await send(jobs.map(({ data }) => data.invitation_id));
});

answer('', async (emails: readonly Email[]): Promise<boolean> => {
  await boss.insert(
    'send',
    emails.map((data) => ({ data })),
  );
  return true;
});
