// POST /api/invitation-trigger. A request whose secret is in the body is counted by its address until the body has been read.
import type { Request } from 'polka';
import { isNotReady } from '../database/pool.ts';
import type { Quota, TestClock, TriggerCall, TriggerResult } from '../database/store.ts';
import { ApiError, missingToken, NotReadyError } from '../errors.ts';
import { type Answer, json } from '../http/answer.ts';
import { readBody } from '../http/body.ts';
import type { Admission, FloodGuard } from '../http/flood-guard.ts';
import { note } from '../http/notes.ts';
import type { Readiness } from '../http/readiness.ts';
import { bearerOf, hashSecret, isTestSecret } from '../secret.ts';
import { formatNumber, formatUtc, plural } from '../text.ts';
import type { Batcher } from './batcher.ts';
import { readIdempotency } from './idempotency.ts';
import { isForm, parseBody } from './parse-body.ts';
import { parsePayload } from './payload.ts';
import { recipientsField } from './recipients.ts';
import type { RejectionCounter } from './rejections.ts';
import type { PayloadLimits, TriggerLimits, TriggerResponse, Warning } from './schema.ts';
import type { TimeZones } from './time-zones.ts';
import { misplacedFields, warningsOf } from './warnings.ts';

/** Requests that may wait for a database: this many with known tokens, and as many with others. Further requests get 503. */
const MAX_WAITING = 1000;
/**
 * Bytes that are read of a body from an address over its limit, and of any form whose secret is in the body: a form costs more to parse
 * than JSON.
 */
const MAX_UNKNOWN_BYTES = 64 * 1024;

export interface TriggerContext {
  readonly batcher: Batcher;
  readonly floodGuard: FloodGuard;
  readonly readiness: Readiness;
  readonly rejections: RejectionCounter;
  readonly timeZones: Pick<TimeZones, 'parse'>;
  readonly limits: Pick<TriggerLimits, 'maxBodyBytes' | keyof PayloadLimits>;
  /** Undefined: requests with test secrets are rejected as unknown. */
  readonly tests?: {
    accept(call: TriggerCall): Promise<TriggerResult>;
    /** Null: the secret is unknown. */
    clock(secretHash: Buffer): Promise<TestClock | null>;
  };
  /** The hourly quota of the token's workspace, and what is left of it. */
  quota(secretHash: Buffer): Promise<Quota>;
  clientAddress(request: Request): string;
}

/** Bytes of a wrong body that count as one more request. Reading a megabyte can take a tenth of a second, and nothing comes of it. */
const BYTES_PER_REQUEST = 64 * 1024;

/** Tells a caller why a form can't be larger. */
const SECRET_INSIDE = ' A larger form needs the secret in the Authorization header.';

interface Caller {
  /** Undefined for guesses over the limit: these aren't even counted as rejections. */
  secretHash?: Buffer;
  /** Set if the address is over its limit. The request then gets this refusal, unless its token proves to exist. */
  flooded?: Admission | undefined;
  admission?: Admission;
  /** The token's key, by which its requests are counted. */
  key?: string;
  /** Whether the token exists. Undefined: the request was refused before the lookup. */
  known?: boolean;
  /** Bytes of a body that hasn't been found valid. */
  unchecked?: number;
}

export function invitationTrigger(context: TriggerContext) {
  const trigger = createTrigger(context);
  return async (request: Request): Promise<Answer> => {
    const caller: Caller = {};
    try {
      return await trigger(request, caller);
    } catch (thrown) {
      const error = caller.flooded === undefined ? thrown : flooded(caller.flooded);
      if (caller.secretHash !== undefined) context.rejections.count(caller.secretHash, error);
      throw error;
    } finally {
      const { admission, key, known, unchecked = 0 } = caller;
      if (admission !== undefined) {
        context.floodGuard.charge(admission, key, Math.floor(unchecked / BYTES_PER_REQUEST));
        context.floodGuard.decide(admission, key, known);
      }
    }
  };
}

function createTrigger(context: TriggerContext) {
  const { batcher, floodGuard, readiness, timeZones, limits, quota, clientAddress, tests } = context;
  /** How many requests wait, by their lane. */
  const waiting = new Map<string, number>();

  return async (request: Request, caller: Caller): Promise<Answer> => {
    if (request.method !== 'POST') throw new ApiError('method_not_allowed', 'Only POST is allowed here.');
    const address = clientAddress(request);
    /** @throws {ApiError} flood_protection. */
    const admit = async (secret: string) => {
      const secretHash = hashSecret(secret);
      const key = secretHash.toString('base64');
      const admission = await floodGuard.check(key, address);
      Object.assign(caller, { admission, key });
      const { countedBy, retryAfter } = admission;
      if (countedBy === 'token' || retryAfter === undefined) caller.secretHash = secretHash;
      // This admission counts, even if an earlier one by address was over the limit.
      caller.flooded = retryAfter === undefined ? undefined : admission;
      if (countedBy !== 'spare' && retryAfter !== undefined) throw flooded(admission);
      return { key, secretHash, isTest: isTestSecret(secret) };
    };
    const admitUnread = async () => {
      const admission = await floodGuard.check(undefined, address);
      caller.admission = admission;
      if (admission.retryAfter !== undefined) caller.flooded = admission;
    };
    /** For a secret from the body. Until now the request was counted by its address. */
    const admitLate = (secret: string | undefined) => {
      if (secret === undefined) throw missingToken();
      if (caller.admission !== undefined) floodGuard.withdraw(caller.admission);
      delete caller.admission;
      return admit(secret);
    };

    // The limits are checked before the body is read.
    const secret = findSecret(request, {});
    const early = secret === undefined ? await admitUnread() : await admit(secret);
    const isUnknownForm = early === undefined && isForm(request);
    const isBounded = caller.flooded !== undefined || isUnknownForm;
    const maxBytes = isBounded ? Math.min(MAX_UNKNOWN_BYTES, limits.maxBodyBytes) : limits.maxBodyBytes;
    const misplaced = misplacedFields(request.query);
    const body = await readBody(request, maxBytes, undefined, isUnknownForm ? SECRET_INSIDE : '');
    caller.unchecked = body.length;
    const fields = namingMisplaced(misplaced, () => parseBody(request, body, limits.maxRecipients));
    const { key, secretHash, isTest } = early ?? (await admitLate(findSecret(request, fields)));
    const now = isTest ? await testNow(context, secretHash) : new Date();
    const trigger = await timeZones.parse((isTimeZone) =>
      namingMisplaced(misplaced, () => parsePayload(fields, limits, now, isTimeZone, isTest)),
    );
    if (misplaced.length > 0) throw inQuery(misplaced);
    const idempotency = readIdempotency(request, trigger);
    caller.unchecked = 0;

    const isKnown = caller.admission?.countedBy === 'token';
    const lane = batcher.laneOf(secretHash, isKnown);
    const before = waiting.get(lane) ?? 0;
    if (before >= MAX_WAITING) throw new NotReadyError('too many requests are waiting for the database', 'busy');
    waiting.set(lane, before + 1);
    try {
      await readiness.ready();
      const call = { secretHash, request: trigger, idempotency };
      const result = await (isTest && tests ? tests.accept(call) : batcher.accept(key, call, isKnown)).catch(unsure);
      noteResult(request, result);
      caller.known = result.outcome !== 'unknown_token';
      if (caller.known) caller.flooded = undefined;
      if (result.outcome === 'flood_protection') {
        if (isTest && result.retryAfterSeconds === null) throw fullTest();
        throw overQuota(result.retryAfterSeconds, fields, await quota(secretHash), isTest);
      }
      if (result.outcome !== 'accepted') throw rejected(result.outcome, result.retryAfterSeconds, isTest);
      try {
        return accepted(result, trigger.recipients.length, warningsOf(fields, trigger.recipients.length, result));
      } catch (cause) {
        const message = `Something went wrong on our side, but the request was accepted: its batch is ${result.batchId}.`;
        throw new ApiError('internal_error', message, { cause });
      }
    } catch (error) {
      if (isNotReady(error)) readiness.invalidate(error);
      throw error;
    } finally {
      waiting.set(lane, (waiting.get(lane) ?? 1) - 1);
    }
  };
}

/** Who asks for a request by its id finds its batch, and by that its emails. */
function noteResult(request: Request, result: TriggerResult): void {
  note(request, { workspace: result.workspaceId, survey: result.surveyId });
  if (result.outcome === 'accepted') note(request, { batch: result.batchId });
}

/** The time by which a request with a test secret is checked. */
async function testNow({ readiness, tests }: TriggerContext, secretHash: Buffer): Promise<Date> {
  await readiness.ready();
  const clock = await tests?.clock(secretHash);
  return clock ? new Date(clock.now) : new Date();
}

/** After a failed call, it isn't known whether the database committed it. */
function unsure(cause: unknown): never {
  if (cause instanceof ApiError || isNotReady(cause)) throw cause;
  const message =
    'Something went wrong on our side. The request may have been queued: repeat it with the same Idempotency-Key, and it is queued only once.';
  throw new ApiError('internal_error', message, { cause });
}

function findSecret(request: Request, fields: Record<string, unknown>): string | undefined {
  const places = [
    bearerOf(request.headers.authorization),
    request.query.token,
    request.query.secret,
    fields.token,
    fields.secret,
  ];
  return places.find((secret) => typeof secret === 'string' && secret !== '') as string | undefined;
}

/** Returns the result of a parser. If the parser throws, the error also names the fields that were sent in the query. */
function namingMisplaced<T>(misplaced: readonly string[], parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    throw error instanceof ApiError && misplaced.length > 0 ? inQuery(misplaced, error) : error;
  }
}

/** Such a request is refused: if its `send_in_seconds` in the query were ignored, it would be sent at once. */
function inQuery(misplaced: readonly string[], error?: ApiError): ApiError {
  const details = misplaced.map((field) => ({
    code: 'invalid_field' as const,
    field,
    message: 'must be in the body, not in the query',
  }));
  const names = `${misplaced.join(', ')} must be in the body, not in the query.`;
  const message = error === undefined ? names : `${error.message} Also: ${names}`;
  return new ApiError(error?.code ?? 'invalid_field', message, { details: [...(error?.details ?? []), ...details] });
}

function flooded({ countedBy, limit, retryAfter = 1 }: Admission): ApiError {
  const [field, what] =
    countedBy === 'token'
      ? ['token', `may make at most ${formatNumber(limit)} requests a minute`]
      : ['client address', `may make at most ${formatNumber(limit)} requests a minute without a secret that has been accepted`];
  return floodProtection(field, what, { limit, remaining: 0 }, `A ${field} ${what}.`, retryAfter);
}

const fullTest = (): ApiError =>
  new ApiError('flood_protection', 'This test workspace is full: it takes 10,000 recipients. Delete it, and create another.');

function overQuota(
  retryAfter: number | null,
  fields: Record<string, unknown>,
  { limit, remaining }: Quota,
  isTest: boolean,
): ApiError {
  const field = recipientsField(fields);
  const quota = `the workspace may invite ${formatNumber(limit)} recipients in any hour, and ${formatNumber(remaining)} ${remaining === 1 ? 'is' : 'are'} left`;
  const sentence = `${quota.charAt(0).toUpperCase()}${quota.slice(1)}.`;
  return floodProtection(field, `exceeds the quota: ${quota}`, { limit, remaining }, sentence, retryAfter ?? 1, isTest);
}

const floodProtection = (
  field: string,
  message: string,
  quota: Quota,
  sentence: string,
  retryAfterSeconds: number,
  isTest = false,
): ApiError =>
  new ApiError('flood_protection', `${sentence} ${tryAgain(retryAfterSeconds, isTest)}`, {
    retryAfterSeconds,
    details: [{ code: 'flood_protection', field, message, ...quota }],
  });

/** @param isTest Waiting doesn't help in a test workspace: its clock has to be moved. */
const tryAgain = (seconds: number, isTest: boolean): string =>
  isTest
    ? `Advance the test clock by ${plural(seconds, 'second')}: POST /api/v1/test/advance {"by": "PT${seconds}S"}.`
    : `Try again in ${plural(seconds, 'second')}.`;

function accepted(result: TriggerResult & { outcome: 'accepted' }, recipients: number, warnings: Warning[]): Answer {
  const what = recipients === 1 ? 'Invitation' : `${formatNumber(recipients)} invitations`;
  const body: TriggerResponse = {
    ok: true,
    message: `${what} ${result.status === 'scheduled' ? 'queued for the scheduled time' : 'queued'}.`,
    batch: {
      uuid: result.batchId,
      scheduled_at: formatUtc(result.scheduledAt),
      status: result.status,
      ...(result.resting != null && { resting: result.resting }),
      ...(result.leaveBy != null && { leave_by: formatUtc(result.leaveBy) }),
    },
    ...(warnings.length > 0 && { warnings }),
  };
  const headers: Record<string, string> = result.replayed ? { 'idempotency-replayed': 'true' } : {};
  return json(200, body, headers);
}

type Rejected = Exclude<TriggerResult['outcome'], 'accepted' | 'flood_protection'>;

const MESSAGES: Record<Rejected, string> = {
  unknown_token: 'The trigger secret is unknown: check it for typos, or its token may have been deleted.',
  idempotency_key_reused: 'This Idempotency-Key was used with a different payload in the last 24 hours.',
  workspace_disabled: 'The workspace is suspended.',
  plan_required: "The workspace's plan doesn't include the API trigger.",
  survey_disabled: 'The survey is disabled.',
  cooldown: "The token's cooldown after its last accepted request isn't over.",
};

function rejected(outcome: Rejected, retryAfterSeconds: number | null, isTest: boolean): ApiError {
  if (retryAfterSeconds === null) return new ApiError(outcome, MESSAGES[outcome]);
  return new ApiError(outcome, `${MESSAGES[outcome]} ${tryAgain(retryAfterSeconds, isTest)}`, { retryAfterSeconds });
}
