// Trigger requests.
import type { HoldReason } from './invitations.ts';
import type { Queries, Row } from './mapping.ts';

/** These are also error codes of the HTTP API. */
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

/** A recipient whose fields are checked and whose address is folded. */
export interface Recipient {
  readonly email: string;
  readonly name?: string | undefined;
  /** A language tag (BCP 47). Undefined: the request's language. */
  readonly language?: string | undefined;
  /** Undefined: the request's. Named as in SQL, because recipients are passed on as they are. */
  readonly time_zone?: string | undefined;
  readonly metadata?: Metadata | undefined;
}

export interface TriggerRequest {
  readonly recipients: readonly Recipient[];
  readonly subject?: string | undefined;
  readonly message?: string | undefined;
  /** Days from the first email to each reminder. Undefined: the token's. */
  readonly reminders?: readonly number[] | undefined;
  /** Undefined: the survey's language. */
  readonly language?: string | undefined;
  /** Undefined: the survey's. */
  readonly timeZone?: string | undefined;
  readonly metadata?: Metadata | undefined;
  readonly sendInSeconds?: number | undefined;
  readonly sendAt?: Date | undefined;
}

export interface Idempotency {
  readonly key: string;
  readonly payloadHash: Buffer;
}

export interface TriggerCall {
  /** See hashSecret. */
  readonly secretHash: Buffer;
  readonly request: TriggerRequest;
  /** If the token has already used this key, the result is the earlier batch. */
  readonly idempotency?: Idempotency | undefined;
}

export type TriggerResult = {
  /** The token's. Null: it is unknown. */
  readonly workspaceId: string | null;
  readonly surveyId: string | null;
} & (
  | {
      outcome: 'accepted';
      batchId: string;
      scheduledAt: Date;
      status: 'queued' | 'scheduled';
      replayed: boolean;
      /** Whether queueAccepted must make the batch's jobs. */
      deferred: boolean;
      /** Why the batch's email is on hold. Null: it isn't. */
      holdReason: HoldReason | null;
      /** How many recipients the workspace must not email. Null: the batch is of an earlier request. */
      suppressed: number | null;
      /** How many recipients were invited recently, so that they rest now. Null: there is no rest. */
      resting: number | null;
      /** When what hasn't left is skipped. Null: never. */
      leaveBy: Date | null;
    }
  | { outcome: (typeof REJECTED_OUTCOMES)[number]; retryAfterSeconds: number | null }
);

/** How many recipients a workspace may invite within any hour, and how many of those are left now. */
export interface Quota {
  readonly limit: number;
  readonly remaining: number;
}

const requestJson = ({ secretHash, request, idempotency }: TriggerCall): Row => ({
  secret_hash: hex(secretHash),
  recipients: request.recipients,
  subject: request.subject,
  message: request.message,
  reminders: request.reminders,
  language: request.language,
  time_zone: request.timeZone,
  metadata: request.metadata,
  send_in_seconds: request.sendInSeconds,
  send_at: request.sendAt,
  idempotency_key: idempotency?.key,
  payload_hash: idempotency && hex(idempotency.payloadHash),
});

const hex = (bytes: Buffer): string => `\\x${bytes.toString('hex')}`;

export function triggerRequestsCalls({ sql, record, one, value, json }: Queries) {
  return {
    /**
     * Decides each request separately. All are for one database.
     * @param recipientsPerHour The quota of a workspace.
     * @param options.wait Whether to wait for a token or survey that is locked.
     * @param options.defer Whether the caller makes jobs for emails due now, by queueAccepted.
     * @returns Results in the order of the requests. Undefined: something is locked, so ask again.
     */
    async acceptTriggers(calls: readonly TriggerCall[], recipientsPerHour: number, { wait = false, defer = false } = {}) {
      const rows = await sql`
        select * from invite.accept_triggers(
          ${json(calls.map(requestJson))}, ${recipientsPerHour}, wait => ${wait}, defer => ${defer})`;
      const answers: (TriggerResult | undefined)[] = calls.map(() => undefined);
      for (const { request, ...row } of rows) answers[request as number] = record<TriggerResult>(row);
      return answers;
    },
    /** Decides a request with the secret of a test token. */
    acceptTestTrigger: (call: TriggerCall, recipientsPerHour: number) =>
      one<TriggerResult>(sql`select * from invite.accept_test_trigger(${json(requestJson(call))}, ${recipientsPerHour})`),
    /** Reads the quota of the token's workspace. */
    readQuota: (secretHash: Buffer, recipientsPerHour: number) =>
      one<Quota>(sql`select * from invite.read_quota(${secretHash}, ${recipientsPerHour})`),
    /** The time zones that the database knows. */
    timeZoneNames: () => value<string[]>(sql`select invite.time_zone_names()`),
    /** @param home Of their database, or of one of their workspaces. */
    queueAccepted: async (batchIds: readonly string[], home: string): Promise<void> => {
      await sql`select invite.queue_accepted(${batchIds as string[]}::uuid[], ${home})`;
    },
  };
}
