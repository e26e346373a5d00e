// Trigger requests: what accept_triggers takes and returns.
import type { Queries, Row } from './mapping.ts';

/** The outcomes that reject a request; also error codes of the HTTP API. */
export const REJECTED_OUTCOMES = [
  'unknown_token',
  'idempotency_key_reused',
  'workspace_disabled',
  'plan_required',
  'survey_disabled',
  'cooldown',
  'flood_protection',
] as const;

export type Metadata = Record<string, unknown>;

/** A recipient as accept_triggers takes it: folded and checked. */
export interface Recipient {
  readonly email: string;
  readonly name?: string | undefined;
  readonly metadata?: Metadata | undefined;
}

export interface TriggerRequest {
  readonly recipients: readonly Recipient[];
  readonly subject?: string | undefined;
  readonly message?: string | undefined;
  readonly reminderDays?: number | undefined;
  readonly metadata?: Metadata | undefined;
  readonly sendInSeconds?: number | undefined;
  readonly sendAt?: Date | undefined;
}

/** An idempotency key, and the SHA-256 of the payload that it was sent with. */
export interface Idempotency {
  readonly key: string;
  readonly payloadHash: Buffer;
}

/** A trigger request with the secret and key that decide about it. */
export interface TriggerCall {
  /** SHA-256 of the trigger secret. */
  readonly secretHash: Buffer;
  readonly request: TriggerRequest;
  /** For a key that the token has used before, the result is the earlier batch. */
  readonly idempotency?: Idempotency | undefined;
}

export type TriggerResult =
  | {
      outcome: 'accepted';
      batchId: string;
      scheduledAt: Date;
      status: 'queued' | 'scheduled';
      replayed: boolean;
      /** Whether its jobs are still to be made, by queueAccepted. */
      deferred: boolean;
    }
  | { outcome: (typeof REJECTED_OUTCOMES)[number]; retryAfterSeconds: number | null };

/** A trigger request as accept_triggers takes it. */
const requestJson = ({ secretHash, request, idempotency }: TriggerCall): Row => ({
  secret_hash: hex(secretHash),
  recipients: request.recipients,
  subject: request.subject,
  message: request.message,
  reminder_days: request.reminderDays,
  metadata: request.metadata,
  send_in_seconds: request.sendInSeconds,
  send_at: request.sendAt,
  idempotency_key: idempotency?.key,
  payload_hash: idempotency && hex(idempotency.payloadHash),
});

const hex = (bytes: Buffer): string => `\\x${bytes.toString('hex')}`;

export function triggerRequestsCalls({ sql, record, json }: Queries) {
  return {
    /**
     * Accepts or rejects trigger requests, each by itself.
     * @param recipientsPerHour The hourly quota of a workspace.
     * @param options.wait Whether to wait for a token or survey that another transaction has locked.
     * @param options.defer Whether jobs for what is due now are left to queueAccepted.
     * @returns The answers in the order of the requests; undefined: ask again, another transaction has locked what it needs.
     */
    async acceptTriggers(calls: readonly TriggerCall[], recipientsPerHour: number, { wait = false, defer = false } = {}) {
      const rows = await sql`
        select * from invite.accept_triggers(
          ${json(calls.map(requestJson))}, ${recipientsPerHour}, wait => ${wait}, defer => ${defer})`;
      const answers: (TriggerResult | undefined)[] = calls.map(() => undefined);
      for (const { request, ...row } of rows) answers[request as number] = record<TriggerResult>(row);
      return answers;
    },
    /** Makes the jobs for what is due of accepted batches. */
    queueAccepted: async (batchIds: readonly string[]): Promise<void> => {
      await sql`select invite.queue_accepted(${batchIds as string[]}::uuid[])`;
    },
  };
}
