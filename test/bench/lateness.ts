// Measures how late emails are sent, with a large number of others scheduled for tomorrow and with none.

import { acceptTrigger } from '../fixtures/trigger.ts';
import { seedInvitations } from './emails.ts';
import {
  type Bench,
  createTrigger,
  type Database,
  type Relay,
  startRelay,
  startWorker,
  type Trigger,
  until,
  VOLUME,
} from './harness.ts';
import { inRounds, percentile, type Result, ratios } from './result.ts';

const SCHEDULED = 100_000;
const EMAILS = 500;
/** The emails become due one by one within WITHIN_MS. The first is due AHEAD_MS after they were queued. */
const WITHIN_MS = 5_000;
const AHEAD_MS = 2_000;

interface Late {
  readonly p50: number;
  readonly p99: number;
}

export async function lateness(bench: Bench): Promise<Result[]> {
  const scheduled = SCHEDULED * bench.scale;
  const free = await contender(bench, 'lateness', 0);
  const crowded = await contender(bench, 'lateness_crowded', scheduled);
  const found = await inRounds({ free: free.run, crowded: crowded.run });
  await free.end();
  await crowded.end();
  const p99s = (runs: readonly Late[]) => runs.map(({ p99 }) => p99);
  const series = (name: string, runs: readonly Late[]) => ({
    name,
    unit: 'ms' as const,
    values: runs.map(({ p50 }) => p50),
    p99: p99s(runs),
  });
  return [
    {
      part: 'lateness',
      title: `Lateness at the relay, with ${scheduled.toLocaleString('en')} emails scheduled for tomorrow`,
      used: `${found.free.length} rounds of ${EMAILS} emails that fall due one by one within ${WITHIN_MS / 1000} s`,
      series: [
        series('median', found.crowded),
        { ...series('median, with none scheduled', found.free), ratio: ratios(p99s(found.crowded), p99s(found.free)) },
      ],
    },
  ];
}

async function contender(bench: Bench, name: string, scheduled: number) {
  const database = await bench.database(name);
  const trigger = await createTrigger(database);
  if (scheduled > 0) await seedInvitations(database, await createTrigger(database), scheduled, 'queued');
  const relay = await startRelay({ LATE: '1' });
  const worker = await startWorker(database, relay);
  return {
    run: (warmUp: boolean) => late(database, trigger, relay, warmUp ? EMAILS / 5 : EMAILS),
    async end() {
      await worker.end();
      await relay.end();
    },
  };
}

async function late({ store }: Database, { hash }: Trigger, relay: Relay, emails: number): Promise<Late> {
  await relay.ask('reset');
  const from = Date.now() + AHEAD_MS;
  for (let email = 0; email < emails; email += 1) {
    const due = from + Math.floor((email * WITHIN_MS) / EMAILS);
    const recipients = [{ email: `due${due}.${email}@example.com` }];
    await acceptTrigger(store, hash, { recipients, sendAt: new Date(due) }, VOLUME);
  }
  await until('all emails are relayed', async () => (await relay.ask('count')).emails >= emails);
  const { late } = await relay.ask('count');
  return { p50: percentile(late, 0.5), p99: percentile(late, 0.99) };
}
