// Connections to a server that accepts them and closes them, as a proxy does whose PostgreSQL is away.
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import t from 'tap';
import { isNotReady, openDatabase } from '../../src/database/pool.ts';
import { hasOneHost, openSocket } from '../../src/database/socket.ts';

const AUTHENTICATED = Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 0]);

for (const [when, closeIt] of [
  ['at once', (socket: Socket) => socket.end()],
  ['on the first message', (socket: Socket) => socket.once('data', () => socket.end())],
  ['before it is ready', (socket: Socket) => socket.once('data', () => socket.end(AUTHENTICATED))],
] as const) {
  t.test(`a query fails when its connection is closed ${when}`, async (t) => {
    let connections = 0;
    const server = createServer((socket) => {
      connections += 1;
      socket.on('error', () => {});
      closeIt(socket);
    }).listen(0, '127.0.0.1');
    t.teardown(() => server.close());
    await once(server, 'listening');
    const sql = openDatabase(`postgres://user:secret@127.0.0.1:${(server.address() as AddressInfo).port}/any`, {
      applicationName: 'test',
    });
    t.teardown(() => sql.end({ timeout: 0 }));
    await t.rejects(sql`select 1`, 'and does not wait for ever');
    t.equal(connections, 1, 'after one connection');
    t.ok(isNotReady(await sql`select 1`.catch((error: unknown) => error)), 'as one that can be asked again');
  });
}

t.test('a lost connection is told of after what waits to be written in the next turn of the event loop', async (t) => {
  const server = createServer().listen(0, '127.0.0.1');
  t.teardown(() => server.close());
  await once(server, 'listening');
  const socket = openSocket({ host: ['127.0.0.1'], port: [(server.address() as AddressInfo).port] });
  await once(socket, 'connect');
  const order: string[] = [];
  socket.on('error', () => order.push('error'));
  setImmediate(() => order.push('written'));
  socket.destroy(new Error('lost'));
  await new Promise((resolve) => socket.once('close', resolve));
  t.strictSame(order, ['written', 'error']);
});

t.test('where an address names several hosts, postgres.js chooses', async (t) => {
  t.equal(hasOneHost('postgres://user:a,b@db/x'), false, 'a comma in a password costs nothing');
  t.equal(hasOneHost('postgres://db1:5432,db2:5432/x?target_session_attrs=read-write'), false);
  t.equal(hasOneHost('postgres://user@db/x?options=-c%20a=1,2'), true);
});
