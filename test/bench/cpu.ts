// Measures the CPU time of each process, per request and per email. Linux only (/proc).
import { existsSync, readFileSync } from 'node:fs';
import { type Script, startScript } from './child.ts';
import { queueEmails, settled } from './emails.ts';
import {
  type Bench,
  createTrigger,
  createTriggers,
  type Database,
  ENDPOINT,
  RELAY_CONCURRENCY,
  startLoad,
  startRelay,
  startServer,
  startWorker,
} from './harness.ts';
import type { Load, LoadResult } from './load.ts';
import type { Result, Series } from './result.ts';

const ROUNDS = 3;
const SECONDS = 3;
const EMAILS = 20_000;
/** /proc counts CPU time in hundredths of a second. */
const TICK_US = 10_000;

/** Returns the CPU time of a process in microseconds, or 0 if the process isn't on this machine or has ended. */
export function used(pid: number | undefined): number {
  try {
    const [, after = ''] = /^.*\) (.*)$/s.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? [];
    const fields = after.split(' ');
    return (Number(fields[11]) + Number(fields[12])) * TICK_US;
  } catch {
    return 0;
  }
}

/** Returns the CPU time of all current processes of PostgreSQL. */
export async function usedByPostgres({ sql }: Database): Promise<number> {
  const processes = await sql<{ pid: number }[]>`select pid from pg_stat_activity`;
  const here = processes.filter(
    ({ pid }) => existsSync(`/proc/${pid}`) && readFileSync(`/proc/${pid}/comm`, 'utf8') === 'postgres\n',
  );
  return here.reduce((sum, { pid }) => sum + used(pid), 0);
}

type Reader = () => Promise<number> | number;

/** Returns the CPU time of each process per unit of work, for each round after the warm-up. @param work Returns the number of units it did. */
async function shares(what: string, processes: Record<string, Reader>, work: () => Promise<number>): Promise<Series[]> {
  const found = Object.keys(processes).map((name): { name: string; values: number[] } => ({ name, values: [] }));
  const read = () => Promise.all(Object.values(processes).map((reader) => reader()));
  for (let round = 0; round <= ROUNDS; round += 1) {
    const before = await read();
    const done = await work();
    const after = await read();
    if (round > 0)
      for (const [index, { values }] of found.entries()) values.push(((after[index] ?? 0) - (before[index] ?? 0)) / done);
  }
  return found.map(({ name, values }) => ({ name: `${what}: ${name}`, unit: 'µs', values }));
}

export async function cpu(bench: Bench): Promise<Result[]> {
  const series = existsSync('/proc/self/stat') ? [...(await ofRequests(bench)), ...(await ofEmails(bench))] : [];
  const title = 'CPU time of each process, per request or email';
  return [{ part: 'cpu', title, used: `${ROUNDS} rounds of ${SECONDS} s, of ${EMAILS} emails`, series }];
}

async function ofRequests(bench: Bench): Promise<Series[]> {
  const database = await bench.database('cpu');
  const server = await startServer(database);
  const load = await startLoad();
  const accepting = await createTriggers(database, 128);
  const cooling = await createTriggers(database, 32, { cooldownSeconds: 86_400 });
  const postgres = () => usedByPostgres(database);
  const offer = (url: string, from: typeof accepting, clients: number) => () =>
    answered(load, { url, clients, secrets: from.map(({ secret }) => secret) });
  const ofServer = { server: () => used(server.pid), PostgreSQL: postgres };
  const series = [
    ...(await shares('accepted, 32 clients', ofServer, offer(server.url, accepting, 32))),
    ...(await shares('accepted, 128 clients', ofServer, offer(server.url, accepting, 128))),
    ...(await shares('rejected within the cooldown', ofServer, offer(server.url, cooling, 32))),
  ];
  for (const process of [load, server]) await process.end();
  return series;
}

/** Runs the load. Returns how many requests got a response. */
async function answered(load: Script<Load, LoadResult>, { url, ...given }: Omit<Load, 'seconds'>): Promise<number> {
  const { statuses } = await load.ask({ url: url + ENDPOINT, seconds: SECONDS, ...given });
  return Object.values(statuses).reduce((sum, count) => sum + count, 0);
}

async function ofEmails(bench: Bench): Promise<Series[]> {
  const database = await bench.database('cpu_emails');
  const trigger = await createTrigger(database);
  const relay = await startRelay();
  const posts = await startScript<number, boolean>('references/posts.ts', {
    RELAY_URL: relay.url,
    RELAY_CONCURRENCY: String(RELAY_CONCURRENCY),
  });
  const worker = await startWorker(database, relay);
  const series = [
    ...(await shares('a POST alone', { client: () => used(posts.child.pid) }, async () => {
      await posts.ask(EMAILS);
      return EMAILS;
    })),
    ...(await shares(
      'an email, queued and sent',
      { worker: () => used(worker.pid), PostgreSQL: () => usedByPostgres(database) },
      async () => {
        await database.sql`truncate invite.invitations, invite.messages, invite.addresses, invite.batches cascade`;
        await relay.ask('reset');
        await queueEmails(database, trigger, EMAILS, { reminders: [7] });
        await settled(database, relay, EMAILS);
        return EMAILS;
      },
    )),
  ];
  for (const process of [worker, posts, relay]) await process.end();
  return series;
}
