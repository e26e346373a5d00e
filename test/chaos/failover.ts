// CHAOS=failover: under load, the primary stops as in a power cut and its standby is promoted. The name in DATABASE_URL, here a proxy,
// follows it. A synchronous standby has everything that was accepted. An asynchronous one may lack the last requests; they are counted, and
// allowed.

import { rmSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { migrate } from '../../src/database/migrate.ts';
import { openDatabase } from '../../src/database/pool.ts';
import { createStore } from '../../src/database/store.ts';
import { startEmbedded } from '../../src/dev/embedded.ts';
import { commandRunner } from '../../src/dev/postgres-commands.ts';
import { binariesOf, findInstalled, type Installed } from '../fixtures/installed.ts';
import { startProxy } from '../fixtures/proxy.ts';
import { until } from '../fixtures/setup.ts';
import { startClients } from './crash.ts';
import { createTrigger, drained, emailedBatches, freePort, NO_LIMITS, relaySettings, supervise } from './harness.ts';
import { startRelay } from './relay.ts';

const DATA_DIR = new URL('../../.data/chaos-failover', import.meta.url).pathname;
const SETTLED_WITHIN_MS = 90_000;

export async function failover(): Promise<number> {
  const installed = findInstalled();
  if (installed === undefined) {
    console.log('failover: skipped, no PostgreSQL with pg_basebackup is installed');
    return 0;
  }
  return (await failOver(installed, true)) + (await failOver(installed, false));
}

async function failOver(installed: Installed, synchronous: boolean): Promise<number> {
  rmSync(DATA_DIR, { recursive: true, force: true });
  const binaries = binariesOf(installed);
  const primary = await startEmbedded(`${DATA_DIR}/primary`, binaries);
  await migrate(primary.url);
  const sql = openDatabase(primary.url, { applicationName: 'chaos' });
  const { secret } = await createTrigger(createStore(sql));

  const standby = `${DATA_DIR}/standby`;
  const port = await freePort();
  const run = commandRunner(binaries.initdb, standby);
  const cluster = `${standby}/cluster`;
  const control = (...args: string[]) => run(binaries.pg_ctl, ['--pgdata', cluster, '--wait', ...args]);
  run(`${installed.bin}/pg_basebackup`, [
    '--pgdata',
    cluster,
    '--write-recovery-conf',
    '--checkpoint=fast',
    '--dbname',
    primary.url,
  ]);
  const start = [
    '--log',
    `${standby}/log`,
    '--options',
    `-p ${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories= -c max_connections=400`,
  ];
  control(...start, 'start');
  const standbyUrl = new URL(primary.url);
  standbyUrl.port = port;
  if (synchronous) {
    await sql.unsafe(`alter system set synchronous_standby_names = '*'`);
    await sql`select pg_reload_conf()`;
  }
  await until('the standby follows', async () => {
    const [row] = await sql`select sync_state from pg_stat_replication where state = 'streaming'`;
    return row?.sync_state === (synchronous ? 'sync' : 'async');
  });
  await sql.end();

  const relay = await startRelay({ delayMs: 1 });
  const proxy = await startProxy(primary.url);
  const httpPort = await freePort();
  const env = { DATABASE_URL: proxy.url, ...relaySettings(relay.url), ...NO_LIMITS, PORT: httpPort };
  const programs = await Promise.all(['serve', 'work'].map((command) => supervise(command, env)));
  const clients = startClients(httpPort, secret);
  await delay(5_000);
  commandRunner(binaries.initdb, `${DATA_DIR}/primary/postgres`)(binaries.pg_ctl, [
    ...['--pgdata', `${DATA_DIR}/primary/postgres/cluster`, '--mode', 'immediate', '--wait', 'stop'],
  ]);
  // The proxy leads to the standby before its promotion: all requests must wait.
  proxy.redirect(standbyUrl.href);
  const ready = await until('a server that reaches a standby says so', async () => {
    const { database } = (await (await fetch(`http://127.0.0.1:${httpPort}/readyz`)).json()) as { database: string };
    return database === 'read_only' && database;
  });
  control('promote');
  await delay(5_000);
  const { accepted, answers } = await clients.stop();

  const after = openDatabase(standbyUrl.href, { applicationName: 'chaos' });
  const settled = await drained(after, SETTLED_WITHIN_MS);
  const emailed = await emailedBatches(after);
  const missing = [...accepted].filter((batch) => !emailed.has(batch)).length;
  await after.end();
  const stopped = await Promise.all(programs.map((program) => program.stop()));
  console.log(
    `failover to a${synchronous ? ' synchronous' : 'n asynchronous'} standby of PostgreSQL ${installed.version} (readyz: ${ready}): ` +
      `${accepted.size} responses of 200 (all: ${JSON.stringify(Object.fromEntries(answers))}), ${missing} of them lost, ` +
      `${relay.doubled()} delivered twice; ${settled ? 'all settled' : 'NOT SETTLED'}`,
  );
  await proxy.close();
  relay.close();
  control('--mode', 'immediate', 'stop');
  await primary.stop();
  rmSync(DATA_DIR, { recursive: true, force: true });
  return (synchronous ? missing + relay.doubled() : 0) + (settled ? 0 : 1) + stopped.filter((ended) => !ended).length;
}
