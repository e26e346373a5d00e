// What the parts of the benchmark share: databases on a real PostgreSQL, the program as processes, and surveys with tokens.
import { setTimeout as delay } from 'node:timers/promises';
import { migrate } from '../../src/database/migrate.ts';
import { openDatabase, type Sql } from '../../src/database/pool.ts';
import { createStore, type Store } from '../../src/database/store.ts';
import { startEmbedded } from '../../src/dev/embedded.ts';
import { createSecret } from '../../src/secret.ts';
import { end, startCommand } from '../fixtures/child.ts';
import { type Script, startScript } from './child.ts';
import type { Load, LoadResult } from './load.ts';
import type { RelayCount } from './relay.ts';

const DATA_DIR = new URL('../../.data/bench', import.meta.url).pathname;
/** Recipients per hour, so many that the quota is never reached. */
export const VOLUME = 100_000_000;
export const RELAY_CONCURRENCY = 50;

export interface Database {
  readonly url: string;
  readonly sql: Sql;
  readonly store: Store;
}

export interface Bench {
  /** Counts are multiplied by this. */
  readonly scale: number;
  readonly postgres: string;
  /** Creates a migrated database. It replaces an earlier one with this name. */
  database(name: string): Promise<Database>;
  /** Drops the databases. */
  clear(): Promise<void>;
  close(): Promise<void>;
}

/** Connects to BENCH_DATABASE_URL, or starts an embedded PostgreSQL. */
export async function openBench(scale: number): Promise<Bench> {
  const embedded = process.env.BENCH_DATABASE_URL ? undefined : await startEmbedded(DATA_DIR);
  const address = new URL(process.env.BENCH_DATABASE_URL ?? embedded?.url ?? '');
  const admin = openDatabase(address.href, { applicationName: 'bench', transactions: true });
  const [{ version = '' } = {}] = await admin<{ version: string }[]>`select current_setting('server_version') as version`;
  const open = new Map<string, Sql>();
  const drop = async (name: string) => {
    await open.get(name)?.end({ timeout: 1 });
    open.delete(name);
    await admin.unsafe(`drop database if exists ${name} with (force)`);
  };
  const clear = async () => {
    for (const name of open.keys()) await drop(name);
  };
  return {
    scale,
    postgres: version,
    async database(part) {
      const name = `bench_${part}`;
      await drop(name);
      await admin.unsafe(`create database ${name}`);
      address.pathname = `/${name}`;
      const url = address.href;
      await migrate(url);
      const sql = openDatabase(url, { max: 4, applicationName: 'bench', transactions: true });
      open.set(name, sql);
      return { url, sql, store: createStore(sql) };
    },
    clear,
    async close() {
      await clear();
      await admin.end({ timeout: 1 });
      await embedded?.stop();
    },
  };
}

export interface Running {
  readonly url: string;
  readonly pid: number;
  end(): Promise<void>;
}

async function start(command: 'serve' | 'work', env: Record<string, string>): Promise<Running> {
  const { child, document } = await startCommand(command, { LOG_LEVEL: 'warn', PORT: '0', ...env });
  return { url: document.url ?? '', pid: child.pid ?? 0, end: () => end(child, 'SIGTERM') };
}

/** Starts the real server, with flood limits that no load reaches. */
export const startServer = ({ url }: Database, env: Record<string, string> = {}): Promise<Running> =>
  start('serve', {
    DATABASE_URL: url,
    FLOOD_REQUESTS_PER_MINUTE: '1000000',
    FLOOD_RECIPIENTS_PER_HOUR: String(VOLUME),
    ...env,
  });

/** Starts the real worker. */
export const startWorker = ({ url }: Database, relay: { url: string }, env: Record<string, string> = {}): Promise<Running> =>
  start('work', {
    DATABASE_URL: url,
    RELAY: 'mailpit',
    RELAY_URL: relay.url,
    RELAY_CONCURRENCY: String(RELAY_CONCURRENCY),
    PUBLIC_URL: 'https://survey.example.com',
    ...env,
  });

export const startLoad = (): Promise<Script<Load, LoadResult>> => startScript('load.ts');

export type Relay = Script<'count' | 'reset', RelayCount>;
export const startRelay = (env: Record<string, string> = {}): Promise<Relay> => startScript('relay.ts', env);

export const ENDPOINT = '/api/invitation-trigger';

/** Creates an active survey with a token. The survey gets a new workspace unless one is given. */
export async function createTrigger({ sql, store }: Database, options: { cooldownSeconds?: number; workspaceId?: string } = {}) {
  const workspaceId = options.workspaceId ?? (await store.upsertWorkspace({ name: 'Bench' }));
  const surveyId = await store.upsertSurvey({ workspaceId, title: 'Bench', state: 'active' });
  const [workspace] = await sql`select home from invite.workspaces where id = ${workspaceId}`;
  const { secret, hash, hint } = createSecret(workspace?.home);
  const cooldownSeconds = options.cooldownSeconds ?? 0;
  await store.createTriggerToken({ surveyId, name: 'bench', secretHash: hash, secretHint: hint, cooldownSeconds });
  return { workspaceId, surveyId, secret, hash };
}

export type Trigger = Awaited<ReturnType<typeof createTrigger>>;

export async function createTriggers(database: Database, count: number, options?: Parameters<typeof createTrigger>[1]) {
  const triggers: Trigger[] = [];
  for (let index = 0; index < count; index += 1) triggers.push(await createTrigger(database, options));
  return triggers;
}

const DEADLINE_SECONDS = 300;

/** Waits for a condition. @param everyMs Time between two checks; set it higher where a check is expensive. @throws After the deadline. */
export async function until(what: string, holds: () => Promise<boolean>, everyMs = 10): Promise<void> {
  const deadline = Date.now() + DEADLINE_SECONDS * 1000;
  while (!(await holds())) {
    if (Date.now() > deadline) throw new Error(`did not happen within ${DEADLINE_SECONDS} s: ${what}`);
    await delay(everyMs);
  }
}
