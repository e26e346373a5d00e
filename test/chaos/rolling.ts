// CHAOS=rolling: two servers, each with a socket that outlives it, are restarted in turn under load, behind nginx and behind Caddy with the
// settings of deploy/. Every request must be accepted. A proxy that isn't installed is skipped.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { SETTINGS } from '../../src/config.ts';
import { openDatabase } from '../../src/database/pool.ts';
import { adopt } from '../fixtures/child.ts';
import { holdSocket } from '../fixtures/listener.ts';
import { until } from '../fixtures/setup.ts';
import { createTrigger, freePort, NO_LIMITS, openChaos, postTrigger } from './harness.ts';

const FOLDER = new URL('../../.data/chaos-rolling/', import.meta.url).pathname;
/** The number of restarts of each server. */
const RESTARTS = Number(process.env.RESTARTS ?? 4);
const CLIENTS = 8;
const EVERY_MS = 60;

const read = (name: string) => readFileSync(new URL(`../../deploy/${name}`, import.meta.url), 'utf8');

interface Proxy {
  readonly command: string;
  readonly version: readonly string[];
  /** Returns the configuration from deploy/ with the test's name, certificate and ports. */
  config(port: string, servers: readonly string[]): string;
  words(file: string): string[];
}

const withPorts = (config: string, [first = '', second = '']: readonly string[]) =>
  config.replaceAll('127.0.0.1:3001', `127.0.0.1:${first}`).replaceAll('127.0.0.1:3002', `127.0.0.1:${second}`);

const PROXIES: readonly Proxy[] = [
  {
    command: 'nginx',
    version: ['-v'],
    config: (port, servers) => `
      daemon off;
      worker_processes 2;
      pid ${FOLDER}pid;
      error_log stderr error;
      events {}
      http {
        client_body_temp_path ${FOLDER}body;
        proxy_temp_path ${FOLDER}proxy;
        fastcgi_temp_path ${FOLDER}fastcgi;
        uwsgi_temp_path ${FOLDER}uwsgi;
        scgi_temp_path ${FOLDER}scgi;
        ${withPorts(read('nginx.conf'), servers)
          .replace('listen 443 ssl', `listen 127.0.0.1:${port}`)
          .replaceAll(/^ *ssl_.*$/gm, '')
          .replace(/server \{\s*listen 80;[\s\S]*$/, '')}
      }`,
    words: (file) => ['-c', file, '-e', 'stderr'],
  },
  {
    command: 'caddy',
    version: ['version'],
    config: (port, servers) =>
      `{\n\tadmin off\n\tauto_https off\n}\n${withPorts(read('Caddyfile'), servers).replace('survey.example.com {', `http://127.0.0.1:${port} {`)}`,
    words: (file) => ['run', '--adapter', 'caddyfile', '--config', file],
  },
];

export async function rolling(): Promise<number> {
  let failed = 0;
  for (const proxy of PROXIES) {
    const { status, stdout, stderr } = spawnSync(proxy.command, proxy.version, { encoding: 'utf8' });
    if (status === 0) failed += await restartBehind(proxy, (stdout || stderr).trim().split('\n').at(-1) ?? '');
    else console.log(`rolling: ${proxy.command} is not installed`);
  }
  return failed;
}

async function restartBehind(proxy: Proxy, version: string): Promise<number> {
  const { sql, store, url, close } = await openChaos('chaos_rolling');
  const { secret } = await createTrigger(store);
  const env = {
    ...NO_LIMITS,
    DATABASE_URL: url,
    TRUST_PROXY: '1',
    LOG_LEVEL: 'silent',
    DRAIN_SECONDS: process.env.DRAIN_SECONDS ?? SETTINGS.DRAIN_SECONDS.default,
  };
  const sockets = [await holdSocket(env), await holdSocket(env)] as const;
  const ports = sockets.map(({ port }) => port);
  const servers = [await sockets[0].start(), await sockets[1].start()];

  const front = await freePort();
  mkdirSync(FOLDER, { recursive: true });
  chmodSync(FOLDER, 0o777);
  writeFileSync(`${FOLDER}config`, proxy.config(front, ports));
  const [command, args] = [proxy.command, proxy.words(`${FOLDER}config`)];
  const child = adopt(
    spawn(command, args, { env: { PATH: process.env.PATH, HOME: FOLDER }, stdio: ['ignore', 'ignore', 'pipe'] }),
  );
  let complaints = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    complaints += text;
  });
  await until(`${command} answers`, async () => {
    if (child.exitCode !== null) throw new Error(`${command} ended: ${complaints}`);
    return (await fetch(`http://127.0.0.1:${front}/readyz`).catch(() => undefined))?.status === 200;
  });

  const answers = new Map<number, number>();
  let restarting = true;
  const clients = Array.from({ length: CLIENTS }, async (_, client) => {
    for (let request = 0; restarting; request += 1) {
      const [status] = await postTrigger(front, secret, { email: `person${client}.${request}@example.com` });
      answers.set(status, (answers.get(status) ?? 0) + 1);
      await delay(EVERY_MS);
    }
  });
  for (let restart = 0; restart < RESTARTS * 2; restart += 1) {
    const index = restart % 2;
    const [old, socket, port] = [servers[index], sockets[index], ports[index]];
    if (old === undefined || socket === undefined) throw new Error('there are two servers');
    await old.stop();
    servers[index] = await socket.start();
    await until('it is ready', async () => (await fetch(`http://127.0.0.1:${port}/readyz`)).status === 200);
    // docs/deployment.md waits as long, so that the proxy also notices that the server is ready.
    await delay(3_000);
  }
  restarting = false;
  await Promise.all(clients);

  const sent = [...answers.values()].reduce((sum, count) => sum + count, 0);
  const accepted = answers.get(200) ?? 0;
  const [row] = await sql`select count(*)::integer as count from invite.batches`;
  console.log(
    `rolling: ${version}, ${RESTARTS * 2} restarts: ${accepted} of ${sent} requests accepted ` +
      `(${JSON.stringify(Object.fromEntries(answers))}), ${row?.count} batches`,
  );
  const code = await codeWithoutDatabase(url, front, ports, secret);
  console.log(`rolling: with the database away, ${command} passes on ${code}`);
  // Refused connections and failed health checks are normal during a restart.
  const unexpected = complaints
    .split('\n')
    .filter((line) => /error/.test(line) && !/Connection refused|health_checker/.test(line));
  if (accepted < sent) console.log(unexpected.slice(0, 5).join('\n').slice(0, 4000));
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
  for (const server of servers) server.kill();
  for (const socket of sockets) await socket.close();
  await close();
  rmSync(FOLDER, { recursive: true, force: true });
  return sent - accepted + Math.max(0, accepted - (row?.count ?? 0)) + (code === 'not_ready' ? 0 : 1);
}

/** Returns the error code of a request through the proxy while the proxy knows that no server is ready. */
async function codeWithoutDatabase(url: string, front: string, ports: readonly string[], secret: string): Promise<string> {
  const address = new URL(url);
  const name = address.pathname.slice(1);
  address.pathname = '/postgres';
  const admin = openDatabase(address.href, { max: 1, applicationName: 'chaos' });
  await admin.unsafe(`alter database ${name} allow_connections false`);
  await admin`select pg_terminate_backend(pid) from pg_stat_activity where datname = ${name}`;
  for (const port of ports) {
    await until('it is not ready', async () => (await fetch(`http://127.0.0.1:${port}/readyz`)).status === 503);
  }
  await delay(3_000);
  const response = await fetch(`http://127.0.0.1:${front}/api/invitation-trigger`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
    body: '{"email": "person@example.com"}',
  });
  const text = await response.text();
  await admin.unsafe(`alter database ${name} allow_connections true`);
  await admin.end({ timeout: 1 });
  return text.startsWith('{')
    ? (JSON.parse(text) as { error: { code: string } }).error.code
    : `${response.status}: ${text.slice(0, 80)}`;
}
