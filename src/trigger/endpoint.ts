// POST /api/invitation-trigger: queues one batch of invitations. Read → authenticate → guard → check → one SQL call → answer.
import type { Request } from 'polka';
import { isNotReady } from '../database/pool.ts';
import type { TriggerResult } from '../database/store.ts';
import { ApiError, NotReadyError } from '../errors.ts';
import { type Answer, json } from '../http/answer.ts';
import { readBody } from '../http/body.ts';
import type { Readiness } from '../http/readiness.ts';
import { hashSecret } from '../secret.ts';
import { formatUtc } from '../text.ts';
import type { Batcher } from './batcher.ts';
import { parseBody } from './body.ts';
import { readIdempotency } from './idempotency.ts';
import { parsePayload } from './payload.ts';
import type { FloodGuard } from './rate-limit.ts';
import type { Refusals } from './rejections.ts';
import type { PayloadLimits, TriggerLimits, TriggerResponse } from './schema.ts';

/** Requests that may wait for the database at the same time; more are answered 503 at once. */
const MAX_WAITING = 1000;

/** What the endpoint is given. */
export interface TriggerContext {
  readonly batcher: Batcher;
  readonly floodGuard: FloodGuard;
  readonly readiness: Readiness;
  /** Counts rejected requests. */
  readonly refusals: Refusals;
  readonly limits: Pick<TriggerLimits, 'maxBodyBytes' | keyof PayloadLimits>;
  clientAddress(request: Request): string;
}

/** Answers a trigger request, and counts it for its token's page if it is refused. */
export function invitationTrigger(context: TriggerContext) {
  const trigger = createTrigger(context);
  return async (request: Request): Promise<Answer> => {
    const caller: Caller = {};
    try {
      return await trigger(request, caller);
    } catch (error) {
      // Of a body that cannot be read, the secret is known if it is not in there.
      caller.secretHash ??= hashOf(secretIn(request, {}));
      if (caller.secretHash !== undefined) context.refusals.count(caller.secretHash, error);
      throw error;
    }
  };
}

/** What is known of who sends a request, as soon as it is. */
interface Caller {
  secretHash?: Buffer | undefined;
}

function createTrigger({ batcher, floodGuard, readiness, limits, clientAddress }: TriggerContext) {
  let waiting = 0;

  return async (request: Request, caller: Caller): Promise<Answer> => {
    if (request.method !== 'POST') throw new ApiError('method_not_allowed', 'Only POST is allowed here.');
    const address = clientAddress(request);
    const admit = (secret: string | undefined): string | undefined => {
      const hash = hashOf(secret);
      if (hash === undefined) return undefined;
      caller.secretHash = hash;
      const key = hash.toString('base64');
      const retryAfter = floodGuard.check(key, address);
      if (retryAfter !== undefined) throw refusal({ outcome: 'flood_protection', retryAfterSeconds: retryAfter });
      return key;
    };

    const body = await readBody(request, limits.maxBodyBytes);
    // A secret outside the body is checked before the body costs anything.
    const early = admit(secretIn(request, {}));
    const fields = parseBody(request, body);
    const key = early ?? admit(secretIn(request, fields));
    if (key === undefined || caller.secretHash === undefined) throw missingToken();
    const trigger = parsePayload(fields, limits, new Date());
    const idempotency = readIdempotency(request, trigger);

    if (waiting >= MAX_WAITING) throw new NotReadyError('too many requests are waiting for the database');
    waiting += 1;
    try {
      await readiness.ready();
      const answer = await batcher.accept(key, { secretHash: caller.secretHash, request: trigger, idempotency });
      floodGuard.record(key, address, answer.outcome !== 'unknown_token');
      if (answer.outcome !== 'accepted') throw refusal(answer);
      return accepted(answer, trigger.recipients.length);
    } catch (error) {
      if (isNotReady(error)) readiness.invalidate();
      throw error;
    } finally {
      waiting -= 1;
    }
  };
}

/** Where a secret may be, in the order in which it is looked for; the first that is there is used. */
function secretIn(request: Request, fields: Record<string, unknown>): string | undefined {
  const bearer = /^Bearer +(\S+) *$/i.exec(request.headers.authorization ?? '')?.[1];
  const places = [bearer, request.query.token, request.query.secret, fields.token, fields.secret];
  return places.find((secret) => typeof secret === 'string' && secret !== '') as string | undefined;
}

const hashOf = (secret: string | undefined): Buffer | undefined => (secret === undefined ? undefined : hashSecret(secret));

const missingToken = () =>
  new ApiError('missing_token', 'The trigger secret is missing: send it as Authorization: Bearer <secret>.');

function accepted(answer: TriggerResult & { outcome: 'accepted' }, recipients: number): Answer {
  const what = recipients === 1 ? 'Invitation' : `${recipients} invitations`;
  const body: TriggerResponse = {
    ok: true,
    message: `${what} ${answer.status === 'scheduled' ? 'queued for the scheduled time' : 'queued'}.`,
    batch: { uuid: answer.batchId, scheduled_at: formatUtc(answer.scheduledAt), status: answer.status },
  };
  const headers: Record<string, string> = answer.replayed ? { 'idempotency-replayed': 'true' } : {};
  return { ...json(200, body, headers), logged: { batch: answer.batchId } };
}

const REFUSED: Record<Exclude<TriggerResult['outcome'], 'accepted'>, string> = {
  unknown_token: 'The trigger secret is unknown: it is mistyped, or its token was deleted.',
  idempotency_key_reused: 'The Idempotency-Key was used with another payload in the last 24 hours.',
  workspace_disabled: 'The workspace is suspended.',
  plan_required: "The workspace's plan does not include the API trigger.",
  survey_disabled: 'The survey is disabled.',
  cooldown: 'The token is cooling down after its last accepted request.',
  flood_protection: 'Too many requests or recipients in a short time.',
};

function refusal({ outcome, retryAfterSeconds }: Exclude<TriggerResult, { outcome: 'accepted' }>): ApiError {
  if (retryAfterSeconds === null) return new ApiError(outcome, REFUSED[outcome]);
  return new ApiError(outcome, `${REFUSED[outcome]} Try again in ${retryAfterSeconds} s.`, { retryAfterSeconds });
}
