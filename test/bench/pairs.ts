// Compares two servers and two workers on one PostgreSQL with one of each. Where one of each already uses the whole machine, this shows
// only that they don't slow each other down.
import { offer } from './accept.ts';
import { delivered, queueEmails } from './emails.ts';
import {
  type Bench,
  createTrigger,
  createTriggers,
  type Database,
  type Relay,
  type Running,
  startLoad,
  startRelay,
  startServer,
  startWorker,
  type Trigger,
} from './harness.ts';
import { inRounds, type Result } from './result.ts';

const CLIENTS = 64;
const SECONDS = 3;
const EMAILS = 20_000;
const WARM_UP = 5_000;

export async function pairs(bench: Bench): Promise<Result[]> {
  return [await servers(bench), await workers(bench)];
}

async function servers(bench: Bench): Promise<Result> {
  const database = await bench.database('pairs');
  const both: [Running, Running] = [await startServer(database), await startServer(database)];
  const loads = [await startLoad(), await startLoad()] as const;
  const secrets = (await createTriggers(database, 2 * CLIENTS)).map(({ secret }) => secret);
  const halves = [secrets.slice(0, CLIENTS), secrets.slice(CLIENTS)] as const;
  /** Runs both loads. The first uses server 0, the second uses the server with this number. */
  const accept = (second: 0 | 1) => async (warmUp: boolean) => {
    const given = { clients: CLIENTS, seconds: warmUp ? 1 : SECONDS };
    const [one, other] = await Promise.all([
      offer(loads[0], both[0], { ...given, secrets: halves[0] }),
      offer(loads[1], both[second], { ...given, secrets: halves[1] }),
    ]);
    return { perSecond: one.perSecond + other.perSecond, p99: Math.max(one.p99, other.p99) };
  };
  const found = await inRounds({ one: accept(0), two: accept(1) });
  for (const process of [...loads, ...both]) await process.end();
  const series = (name: string, runs: typeof found.one) =>
    ({ name, unit: 'requests/s', values: runs.map(({ perSecond }) => perSecond), p99: runs.map(({ p99 }) => p99) }) as const;
  return {
    part: 'pairs-servers',
    title: `Two servers on one PostgreSQL, ${2 * CLIENTS} clients`,
    used: `${found.one.length} rounds of ${SECONDS} s; two loads`,
    series: [series('one server', found.one), series('two servers', found.two)],
  };
}

async function workers(bench: Bench): Promise<Result> {
  const databases = { one: await bench.database('pairs_one'), two: await bench.database('pairs_two') };
  const relay = await startRelay();
  const running = [
    await startWorker(databases.one, relay),
    await startWorker(databases.two, relay),
    await startWorker(databases.two, relay),
  ];
  const deliver = async (name: 'one' | 'two') => {
    const trigger = await createTrigger(databases[name]);
    return (warmUp: boolean) => deliveredOnce(databases[name], trigger, relay, warmUp ? WARM_UP : EMAILS);
  };
  const found = await inRounds({ one: await deliver('one'), two: await deliver('two') });
  for (const process of [...running, relay]) await process.end();
  return {
    part: 'pairs-workers',
    title: 'Two workers on one PostgreSQL',
    used: `${found.one.length} rounds of ${EMAILS} emails, with reminders`,
    series: [
      { name: 'one worker', unit: 'emails/s', values: found.one },
      { name: 'two workers', unit: 'emails/s', values: found.two },
    ],
  };
}

/** Returns emails per second. @throws If the relay got an email twice. */
async function deliveredOnce(database: Database, trigger: Trigger, relay: Relay, emails: number): Promise<number> {
  const rate = await delivered(database, relay, emails, () => queueEmails(database, trigger, emails, { reminders: [7] }));
  const { emails: relayed } = await relay.ask('count');
  if (relayed !== emails) throw new Error(`${emails} emails were queued, but the relay got ${relayed}`);
  return rate;
}
