// Trigger requests.
import type { HoldReason } from './invitations.ts';
import type { Queries, Row } from './mapping.ts';

/** Also error codes of the HTTP API. */
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

/** Folded and checked. */
export interface Recipient {
  readonly email: string;
  readonly name?: string | undefined;
  /** A tag (BCP 47); undefined: the request's. */
  readonly language?: string | undefined;
  readonly metadata?: Metadata | undefined;
}

export interface TriggerRequest {
  readonly recipients: readonly Recipient[];
  readonly subject?: string | undefined;
  readonly message?: string | undefined;
  readonly reminderDays?: number | undefined;
  /** Undefined: the survey's. */
  readonly language?: string | undefined;
  readonly metadata?: Metadata | undefined;
  readonly sendInSeconds?: number | undefined;
  readonly sendAt?: Date | undefined;
}

export interface Idempotency {
  readonly key: string;
  readonly payloadHash: Buffer;
}

export interface TriggerCall {
  /** SHA-256. */
  readonly secretHash: Buffer;
  readonly request: TriggerRequest;
  /** If the token has used the key before, the result is that batch. */
  readonly idempotency?: Idempotency | undefined;
}

export type TriggerResult =
  | {
      outcome: 'accepted';
      batchId: string;
      scheduledAt: Date;
      status: 'queued' | 'scheduled';
      replayed: boolean;
      /** Whether queueAccepted must make its jobs. */
      deferred: boolean;
      /** Why its email waits; null: it doesn't. */
      holdReason: HoldReason | null;
      /** Recipients whom the workspace must not email; null: of an earlier request. */
      suppressed: number | null;
    }
  | { outcome: (typeof REJECTED_OUTCOMES)[number]; retryAfterSeconds: number | null };

/** Recipients that a workspace may invite in any rolling hour, and those that it may still invite now. */
export interface Quota {
  readonly limit: number;
  readonly remaining: number;
}

const requestJson = ({ secretHash, request, idempotency }: TriggerCall): Row => ({
  secret_hash: hex(secretHash),
  recipients: request.recipients,
  subject: request.subject,
  message: request.message,
  reminder_days: request.reminderDays,
  language: request.language,
  metadata: request.metadata,
  send_in_seconds: request.sendInSeconds,
  send_at: request.sendAt,
  idempotency_key: idempotency?.key,
  payload_hash: idempotency && hex(idempotency.payloadHash),
});

const hex = (bytes: Buffer): string => `\\x${bytes.toString('hex')}`;

export function triggerRequestsCalls({ sql, record, one, json }: Queries) {
  return {
    /**
     * Decides each request by itself.
     * @param recipientsPerHour A workspace's quota.
     * @param options.wait Whether to wait for a locked token or survey.
     * @param options.defer Whether jobs for now are left to queueAccepted.
     * @returns In the order of the requests; undefined: ask again, something is locked.
     */
    async acceptTriggers(calls: readonly TriggerCall[], recipientsPerHour: number, { wait = false, defer = false } = {}) {
      const rows = await sql`
        select * from invite.accept_triggers(
          ${json(calls.map(requestJson))}, ${recipientsPerHour}, wait => ${wait}, defer => ${defer})`;
      const answers: (TriggerResult | undefined)[] = calls.map(() => undefined);
      for (const { request, ...row } of rows) answers[request as number] = record<TriggerResult>(row);
      return answers;
    },
    /** Of a token's workspace. */
    readQuota: (secretHash: Buffer, recipientsPerHour: number) =>
      one<Quota>(sql`select * from invite.read_quota(${secretHash}, ${recipientsPerHour})`),
    queueAccepted: async (batchIds: readonly string[]): Promise<void> => {
      await sql`select invite.queue_accepted(${batchIds as string[]}::uuid[])`;
    },
  };
}
