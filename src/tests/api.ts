// /api/v1/test/: what a test secret reads and moves. Another secret gets 404.
import type { IncomingMessage } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import type { Request } from 'polka';
import type { AdvanceBy, Store, TestAdvance } from '../database/store.ts';
import { SHARES, Turns } from '../database/turns.ts';
import { ApiError, invalidField, missingToken, NotReadyError } from '../errors.ts';
import { type Answer, json } from '../http/answer.ts';
import { readBody } from '../http/body.ts';
import { FloodGuard } from '../http/flood-guard.ts';
import { readRowId, readUuid } from '../http/ids.ts';
import { readNumber } from '../http/query.ts';
import type { Readiness } from '../http/readiness.ts';
import { bearerOf, hashSecret, isTestSecret } from '../secret.ts';
import { parseSeconds } from './duration.ts';

const MAX_BODY = 1024;
const ROWS = 50;
const MAX_ROWS = 1000;
/** Milliseconds that a request waits for the clock. */
const PATIENCE = 30_000;
/** Milliseconds between two looks, which grow up to the second. */
const LOOK = 5;
const LONGEST_LOOK = 200;

export interface TestApiContext {
  readonly store: Pick<Store, 'tokenTestClock' | 'tokenTestEmails' | 'tokenTestAdvance' | 'tokenTestResult'>;
  readonly readiness: Readiness;
  /** The limit for one token, for all of these requests together. */
  readonly requestsPerMinute: number;
  /** The limit for one client address. It counts only requests with unknown secrets. */
  readonly unknownPerMinute: number;
  clientAddress(request: IncomingMessage): string;
}

export function createTestApi({ store, readiness, requestsPerMinute, unknownPerMinute, clientAddress }: TestApiContext) {
  const guard = new FloodGuard({ requestsPerMinute, unknownPerMinute });
  const refusal = (countedBy: 'token' | 'address', retryAfterSeconds: number) =>
    new ApiError(
      'flood_protection',
      countedBy === 'token'
        ? `A test token may make ${requestsPerMinute} requests a minute.`
        : 'Too many requests with unknown secrets, from your address.',
      { retryAfterSeconds },
    );

  /** @throws {ApiError} The secret is missing, unknown or used too often. */
  async function authorize(request: Request) {
    const secret = bearerOf(request.headers.authorization);
    if (secret === undefined) throw missingToken();
    if (!isTestSecret(secret)) throw unknown();
    const secretHash = hashSecret(secret);
    const key = secretHash.toString('base64');
    await readiness.ready();
    const clock = await guard.lookUp(key, clientAddress(request), () => store.tokenTestClock(secretHash), refusal);
    if (clock === undefined) throw unknown();
    return { secretHash, clock };
  }

  const advances = new Turns(SHARES.advances);

  return {
    async clock(request: Request): Promise<Answer> {
      const { now, next } = (await authorize(request)).clock;
      return json(200, { ok: true, now, next });
    },

    async emails(request: Request): Promise<Answer> {
      const { secretHash } = await authorize(request);
      const { recipient, batch, before } = request.query;
      const rows = readNumber(request, 'limit', ROWS, 1, MAX_ROWS);
      const filter = {
        recipient: typeof recipient === 'string' && recipient !== '' ? recipient : undefined,
        batch: idFrom('batch', batch, readUuid, "must be a batch's uuid"),
        before: idFrom('before', before, readRowId, 'must be a next that this list has returned'),
      };
      const emails = await store.tokenTestEmails(secretHash, filter, rows);
      return json(200, { ok: true, emails, next: emails.length === rows ? (emails.at(-1)?.id ?? null) : null });
    },

    async email(request: Request): Promise<Answer> {
      const { secretHash } = await authorize(request);
      const id = readRowId(request.params.id);
      const [email] = id === undefined ? [] : await store.tokenTestEmails(secretHash, { id }, 1);
      if (email === undefined) throw new ApiError('not_found', 'There is no such email in this test workspace.');
      return json(200, { ok: true, email });
    },

    async advance(request: Request): Promise<Answer> {
      const { secretHash, clock } = await authorize(request);
      const by = readAdvance(await readBody(request, MAX_BODY));
      const leave = advances.tryEnter(clock.workspace_id);
      if (leave === undefined) throw tooManyAdvances();
      try {
        const id = await store.tokenTestAdvance(secretHash, by).catch(refused(by));
        const result = await ended(request, () => store.tokenTestResult(secretHash, id));
        return json(200, { ok: true, ...result });
      } finally {
        leave();
      }
    },
  };
}

const tooManyAdvances = () =>
  new ApiError('flood_protection', `At most ${SHARES.advances.perGroup} advances of a test workspace are waited for at a time.`, {
    retryAfterSeconds: 1,
  });

const unknown = () =>
  new ApiError('not_found', 'This secret is unknown, or not of a test workspace: those begin with sit_test_.');

function idFrom(field: string, text: unknown, read: (text: string) => string | undefined, message: string): string | undefined {
  if (text === undefined || text === '') return undefined;
  const id = typeof text === 'string' ? read(text) : undefined;
  if (id === undefined) throw invalidField(field, message);
  return id;
}

/** @throws {ApiError} */
function readAdvance(body: Buffer): AdvanceBy {
  let fields: unknown;
  try {
    fields = body.length === 0 ? {} : JSON.parse(body.toString());
  } catch {
    throw new ApiError('invalid_json', 'The body is not JSON.');
  }
  if (typeof fields !== 'object' || fields === null || Array.isArray(fields)) {
    throw new ApiError('invalid_json', 'The body must be a JSON object.');
  }
  const { to, by, next, ...others } = fields as Record<string, unknown>;
  const [other] = Object.keys(others);
  if (other !== undefined) throw new ApiError('unknown_field', `${other} is unknown: send to, by or next.`);
  if ([to, by, next].filter((one) => one !== undefined).length !== 1) throw invalidField('to', 'or by or next: send one of them');
  if (to !== undefined) {
    const until = typeof to === 'string' && /^\d{4}-\d\d-\d\dT.*(Z|[+-]\d\d:?\d\d)$/.test(to) ? new Date(to) : undefined;
    if (until === undefined || Number.isNaN(until.getTime()))
      throw invalidField('to', 'must be a time with its offset, such as 2027-01-31T09:00:00Z');
    return { until };
  }
  if (by !== undefined) {
    const seconds = typeof by === 'string' ? parseSeconds(by) : undefined;
    if (seconds === undefined)
      throw invalidField('by', 'must be a duration of ISO 8601 without a sign and months, such as P3D, PT36H or P1DT12H30M');
    return { seconds };
  }
  if (next !== true) throw invalidField('next', 'must be true');
  return {};
}

const refused =
  ({ seconds }: AdvanceBy) =>
  (error: unknown): never => {
    const field = seconds === undefined ? 'to' : 'by';
    switch ((error as { constraint_name?: string }).constraint_name) {
      case 'test_advances_backwards':
        throw invalidField(field, 'must not be before the time of the test workspace: its clock never goes back');
      case 'test_advances_too_far':
        throw invalidField(field, 'must lead to at most 400 days after the time of the test workspace');
      default:
        throw error;
    }
  };

/** @throws {NotReadyError} No worker has done it in time: it is still done as soon as one runs. */
async function ended(request: Request, look: () => Promise<TestAdvance | null>): Promise<TestAdvance> {
  const until = performance.now() + PATIENCE;
  for (let wait = LOOK; performance.now() < until && !request.socket.destroyed; wait = Math.min(wait * 1.5, LONGEST_LOOK)) {
    const found = await look();
    if (found !== null) return found;
    await delay(wait);
  }
  throw new NotReadyError('no worker has moved the clock of a test workspace in time');
}
