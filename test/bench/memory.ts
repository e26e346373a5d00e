// Measures the memory of server and worker, idle and under load, and the time from the start to the first response.
import { execFileSync } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { offer } from './accept.ts';
import { queueEmails, settled } from './emails.ts';
import {
  type Bench,
  createTrigger,
  createTriggers,
  type Running,
  startLoad,
  startRelay,
  startServer,
  startWorker,
} from './harness.ts';
import type { Result } from './result.ts';

const ROUNDS = 3;
const EMAILS = 5_000;
const CLIENTS = 128;
const SECONDS = 3;

export async function memory(bench: Bench): Promise<Result[]> {
  const database = await bench.database('memory');
  const relay = await startRelay();
  const load = await startLoad();
  const secrets = (await createTriggers(database, CLIENTS)).map(({ secret }) => secret);
  const trigger = await createTrigger(database);
  const found = {
    answer: [] as number[],
    server: [] as number[],
    accepting: [] as number[],
    worker: [] as number[],
    sending: [] as number[],
  };
  for (let round = 0; round < ROUNDS; round += 1) {
    const began = performance.now();
    const server = await startServer(database);
    await (await fetch(`${server.url}/readyz`)).text();
    found.answer.push((performance.now() - began) / 1000);
    found.server.push(resident(server));
    found.accepting.push(await peak(server, offer(load, server, { clients: CLIENTS, secrets, seconds: SECONDS })));
    await server.end();

    await database.sql`truncate invite.invitations, invite.messages, invite.addresses, invite.batches cascade`;
    await database.sql`truncate graphile_worker._private_jobs`;
    await relay.ask('reset');
    const worker = await startWorker(database, relay);
    found.worker.push(resident(worker));
    const sent = queueEmails(database, trigger, EMAILS).then(() => settled(database, relay, EMAILS));
    found.sending.push(await peak(worker, sent));
    await worker.end();
  }
  await load.end();
  await relay.end();
  return [
    {
      part: 'memory',
      title: 'Memory and startup',
      used: `${ROUNDS} rounds; ${CLIENTS} clients for ${SECONDS} s; ${EMAILS} emails`,
      series: [
        { name: 'from start to the first response', unit: 's', values: found.answer },
        { name: 'server, started', unit: 'MB', values: found.server },
        { name: 'server, at most while accepting', unit: 'MB', values: found.accepting },
        { name: 'worker, started', unit: 'MB', values: found.worker },
        { name: 'worker, at most while sending', unit: 'MB', values: found.sending },
      ],
    },
  ];
}

/** Returns the resident memory of a process, in MB. */
const resident = ({ pid }: Running): number => Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)])) / 1024;

/** Returns the most memory that a process uses while the work runs. */
async function peak(process: Running, work: Promise<unknown>): Promise<number> {
  let going = true;
  const over = () => {
    going = false;
  };
  work.then(over, over);
  let most = 0;
  while (going) {
    most = Math.max(most, resident(process));
    await delay(100);
  }
  await work;
  return most;
}
