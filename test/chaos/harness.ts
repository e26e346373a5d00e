// What the parts share: a PostgreSQL, the real program as child processes, and a trigger token. Everything is on loopback.
import { type ChildProcess, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { migrate } from '../../src/database/migrate.ts';
import { openDatabase, type Sql } from '../../src/database/pool.ts';
import { createStore, type Store } from '../../src/database/store.ts';
import { startEmbedded } from '../../src/dev/embedded.ts';
import { findBinaries } from '../../src/dev/postgres-commands.ts';
import { createSecret } from '../../src/secret.ts';
import { end, startCommand } from '../fixtures/child.ts';
import { acceptTrigger } from '../fixtures/trigger.ts';

export { end };

/** Folder with initdb and pg_ctl of a PostgreSQL to use instead of the embedded one, such as /usr/lib/postgresql/15/bin. */
const OTHER = process.env.CHAOS_POSTGRES;
const DATA_DIR = new URL(`../../.data/chaos${OTHER?.replaceAll(/\W+/g, '-') ?? ''}`, import.meta.url).pathname;
export const BINARIES = OTHER === undefined ? undefined : { initdb: `${OTHER}/initdb`, pg_ctl: `${OTHER}/pg_ctl` };

export interface Chaos {
  readonly url: string;
  readonly sql: Sql;
  readonly store: Store;
  close(): Promise<void>;
}

/**
 * Creates a migrated database on a separate PostgreSQL.
 * @param fsync Set it to off where times are compared, so that the speed of a shared disk doesn't matter.
 */
export async function openChaos(name: string, fsync: 'on' | 'off' = 'on'): Promise<Chaos> {
  const embedded = await startEmbedded(DATA_DIR, BINARIES);
  const admin = openDatabase(embedded.url, { applicationName: 'chaos' });
  await admin.unsafe(`alter system set fsync = ${fsync}`);
  await admin`select pg_reload_conf()`;
  await admin.unsafe(`drop database if exists ${name} with (force)`);
  await admin.unsafe(`create database ${name}`);
  await admin.end();
  const address = new URL(embedded.url);
  address.pathname = `/${name}`;
  await migrate(address.href);
  const sql = openDatabase(address.href, { max: 2, applicationName: 'chaos' });
  return {
    url: address.href,
    sql,
    store: createStore(sql),
    async close() {
      await sql.end({ timeout: 1 });
      for (const program of joined.splice(0)) await program.stop();
      await embedded.stop();
    },
  };
}

/** One entry for each time that this process has joined the cluster after a crash. The cluster stops when its last user leaves. */
const joined: { stop(): Promise<void> }[] = [];

/** Crashes PostgreSQL as a power cut would, and starts it again. */
export async function crashPostgres(): Promise<void> {
  const { pg_ctl } = BINARIES ?? (await findBinaries());
  const cluster = `${DATA_DIR}/postgres/cluster`;
  const asOwner = process.getuid?.() === 0 ? ['setpriv', '--reuid=postgres', '--regid=postgres', '--clear-groups'] : [];
  const [command = '', ...args] = [...asOwner, pg_ctl, '--pgdata', cluster, '--mode', 'immediate', '--wait', 'stop'];
  spawnSync(command, args, { cwd: '/' });
  // Joining starts the cluster again, on the same port.
  joined.push(await startEmbedded(DATA_DIR, BINARIES));
}

/** Starts a command of the program, and waits until it is ready. */
export const startProgram = async (command: string, env: Record<string, string>): Promise<ChildProcess> =>
  (await startCommand(command, env)).child;

export interface Supervised {
  /** Returns how often the command has ended by itself. */
  restarts(): number;
  /** Ends the command by SIGTERM. Returns false if it took longer than a supervisor waits and was killed. */
  stop(): Promise<boolean>;
}

const STOPS_WITHIN_MS = 60_000;

/** Runs a command under a supervisor, which starts it again whenever it ends. */
export async function supervise(command: string, env: Record<string, string>): Promise<Supervised> {
  let restarts = 0;
  let stopping = false;
  let child = await startProgram(command, env);
  const watch = () =>
    child.once('exit', async () => {
      while (!stopping) {
        restarts += 1;
        await delay(500);
        // If the database is away, the command ends at once.
        const next = await startProgram(command, env).catch(() => undefined);
        if (next === undefined) continue;
        child = next;
        if (stopping) await end(child, 'SIGKILL');
        else watch();
        return;
      }
    });
  watch();
  return {
    restarts: () => restarts,
    async stop() {
      stopping = true;
      const stopped = await Promise.race([end(child, 'SIGTERM').then(() => true), delay(STOPS_WITHIN_MS, false, { ref: false })]);
      if (!stopped) await end(child, 'SIGKILL');
      return stopped;
    },
  };
}

/** Returns a port that was free just now, for a program that keeps its port when it is started again. */
export async function freePort(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return String(port);
}

/** Limits that no load of these tests reaches. */
export const NO_LIMITS = { FLOOD_REQUESTS_PER_MINUTE: '1000000', FLOOD_RECIPIENTS_PER_HOUR: '100000000' };

/** Returns the settings for the relay in relay.ts. */
export const relaySettings = (url: string) => ({
  RELAY: 'resend',
  RELAY_URL: url,
  RELAY_API_KEY: 're_chaos',
  PUBLIC_URL: 'https://surveys.example.com',
  MAIL_FROM: 'Chaos <chaos@example.com>',
});

/** Creates an active survey, in a new workspace or another's, with a token that has no cooldown. */
export async function createTrigger(store: Store, inWorkspace?: string) {
  const workspace = inWorkspace ?? (await store.upsertWorkspace({ name: 'Chaos' }));
  const survey = await store.upsertSurvey({ workspaceId: workspace, title: 'Chaos', state: 'active' });
  const { secret, hash, hint } = createSecret('home0001');
  await store.createTriggerToken({ surveyId: survey, name: 'chaos', secretHash: hash, secretHint: hint, cooldownSeconds: 0 });
  return { workspace, survey, secret, hash };
}

/** Sends a request. Returns its status, or 0 if there was no response, and the batch if it was accepted. */
export async function postTrigger(
  port: string,
  secret: string,
  body: object,
): Promise<[status: number, batch?: string | undefined]> {
  try {
    const response = await fetch(`http://127.0.0.1:${port}/api/invitation-trigger`, {
      method: 'POST',
      headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const { batch } = (await response.json()) as { batch?: { uuid: string } };
    return [response.status, batch?.uuid];
  } catch {
    return [0];
  }
}

/** Queues emails in requests of at most 1,000 recipients. @param from Number of the first recipient. */
export async function acceptEmails(store: Store, hash: Buffer, emails: number, from = 0): Promise<void> {
  for (let accepted = 0; accepted < emails; accepted += 1000) {
    const recipients = Array.from({ length: Math.min(1000, emails - accepted) }, (_, index) => ({
      email: `person${from + accepted + index}@example.com`,
    }));
    const { outcome } = await acceptTrigger(store, hash, { recipients }, 100_000_000);
    if (outcome !== 'accepted') throw new Error(`the request was rejected: ${outcome}`);
  }
}

/** Returns the batches of which an email was sent. */
export async function emailedBatches(sql: Sql): Promise<Set<string>> {
  const rows = await sql<{ batch_id: string }[]>`
    select distinct i.batch_id from invite.invitations as i join invite.messages as m on m.invitation_id = i.id where m.sent_at is not null`;
  return new Set(rows.map((row) => row.batch_id));
}

/** Waits until nothing is queued or being sent. */
export async function drained(sql: Sql, deadlineMs: number): Promise<boolean> {
  const deadline = Date.now() + deadlineMs;
  while (Date.now() < deadline) {
    const open = await sql`select from invite.messages where status in ('queued', 'sending') limit 1`.catch(() => [1]);
    if (open.length === 0) return true;
    await delay(250);
  }
  return false;
}

/** Repeatedly moves the next attempts and reminders to now until nothing is left to do. The sweep creates their jobs. */
export async function retryNow(sql: Sql, deadlineMs: number): Promise<boolean> {
  for (const deadline = Date.now() + deadlineMs; Date.now() < deadline; await delay(500)) {
    await sql`update invite.messages set not_before = now(), sweep_at = now() where status = 'queued' and not_before > now()`;
    await sql`update graphile_worker._private_jobs set run_at = now() where run_at > now() and locked_at is null`;
    await sql`select invite.sweep_invitations()`;
    const [open] = await sql`select from invite.messages where status in ('queued', 'sending', 'waiting') limit 1`;
    if (open === undefined) return true;
  }
  return false;
}

/** The median, the 99th percentile and the longest of times in milliseconds. */
export const summary = (times: readonly number[]): string => {
  const sorted = [...times].sort((a, b) => a - b);
  const at = (share: number) => `${Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0)} ms`;
  return `${at(0.5)} (p99 ${at(0.99)}, longest ${at(1)})`;
};
