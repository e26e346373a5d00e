// A socket that outlives the server: while one server ends and the next starts, every request is answered.
import t from 'tap';
import { listenTarget } from '../../src/http/listen.ts';
import { hasPython, holdSocket } from '../fixtures/listener.ts';
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

t.test('servers are replaced under load without a failed request', { skip: !hasPython && 'python3 is missing' }, async (t) => {
  const { store, url } = await createTestDatabase(t);
  const { survey } = await createSurvey(store);
  const { secret } = await createToken(store, survey);
  const env = { DATABASE_URL: url, DRAIN_SECONDS: '0', LOG_LEVEL: 'silent', FLOOD_REQUESTS_PER_MINUTE: '1000000' };
  const { port, start, close } = await holdSocket(env);
  let server = await start();
  t.teardown(async () => {
    server.kill();
    await close();
  });

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
  const until20 = () => {
    const before = answered;
    return until('requests are answered', () => answered > before + 20);
  };
  for (let restart = 0; restart < 3; restart += 1) {
    await until20();
    await server.stop();
    server = await start();
  }
  await until20();
  going = false;
  await clients;
  t.strictSame([...statuses], [200]);
});
