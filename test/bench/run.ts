// make bench: how fast trigger requests are accepted and mails are sent, beside what the machine can do at all. Ratios of one run are
// the truth here; absolute figures are noise. BENCH_DATABASE_URL: another PostgreSQL than the embedded one. BENCH_SCALE: more of it.
import { fork } from 'node:child_process';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { cpus } from 'node:os';
import polka from 'polka';
import { Pool } from 'undici';
import { readConfig } from '../../src/config.ts';
import { openDatabase } from '../../src/database.ts';
import { startEmbedded } from '../../src/embedded.ts';
import { createFunctions } from '../../src/functions.ts';
import { startServer } from '../../src/http/server.ts';
import { createLog } from '../../src/log.ts';
import { migrate } from '../../src/migrate.ts';
import { mailpit } from '../../src/relay/mailpit.ts';
import { createSender } from '../../src/relay/sender.ts';
import { createSecret } from '../../src/secret.ts';
import { startWorker } from '../../src/worker.ts';
import type { Load, LoadResult } from './load.ts';

const SCALE = Number(process.env.BENCH_SCALE ?? 1);
const ROUNDS = 3;
const CLIENTS = 32;
const REQUESTS = 2000 * SCALE;
const MAILS = 10_000 * SCALE;
const RELAY_CONCURRENCY = 50;

const log = createLog(process.env.LOG_LEVEL ?? 'warn');
const embedded = process.env.BENCH_DATABASE_URL ? undefined : await startEmbedded('.data/bench');
const admin = openDatabase(process.env.BENCH_DATABASE_URL ?? embedded?.url ?? '', { applicationName: 'bench' });
const [database = { version: '' }] = await admin<{ version: string }[]>`select current_setting('server_version') as version`;
await admin.unsafe('drop database if exists invite_bench with (force)');
await admin.unsafe('create database invite_bench');
const url = new URL(process.env.BENCH_DATABASE_URL ?? embedded?.url ?? '');
url.pathname = '/invite_bench';
await migrate(url.href);
const sql = openDatabase(url.href, { applicationName: 'bench' });
const functions = createFunctions(sql);

console.log(`node ${process.version}, PostgreSQL ${database.version}, ${cpus().length} × ${cpus()[0]?.model}\n`);
// In this order: nobody sends what the other part queues.
await benchDeliver();
await benchAccept();
await sql.end();
await admin.unsafe('drop database invite_bench with (force)');
await admin.end();
await embedded?.stop();

/** Trigger requests of one recipient, each client with a token of its own, against Polka answering a constant. */
async function benchAccept(): Promise<void> {
  const config = readConfig({
    PORT: '0',
    FLOOD_REQUESTS_PER_MINUTE: '1000000',
    FLOOD_RECIPIENTS_PER_HOUR: '100000000',
  });
  const server = await startServer(config, url.href, log);
  const constant = await listen((app) => void app.post('/constant', (_, response) => void response.end('{"ok":true}')));
  const survey = await makeSurvey();
  const secrets = await Promise.all(Array.from({ length: CLIENTS }, () => makeToken(survey)));
  const load = { clients: CLIENTS, requests: REQUESTS, secrets };
  const results = await rounds({
    'Polka answering a constant': () => offer({ ...load, url: `${constant.url}/constant` }),
    'accept, one recipient': () => offer({ ...load, url: `${server.url}/api/invitation-trigger` }),
  });
  print(`Accept: ${REQUESTS} requests, ${CLIENTS} clients, distinct tokens`, 'requests/s', results);
  await server.close();
  constant.server.close();
}

/** Mails to a relay on loopback that answers at once, against the same POSTs without a database. */
async function benchDeliver(): Promise<void> {
  const relay = await listen(
    (app) =>
      void app.post('/api/v1/send', (request, response) => {
        request.resume().on('end', () => response.end('{"ID":"1"}'));
      }),
  );
  const survey = await makeSurvey();
  const hash = createSecret();
  await functions.createTriggerToken({
    surveyId: survey,
    name: 'bench',
    secretHash: hash.hash,
    secretHint: hash.hint,
    cooldownSeconds: 0,
  });
  const results = await rounds({
    'undici POSTs alone': async () => ({ perSecond: await postAlone(relay.url) }),
    'deliver, with reminders': async () => {
      for (let sent = 0; sent < MAILS; sent += 1000) {
        const recipients = Array.from({ length: 1000 }, (_, index) => ({ email: `person${sent + index}@example.com` }));
        await functions.acceptTrigger(hash.hash, { recipients, reminderDays: 7 }, 100_000_000);
      }
      const sender = createSender({ adapter: mailpit, url: relay.url, connections: RELAY_CONCURRENCY, timeoutSeconds: 10 });
      const began = performance.now();
      const worker = startWorker({
        databaseUrl: url.href,
        databasePool: 4,
        sender,
        render: { publicUrl: 'https://survey.example.com', from: { name: 'Bench', email: 'bench@example.com' } },
        relayConcurrency: RELAY_CONCURRENCY,
        concurrency: 4,
        log,
      });
      for (;;) {
        const [row] = await sql<{ open: boolean }[]>`
          select exists (select from invite.invitations where mail = 'invitation' and status in ('queued', 'sending')) as open`;
        if (!row?.open) break;
      }
      const perSecond = MAILS / ((performance.now() - began) / 1000);
      await worker.stop();
      await sender.close();
      return { perSecond };
    },
  });
  print(`Deliver: ${MAILS} mails, ${RELAY_CONCURRENCY} at a time`, 'mails/s', results);
  relay.server.close();
}

async function postAlone(relayUrl: string): Promise<number> {
  const pool = new Pool(relayUrl, { connections: RELAY_CONCURRENCY });
  const body = JSON.stringify({ Subject: 'x'.repeat(100), Text: 'x'.repeat(500), HTML: 'x'.repeat(1200) });
  let left = MAILS;
  const began = performance.now();
  await Promise.all(
    Array.from({ length: RELAY_CONCURRENCY }, async () => {
      while (left-- > 0) {
        const answer = await pool.request({
          method: 'POST',
          path: '/api/v1/send',
          headers: { 'content-type': 'application/json' },
          body,
        });
        await answer.body.text();
      }
    }),
  );
  const perSecond = MAILS / ((performance.now() - began) / 1000);
  await pool.close();
  return perSecond;
}

type Result = { perSecond: number } & Partial<LoadResult>;

/** Runs the contenders in turn, ROUNDS times, so that a slow minute of the machine hits them all. */
async function rounds(contenders: Record<string, () => Promise<Result>>): Promise<Record<string, Result[]>> {
  const results: Record<string, Result[]> = {};
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [name, run] of Object.entries(contenders)) results[name] = [...(results[name] ?? []), await run()];
  }
  return results;
}

function print(title: string, unit: string, results: Record<string, Result[]>): void {
  const median = (runs: Result[]) =>
    [...runs].sort((a, b) => a.perSecond - b.perSecond)[Math.floor(runs.length / 2)] ?? { perSecond: 0 };
  const base = median(Object.values(results)[0] ?? []).perSecond;
  console.log(title);
  for (const [name, runs] of Object.entries(results)) {
    const { perSecond, p50, p99, failed } = median(runs);
    const spread = `${Math.round(Math.min(...runs.map((run) => run.perSecond)))}-${Math.round(Math.max(...runs.map((run) => run.perSecond)))}`;
    const times = p50 === undefined || p99 === undefined ? '' : `  p50 ${p50.toFixed(1)} ms  p99 ${p99.toFixed(1)} ms`;
    const faults = failed ? `  ${failed} FAILED` : '';
    console.log(
      `  ${name.padEnd(28)} ${String(Math.round(perSecond)).padStart(6)} ${unit} (${spread})  × ${(perSecond / base).toFixed(2)}${times}${faults}`,
    );
  }
  console.log();
}

function offer(load: Load): Promise<LoadResult> {
  const child = fork(new URL('load.ts', import.meta.url));
  return new Promise((resolve, reject) => {
    child.once('message', resolve);
    child.once('error', reject);
    child.once('exit', (code) => code !== 0 && reject(new Error(`the load ended with ${code}`)));
    child.send(load);
  });
}

async function listen(routes: (app: ReturnType<typeof polka>) => void): Promise<{ server: Server; url: string }> {
  const server = createServer();
  const app = polka({ server });
  routes(app);
  await new Promise<void>((resolve) => app.listen(0, '127.0.0.1', resolve));
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

async function makeSurvey(): Promise<string> {
  const workspace = await functions.upsertWorkspace({ name: 'Bench' });
  return functions.upsertSurvey({ workspaceId: workspace, title: 'Bench', state: 'active' });
}

async function makeToken(survey: string): Promise<string> {
  const { secret, hash, hint } = createSecret();
  await functions.createTriggerToken({ surveyId: survey, name: 'bench', secretHash: hash, secretHint: hint, cooldownSeconds: 0 });
  return secret;
}
