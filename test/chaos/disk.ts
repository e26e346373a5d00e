// CHAOS=disk: PostgreSQL's disk fills under load and has space again half a minute later. Requests meanwhile get 503, everything that was
// accepted is emailed, and the service continues by itself. PostgreSQL stops when it can't write its log. A supervisor would start it
// again; here this part does.
import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { migrate } from '../../src/database/migrate.ts';
import { openDatabase } from '../../src/database/pool.ts';
import { createStore } from '../../src/database/store.ts';
import { startEmbedded } from '../../src/dev/embedded.ts';
import { startClients } from './crash.ts';
import {
  BINARIES,
  createTrigger,
  drained,
  emailedBatches,
  freePort,
  NO_LIMITS,
  postTrigger,
  relaySettings,
  supervise,
} from './harness.ts';
import { startRelay } from './relay.ts';

const FOLDER = new URL('../../.data/chaos-disk', import.meta.url).pathname;
const SIZE_MB = 256;
const FULL_MS = 30_000;
const SETTLED_WITHIN_MS = 120_000;

export async function disk(): Promise<number> {
  mkdirSync(FOLDER, { recursive: true });
  if (spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${SIZE_MB}m,mode=755`, 'tmpfs', FOLDER]).status !== 0) {
    console.log('disk: skipped, a small file system can be mounted only by root');
    return 0;
  }
  try {
    return await fillDisk();
  } finally {
    spawnSync('umount', ['--lazy', FOLDER]);
    rmSync(FOLDER, { recursive: true, force: true });
  }
}

async function fillDisk(): Promise<number> {
  const clusters = [await startEmbedded(FOLDER, BINARIES)];
  const { url = '' } = clusters[0] ?? {};
  await migrate(url);
  const sql = openDatabase(url, { applicationName: 'chaos' });
  const { secret } = await createTrigger(createStore(sql));
  const relay = await startRelay({ delayMs: 1 });
  const port = await freePort();
  const env = { DATABASE_URL: url, ...relaySettings(relay.url), ...NO_LIMITS, PORT: port };
  const programs = await Promise.all(['serve', 'work'].map((command) => supervise(command, env)));
  const clients = startClients(port, secret);
  await delay(3_000);

  const ballast = `${FOLDER}/ballast`;
  const fill = () => {
    const { bavail, bsize } = statfsSync(FOLDER);
    if (bavail > 0) writeFileSync(ballast, Buffer.alloc(bavail * bsize), { flag: 'a' });
  };
  const fullAt = Date.now();
  while (Date.now() < fullAt + FULL_MS) {
    try {
      fill();
    } catch {
      // PostgreSQL used the space before this could.
    }
    await delay(200);
  }
  rmSync(ballast);
  const freeAt = Date.now();
  // If PostgreSQL still runs, this joins it.
  clusters.push(await startEmbedded(FOLDER, BINARIES));
  const again = await until200(port, secret);
  await delay(3_000);
  const { accepted, answers } = await clients.stop();
  const settled = await drained(sql, SETTLED_WITHIN_MS);
  const emailed = await emailedBatches(sql);
  const missing = [...accepted].filter((batch) => !emailed.has(batch)).length;
  const strange = [...answers].filter(([status]) => ![200, 503].includes(status)).length;
  const stopped = await Promise.all(programs.map((program) => program.stop()));
  console.log(
    `a disk that is full for ${FULL_MS / 1000} s under load: ${accepted.size} responses of 200 (all: ${JSON.stringify(Object.fromEntries(answers))}), ` +
      `${missing} of them lost, ${relay.doubled()} delivered twice, accepting again after ${again - freeAt} ms, ` +
      `${programs.map((program) => program.restarts()).join(' and ')} restarts of server and worker; ${settled ? 'all settled' : 'NOT SETTLED'}`,
  );
  await sql.end({ timeout: 1 });
  relay.close();
  for (const cluster of clusters) await cluster.stop();
  return (
    missing +
    relay.doubled() +
    strange +
    (answers.has(503) ? 0 : 1) +
    (settled ? 0 : 1) +
    stopped.filter((ended) => !ended).length
  );
}

/** Returns the time when a request is accepted again. */
async function until200(port: string, secret: string): Promise<number> {
  for (const deadline = Date.now() + 60_000; Date.now() < deadline; await delay(100)) {
    const [status] = await postTrigger(port, secret, { email: 'probe@example.com' });
    if (status === 200) return Date.now();
  }
  return Number.NaN;
}
