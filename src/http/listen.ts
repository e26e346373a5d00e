// How a server listens, what connections may cost it, how it stops, and what the operator is told if its port can't be used.
import { createServer, type Server, type ServerOptions } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { OperatorError } from '../errors.ts';
import type { Log } from '../log.ts';
import { addressKey, readAddress } from './address.ts';

/** Longest wait for requests in progress. Milliseconds. */
const CLOSE_TIMEOUT = 15_000;

const TIMEOUTS = {
  headersTimeout: 10_000,
  /** From a request's first byte to its last. */
  requestTimeout: 20_000,
  connectionsCheckingInterval: 1_000,
  /** Longer than a load balancer's: it ends its connections, not we. */
  keepAliveTimeout: 65_000,
};

/** Share of the connections that one address may have, where clients connect directly. */
const ADDRESS_SHARE = 1 / 4;
/** Between two warnings that connections are refused. Milliseconds. */
const WARN_EVERY = 60_000;

/**
 * A server whose connections are limited in number and time.
 * @param direct Whether clients connect directly: behind a proxy, all connections are the proxy's.
 */
export function createLimitedServer(
  { maxConnections, direct }: { maxConnections: number; direct: boolean },
  log: Log,
  timeouts: ServerOptions = TIMEOUTS,
): Server {
  const server = createServer(timeouts);
  server.maxConnections = maxConnections;
  const byAddress = new Map<string, number>();
  let warnedAt = Number.NEGATIVE_INFINITY;
  const refused = (limit: number) => {
    // Makes room for the next.
    server.closeIdleConnections();
    if (performance.now() - warnedAt < WARN_EVERY) return;
    warnedAt = performance.now();
    log.warn({ limit }, 'connections are refused: there are too many');
  };
  server.on('drop', () => refused(maxConnections));
  if (!direct) return server;
  const most = Math.ceil(maxConnections * ADDRESS_SHARE);
  server.on('connection', (socket: Socket) => {
    const key = addressKey(readAddress(socket.remoteAddress ?? '') ?? '');
    const count = (byAddress.get(key) ?? 0) + 1;
    byAddress.set(key, count);
    socket.once('close', () => {
      const left = (byAddress.get(key) ?? 1) - 1;
      if (left === 0) byAddress.delete(key);
      else byAddress.set(key, left);
    });
    if (count <= most) return;
    socket.destroy();
    refused(most);
  });
  return server;
}

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
