// Measures which tables grow under a steady 200 requests a second that are sent at once. Autovacuum runs once a minute. After two of its
// runs, the tables of the queue must keep their size, and batches, invitations and messages must grow only by their new rows.
import { setTimeout as delay } from 'node:timers/promises';
import { offer } from './accept.ts';
import { type Bench, createTriggers, type Database, startLoad, startRelay, startServer, startWorker } from './harness.ts';
import type { Result } from './result.ts';

const RATE = 200;
const CLIENTS = 32;
/** The sizes at this time are the baseline. */
const SETTLED_SECONDS = 120;
const SECONDS = 200;
const MOST_SECONDS = 600;
/** These tables hold no history: their size follows the current work. */
const QUEUE = ['graphile_worker._private_jobs', 'invite.trigger_tokens', 'invite.workers', 'invite.relays'];
const HISTORY = ['invite.invitations', 'invite.messages', 'invite.addresses', 'invite.batches'];

interface Sample {
  readonly queue: number;
  readonly history: number;
  readonly invitations: number;
}

export async function growth(bench: Bench): Promise<Result[]> {
  const seconds = Math.min(MOST_SECONDS, SECONDS * bench.scale);
  const database = await bench.database('growth');
  const relay = await startRelay();
  const server = await startServer(database);
  const worker = await startWorker(database, relay);
  const load = await startLoad();
  const secrets = (await createTriggers(database, CLIENTS)).map(({ secret }) => secret);

  const start = await sample(database);
  const offered = offer(load, server, { clients: CLIENTS, secrets, seconds, rate: RATE });
  await delay(SETTLED_SECONDS * 1000);
  const settled = await sample(database);
  const { p99 } = await offered;
  const finish = await sample(database);
  for (const process of [load, worker, server, relay]) await process.end();

  const points = [
    ['at the start', start],
    [`after ${SETTLED_SECONDS} s`, settled],
    ['at the end', finish],
  ] as const;
  const bytesEach = (from: Sample, to: Sample) => (to.history - from.history) / (to.invitations - from.invitations);
  return [
    {
      part: 'growth',
      title: `Growth under a steady ${RATE} requests/s`,
      used: `${seconds} s, ${finish.invitations.toLocaleString('en')} invitations; p99 of accepting ${p99} ms`,
      series: [
        ...points.map(([when, { queue }]) => ({
          name: `tables of the queue, ${when}`,
          unit: 'kB' as const,
          values: [queue / 1024],
        })),
        { name: 'one batch with its invitation, until then', unit: 'bytes', values: [bytesEach(start, settled)] },
        { name: 'one batch with its invitation, from then on', unit: 'bytes', values: [bytesEach(settled, finish)] },
      ],
    },
  ];
}

async function sample({ sql }: Database): Promise<Sample> {
  const [row = { queue: 0, history: 0, invitations: 0 }] = await sql<Sample[]>`
    select
      (select sum(pg_total_relation_size(t::regclass)) from unnest(${QUEUE}::text[]) as t)::float8 as queue,
      (select sum(pg_total_relation_size(t::regclass)) from unnest(${HISTORY}::text[]) as t)::float8 as history,
      (select count(*) from invite.invitations)::integer as invitations`;
  return row;
}
