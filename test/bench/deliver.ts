// Delivering to a relay on loopback that answers at once, with reminders, and to one that takes a tenth of a second.
import { type Script, startScript } from './child.ts';
import {
  type Bench,
  createTrigger,
  createTriggers,
  type Database,
  RELAY_CONCURRENCY,
  type Relay,
  startRelay,
  startWorker,
  type Trigger,
} from './harness.ts';
import { delivered, queueMails, queueSingles } from './mails.ts';
import { inRounds, type Result, ratios } from './result.ts';

const MAILS = 50_000;
/** As many as it takes for the code to be compiled and the database's pages to be there. */
const WARM_UP = 10_000;
/** One job a mail is slow: a rate needs no more. */
const STOCK_MAILS = 5_000;
/** Tokens whose requests, of one recipient each, are accepted by one call. */
const TOGETHER = 64;
const SINGLES = 20_000;
const SLOW_MAILS = 3_000;
const SLOW_MS = 100;

interface Contender {
  readonly database: Database;
  readonly trigger: Trigger;
}

export async function deliver(bench: Bench): Promise<Result[]> {
  const relay = await startRelay();
  const posts = await startScript<number, boolean>('references/posts.ts', {
    RELAY_URL: relay.url,
    RELAY_CONCURRENCY: String(RELAY_CONCURRENCY),
  });
  const ours = await contender(bench, 'deliver');
  const stock = await contender(bench, 'deliver_stock');
  const boss = await contender(bench, 'deliver_boss');
  const singles = await createTriggers(ours.database, TOGETHER);
  const worker = await startWorker(ours.database, relay);
  const stockWorker = await startScript('references/stock-worker.ts', env(stock.database, relay));
  const bossWorker = await startScript<readonly object[], boolean>('references/boss-worker.ts', env(boss.database, relay));

  const found = await inRounds({
    ours: (warmUp) => deliveredBy(ours, relay, warmUp ? WARM_UP : MAILS),
    singles: (warmUp) => {
      const mails = warmUp ? WARM_UP : SINGLES;
      return delivered(ours.database, relay, mails, () => queueSingles(ours.database, singles, mails));
    },
    posts: async (warmUp) => {
      const mails = warmUp ? WARM_UP : MAILS;
      await relay.ask('reset');
      await posts.ask(mails);
      const { first, last } = await relay.ask('count');
      return mails / ((last - first) / 1000);
    },
    stock: (warmUp) => deliveredBy(stock, relay, warmUp ? STOCK_MAILS / 5 : STOCK_MAILS, () => queueOneByOne(stock)),
    boss: (warmUp) => deliveredBy(boss, relay, warmUp ? WARM_UP : MAILS, () => queueWithBoss(boss, bossWorker)),
  });
  await worker.end();
  for (const process of [relay, posts, stockWorker, bossWorker]) await process.end();
  const against = (name: string, values: readonly number[]) => ({
    name,
    unit: 'emails/s' as const,
    values,
    ratio: ratios(found.ours, values),
  });
  return [
    {
      part: 'deliver',
      title: 'Deliver to a relay that responds at once, with reminders',
      used: `${found.ours.length} rounds of ${MAILS} emails (graphile-worker: ${STOCK_MAILS}), ${RELAY_CONCURRENCY} at a time`,
      series: [
        { name: 'ours', unit: 'emails/s', values: found.ours },
        { name: `ours, from requests of one recipient, ${TOGETHER} at a time`, unit: 'emails/s', values: found.singles },
        against('the POSTs alone', found.posts),
        against('graphile-worker, one job per email', found.stock),
        against('pg-boss, batches of 100', found.boss),
      ],
    },
  ];
}

async function contender(bench: Bench, name: string): Promise<Contender> {
  const database = await bench.database(name);
  return { database, trigger: await createTrigger(database) };
}

const env = ({ url }: Database, relay: Relay) => ({
  DATABASE_URL: url,
  RELAY_URL: relay.url,
  RELAY_CONCURRENCY: String(RELAY_CONCURRENCY),
});

/** @param queue How a contender with a queue of its own queues what is in the tables. */
const deliveredBy = ({ database, trigger }: Contender, relay: Relay, mails: number, queue?: () => Promise<void>) =>
  delivered(database, relay, mails, async () => {
    await queueMails(database, trigger, mails, { reminderDays: 7, withoutJobs: queue !== undefined });
    await queue?.();
  });

async function queueOneByOne({ database: { sql } }: Contender): Promise<void> {
  await sql`
    select graphile_worker.add_jobs(array_agg(
      row('send_one', json_build_object('invitation_id', id), null, null, null, null, null, null)::graphile_worker.job_spec))
    from invite.invitations`;
}

async function queueWithBoss({ database: { sql } }: Contender, worker: Script<readonly object[], boolean>): Promise<void> {
  const rows = await sql<{ id: string }[]>`select id from invite.invitations order by id`;
  await worker.ask(rows.map(({ id }) => ({ invitation_id: Number(id) })));
}

/** What is possible is arithmetic: as many at a time as RELAY_CONCURRENCY, each for as long as the relay takes. */
export async function slow(bench: Bench): Promise<Result[]> {
  const ours = await contender(bench, 'slow');
  const relay = await startRelay({ DELAY_MS: String(SLOW_MS) });
  const worker = await startWorker(ours.database, relay);
  const { ours: rates } = await inRounds({ ours: (warmUp) => deliveredBy(ours, relay, warmUp ? 500 : SLOW_MAILS) });
  await worker.end();
  await relay.end();
  const limit = (RELAY_CONCURRENCY / SLOW_MS) * 1000;
  return [
    {
      part: 'slow',
      title: `Deliver to a relay that takes ${SLOW_MS} ms`,
      used: `${rates.length} rounds of ${SLOW_MAILS} emails, ${RELAY_CONCURRENCY} at a time`,
      series: [
        { name: 'ours', unit: 'emails/s', values: rates },
        { name: 'the arithmetic limit', unit: 'emails/s', values: [limit], ratio: rates.map((rate) => rate / limit) },
      ],
    },
  ];
}
