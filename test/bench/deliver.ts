// Delivers to a relay on loopback. One relay responds at once, with reminders enabled; the other takes 100 ms.
import { type Script, startScript } from './child.ts';
import { delivered, queueEmails, queueSingles } from './emails.ts';
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
import { inRounds, type Result, ratios } from './result.ts';

const EMAILS = 50_000;
/** This many emails compile the code and fill the caches. */
const WARM_UP = 10_000;
/** One job per email is slow, so this contender sends fewer emails. */
const STOCK_EMAILS = 5_000;
/** One call accepts this many requests. Each has one recipient and its own token. */
const TOGETHER = 64;
const SINGLES = 20_000;
const SLOW_EMAILS = 3_000;
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
    ours: (warmUp) => deliveredBy(ours, relay, warmUp ? WARM_UP : EMAILS),
    singles: (warmUp) => {
      const emails = warmUp ? WARM_UP : SINGLES;
      return delivered(ours.database, relay, emails, () => queueSingles(ours.database, singles, emails));
    },
    posts: async (warmUp) => {
      const emails = warmUp ? WARM_UP : EMAILS;
      await relay.ask('reset');
      await posts.ask(emails);
      const { first, last } = await relay.ask('count');
      return emails / ((last - first) / 1000);
    },
    stock: (warmUp) => deliveredBy(stock, relay, warmUp ? STOCK_EMAILS / 5 : STOCK_EMAILS, () => queueOneByOne(stock)),
    boss: (warmUp) => deliveredBy(boss, relay, warmUp ? WARM_UP : EMAILS, () => queueWithBoss(boss, bossWorker)),
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
      used: `${found.ours.length} rounds of ${EMAILS} emails (graphile-worker: ${STOCK_EMAILS}), ${RELAY_CONCURRENCY} at a time`,
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

/** Returns emails per second. @param queue Queues the rows of a contender that has its own queue. */
const deliveredBy = ({ database, trigger }: Contender, relay: Relay, emails: number, queue?: () => Promise<void>) =>
  delivered(database, relay, emails, async () => {
    await queueEmails(database, trigger, emails, { reminders: [7], withoutJobs: queue !== undefined });
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

/**
 * Measures a slow relay. The highest possible rate is RELAY_CONCURRENCY divided by the response time: 50 requests at a time and 100 ms each
 * make 500 emails a second.
 */
export async function slow(bench: Bench): Promise<Result[]> {
  const ours = await contender(bench, 'slow');
  const relay = await startRelay({ DELAY_MS: String(SLOW_MS) });
  const worker = await startWorker(ours.database, relay);
  const { ours: rates } = await inRounds({ ours: (warmUp) => deliveredBy(ours, relay, warmUp ? 500 : SLOW_EMAILS) });
  await worker.end();
  await relay.end();
  const limit = (RELAY_CONCURRENCY / SLOW_MS) * 1000;
  return [
    {
      part: 'slow',
      title: `Deliver to a relay that takes ${SLOW_MS} ms`,
      used: `${rates.length} rounds of ${SLOW_EMAILS} emails, ${RELAY_CONCURRENCY} at a time`,
      series: [
        { name: 'ours', unit: 'emails/s', values: rates },
        { name: 'the arithmetic limit', unit: 'emails/s', values: [limit], ratio: rates.map((rate) => rate / limit) },
      ],
    },
  ];
}
