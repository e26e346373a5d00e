// The product's endpoint without the batcher: each request makes its own database call.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import polka from 'polka';
import { readConfig } from '../../../src/config.ts';
import { openDatabase } from '../../../src/database/pool.ts';
import { createStore } from '../../../src/database/store.ts';
import { FloodGuard } from '../../../src/http/flood-guard.ts';
import { handle } from '../../../src/http/handler.ts';
import { Readiness } from '../../../src/http/readiness.ts';
import { createLog } from '../../../src/log.ts';
import { invitationTrigger } from '../../../src/trigger/endpoint.ts';
import { createRejectionCounter } from '../../../src/trigger/rejections.ts';
import { TimeZones } from '../../../src/trigger/time-zones.ts';
import { acceptTrigger } from '../../fixtures/trigger.ts';
import { answer } from '../child.ts';

const config = readConfig(process.env);
const recipientsPerHour = config.FLOOD_RECIPIENTS_PER_HOUR;
const log = createLog(config.LOG_LEVEL);
const store = createStore(
  openDatabase(config.DATABASE_URL ?? '', { max: config.DATABASE_POOL, applicationName: 'bench one-call' }),
);
const handler = invitationTrigger({
  batcher: {
    laneOf: () => '',
    idle: async () => {},
    accept: (_, { secretHash, request, idempotency }) =>
      acceptTrigger(store, secretHash, request, recipientsPerHour, idempotency),
  },
  floodGuard: new FloodGuard({ requestsPerMinute: config.FLOOD_REQUESTS_PER_MINUTE, unknownPerMinute: 30 }),
  readiness: new Readiness(store),
  rejections: createRejectionCounter(store, log),
  timeZones: new TimeZones(store.timeZoneNames),
  limits: {
    maxRecipients: config.MAX_RECIPIENTS,
    maxMetadataBytes: config.MAX_METADATA_BYTES,
    maxMessageBytes: config.MAX_MESSAGE_BYTES,
    maxBodyBytes: config.MAX_BODY_BYTES,
  },
  quota: (secretHash) => store.readQuota(secretHash, recipientsPerHour),
  clientAddress: (request) => request.socket.remoteAddress ?? '',
});

const server = createServer();
polka({ server })
  .all('/api/invitation-trigger', handle(log, '/api/invitation-trigger', 'json', handler))
  .listen(0, '127.0.0.1', () => answer(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, () => true));
