// Three cells, each a PostgreSQL of its own with a worker, a router before them, and a server. For CHAOS=cells.
import { spawnSync } from 'node:child_process';
import { addCell, renewRouter } from '../../src/cells/router.ts';
import { migrate } from '../../src/database/migrate.ts';
import { openDatabase, type Sql } from '../../src/database/pool.ts';
import { createStore, type Store } from '../../src/database/store.ts';
import { startEmbedded } from '../../src/dev/embedded.ts';
import { findBinaries } from '../../src/dev/postgres-commands.ts';
import { databaseUrl } from '../fixtures/cluster.ts';
import { binariesOf, findInstalled } from '../fixtures/installed.ts';
import { createSurvey, createToken } from '../fixtures/setup.ts';
import { end, freePort, NO_LIMITS, relaySettings, startProgram } from './harness.ts';

const DATABASE = 'chaos_cells';
const folder = (name: string) => new URL(`../../.data/chaos-cells-${name}`, import.meta.url).pathname;

export interface ChaosCell {
  readonly home: string;
  /** As the superuser, which owns it. */
  readonly url: string;
  readonly sql: Sql;
  readonly store: Store;
  readonly workspace: string;
  readonly hash: Buffer;
  readonly secret: string;
  /** Crashes its PostgreSQL as a power cut would. */
  kill(): Promise<void>;
  start(): Promise<void>;
}

/** An empty database in a cluster of its own. */
async function openCluster(name: string, binaries?: Parameters<typeof startEmbedded>[1]) {
  const cluster = await startEmbedded(folder(name), binaries);
  const admin = openDatabase(cluster.url, { applicationName: 'chaos' });
  // Times are compared, so the speed of a shared disk must not matter.
  await admin.unsafe('alter system set fsync = off');
  await admin`select pg_reload_conf()`;
  await admin.unsafe(`drop database if exists ${DATABASE} with (force)`);
  await admin.unsafe(`create database ${DATABASE}`);
  await admin.unsafe('do $$ begin create role invite_web nologin; exception when duplicate_object then null; end $$');
  await admin.end();
  return { cluster, url: databaseUrl(cluster.url, DATABASE) };
}

async function openCell(home: string, cellNumber: number): Promise<ChaosCell & { close(): Promise<void> }> {
  const { cluster, url } = await openCluster(home);
  const joined = [cluster];
  await migrate(url, { cell: { home, cellNumber } });
  const sql = openDatabase(url, { max: 2, applicationName: 'chaos' });
  const store = createStore(sql);
  const { workspace, survey } = await createSurvey(store);
  const { hash, secret } = await createToken(store, survey);
  const { pg_ctl } = await findBinaries();
  const asOwner = process.getuid?.() === 0 ? ['setpriv', '--reuid=postgres', '--regid=postgres', '--clear-groups'] : [];
  return {
    ...{ home, url, sql, store, workspace, hash, secret },
    async kill() {
      const [command = '', ...args] = [
        ...asOwner,
        pg_ctl,
        '--pgdata',
        `${folder(home)}/postgres/cluster`,
        '--mode',
        'immediate',
        '--wait',
        'stop',
      ];
      spawnSync(command, args, { cwd: '/' });
    },
    async start() {
      joined.push(await startEmbedded(folder(home)));
    },
    async close() {
      await sql.end({ timeout: 1 });
      for (const one of joined) await one.stop();
    },
  };
}

/** Undefined: PL/Proxy isn't installed. */
export async function openCells(relayUrl: string) {
  const installed = findInstalled();
  if (installed === undefined) return undefined;
  const cells = [await openCell('aaaa', 1), await openCell('bbbb', 2), await openCell('cccc', 3)] as const;
  const { cluster, url } = await openCluster('router', binariesOf(installed));
  await renewRouter(url, cells[0].url);
  for (const cell of cells) await addCell(url, cell.url);
  const port = await freePort();
  const settings = { ...relaySettings(relayUrl), ...NO_LIMITS };
  const programs = [await startProgram('serve', { ...settings, DATABASE_URL: url, PORT: port, TRUST_PROXY: '1' })];
  for (const cell of cells) programs.push(await startProgram('work', { ...settings, DATABASE_URL: cell.url }));
  return {
    ...{ cells, port, routerUrl: url },
    async close() {
      for (const program of programs) await end(program, 'SIGTERM');
      for (const cell of cells) await cell.close();
      await cluster.stop();
    },
  };
}
