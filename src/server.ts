// The HTTP process: which route is which handler, and how it starts and stops. It starts and answers 503 while the database is away.
import { createServer as createHttpServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import polka, { type Polka } from 'polka';
import type { Config } from './config.ts';
import { notFound, unknownPage } from './console/page.ts';
import { addMemberRoutes } from './console/routes.ts';
import { openDatabase } from './database/pool.ts';
import { createStore, type Store } from './database/store.ts';
import { OperatorError } from './errors.ts';
import { type Handler, handle, json } from './http/handler.ts';
import { healthz, readyz } from './http/health.ts';
import { Readiness } from './http/readiness.ts';
import type { Log } from './log.ts';
import type { Recorder } from './metrics.ts';
import { showSurvey, showThanks, submitSurvey } from './recipient/survey.ts';
import { showUnsubscribe, subscribeAgain, unsubscribe } from './recipient/unsubscribe.ts';
import { EVENT_SOURCES } from './relay/events/sources.ts';
import { type Acceptor, createAcceptor } from './trigger/batcher.ts';
import { invitationTrigger } from './trigger/endpoint.ts';
import { openApi } from './trigger/openapi.ts';
import { FloodGuard } from './trigger/rate-limit.ts';
import { createRefusals, type Refusals } from './trigger/rejections.ts';
import type { PayloadLimits } from './trigger/schema.ts';
import { type EventSettings, relayEvents } from './webhook/relay-events.ts';

/** What the routes are given. */
export interface ServerContext {
  readonly store: Store;
  readonly acceptor: Acceptor;
  readonly floodGuard: FloodGuard;
  /** Of attempts to sign in, by client address. */
  readonly signInGuard: FloodGuard;
  readonly readiness: Readiness;
  /** Counts what the endpoint refuses. */
  readonly refusals: Refusals;
  readonly limits: ServerLimits;
  /** Whom the mails come from, for their preview. */
  readonly mailFrom: Config['MAIL_FROM'];
  /** Address under which people reach the server. */
  publicUrl(): string;
  /** Whether that is https: cookies are then for it alone. */
  readonly https: boolean;
  /** Undefined: no relay reports here. */
  readonly relayEvents: EventSettings | undefined;
  readonly recorder: Recorder | undefined;
  readonly log: Log;
}

/** Limits that are settings. */
export interface ServerLimits extends PayloadLimits {
  readonly maxBodyBytes: number;
  readonly recipientsPerHour: number;
  readonly requestsPerMinute: number;
  readonly trustedProxies: number;
}

export interface RunningServer {
  /** Address that it listens on, as http://host:port. */
  readonly url: string;
  /** Takes no more requests and lets those under way finish. */
  close(): Promise<void>;
}

/** Connections for the members' pages. */
const MEMBERS_POOL = 2;
/** Longest time that requests under way are waited for. Milliseconds. */
const CLOSE_TIMEOUT = 15_000;

/**
 * Starts the server.
 * @throws {OperatorError} If the port is taken or not allowed.
 */
export async function startServer(config: Config, databaseUrl: string, log: Log, recorder?: Recorder): Promise<RunningServer> {
  const sql = openDatabase(databaseUrl, { max: config.DATABASE_POOL, applicationName: 'invitation-trigger http' });
  const store = createStore(sql);
  // Their own, so that whoever reads long Results holds up no trigger request.
  const membersSql = openDatabase(databaseUrl, { max: MEMBERS_POOL, applicationName: 'invitation-trigger pages' });
  const server = createHttpServer({ requestTimeout: 30_000, headersTimeout: 15_000, keepAliveTimeout: 65_000 });
  const flood = { requestsPerMinute: config.FLOOD_REQUESTS_PER_MINUTE, unknownPerMinute: config.FLOOD_UNKNOWN_PER_MINUTE };
  const context: ServerContext = {
    store,
    acceptor: createAcceptor(store, config.FLOOD_RECIPIENTS_PER_HOUR),
    readiness: new Readiness(store),
    refusals: createRefusals(store, log),
    floodGuard: new FloodGuard(flood),
    signInGuard: new FloodGuard(flood),
    publicUrl: () => config.PUBLIC_URL ?? addressOf(server, config.HOST),
    https: config.PUBLIC_URL?.startsWith('https:') ?? false,
    limits: {
      maxRecipients: config.MAX_RECIPIENTS,
      maxMetadataBytes: config.MAX_METADATA_BYTES,
      maxMessageBytes: config.MAX_MESSAGE_BYTES,
      maxBodyBytes: config.MAX_BODY_BYTES,
      recipientsPerHour: config.FLOOD_RECIPIENTS_PER_HOUR,
      requestsPerMinute: config.FLOOD_REQUESTS_PER_MINUTE,
      trustedProxies: config.TRUST_PROXY,
    },
    mailFrom: config.MAIL_FROM,
    relayEvents: eventSettings(config),
    recorder,
    log,
  };
  const app = routes(server, context);
  addMemberRoutes(app, { ...context, store: createStore(membersSql) });
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', (error) => reject(listenError(error, 'PORT', config.PORT, config.HOST)));
      app.listen(config.PORT, config.HOST, resolve);
    });
  } catch (error) {
    await Promise.all([sql.end(), membersSql.end()]);
    throw error;
  }
  log.info({ url: addressOf(server, config.HOST) }, 'server started');

  return {
    url: addressOf(server, config.HOST),
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeIdleConnections();
      // A connection whose request ends from now on is idle then; clients would keep it open until the timeout.
      const sweep = setInterval(() => server.closeIdleConnections(), 100);
      const timer = setTimeout(() => server.closeAllConnections(), CLOSE_TIMEOUT);
      await closed;
      clearInterval(sweep);
      clearTimeout(timer);
      // Of callers that have hung up: what they have sent is queued all the same.
      await context.acceptor.idle();
      await context.refusals.close();
      await Promise.all([sql.end({ timeout: 5 }), membersSql.end({ timeout: 5 })]);
      log.info('server stopped');
    },
  };
}

function eventSettings({ RELAY: relay, RELAY_EVENTS_SECRET: secret }: Config): EventSettings | undefined {
  const source = EVENT_SOURCES[relay];
  return source === undefined || secret === undefined ? undefined : { relay, source, secret };
}

function routes(server: Server, context: ServerContext): Polka {
  const { log, limits, recorder } = context;
  const api = (route: string, handler: Handler) => handle(log, route, 'json', handler, recorder);
  const pages = (route: string, handler: Handler) => handle(log, route, 'page', handler, recorder);
  const apiNotFound = api('*', () => {
    throw notFound();
  });
  const pageNotFound = pages('*', unknownPage(context));

  const app = polka({
    server,
    onNoMatch: (request, response) => (request.path.startsWith('/api/') ? apiNotFound : pageNotFound)(request, response),
    // Only what Polka itself throws gets here: every handler is wrapped.
    onError: (error, request, response) => {
      log.error({ err: error }, 'unhandled');
      return pages('*', () => Promise.reject(error))(request, response);
    },
  });
  app.all('/api/invitation-trigger', api('/api/invitation-trigger', invitationTrigger(context)));
  app.get(
    '/openapi.json',
    api('/openapi.json', () => json(200, openApi(context.publicUrl(), limits))),
  );
  app.get('/healthz', api('/healthz', healthz()));
  app.get('/readyz', api('/readyz', readyz(context)));
  app.post('/relay-events/:relay', api('/relay-events/:relay', relayEvents(context)));
  app.get('/s/:survey', pages('/s/:survey', showSurvey(context)));
  app.post('/s/:survey', pages('/s/:survey', submitSurvey(context)));
  app.get('/s/:survey/thanks', pages('/s/:survey/thanks', showThanks(context)));
  app.get('/u/:token', pages('/u/:token', showUnsubscribe(context)));
  app.post('/u/:token', pages('/u/:token', unsubscribe(context)));
  app.post('/u/:token/subscribe', pages('/u/:token/subscribe', subscribeAgain(context)));
  return app;
}

/** What the operator is told when a port cannot be listened on. */
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

function addressOf(server: Server, host: string): string {
  const { port } = server.address() as AddressInfo;
  const shown = host === '0.0.0.0' || host === '::' ? 'localhost' : host.includes(':') ? `[${host}]` : host;
  return `http://${shown}:${port}`;
}
