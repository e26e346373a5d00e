// Connections are rejected or closed by a database, by a proxy whose PostgreSQL is away, and by a proxy that is restarted.
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import t, { type Test } from 'tap';
import { isNotReady, openDatabase } from '../../src/database/pool.ts';
import { createTestDatabase, until } from '../fixtures/setup.ts';

const AUTHENTICATED = Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 0]);
const READY = Buffer.from([0x5a, 0, 0, 0, 5, 0x49]);
const NO_ROWS = Buffer.from('C\0\0\0\rSELECT 0\0');

/** @returns The address of a server that calls `serve` for each connection. */
async function listen(t: Test, serve: (socket: Socket) => void): Promise<string> {
  const server = createServer((socket) => {
    socket.on('error', () => {});
    serve(socket);
  }).listen(0, '127.0.0.1');
  t.teardown(() => server.close());
  await once(server, 'listening');
  return `postgres://user:secret@127.0.0.1:${(server.address() as AddressInfo).port}/any`;
}

for (const [when, closeIt] of [
  ['at once', (socket: Socket) => socket.end()],
  ['on the first message', (socket: Socket) => socket.once('data', () => socket.end())],
  ['before it is ready', (socket: Socket) => socket.once('data', () => socket.end(AUTHENTICATED))],
] as const) {
  t.test(`a query fails when its connection is closed ${when}`, async (t) => {
    let connections = 0;
    const url = await listen(t, (socket) => {
      connections += 1;
      closeIt(socket);
    });
    const sql = openDatabase(url, { applicationName: 'test' });
    t.teardown(() => sql.end({ timeout: 0 }));
    await t.rejects(sql`select 1`, 'and does not wait for ever');
    t.equal(connections, 1, 'after one connection');
    t.ok(isNotReady(await sql`select 1`.catch((error: unknown) => error)), 'as one that can be asked again');
  });
}

t.test('a database that takes no connections for a while is not ready', async (t) => {
  const { url, cluster } = await createTestDatabase(t);
  const admin = openDatabase(cluster, { applicationName: 'tests' });
  t.teardown(() => admin.end());
  await admin.unsafe(`alter database ${new URL(url).pathname.slice(1)} allow_connections false`);
  const sql = openDatabase(url, { applicationName: 'test' });
  t.teardown(() => sql.end({ timeout: 0 }));
  const error = await sql`select 1`.catch((error: unknown) => error);
  t.match(error, { code: '55000' });
  t.ok(isNotReady(error));
});

t.test('every query ends, however often all connections are lost at once', async (t) => {
  const sockets = new Set<Socket>();
  let asked = 0;
  const url = await listen(t, (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    let messages = 0;
    socket.on('data', () => {
      messages += 1;
      if (messages === 1) socket.write(Buffer.concat([AUTHENTICATED, READY]));
      else if (++asked % 5 !== 0) socket.write(Buffer.concat([NO_ROWS, READY]));
      else for (const openSocket of sockets) openSocket.destroy();
    });
  });
  const sql = openDatabase(url, { applicationName: 'test', max: 4 });
  t.teardown(() => sql.end({ timeout: 0 }));
  const ended = { well: 0, lost: 0 };
  const ask = async (): Promise<void> => {
    try {
      await sql.unsafe('select');
      ended.well += 1;
    } catch (error) {
      t.match(error, { code: /^(ECONNRESET|CONNECTION_CLOSED|EPIPE)$/ });
      ended.lost += 1;
      await ask();
    }
  };
  for (let round = 0; round < 10; round += 1) await Promise.all([ask(), ask(), ask(), ask()]);
  t.equal(ended.well, 40);
  t.ok(ended.lost > 0);
});

t.test('a COPY ends before the next begins, and an error at its end is told', async (t) => {
  const { url } = await createTestDatabase(t);
  const sql = openDatabase(url, { applicationName: 'test', max: 1 });
  t.teardown(() => sql.end({ timeout: 0 }));
  const insert = async (text: string) =>
    pipeline(Readable.from([text]), await sql.unsafe('copy pg_temp.copied from stdin').writable());
  await sql.unsafe('create temporary table copied (number integer primary key)');
  for (let number = 1; number <= 50; number += 1) {
    await insert(`${number}\n`);
    const rows = await sql.unsafe('copy pg_temp.copied to stdout').readable();
    const lines = Buffer.concat(await rows.toArray())
      .toString()
      .trim()
      .split('\n');
    t.equal(lines.length, number);
  }
  await t.rejects(insert('7\n'), { code: '23505' });
  await t.rejects(insert('seven\n'), { code: '22P02' });
  const broken = pipeline(
    Readable.from(
      (function* () {
        yield '51\n';
        throw new Error('lost');
      })(),
    ),
    await sql.unsafe('copy pg_temp.copied from stdin').writable(),
  );
  await t.rejects(broken, { message: 'lost' });
  t.match(await sql`select count(*)::integer as rows from pg_temp.copied`, [{ rows: 50 }], 'and the connection goes on');
});

t.test('a connection goes on after a COPY that had ended before it was read', async (t) => {
  const { url } = await createTestDatabase(t);
  const sql = openDatabase(url, { applicationName: 'test', max: 1 });
  t.teardown(() => sql.end({ timeout: 0 }));
  // The last of these is more than the stream wants to keep, and PostgreSQL writes its end and that of the COPY together.
  const rows = await sql.unsafe(`copy (select repeat('x', 7000) from generate_series(1, 10)) to stdout`).readable();
  await until('all has arrived', () => rows.readableLength === 70_010);
  t.ok(rows.readableLength > rows.readableHighWaterMark, 'and is too much');
  t.equal(Buffer.concat(await rows.toArray()).length, 70_010);
  t.match(await sql`select 1 as one`, [{ one: 1 }]);
});

t.test('a statement that a migrate has made out of date is tried again: a result that could not be written is kept', (t) => {
  for (const message of [
    'cached plan must not change result type',
    'cache lookup failed for function 1',
    'could not open relation with OID 1',
  ]) {
    t.ok(isNotReady(Object.assign(new Error(message), { code: 'XX000' })), message);
  }
  t.notOk(isNotReady(Object.assign(new Error('division by zero'), { code: '22012' })));
  t.end();
});
