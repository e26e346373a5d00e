// The HTTP process. If the database isn't available, it starts anyway and responds with 503.
import type { IncomingMessage, Server } from 'node:http';
import polka, { type Request } from 'polka';
import { createConditionLog } from './conditions.ts';
import { type Config, ConfigError, isLoopback } from './config.ts';
import { notFound, notFoundPage } from './console/page.ts';
import { addConsoleRoutes, type ConsoleRoutesContext } from './console/routes.ts';
import { createAdmission, createSerializer } from './console/serializer.ts';
import { cellOf } from './database/cell.ts';
import { byCell, CellGate, CellRoutes, gated } from './database/cell-calls.ts';
import { type DatabaseOptions, openDatabase, type Sql } from './database/pool.ts';
import { createStore, patient, type Store } from './database/store.ts';
import { askAs, inTurns, SHARES, type Shares, Turns } from './database/turns.ts';
import { createReading } from './events/api.ts';
import { createFeed } from './events/feed.ts';
import { clientAddress } from './http/address.ts';
import { type Answer, type Handler, json } from './http/answer.ts';
import { FloodGuard } from './http/flood-guard.ts';
import { handle } from './http/handler.ts';
import { HTTPS_HEADER } from './http/headers.ts';
import { checkReady, healthz, readyz } from './http/health.ts';
import { addressOf, closeServer, createLimitedServer, listenError, listenTarget } from './http/listen.ts';
import { AddressLimit, RateLimit } from './http/rate-limit.ts';
import { Readiness } from './http/readiness.ts';
import { Speeches } from './languages/speeches.ts';
import type { Log } from './log.ts';
import type { Recorder } from './metrics.ts';
import { inBrowserLanguage } from './recipient/errors.ts';
import { showLogo } from './recipient/logo.ts';
import { RECIPIENT_ROUTES } from './recipient/routes.ts';
import { RELAYS } from './relay/registry.ts';
import { createReturnPath } from './relay/return-path.ts';
import { dsnReports } from './relay-events/dsn.ts';
import { type EventSettings, relayEvents } from './relay-events/relay-events.ts';
import { keyringOf } from './sealed.ts';
import { createTestApi } from './tests/api.ts';
import { createBatcher } from './trigger/batcher.ts';
import { Cells } from './trigger/cells.ts';
import { createDeferredJobs } from './trigger/deferred-jobs.ts';
import { invitationTrigger } from './trigger/endpoint.ts';
import { openApi } from './trigger/openapi.ts';
import { createRejectionCounter } from './trigger/rejections.ts';
import type { TriggerLimits } from './trigger/schema.ts';
import { TimeZones } from './trigger/time-zones.ts';

export interface RunningServer {
  readonly url: string;
  /** /readyz responds with 503 from now on. Other requests are still handled, but each response closes its connection. */
  drain(): void;
  close(): Promise<void>;
}

/** In milliseconds, because nobody waits longer than this for a page. */
const PAGE_TIMEOUT = 5_000;
/** The pages' connections, one for sessions, and one for exports. */
const CONSOLE_POOL = SHARES.pages.places + 2;
/** Behind a router, in milliseconds: a cell that hangs is noticed by then. */
const OF_CELL = { statementTimeout: PAGE_TIMEOUT };
/** Nobody knows in which cells an address is known. */
const EVERYWHERE = { 'console.requestSignInLink': 3 };
/** One at a time, in turns. */
const ONE = { places: 1, perGroup: 1 };
/** How often the server looks at the database and the installation by itself. */
const LOOK_MS = 20_000;

/** @throws {OperatorError} The port is taken or not allowed. {ConfigError} RELAY_EVENTS_SECRET can't be the relay's. */
export async function startServer(config: Config, databaseUrl: string, log: Log, recorder?: Recorder): Promise<RunningServer> {
  const events = eventSettings(config);
  const routes = new CellRoutes();
  const pools: Sql[] = [];
  /** A pool, and beside it one for each cell. */
  const storesOf = (options: DatabaseOptions & { max: number }) => {
    const opened = new Map<string | undefined, { sql: Sql; gate: CellGate }>();
    return (cell: string | undefined): Store => {
      let found = opened.get(cell);
      if (found === undefined) {
        const sql = openDatabase(databaseUrl, cell === undefined ? options : { ...options, ...OF_CELL });
        pools.push(sql);
        found = { sql, gate: new CellGate(options.max) };
        opened.set(cell, found);
      }
      const calls = createStore(found.sql);
      return cell === undefined ? calls : gated(calls, found.gate);
    };
  };
  const storeOf = storesOf({ max: config.DATABASE_POOL, applicationName: 'invitation-trigger http' });
  // The console has its own pool, so that reading long Results doesn't delay trigger requests.
  const consoleStoreOf = storesOf({
    max: CONSOLE_POOL,
    applicationName: 'invitation-trigger pages',
    statementTimeout: PAGE_TIMEOUT,
  });
  const store = byCell(routes, (cell) => patient(storeOf(cell)));
  // Recipients' pages and the reading API each use at most half of the connections. So even if many addresses flood one of them, the other
  // and the trigger requests still get connections. Within each, surveys or workspaces take turns.
  const half = Math.ceil(config.DATABASE_POOL / 2);
  const inLane = () => byCell(routes, (cell) => patient(inTurns(storeOf(cell), new Turns({ places: half, perGroup: half }))));
  const pageStore = inLane();
  const speeches = new Speeches(pageStore.findWording);
  const inConsole = (shares: Shares) =>
    byCell(routes, (cell) => patient(inTurns(consoleStoreOf(cell), new Turns(shares))), EVERYWHERE);
  const direct = config.TRUST_PROXY === 0;
  const server = createLimitedServer({ maxConnections: config.MAX_CONNECTIONS, direct }, log);

  const publicUrl = () => config.PUBLIC_URL ?? addressOf(server, config.HOST);
  const readiness = new Readiness(store, cellOf(config), createConditionLog(log), routes);
  if (config.PUBLIC_URL?.startsWith('http:') && !isLoopback(config.PUBLIC_URL)) {
    log.warn('PUBLIC_URL is not https: links, responses and sessions cross the network unprotected');
  }
  const address = (request: IncomingMessage) => clientAddress(request, config.TRUST_PROXY);
  if (direct) warnOfProxy(server, log);
  const https = config.PUBLIC_URL?.startsWith('https:') ?? false;
  if (https) server.on('request', (_, response) => response.setHeader(...HTTPS_HEADER));
  const limits = limitsOf(config);
  const flood = { requestsPerMinute: config.FLOOD_REQUESTS_PER_MINUTE, unknownPerMinute: config.FLOOD_UNKNOWN_PER_MINUTE };
  const jobs = createDeferredJobs(store, log);
  const cells = new Cells((home) => routes.groupOf(home));
  const batcher = createBatcher(store, jobs, config.FLOOD_RECIPIENTS_PER_HOUR, undefined, undefined, cells);
  const rejections = createRejectionCounter(store, log, undefined, cells);
  const trigger = invitationTrigger({
    batcher,
    floodGuard: new FloodGuard(flood),
    readiness,
    rejections,
    timeZones: new TimeZones(async () => {
      await readiness.ready();
      return store.timeZoneNames();
    }),
    limits,
    tests: {
      accept: (call) => store.acceptTestTrigger(call, config.FLOOD_RECIPIENTS_PER_HOUR),
      clock: (secretHash) => store.tokenTestClock(secretHash),
    },
    quota: (secretHash) => store.readQuota(secretHash, config.FLOOD_RECIPIENTS_PER_HOUR),
    clientAddress: address,
  });
  const feed = createFeed(store, undefined, (home) => routes.groupOf(home));
  const reading = createReading({ publicUrl, store: inLane(), feed, readiness, ...flood, clientAddress: address });
  const tests = createTestApi({ store: inLane(), readiness, ...flood, clientAddress: address });
  const pageLimit = new AddressLimit(config.FLOOD_PAGES_PER_MINUTE, address);
  const attempts = () => new AddressLimit(config.FLOOD_UNKNOWN_PER_MINUTE, address, 'Too many sign-in attempts.');
  const openLimit = new AddressLimit(config.FLOOD_OPEN_RESPONSES_PER_MINUTE, address);
  const console: ConsoleRoutesContext = {
    store: inConsole(SHARES.pages),
    authenticate: inConsole(ONE).console.authenticate,
    downloads: inConsole(ONE).console,
    exports: new Turns(SHARES.exports),
    uploads: new Turns(SHARES.uploads),
    speeches,
    publicUrl,
    serialize: createSerializer(),
    admit: createAdmission(),
    https,
    mail: { from: config.MAIL_FROM, senderDomains: config.SENDER_DOMAINS },
    limits,
    retentionDays: config.RETENTION_DAYS,
    keys: keyringOf(config),
    signInLimit: attempts(),
    redeemLimit: attempts(),
    clientAddress: address,
    pageLimit,
    formLimit: new RateLimit(config.FLOOD_FORMS_PER_MINUTE),
    recorder,
    log,
  };

  const health = { readiness, store, log };
  const watch = { recorder, client: address };
  const api = (route: string, handler: Handler) => handle(log, route, 'json', handler, watch);
  const pages = (route: string, handler: Handler) => handle(log, route, 'page', handler, watch);
  const open = (route: string, handler: Handler) => pages(route, inBrowserLanguage(pageLimit.before(bySurvey(handler))));
  const apiNotFound = api('*', () => {
    throw notFound();
  });
  const pageNotFound = pages('*', notFoundPage(console));
  const app = polka({
    server,
    onNoMatch: (request, response) => (request.path.startsWith('/api/') ? apiNotFound : pageNotFound)(request, response),
    // Only errors of Polka itself get here, because every handler is wrapped.
    onError: (error, request, response) => {
      log.error({ err: error }, 'unhandled');
      return pages('*', () => Promise.reject(error))(request, response);
    },
  });
  const get = (route: string, wrap: typeof api, handler: Handler) => app.get(route, wrap(route, handler));
  const post = (route: string, wrap: typeof api, handler: Handler) => app.post(route, wrap(route, handler));
  app.all('/api/invitation-trigger', api('/api/invitation-trigger', trigger));
  get('/api/batches/:uuid', api, reading.batch);
  get('/api/events', api, reading.events);
  get('/api/v1/test/clock', api, bySecret(tests.clock));
  get('/api/v1/test/emails', api, bySecret(tests.emails));
  get('/api/v1/test/emails/:id', api, bySecret(tests.email));
  post('/api/v1/test/advance', api, bySecret(tests.advance));
  let description: Answer | undefined;
  const describe = () => {
    description ??= json(200, openApi(publicUrl(), limits));
    return description;
  };
  get('/openapi.json', api, pageLimit.before(describe));
  get('/healthz', api, healthz());
  get('/readyz', api, readyz(health));
  const eventLimit = new AddressLimit(config.FLOOD_PAGES_PER_MINUTE, address);
  const returnPath =
    config.SMTP_RETURN_PATH === undefined ? undefined : createReturnPath(config.SMTP_RETURN_PATH, keyringOf(config));
  post('/relay-events/dsn', api, dsnReports({ store, readiness, log, limit: eventLimit, returnPath, recorder }));
  post('/relay-events/:relay', api, relayEvents({ store, readiness, log, limit: eventLimit, settings: events }));
  const recipients = { store: pageStore, speeches, openLimit };
  get('/logo/:logo', pages, inBrowserLanguage(bySurvey(showLogo(pageStore, pageLimit))));
  for (const [method, path, make] of RECIPIENT_ROUTES) app.add(method, path, open(path, make(recipients)));
  addConsoleRoutes(app, console);

  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', (error) => reject(listenError(error, 'PORT', config.PORT, config.HOST)));
      app.listen(listenTarget(config.HOST, config.PORT), resolve);
    });
  } catch (error) {
    await Promise.all(pools.map((sql) => sql.end()));
    throw error;
  }
  const url = addressOf(server, config.HOST);
  log.info({ url }, 'server started');
  // The log tells of a change even if nobody asks for anything.
  const looking = setInterval(() => void checkReady(health).catch(() => {}), LOOK_MS).unref();

  return {
    url,
    drain() {
      readiness.stopping = true;
      server.prependListener('request', (_, response) => {
        response.shouldKeepAlive = false;
      });
    },
    async close() {
      clearInterval(looking);
      feed.close();
      await closeServer(server);
      // Requests of clients that have disconnected are still queued.
      await batcher.idle();
      await jobs.close();
      await rejections.close();
      await Promise.all(pools.map((sql) => sql.end({ timeout: 5 })));
      log.info('server stopped');
    },
  };
}

/** What is submitted is carried out even if its client has disconnected. */
const inTurnsBy =
  (groupOf: (request: Request) => string | undefined) =>
  (handler: Handler): Handler =>
  (request) => {
    const isGone = () => request.method === 'GET' && request.socket.destroyed;
    return askAs({ group: groupOf(request) ?? '', isGone }, () => handler(request));
  };

/** Each unsubscribe link is a group of its own, and each logo. */
const bySurvey = inTurnsBy(({ params }) => params.survey ?? params.token ?? params.logo);
const bySecret = inTurnsBy(({ headers }) => headers.authorization);

/** Behind a proxy that isn't trusted, all clients share one address and so one limit. Warn about it. */
function warnOfProxy(server: Server, log: Log): void {
  const look = ({ headers }: IncomingMessage) => {
    if (headers['x-forwarded-for'] === undefined) return;
    server.off('request', look);
    log.warn(
      'a request came with X-Forwarded-For, but TRUST_PROXY is 0: if there is a proxy in front, set TRUST_PROXY; otherwise its clients share one rate limit',
    );
  };
  server.on('request', look);
}

const limitsOf = (config: Config): TriggerLimits => ({
  maxRecipients: config.MAX_RECIPIENTS,
  maxMetadataBytes: config.MAX_METADATA_BYTES,
  maxMessageBytes: config.MAX_MESSAGE_BYTES,
  maxBodyBytes: config.MAX_BODY_BYTES,
  requestsPerMinute: config.FLOOD_REQUESTS_PER_MINUTE,
  recipientsPerHour: config.FLOOD_RECIPIENTS_PER_HOUR,
});

/** @throws {ConfigError} The secret can't be the relay's, so every event would be rejected. */
function eventSettings({ RELAY: relay, RELAY_EVENTS_SECRET: secret }: Config): EventSettings | undefined {
  const source = relay === '' || relay === 'smtp' ? undefined : RELAYS[relay].events;
  if (source === undefined || secret === undefined) return undefined;
  const rule = source.checkSecret(secret);
  if (rule !== undefined)
    throw new ConfigError(`RELAY_EVENTS_SECRET must ${rule} (RELAY=${relay}, see docs/relays.md, Webhooks)`);
  return { relay, source, secret };
}
