// What goes into accept_triggers and comes out of it, typed.

/** What refuses a request in SQL; also error codes of the HTTP interface. */
export const REFUSALS = [
  'unknown_token',
  'idempotency_key_reused',
  'workspace_disabled',
  'plan_required',
  'survey_disabled',
  'cooldown',
  'flood_protection',
] as const;

/** A recipient as accept_triggers takes it: folded and checked. */
export interface Recipient {
  readonly email: string;
  readonly name?: string | undefined;
  readonly metadata?: Metadata | undefined;
}

export type Metadata = Record<string, unknown>;

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

/** A trigger request with what it is to be decided by. */
export interface TriggerCall {
  /** SHA-256 of the trigger secret. */
  readonly secretHash: Buffer;
  readonly request: TriggerRequest;
  /** With a key that the token has used before, the answer is the earlier batch. */
  readonly idempotency?: Idempotency | undefined;
}

export type TriggerAnswer =
  | { outcome: 'accepted'; batchId: string; scheduledAt: Date; status: 'queued' | 'scheduled'; replayed: boolean }
  | { outcome: (typeof REFUSALS)[number]; retryAfterSeconds: number | null };
