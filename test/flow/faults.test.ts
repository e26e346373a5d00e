// Each fault is made for real, and `status`, `check`, metrics, log and /readyz agree on it. Requests that can be queued are accepted whatever
// is wrong with the relay or the workers.
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, mkdirSync, rmSync, statfsSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import t, { type Test } from 'tap';
import { startConfiguredMetrics, startConfiguredWorker } from '../../src/commands/service.ts';
import { CONDITION_WORDS, createConditionLog } from '../../src/conditions.ts';
import { openDatabase } from '../../src/database/pool.ts';
import { createLog } from '../../src/log.ts';
import { OUTAGE_OVER, OUTAGE_WORDS } from '../../src/outage.ts';
import { RELAY_WORDS } from '../../src/worker/relay-log.ts';
import { clusterUrl } from '../fixtures/cluster.ts';
import { startTestServer } from '../fixtures/http.ts';
import { run } from '../fixtures/program.ts';
import { samplesOf } from '../fixtures/promtool.ts';
import { createSurvey, createTestDatabase, createToken, testConfig, until } from '../fixtures/setup.ts';

const { sql, store, url, urlAs } = await createTestDatabase(t);
const [{ name } = { name: '' }] = await sql<{ name: string }[]>`select current_database() as name`;
const { survey } = await createSurvey(store);
const { secret } = await createToken(store, survey);

const relay = createServer((request, response) => {
  request.resume();
  request.on('end', () =>
    response.writeHead(401, { 'content-type': 'application/json' }).end('{"ErrorCode":10,"Message":"Bad key."}'),
  );
}).listen(0, '127.0.0.1');
await once(relay, 'listening');
t.teardown(() => relay.close());
const env = {
  DATABASE_URL: url,
  DATA_DIR: t.testdir({}),
  RELAY: 'postmark',
  RELAY_API_KEY: 'wrong',
  RELAY_URL: `http://127.0.0.1:${(relay.address() as AddressInfo).port}`,
  MAIL_FROM: 'surveys@example.org',
  PUBLIC_URL: 'https://invite.example.com',
};

interface Line {
  readonly level: number;
  readonly msg: string;
  readonly condition?: string;
}
const lines: Line[] = [];
const log = createLog('info', { write: (line) => void lines.push(JSON.parse(line)) });
const said = (msg: string) => lines.filter((line) => line.msg === msg);
const { url: address, post } = await startTestServer(t, urlAs('invite_web'), {}, log);
const metrics = await startConfiguredMetrics(testConfig({ METRICS_PORT: '0' }), url, log);
t.teardown(metrics.close);
const startWorker = async () => {
  const worker = startConfiguredWorker(testConfig(env), url, 'https://invite.example.com', log);
  await worker.started;
  return worker;
};

let last = 0;
const invite = (metadata: Record<string, string> = {}) => {
  last += 1;
  return post({ email: `p${last}@example.com`, metadata }, { secret });
};

/** What each of them says now. */
async function everything() {
  const ready = await fetch(`${address}/readyz`);
  const status = JSON.parse((await run(env, 'status', '--json')).stdout) as { act: string[] };
  const { findings } = JSON.parse((await run(env, 'check', '--json', '--resolver', '127.0.0.1:1')).stdout) as {
    findings: { subject: string; state: string; text: string }[];
  };
  const samples = samplesOf(await (await fetch(metrics.url ?? '')).text());
  const of = (subject: string) =>
    findings.filter((finding) => finding.subject === subject).map(({ state, text }) => `${state}: ${text}`);
  return { ready: ready.status, body: (await ready.json()) as { database: string }, act: status.act, of, samples };
}

t.test('a relay that rejects the key', async (t) => {
  const worker = await startWorker();
  t.equal((await invite()).status, 200);
  await until('the log says it', () => said(RELAY_WORDS.fault).length > 0);
  const { ready, act, of, samples } = await everything();
  t.match(act, [/^Nothing gets through the relay postmark \(\w+\)/]);
  t.match(of('relay'), ['fault: postmark refuses the key (401)']);
  t.match(of('status'), [`note: ${act[0]}`]);
  t.equal(samples['invitation_trigger_relay_paused{relay="postmark",condition="fault"}'], 1);
  t.equal(ready, 200, 'requests are queued all the same');
  t.equal((await invite()).status, 200);
  t.match(said(RELAY_WORDS.fault), [{ level: 40, condition: 'fault' }], 'said once');
  await worker.stop();
});

t.test('a pause that somebody wanted is said once, and so is its end', async (t) => {
  const ready = async () => ((await (await fetch(`${address}/readyz`)).json()) as { sending: string }).sending;
  await store.setSendingPaused(true);
  await until('readyz says it', async () => (await ready()) === 'paused');
  t.notMatch((await everything()).act.join(), 'paused', 'it is no alarm');
  await store.setSendingPaused(false);
  await until('readyz says it', async () => (await ready()) === 'active');
  t.match(said(CONDITION_WORDS.paused), [{ level: 40, scope: 'all', paused: 1 }]);
  t.match(said(CONDITION_WORDS.resumed), [{ level: 40, scope: 'all', paused: 0 }]);
});

t.test('no worker', async (t) => {
  const { ready, act, of, samples } = await everything();
  t.match(act, ['No worker is running: no email leaves. Start one.']);
  t.match(of('status'), [`note: ${act[0]}`]);
  t.equal(samples.invitation_trigger_workers, 0);
  t.equal(ready, 200);
  t.equal((await invite()).status, 200);

  const told: Line[] = [];
  let now = 0;
  const tell = createConditionLog(createLog('info', { write: (line) => void told.push(JSON.parse(line)) }), () => now);
  for (; now < 180_000; now += 20_000) tell({ paused: [], workers: now < 60_000 ? 1 : 0 });
  t.match(told, [{ level: 50, msg: CONDITION_WORDS.noWorker }], 'said once, after a minute');
  tell({ paused: [], workers: 1 });
  t.match(told, [{}, { level: 40, msg: CONDITION_WORDS.worker }]);
});

/** Makes the fault and ends it, and compares what is said. */
async function cannotWrite(
  t: Test,
  { outage, code }: { outage: 'read_only' | 'disk_full'; code: string },
  end: () => Promise<unknown>,
) {
  const before = said(OUTAGE_OVER).length;
  await until('a request is refused', async () => (await invite({ filler: 'x'.repeat(8_000) })).status === 503);
  const { ready, body, act, of, samples } = await everything();
  t.strictSame([ready, body.database], [503, outage]);
  t.match(act[0], new RegExp(`^The database takes no writes \\(${code}\\): .`));
  t.ok(
    of('database').some((text) => text.startsWith(`fault: it takes no writes (${code}): `)),
    of('database').join('\n'),
  );
  // The file that could not grow is another one each time.
  const named = (text = '') => text.replaceAll(/"[^"]*"/g, 'a file');
  t.match(named(of('status')[0]), named(act[0]));
  t.equal(samples.invitation_trigger_database_writable, 0);
  t.match(said(OUTAGE_WORDS[outage]), [{ level: 50, condition: outage }], 'said once');
  await end();
  await until('the server is ready', async () => (await fetch(`${address}/readyz`)).status === 200);
  t.equal((await invite()).status, 200);
  const after = await everything();
  t.strictSame([after.ready, after.samples.invitation_trigger_database_writable], [200, 1]);
  t.ok(after.of('database').includes('ok: it can be written'));
  t.notMatch(after.act.join(), 'takes no writes');
  t.match(said(OUTAGE_OVER).slice(before), [{ level: 40 }]);
  t.equal(said(OUTAGE_OVER).length, before + 1, 'said once');
}

const admin = openDatabase(await clusterUrl(), { applicationName: 'tests', transactions: true });
t.teardown(() => admin.end());
const cut = () => admin`select pg_terminate_backend(pid) from pg_stat_activity where datname = ${name}`;

t.test('a read-only database', async (t) => {
  await admin.unsafe(`alter database ${name} set default_transaction_read_only = on`);
  await cut();
  await cannotWrite(t, { outage: 'read_only', code: '25006' }, async () => {
    await admin.unsafe(`alter database ${name} reset default_transaction_read_only`);
    await cut();
  });
});

t.test('a full disk', async (t) => {
  // The database moves to a small disk of its own. The log of the cluster stays where it is, so that the other tests' PostgreSQL goes on.
  const folder = new URL(`../../.data/small-disk-${process.pid}`, import.meta.url).pathname;
  mkdirSync(folder, { recursive: true });
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=96m,mode=755', 'tmpfs', folder]).status === 0;
  const [{ data } = { data: '' }] = await admin<{ data: string }[]>`select current_setting('data_directory') as data`;
  const remove = () => {
    if (mounted) spawnSync('umount', ['--lazy', folder]);
    rmSync(folder, { recursive: true, force: true });
  };
  if (!mounted || statSync(data, { throwIfNoEntry: false }) === undefined) {
    remove();
    t.comment('skipped: a small file system can be mounted only by root, beside the database');
    return;
  }
  mkdirSync(`${folder}/space`);
  chownSync(`${folder}/space`, statSync(data).uid, statSync(data).gid);
  const space = `small_${process.pid}`;
  await admin.unsafe(`create tablespace ${space} location '${folder}/space'`);
  t.teardown(async () => {
    const [{ home } = { home: '' }] = await admin<
      { home: string }[]
    >`select spcname as home from pg_tablespace where spcname = 'pg_default'`;
    await move(home);
    await admin.unsafe(`drop tablespace ${space}`);
    remove();
  });
  const move = (to: string) =>
    until('nobody is connected', async () => {
      await cut();
      return admin.unsafe(`alter database ${name} set tablespace ${to}`).then(
        () => true,
        (error) => {
          if (error.code === '55006') return false;
          throw error;
        },
      );
    });
  await move(space);
  const ballast = `${folder}/ballast`;
  const { bavail, bsize } = statfsSync(folder);
  writeFileSync(ballast, Buffer.alloc(bavail * bsize));
  await cannotWrite(t, { outage: 'disk_full', code: '53100' }, async () => rmSync(ballast));
});
