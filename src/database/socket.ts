// The socket of a connection to PostgreSQL, for two faults of postgres.js 3.4.9. When the server closes a connection before it is ready, as a
// proxy without a backend does, it connects again at once and for ever: the query would never end, and a core would be busy. And when a
// connection is lost while a message waits to be written in the next turn of the event loop, that connection never writes again.
import { Socket } from 'node:net';

interface Target {
  readonly host: readonly string[];
  readonly port: readonly number[];
  readonly path?: string | false;
}

class PatientSocket extends Socket {
  /** Tells of its end only after what waited to be written. */
  override emit(event: string | symbol, ...given: unknown[]): boolean {
    if (event !== 'error' && event !== 'close') return super.emit(event, ...given);
    setImmediate(() => setImmediate(() => super.emit(event, ...given)));
    return true;
  }
}

/** Ends with an error when the server closes it. postgres.js writes to it before it is connected. */
export function openSocket({ host: [host = 'localhost'], port: [port = 5432], path }: Target): Socket {
  const socket = new PatientSocket();
  if (path) socket.connect(path);
  else socket.connect(port, host);
  socket.once('end', () => {
    socket.destroy(Object.assign(new Error('the server closed the connection'), { code: 'ECONNRESET' }));
  });
  // postgres.js takes the name of the server's certificate from it.
  return Object.assign(socket, { host, port });
}

/** Of several hosts postgres.js itself chooses. */
export const hasOneHost = (url: string): boolean => !/^[^/]*\/\/[^/]*,/.test(url);
