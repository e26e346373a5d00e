// Connections of unknown callers use a bounded number of sockets, bounded time and bounded memory.
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { PassThrough } from 'node:stream';
import t, { type Test } from 'tap';
import { BodyMemory, readBody } from '../../src/http/body.ts';
import { closeServer, createLimitedServer } from '../../src/http/listen.ts';
import { createLog } from '../../src/log.ts';
import { startTestServer } from '../fixtures/http.ts';
import { silent, until } from '../fixtures/setup.ts';

const KB = 1024;

async function listen(t: Test, options: { maxConnections: number; direct: boolean }, timeouts = {}) {
  const server = createLimitedServer(options, silent, { timeout: 0, ...timeouts });
  server.on('request', (request, response) => {
    if (request.url === '/large') return void response.end(Buffer.alloc(20_000 * KB));
    readBody(request, 100 * KB).then(
      () => response.end('read'),
      () => response.destroy(),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  t.teardown(() => {
    server.close();
    server.closeAllConnections();
  });
  /** Opens a connection that sends a text, and keeps what it receives. */
  const open = (text: string): { socket: Socket; said: () => string; isClosed: () => boolean } => {
    let said = '';
    let closed = false;
    const socket = connect(port, '127.0.0.1')
      .setEncoding('utf8')
      .on('data', (data) => {
        said += data;
      })
      .on('close', () => {
        closed = true;
      })
      .on('error', () => {});
    socket.write(text);
    t.teardown(() => socket.destroy());
    return { socket, said: () => said, isClosed: () => closed };
  };
  return Object.assign(open, { server });
}

const SLOW = 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nhalf';
const WHOLE = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n';

t.test('a body that never ends is ended, and so are headers', async (t) => {
  const open = await listen(
    t,
    { maxConnections: 10, direct: false },
    { headersTimeout: 50, requestTimeout: 50, connectionsCheckingInterval: 10 },
  );
  for (const text of [SLOW, 'GET / HTTP/1.1\r\nHost:']) {
    const client = open(text);
    await until('the connection ends', client.isClosed);
  }
});

t.test('a client that never reads its answer is ended', async (t) => {
  const open = await listen(t, { maxConnections: 10, direct: false }, { timeout: 50 });
  const { socket } = open('GET /large HTTP/1.1\r\nHost: x\r\n\r\n');
  socket.pause();
  const [connection] = await once(open.server, 'connection');
  await until('the server has ended it', () => connection.destroyed);
});

t.test('connections beyond the maximum are refused, and idle ones make room', async (t) => {
  const open = await listen(t, { maxConnections: 2, direct: false });
  const idle = open(WHOLE);
  await until('it was answered', () => idle.said().includes('200 OK'));
  const slow = open(SLOW);
  const third = open(WHOLE);
  await until('one too many is refused', third.isClosed);
  t.equal(third.said(), '');
  await until('an idle connection ends', idle.isClosed);
  const fourth = open(WHOLE);
  await until('the next is answered', () => fourth.said().includes('200 OK'));
  t.notOk(slow.isClosed(), 'requests under way are left alone');
});

t.test('one address has a quarter of the connections, unless they are a proxy', async (t) => {
  const open = await listen(t, { maxConnections: 8, direct: true });
  const [one, two] = [open(SLOW), open(SLOW)];
  const third = open(WHOLE);
  await until('one too many is refused', third.isClosed);
  t.equal(third.said(), '');
  t.notOk(one.isClosed() || two.isClosed());
  one.socket.destroy();
  await until('its place is free', async () => {
    const next = open(WHOLE);
    await until('it is answered or refused', () => next.isClosed() || next.said() !== '');
    return next.said().includes('200 OK');
  });

  const behindProxy = await listen(t, { maxConnections: 8, direct: false });
  for (let count = 1; count <= 2; count += 1) behindProxy(SLOW);
  const proxied = behindProxy(WHOLE);
  await until('it is answered', () => proxied.said().includes('200 OK'));
});

t.test('a packet of many requests ends its connection, and no more than sixteen of them are worked on', async (t) => {
  const lines: string[] = [];
  const log = createLog('debug', { write: (line) => void lines.push(line) });
  const { url } = await startTestServer(t, 'postgres://nobody@127.0.0.1:1/none', {}, log);
  const { hostname, port } = new URL(url);
  const send = async (requests: number) => {
    let said = '';
    const socket = connect(Number(port), hostname)
      .setEncoding('utf8')
      .on('error', () => {})
      .on('data', (data) => {
        said += data;
      });
    t.teardown(() => socket.destroy());
    socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(requests));
    const answers = () => said.split('200 OK').length - 1;
    await until('it is answered or closed', () => socket.closed || answers() === requests);
    return { answers: answers(), closed: socket.closed };
  };
  t.same(await send(16), { answers: 16, closed: false });
  lines.length = 0;
  t.match(await send(300), { closed: true });
  t.ok(lines.filter((line) => line.includes('/healthz')).length <= 16);
  t.same(await send(1), { answers: 1, closed: false });
});

t.test('bodies share memory; the first 16 KiB of each are free, and one alone always has room', async (t) => {
  const memory = new BodyMemory(100 * KB);
  const begin = (bytes: number) => {
    const stream = new PassThrough({ highWaterMark: 1000 * KB });
    stream.write(Buffer.alloc(bytes));
    const request = stream as unknown as IncomingMessage;
    return { stream, request, body: readBody(request, 1000 * KB, memory) };
  };
  const single = begin(500 * KB);
  single.stream.end();
  t.equal((await single.body).length, 500 * KB);

  const large = begin(17 * KB);
  await t.rejects(large.body, { code: 'not_ready', retryAfterSeconds: 1 });
  const small = begin(16 * KB);
  small.stream.end();
  t.equal((await small.body).length, 16 * KB);

  memory.release(single.request);
  const [first, second] = [begin(70 * KB), begin(70 * KB)];
  await t.rejects(second.body, { code: 'not_ready' });
  first.stream.end();
  t.equal((await first.body).length, 70 * KB, 'the one that was there first is read');
  memory.release(first.request);
  const third = begin(90 * KB);
  third.stream.destroy(new Error('cut off'));
  await t.rejects(third.body, { code: 'invalid_json' });
  const fourth = begin(90 * KB);
  fourth.stream.end();
  t.equal((await fourth.body).length, 90 * KB, 'what was given up holds nothing');
});

t.test('a caller that is gone before its body is read has cut it off', async (t) => {
  const stream = new PassThrough();
  stream.destroy();
  await t.rejects(readBody(stream as unknown as IncomingMessage, KB), { code: 'invalid_json' });
});

t.test('a connection that the kernel accepted before the server closed is served', async (t) => {
  const server = createLimitedServer({ maxConnections: 10, direct: false }, silent);
  server.on('request', (_, response) => response.end('served'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  let said = '';
  // The kernel completes the TCP handshake before the event loop of this process continues.
  const socket = connect(port, '127.0.0.1').setEncoding('utf8');
  socket.on('data', (data) => {
    said += data;
  });
  socket.on('error', () => {});
  socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  await Promise.all([closeServer(server), once(socket, 'close')]);
  t.match(said, 'served');
});
