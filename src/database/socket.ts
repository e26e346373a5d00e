// The socket of a connection to PostgreSQL. postgres.js 3.4.9 connects again at once and for ever when the server closes a connection
// before it is ready, as a proxy without a backend does: the query would never end, and a core would be busy.
import { connect, type Socket } from 'node:net';

interface Target {
  readonly host: readonly string[];
  readonly port: readonly number[];
  readonly path?: string | false;
}

/** Ends with an error when the server closes it. postgres.js writes to it before it is connected. */
export function openSocket({ host: [host = 'localhost'], port: [port = 5432], path }: Target): Socket {
  const socket = path ? connect(path) : connect(port, host);
  socket.once('end', () => {
    socket.destroy(Object.assign(new Error('the server closed the connection'), { code: 'ECONNRESET' }));
  });
  // postgres.js takes the name of the server's certificate from it.
  return Object.assign(socket, { host, port });
}

/** Of several hosts postgres.js itself chooses. */
export const hasOneHost = (url: string): boolean => !/^[^/]*\/\/[^/]*,/.test(url);
