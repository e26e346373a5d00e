// A socket that outlives the server: while one server ends and the next starts, every request is answered.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import t from 'tap';
import { listenTarget } from '../../src/http/listen.ts';
import { adopt } from '../fixtures/child.ts';
import { createSurvey, createTestDatabase, createToken, until } from '../fixtures/setup.ts';

t.test('a passed socket is taken only by the process for which it is meant', (t) => {
  const own = { host: '127.0.0.1', port: 3000 };
  const target = (env: Record<string, string>) => listenTarget('127.0.0.1', 3000, env);
  t.same(target({}), own);
  t.same(target({ LISTEN_FDS: '0' }), own);
  t.same(target({ LISTEN_FDS: '1', LISTEN_PID: '1' }), own);
  t.same(target({ LISTEN_FDS: '1' }), { fd: 3 });
  t.same(target({ LISTEN_FDS: '1', LISTEN_PID: String(process.pid) }), { fd: 3 });
  t.end();
});

const hasPython = spawnSync('python3', ['--version']).status === 0;

t.test('servers are replaced under load without a failed request', { skip: !hasPython && 'python3 is missing' }, async (t) => {
  const { store, url } = await createTestDatabase(t);
  const { survey } = await createSurvey(store);
  const { secret } = await createToken(store, survey);
  const bin = new URL('../../bin/invitation-trigger.cjs', import.meta.url).pathname;
  const holder = new URL('../fixtures/listener.py', import.meta.url).pathname;
  const child = adopt(
    spawn('python3', [holder, process.execPath, bin, 'serve'], {
      env: { ...process.env, DATABASE_URL: url, DRAIN_SECONDS: '0', LOG_LEVEL: 'silent', FLOOD_REQUESTS_PER_MINUTE: '1000000' },
      stdio: ['pipe', 'pipe', 'inherit'],
    }),
  );
  t.teardown(() => child.kill('SIGKILL'));
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  const number = async (): Promise<number> => {
    for (;;) {
      const { value } = await lines.next();
      if (/^\d+$/.test(value ?? '')) return Number(value);
    }
  };
  const port = await number();
  const start = async () => {
    child.stdin.write('start\n');
    return number();
  };
  let pid = await start();
  t.teardown(() => process.kill(pid, 'SIGKILL'));

  let going = true;
  let answered = 0;
  const statuses = new Set<number>();
  const client = async () => {
    while (going) {
      const response = await fetch(`http://127.0.0.1:${port}/api/invitation-trigger`, {
        method: 'POST',
        headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json', connection: 'close' },
        body: '{"email": "ada@example.com"}',
      });
      await response.text();
      statuses.add(response.status);
      answered += 1;
    }
  };
  const clients = Promise.all(Array.from({ length: 4 }, client));
  for (let restart = 0; restart < 3; restart += 1) {
    const before = answered;
    await until('requests are answered', () => answered > before + 20);
    process.kill(pid, 'SIGTERM');
    const ended = pid;
    await until('the server has ended', () => !isAlive(ended));
    pid = await start();
  }
  const before = answered;
  await until('the last server answers', () => answered > before + 20);
  going = false;
  await clients;
  t.strictSame([...statuses], [200]);
  child.stdin.end();
  await once(child, 'exit').catch(() => undefined);
});

/** A process that has ended and is not yet collected by its parent is not alive. */
function isAlive(pid: number): boolean {
  const { stdout } = spawnSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' });
  return stdout.trim() !== '' && !stdout.trim().startsWith('Z');
}
