// How a server listens, limits connections and stops.
import { createServer, type Server, type ServerOptions } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { setImmediate as immediate } from 'node:timers/promises';
import { OperatorError } from '../errors.ts';
import type { Log } from '../log.ts';
import { addressKey, readAddress } from './address.ts';

/** Milliseconds that requests in progress have to finish when the server stops. */
const CLOSE_TIMEOUT = 15_000;

const TIMEOUTS = {
  headersTimeout: 10_000,
  /** From a request's first byte to its last. */
  requestTimeout: 20_000,
  connectionsCheckingInterval: 1_000,
  /** Longer than a load balancer's timeout, so that the load balancer closes idle connections and this server doesn't. */
  keepAliveTimeout: 65_000,
  /** For a client that doesn't read its response, which takes up memory. */
  timeout: 60_000,
};

/** The largest share of all connections for one address, where clients connect directly. */
const ADDRESS_SHARE = 1 / 4;
/** Requests that a connection may send before it gets a response. Browsers and proxies send one, but one packet could hold hundreds. */
const MAX_PIPELINED = 16;
/** Milliseconds between warnings that connections are refused. */
const WARN_EVERY = 60_000;

/** @param direct Whether clients connect directly. Behind a proxy, all connections come from the proxy. */
export function createLimitedServer(
  { maxConnections, direct }: { maxConnections: number; direct: boolean },
  log: Log,
  { timeout, ...timeouts }: ServerOptions & { timeout: number } = TIMEOUTS,
): Server {
  const server = createServer(timeouts);
  server.timeout = timeout;
  server.maxConnections = maxConnections;
  const unanswered = new WeakMap<Socket, number>();
  server.on('request', ({ socket }, response) => {
    const count = (unanswered.get(socket) ?? 0) + 1;
    unanswered.set(socket, count);
    response.once('close', () => unanswered.set(socket, (unanswered.get(socket) ?? 1) - 1));
    // The same packet may hold further requests. handle() drops them, because the socket is destroyed.
    if (count > MAX_PIPELINED) socket.destroy();
  });
  const byAddress = new Map<string, number>();
  let warnedAt = Number.NEGATIVE_INFINITY;
  const refused = (limit: number) => {
    server.closeIdleConnections();
    if (performance.now() - warnedAt < WARN_EVERY) return;
    warnedAt = performance.now();
    log.warn({ limit }, 'connections are refused: there are too many');
  };
  server.on('drop', () => refused(maxConnections));
  if (!direct) return server;
  const maxPerAddress = Math.ceil(maxConnections * ADDRESS_SHARE);
  server.on('connection', (socket: Socket) => {
    const key = addressKey(readAddress(socket.remoteAddress ?? '') ?? '');
    const count = (byAddress.get(key) ?? 0) + 1;
    byAddress.set(key, count);
    socket.once('close', () => {
      const left = (byAddress.get(key) ?? 1) - 1;
      if (left === 0) byAddress.delete(key);
      else byAddress.set(key, left);
    });
    if (count <= maxPerAddress) return;
    socket.destroy();
    refused(maxPerAddress);
  });
  return server;
}

/** The first descriptor that a service manager passes. */
const PASSED = 3;

/**
 * The socket that a service manager has opened and passed, as sd_listen_fds(3) says, or else host and port. A passed socket outlives this
 * process: connections that come while it is replaced wait for the next one, and none is refused or reset.
 */
export function listenTarget(
  host: string,
  port: number,
  env: Readonly<Record<string, string | undefined>> = process.env,
): { readonly fd: number } | { readonly host: string; readonly port: number } {
  const isForUs = env.LISTEN_PID === undefined || env.LISTEN_PID === String(process.pid);
  return Number(env.LISTEN_FDS) > 0 && isForUs ? { fd: PASSED } : { host, port };
}

/** Lets requests in progress finish. */
export async function closeServer(server: Server): Promise<void> {
  await untilAllAccepted(server);
  const closed = new Promise((resolve) => server.close(resolve));
  server.closeIdleConnections();
  // A connection becomes idle when its request ends, and its client would keep it open.
  const sweep = setInterval(() => server.closeIdleConnections(), 100);
  const timer = setTimeout(() => server.closeAllConnections(), CLOSE_TIMEOUT);
  await closed;
  clearInterval(sweep);
  clearTimeout(timer);
}

/** Milliseconds. A connection that arrives in the remainder of such a turn is still reset. */
const SHORT_TURN = 0.2;
const MOST_TURNS = 1_000;

/**
 * Waits for a short turn of the event loop without a new connection. Closing earlier would reset connections that the kernel has accepted
 * and Node hasn't yet.
 */
async function untilAllAccepted(server: Server): Promise<void> {
  let connected = false;
  const onConnection = () => {
    connected = true;
  };
  server.on('connection', onConnection);
  // The current turn may already have passed the phase that accepts connections.
  await immediate();
  for (let turns = 0; turns < MOST_TURNS; turns += 1) {
    connected = false;
    const began = performance.now();
    await immediate();
    if (!connected && performance.now() - began < SHORT_TURN) break;
  }
  server.off('connection', onConnection);
}

/** The server's address as http://host:port. */
export function addressOf(server: Server, host: string): string {
  const { port } = server.address() as AddressInfo;
  const hostname = host === '0.0.0.0' || host === '::' ? 'localhost' : host.includes(':') ? `[${host}]` : host;
  return `http://${hostname}:${port}`;
}

/** @param setting The name of the port's setting. */
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
