// Measures the processor time of a request through a router beside one that goes to its database directly. Linux only (/proc). Without PL/Proxy it
// measures nothing.
import { addCell, renewRouter } from '../../src/cells/router.ts';
import { openDatabase } from '../../src/database/pool.ts';
import { startEmbedded } from '../../src/dev/embedded.ts';
import { databaseUrl, settle } from '../fixtures/cluster.ts';
import { binariesOf, findInstalled } from '../fixtures/installed.ts';
import { missingPlproxy } from '../fixtures/router.ts';
import { used, usedByPostgres } from './cpu.ts';
import { type Bench, createTriggers, type Database, ENDPOINT, type Running, startLoad, startServer } from './harness.ts';
import { inRounds, type Result, ratios, type Series } from './result.ts';

const ROUNDS = 3;
const SECONDS = 3;
const DATA_DIR = new URL('../../.data/bench-router', import.meta.url).pathname;
const NAME = 'bench_router';

export async function router(bench: Bench): Promise<Result[]> {
  const title = 'Processor time of a request, of the server and PostgreSQL together';
  const installed = findInstalled();
  if (missingPlproxy !== false || installed === undefined) return [];
  const cell = await bench.database('cell');
  const cluster = await startEmbedded(DATA_DIR, binariesOf(installed));
  const admin = openDatabase(cluster.url, { applicationName: 'bench', transactions: true });
  await settle(admin);
  await admin.unsafe(`drop database if exists ${NAME} with (force)`);
  await admin.unsafe(`create database ${NAME}`);
  const url = databaseUrl(cluster.url, NAME);
  await cell.sql.unsafe(`do $$ begin create role invite_web nologin; exception when duplicate_object then null; end $$`);
  await renewRouter(url, cell.url);
  await addCell(url, cell.url);
  const [direct, through] = [await startServer(cell), await startServer({ ...cell, url })];
  const load = await startLoad();
  const triggers = await createTriggers(cell, 128);
  const series: Series[] = [];
  for (const clients of [1, 32, 128]) {
    const measure = (server: Running, databases: readonly Pick<Database, 'sql'>[]) => async () => {
      const read = async () =>
        (await Promise.all(databases.map((database) => usedByPostgres(database as Database)))).reduce(
          (sum, us) => sum + us,
          used(server.pid),
        );
      const before = await read();
      const secrets = triggers.map(({ secret }) => secret);
      const { statuses } = await load.ask({ url: server.url + ENDPOINT, clients, secrets, seconds: SECONDS });
      const { 200: accepted = 0, ...refused } = statuses;
      if (Object.keys(refused).length > 0) throw new Error(`not all were accepted: ${JSON.stringify(statuses)}`);
      return ((await read()) - before) / accepted;
    };
    const found = await inRounds({ direct: measure(direct, [cell]), through: measure(through, [cell, { sql: admin }]) }, ROUNDS);
    series.push(
      { name: `through a router, ${clients} clients`, unit: 'µs', values: found.through },
      { name: `direct, ${clients} clients`, unit: 'µs', values: found.direct, ratio: ratios(found.through, found.direct) },
    );
  }
  for (const process of [load, direct, through]) await process.end();
  await admin.unsafe(`drop database if exists ${NAME} with (force)`);
  await admin.end({ timeout: 1 });
  await cluster.stop();
  return [{ part: 'router', title, used: `${ROUNDS} rounds of ${SECONDS} s; 128 tokens`, series }];
}
