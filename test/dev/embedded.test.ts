// The embedded PostgreSQL: the first process starts it, others join it, and the last one stops it.
import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { openDatabase } from '../../src/database/pool.ts';
import { startEmbedded } from '../../src/dev/embedded.ts';
import { OperatorError } from '../../src/errors.ts';
import { runJson } from '../fixtures/program.ts';

/** Runs one statement on a separate connection. */
async function query(url: string, text: string) {
  const sql = openDatabase(url, { applicationName: 'tests' });
  try {
    return [...(await sql.unsafe(text))];
  } finally {
    await sql.end();
  }
}

/** Creates a folder. After the test, the PostgreSQL that still runs in it is stopped and the folder is removed. */
function dataDir(t: Test): string {
  const folder = mkdtempSync(join(tmpdir(), 'invite-embedded-'));
  t.teardown(async () => {
    await (await startEmbedded(folder)).stop();
    if (existsSync(join(folder, 'postgres/cluster/postmaster.pid'))) throw new Error(`PostgreSQL still runs in ${folder}`);
    rmSync(folder, { recursive: true });
  });
  return folder;
}

t.test('a cluster is created, joined, left, and found again with its data', async (t) => {
  const folder = dataDir(t);
  const first = await startEmbedded(folder);
  t.match(first.url, /^postgres:\/\/postgres:[\w-]{32}@127\.0\.0\.1:\d+\/invitations$/);
  t.match(await query(first.url, 'select current_user as who, version() as what'), [
    { who: 'postgres', what: /^PostgreSQL 1[5-9]/ },
  ]);
  await query(first.url, 'create table public.kept (a integer); insert into public.kept values (7)');

  const second = await startEmbedded(folder);
  t.equal(second.url, first.url, 'a second start joins the first');

  await second.stop();
  await second.stop();
  t.match(
    await query(first.url, 'select a from public.kept'),
    [{ a: 7 }],
    'it is not stopped while anyone uses it, connected or not',
  );

  await first.stop();
  await t.rejects(query(first.url, 'select'), { code: 'ECONNREFUSED' }, 'the last user stops it');

  const third = await startEmbedded(folder);
  t.equal(third.url, first.url, 'at the same address');
  t.match(await query(third.url, 'select a from public.kept'), [{ a: 7 }]);
  await third.stop();
  await third.stop();
});

t.test('it listens only on this machine, asks for a password, and keeps its folder private', async (t) => {
  const folder = dataDir(t);
  const { url, stop } = await startEmbedded(folder);
  t.teardown(stop);
  t.match(
    await query(
      url,
      "select current_setting('listen_addresses') as addresses, current_setting('unix_socket_directories') as sockets",
    ),
    [{ addresses: '127.0.0.1', sockets: '' }],
  );
  const wrong = new URL(url);
  wrong.password = 'wrong';
  await t.rejects(query(wrong.href, 'select'), { code: '28P01' });
  t.equal(statSync(join(folder, 'postgres')).mode & 0o077, 0);
  t.equal(statSync(join(folder, 'postgres/password')).mode & 0o077, 0);
});

t.test('two processes that start at the same time get the same cluster', async (t) => {
  const folder = dataDir(t);
  const [first, second] = await Promise.all([startEmbedded(folder), startEmbedded(folder)]);
  t.equal(first.url, second.url);
  t.match(await query(first.url, 'select 1 as one'), [{ one: 1 }]);
  await first.stop();
  await second.stop();
});

t.test('an unusable data folder is reported in one line that says what to do', async (t) => {
  const folder = t.testdir({ file: 'not a folder' });
  for (const path of ['file', 'file/below']) {
    const error: Error = await startEmbedded(join(folder, path)).then(
      () => new Error('it started'),
      (reason) => reason,
    );
    t.type(error, OperatorError);
    t.match(error.message, /^The data folder .* can't be used \(E\w+\): set DATA_DIR to a writable folder, or DATABASE_URL /);
    t.notMatch(error.message, '\n');
  }
  t.notOk(existsSync(join(folder, 'postgres')));
});

t.test('what a migration would do is told without doing it', async (t) => {
  const env = { DATA_DIR: dataDir(t) };
  for (let time = 0; time < 2; time += 1)
    t.match(await runJson(env, 'migrate', '--plan'), { current: 0, migrations: [{ name: '0001_schema' }] });
  t.match(await runJson(env, 'migrate'), { applied: ['0001_schema'] });
});
