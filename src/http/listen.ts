// How a server listens and stops, and what the operator is told if its port can't be used.
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { OperatorError } from '../errors.ts';

/** Longest wait for requests in progress. Milliseconds. */
const CLOSE_TIMEOUT = 15_000;

/** Takes no more requests and lets those in progress finish. */
export async function closeServer(server: Server): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve));
  server.closeIdleConnections();
  // A connection becomes idle when its request ends; the client would keep it open until the timeout.
  const sweep = setInterval(() => server.closeIdleConnections(), 100);
  const timer = setTimeout(() => server.closeAllConnections(), CLOSE_TIMEOUT);
  await closed;
  clearInterval(sweep);
  clearTimeout(timer);
}

/** The address of a listening server, as http://host:port. */
export function addressOf(server: Server, host: string): string {
  const { port } = server.address() as AddressInfo;
  const shown = host === '0.0.0.0' || host === '::' ? 'localhost' : host.includes(':') ? `[${host}]` : host;
  return `http://${shown}:${port}`;
}

/** @param setting Name of the port's setting. */
export function listenError(error: NodeJS.ErrnoException, setting: string, port: number, host: string): Error {
  if (error.code === 'EADDRINUSE') {
    return new OperatorError(`Port ${port} on ${host} is taken: stop what listens there, or set ${setting} to another port.`);
  }
  if (error.code === 'EACCES')
    return new OperatorError(`Port ${port} is not allowed for this user: set ${setting} to 1024 or more.`);
  if (error.code === 'EADDRNOTAVAIL' || error.code === 'ENOTFOUND') {
    return new OperatorError(`${host} is not an address of this machine: set ${setting.replace('PORT', 'HOST')} to one that is.`);
  }
  return error;
}
