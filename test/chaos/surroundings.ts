// CHAOS=connections and CHAOS=clocks: faults around PostgreSQL and the programs. Other clients hold hundreds of idle connections, and then
// all of them. The clocks of PostgreSQL and of the programs are set an hour forward and back.
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { openDatabase, type Sql } from '../../src/database/pool.ts';
import { startClients } from './crash.ts';
import {
  type Chaos,
  createTrigger,
  drained,
  emailedBatches,
  freePort,
  NO_LIMITS,
  openChaos,
  relaySettings,
  retryNow,
  supervise,
} from './harness.ts';
import { startRelay } from './relay.ts';

const SETTLED_WITHIN_MS = 90_000;
const IDLE = 300;

/** Puts load on server and worker while `happen` runs. Returns what became of the requests. */
async function underLoad(chaos: Chaos, env: Record<string, string>, happen: () => Promise<void>) {
  const relay = await startRelay({ delayMs: 1 });
  const { secret } = await createTrigger(chaos.store);
  const port = await freePort();
  const settings = { DATABASE_URL: chaos.url, ...relaySettings(relay.url), ...NO_LIMITS, ...env, PORT: port };
  const programs = await Promise.all(['serve', 'work'].map((command) => supervise(command, settings)));
  const clients = startClients(port, secret);
  await delay(2_000);
  await happen();
  await delay(2_000);
  const { accepted, answers } = await clients.stop();
  const settledAtOnce = await drained(chaos.sql, 10_000);
  const [waiting] =
    await chaos.sql`select count(*)::integer as count from invite.messages where status = 'queued' and not_before > now()`;
  const settled = settledAtOnce || (await retryNow(chaos.sql, SETTLED_WITHIN_MS));
  const emailed = await emailedBatches(chaos.sql);
  const missing = [...accepted].filter((batch) => !emailed.has(batch)).length;
  const strange = [...answers].filter(([status]) => ![200, 503].includes(status)).length;
  const stopped = await Promise.all(programs.map((program) => program.stop()));
  relay.close();
  return {
    failures: missing + relay.doubled() + strange + (settled ? 0 : 1) + stopped.filter((ended) => !ended).length,
    figures:
      `${accepted.size} responses of 200 (all: ${JSON.stringify(Object.fromEntries(answers))}), ${missing} of them lost, ` +
      `${relay.doubled()} delivered twice, ${programs.map((program) => program.restarts()).join(' and ')} restarts, ` +
      `${waiting?.count} due later; ${settled ? 'all settled' : 'NOT SETTLED'}`,
    busy: answers.get(503) ?? 0,
  };
}

export async function connections(): Promise<number> {
  const chaos = await openChaos('chaos_connections');
  const idle: Sql[] = [];
  const take = async () => {
    const connection = openDatabase(chaos.url, { applicationName: 'chaos idle' });
    idle.push(connection);
    await connection`select 1`;
  };
  while (idle.length < IDLE) await take();
  const beside = await underLoad(chaos, {}, () => delay(5_000));
  console.log(`beside ${IDLE} idle connections: ${beside.figures}`);

  const without = await underLoad(chaos, {}, async () => {
    const before = idle.length;
    const fill = async () => {
      for (let full = false; !full; ) {
        full = await take().then(
          () => false,
          () => true,
        );
      }
    };
    await fill();
    // As after a network fault, the programs lose their connections and other clients take the free places first.
    const [admin] = idle;
    await admin?.unsafe(`
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and application_name like 'invitation-trigger%'`);
    await fill();
    await delay(5_000);
    for (const connection of idle.splice(before)) await connection.end({ timeout: 0 });
  });
  console.log(`while others hold all connections for 5 s: ${without.figures}`);
  await Promise.all(idle.map((connection) => connection.end({ timeout: 0 })));
  await chaos.close();
  return beside.failures + beside.busy + without.failures + (without.busy === 0 ? 1 : 0);
}

const LIBRARY = readdirSync('/usr/lib', { encoding: 'utf8' })
  .map((folder) => `/usr/lib/${folder}/faketime/libfaketime.so.1`)
  .find(existsSync);

/** A clock that can be set, for programs that get its environment. Undefined: libfaketime is not installed. */
export function fakeClock(name: string) {
  if (LIBRARY === undefined) return undefined;
  const folder = new URL('../../.data/chaos-clocks/', import.meta.url).pathname;
  mkdirSync(folder, { recursive: true });
  return {
    set: (offset: string) => writeFileSync(`${folder}${name}`, `${offset}\n`, { mode: 0o644 }),
    env: {
      LD_PRELOAD: LIBRARY,
      FAKETIME_TIMESTAMP_FILE: `${folder}${name}`,
      FAKETIME_NO_CACHE: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
      DONT_FAKE_MONOTONIC: '1',
    },
  };
}

export async function clocks(): Promise<number> {
  const [server, programs] = [fakeClock('server'), fakeClock('programs')];
  if (server === undefined || programs === undefined) {
    console.log('clocks: skipped, libfaketime is not installed');
    return 0;
  }
  for (const skewed of [server, programs]) skewed.set('+0');
  Object.assign(process.env, server.env);
  const chaos = await openChaos('chaos_clocks');
  for (const name of Object.keys(server.env)) delete process.env[name];
  const [read] = await chaos.sql`select clock_timestamp() as now`;
  server.set('+3600');
  const [later] = await chaos.sql`select clock_timestamp() as now`;
  if (later?.now - read?.now < 3_000_000)
    throw new Error("PostgreSQL's clock can't be set: stop the cluster of .data/chaos first");
  server.set('+0');
  const { failures, figures } = await underLoad(chaos, programs.env, async () => {
    for (const skewed of [server, programs]) {
      for (const offset of ['+3600', '+0', '-3600', '+0']) {
        skewed.set(offset);
        await delay(4_000);
      }
    }
  });
  console.log(`the clocks of PostgreSQL, and then of server and worker, an hour forward and back: ${figures}`);
  await chaos.close();
  return failures;
}
