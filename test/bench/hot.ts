// Measures the p99 of other tokens while one hot token is locked by another transaction or receives as many requests as possible.
import { offer } from './accept.ts';
import {
  type Bench,
  createTrigger,
  createTriggers,
  type Database,
  ENDPOINT,
  startLoad,
  startServer,
  type Trigger,
} from './harness.ts';
import type { LoadResult } from './load.ts';
import { inRounds, type Result } from './result.ts';

const CLIENTS = 32;
const HOT_CLIENTS = 8;
/** Requests per second of the other tokens. The rate is steady, so that a stall shows in every request that it delays. */
const RATE = 300;
const SECONDS = 3;

export async function hot(bench: Bench): Promise<Result[]> {
  const database = await bench.database('hot');
  // The server logs a line for each rejected request of the locked token. A higher level avoids that.
  const server = await startServer(database, { LOG_LEVEL: 'fatal' });
  const [load, hotLoad] = [await startLoad(), await startLoad()];
  const secrets = (await createTriggers(database, CLIENTS)).map(({ secret }) => secret);
  const trigger = await createTrigger(database);
  const cold = (seconds: number) => offer(load, server, { clients: CLIENTS, secrets, seconds, rate: RATE });
  const hammer = (seconds: number) =>
    hotLoad.ask({ url: server.url + ENDPOINT, clients: HOT_CLIENTS, secrets: [trigger.secret], seconds });

  const found = await inRounds({
    alone: (warmUp) => cold(warmUp ? 2 : SECONDS),
    locked: (warmUp) => whileLocked(database, trigger, () => beside(hammer, cold, warmUp ? 2 : SECONDS)),
    hammered: (warmUp) => beside(hammer, cold, warmUp ? 2 : SECONDS),
  });
  for (const process of [load, hotLoad, server]) await process.end();
  const p99s = (runs: readonly LoadResult[]) => runs.map(({ p99 }) => p99);
  const series = (name: string, runs: readonly LoadResult[]) => ({ name, unit: 'ms' as const, values: p99s(runs) });
  return [
    {
      part: 'hot',
      title: 'p99 of accepting beside one hot token',
      used: `${found.alone.length} rounds of ${SECONDS} s; ${RATE}/s from ${CLIENTS} clients, and ${HOT_CLIENTS} clients of the hot token without a pause`,
      series: [
        series('without the hot token', found.alone),
        series('the hot token is locked', found.locked),
        series('the hot token is hammered', found.hammered),
      ],
    },
  ];
}

/** Runs both loads. The hot load starts first and ends last. */
async function beside(
  hammer: (seconds: number) => Promise<LoadResult>,
  cold: (seconds: number) => Promise<LoadResult>,
  seconds: number,
) {
  const hammered = hammer(seconds + 1);
  const result = await cold(seconds);
  await hammered;
  return result;
}

async function whileLocked<T>({ sql }: Database, { hash }: Trigger, work: () => Promise<T>): Promise<T> {
  const connection = await sql.reserve();
  try {
    await connection`begin`;
    await connection`select from invite.trigger_tokens where secret_hash = ${hash} for no key update`;
    return await work();
  } finally {
    await connection`rollback`;
    connection.release();
  }
}
