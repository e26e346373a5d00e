// How a server listens, limits connections and stops.
import { createServer, type Server, type ServerOptions } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { setImmediate as immediate } from 'node:timers/promises';
import { OperatorError } from '../errors.ts';
import type { Log } from '../log.ts';
import { addressKey, readAddress } from './address.ts';

/** Milliseconds that requests in progress have. */
const CLOSE_TIMEOUT = 15_000;

const TIMEOUTS = {
  headersTimeout: 10_000,
  /** From a request's first byte to its last. */
  requestTimeout: 20_000,
  connectionsCheckingInterval: 1_000,
  /** Longer than a load balancer's, so that it ends connections, not we. */
  keepAliveTimeout: 65_000,
  /** Of a client that doesn't read its answer, which takes memory. */
  timeout: 60_000,
};

/** The most of the connections for one address, where clients connect directly. */
const ADDRESS_SHARE = 1 / 4;
/** Requests that a connection may send before their answers: browsers and proxies send one, and a packet could hold hundreds. */
const MAX_PIPELINED = 16;
/** Milliseconds between warnings that connections are refused. */
const WARN_EVERY = 60_000;

/** @param direct Whether clients connect directly: behind a proxy, all connections are the proxy's. */
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
    // handle leaves those that were read with it.
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

/** Lets requests in progress finish. */
export async function closeServer(server: Server): Promise<void> {
  await untilAllAccepted(server);
  const closed = new Promise((resolve) => server.close(resolve));
  server.closeIdleConnections();
  // Connections become idle as requests end; clients would keep them open.
  const sweep = setInterval(() => server.closeIdleConnections(), 100);
  const timer = setTimeout(() => server.closeAllConnections(), CLOSE_TIMEOUT);
  await closed;
  clearInterval(sweep);
  clearTimeout(timer);
}

/** Milliseconds: what comes in the rest of such a turn is still reset. */
const SHORT_TURN = 0.2;
const MOST_TURNS = 1_000;

/** Closing resets connections that the kernel has accepted, and Node hasn't: waits for a short turn of the event loop without a new one. */
async function untilAllAccepted(server: Server): Promise<void> {
  let connected = false;
  const onConnection = () => {
    connected = true;
  };
  server.on('connection', onConnection);
  // This turn may be past its look at connections.
  await immediate();
  for (let turn = 0; turn < MOST_TURNS; turn += 1) {
    connected = false;
    const began = performance.now();
    await immediate();
    if (!connected && performance.now() - began < SHORT_TURN) break;
  }
  server.off('connection', onConnection);
}

/** As http://host:port. */
export function addressOf(server: Server, host: string): string {
  const { port } = server.address() as AddressInfo;
  const shown = host === '0.0.0.0' || host === '::' ? 'localhost' : host.includes(':') ? `[${host}]` : host;
  return `http://${shown}:${port}`;
}

/** @param setting The port's. */
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
